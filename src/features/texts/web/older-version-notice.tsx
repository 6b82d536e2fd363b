import { isRunning } from '#features/generations/contract.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import type { TextDetail, VersionRow } from '../contract.ts';

/** The version that is shown when none is named. */
export const newestVersion = ({ versions }: TextDetail): VersionRow | undefined =>
  versions.find(({ words, state }) => words > 0 || isRunning(state)) ?? versions[0];

export const isOlderVersion = (work: TextDetail): boolean => newestVersion(work)?.id !== work.version.id;

export function OlderVersionNotice({ onRestore, onBack }: { onRestore: () => void; onBack: () => void }) {
  return (
    <div className="notice notice-info row" role="status">
      <span>{m.texts_older()}</span>
      <Button onClick={onRestore}>{m.texts_older_restore()}</Button>
      <Button variant="ghost" onClick={onBack}>
        {m.texts_older_back()}
      </Button>
    </div>
  );
}
