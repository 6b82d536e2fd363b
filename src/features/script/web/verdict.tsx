import type { WorkView } from '../../works/contract.ts';

/** What is to be said of a version that did not come to its end, or of what it lacks. */
export function Verdict({ work, onRetry }: { work: WorkView; onRetry: () => void }) {
  const { state, error, note, content, finishReason } = work.version;
  const over = state === 'failed' || state === 'interrupted';
  const text = over
    ? (error ?? 'The script could not be written.')
    : state === 'stopped'
      ? content === ''
        ? 'Stopped before anything was written. You were not charged.'
        : 'Stopped. What was written is kept.'
      : finishReason === 'length'
        ? 'The model stopped at its limit of length; the end is missing.'
        : note;
  if (!text) return null;
  return (
    <div
      className={`notice ${over ? 'notice-danger' : 'notice-info'} sp-verdict`}
      role={over ? 'alert' : undefined}
    >
      <p>{text}</p>
      {over || state === 'stopped' ? (
        <button type="button" className="btn btn-secondary" onClick={onRetry}>
          Try again
        </button>
      ) : null}
    </div>
  );
}
