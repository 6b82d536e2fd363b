import { useId } from 'react';
import { textLimits } from '#features/texts/contract.ts';
import { type SaveState, saveStates } from '#features/texts/web/use-autosave.ts';
import { m } from '#messages';

interface SourceEditorProps {
  text: string;
  saving: SaveState;
  problem: string | null;
  readOnly: boolean;
  onChange: (text: string) => void;
}

export function SourceEditor({ text, saving, problem, readOnly, onChange }: SourceEditorProps) {
  const id = useId();
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {m.script_source()}
      </label>
      <textarea
        id={id}
        className="textarea sp-source"
        dir="auto"
        rows={24}
        spellCheck
        maxLength={textLimits.textLength}
        readOnly={readOnly}
        value={text}
        aria-describedby={`${id}-state`}
        onChange={(event) => onChange(event.target.value)}
      />
      <p className={problem ? 'notice notice-danger' : 'hint'} id={`${id}-state`} role="status">
        {problem ?? saveStates[saving]()}
      </p>
    </div>
  );
}
