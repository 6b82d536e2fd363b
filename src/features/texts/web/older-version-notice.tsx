import { isRunning } from '#features/generations/contract.ts';
import { m } from '#messages';
import type { TextDetail, VersionRow } from '../contract.ts';

/** The version that a work is shown with when none is named: the newest one that has a text or runs. */
export const newestVersion = ({ versions }: TextDetail): VersionRow | undefined =>
  versions.find(({ words, state }) => words > 0 || isRunning(state)) ?? versions[0];

/** Whether a newer version is there than the one that is shown. */
export const isOlderVersion = (work: TextDetail): boolean => newestVersion(work)?.id !== work.version.id;

/** Says that the version which is shown is not the newest, and leads on from there. */
export function OlderVersionNotice({ onRestore, onBack }: { onRestore: () => void; onBack: () => void }) {
  return (
    <div className="notice notice-info row" role="status">
      <span>{m.texts_older()}</span>
      <button type="button" className="btn btn-secondary" onClick={onRestore}>
        {m.texts_older_restore()}
      </button>
      <button type="button" className="btn btn-ghost" onClick={onBack}>
        {m.texts_older_back()}
      </button>
    </div>
  );
}
