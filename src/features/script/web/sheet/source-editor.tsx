import { useId } from 'react';
import { workLimits } from '../../../works/contract.ts';
import type { SaveState } from '../../../works/web/use-saving.ts';

const said: Record<SaveState, string> = {
  saved: 'Saved.',
  waiting: 'Not saved yet …',
  saving: 'Saving …',
  failed: 'Not saved.',
};

interface SourceEditorProps {
  text: string;
  saving: SaveState;
  /** What a failed save said. */
  problem: string | null;
  readOnly: boolean;
  onChange: (text: string) => void;
}

/** A script as plain Fountain text that can be edited; it is saved as it is typed. */
export function SourceEditor({ text, saving, problem, readOnly, onChange }: SourceEditorProps) {
  const id = useId();
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        Fountain text
      </label>
      <textarea
        id={id}
        className="textarea sp-source"
        dir="auto"
        rows={24}
        spellCheck
        maxLength={workLimits.textLength}
        readOnly={readOnly}
        value={text}
        aria-describedby={`${id}-state`}
        onChange={(event) => onChange(event.target.value)}
      />
      <p className={problem ? 'notice notice-danger' : 'hint'} id={`${id}-state`} role="status">
        {problem ?? said[saving]}
      </p>
    </div>
  );
}
