import { featureTable } from '#features/credits/contract.ts';
import { LockedTool } from '#features/credits/web/locked-tool.tsx';
import { m } from '#messages';
import { scriptLimits } from '../contract.ts';
import { ScriptDocument } from './screenplay/script-document.tsx';

interface ScriptSampleProps {
  text: string;
  locked: boolean;
  guest: boolean;
  onUpgrade: () => void;
}

const promises = () => [
  m.script_promise_length({ minutes: scriptLimits.mostMinutes }),
  m.script_promise_rewrite(),
  m.script_promise_export(),
];

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
