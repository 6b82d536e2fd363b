import { featureTable } from '#features/credits/contract.ts';
import { LockedTool } from '#features/credits/web/locked-tool.tsx';
import { m } from '#messages';
import { scriptLimits } from '../contract.ts';
import { ScriptDocument } from './screenplay/script-document.tsx';

interface ScriptSampleProps {
  /** Fountain text of ours. */
  text: string;
  /** The plan of this person does not have the tool. */
  locked: boolean;
  guest: boolean;
  onUpgrade: () => void;
}

const promises = () => [
  m.script_promise_length({ minutes: scriptLimits.mostMinutes }),
  m.script_promise_rewrite(),
  m.script_promise_export(),
];

/** What the tool makes, by a text of our own that it reads and sets as it does every other. */
export function ScriptSample({ text, locked, guest, onUpgrade }: ScriptSampleProps) {
  return (
    <>
      {locked ? (
        <LockedTool tool={featureTable.script.name} points={promises()} onUpgrade={onUpgrade} />
      ) : (
        <p className="h3">{guest ? m.script_sample_guest() : m.script_sample_yours()}</p>
      )}
      <ScriptDocument text={text} lang="en" live={null} plain={false} />
    </>
  );
}
