import { useId, useState } from 'react';
import type { Version } from '../../../works/contract.ts';
import { type SaveState, useSaving } from '../../../works/web/use-saving.ts';

const said: Record<SaveState, string> = {
  saved: 'Saved.',
  changed: 'Not saved yet …',
  saving: 'Saving …',
  failed: 'Not saved. It is tried again.',
  conflict: 'Not saved.',
};

interface SourceEditorProps {
  workId: string;
  version: Version;
  onSaved: (content: string) => void;
}

/** A version as plain Fountain text that can be edited; it is saved as it is typed. */
export function SourceEditor({ workId, version, onSaved }: SourceEditorProps) {
  const id = useId();
  // The first save makes a version of its own, which the next ones go into.
  const [edited, setEdited] = useState(version);
  const [text, setText] = useState(version.content);
  const { state, problem, change } = useSaving(workId, edited, (saved, content) => {
    setEdited((was) => ({ ...was, id: saved.id, kind: 'edited', edition: saved.edition }));
    onSaved(content);
  });
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        Fountain text
      </label>
      <textarea
        id={id}
        className="textarea sp-source"
        rows={24}
        spellCheck
        value={text}
        aria-describedby={`${id}-state`}
        onChange={(event) => {
          setText(event.target.value);
          change(event.target.value);
        }}
      />
      <p className={problem ? 'notice notice-danger' : 'hint'} id={`${id}-state`} role="status">
        {problem ?? said[state]}
      </p>
    </div>
  );
}
