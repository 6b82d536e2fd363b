import type { VersionRow, WorkView } from '../contract.ts';

/** The version that a work is shown with when none is named: the newest one that has a text or runs. */
export const newestOf = ({ versions }: WorkView): VersionRow | undefined =>
  versions.find(({ words, state }) => words > 0 || state === 'queued' || state === 'running') ?? versions[0];

/** Whether a newer version is there than the one that is shown. */
export const isOlder = (work: WorkView): boolean => newestOf(work)?.id !== work.version.id;

/** Says that the version which is shown is not the newest, and leads on from there. */
export function OlderVersion({ onRestore, onBack }: { onRestore: () => void; onBack: () => void }) {
  return (
    <div className="notice notice-info row" role="status">
      <span>This is an older version.</span>
      <button type="button" className="btn btn-secondary" onClick={onRestore}>
        Restore it
      </button>
      <button type="button" className="btn btn-ghost" onClick={onBack}>
        Back to the newest
      </button>
    </div>
  );
}
