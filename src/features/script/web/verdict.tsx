import type { Version } from '../../works/contract.ts';
import type { Failure } from './use-script.ts';

interface Said {
  text: string | null;
  /** It came to nothing. */
  over: boolean;
  again: boolean;
}

/** What is to be said of a version that did not come to its end, or of what it lacks. */
function saidOf({ state, error, note, content, finishReason, creditsCharged }: Version): Said {
  if (state === 'failed' || state === 'interrupted') {
    const charge = creditsCharged === 0 ? ' Nothing was charged.' : '';
    return { text: (error ?? 'The script could not be written.') + charge, over: true, again: true };
  }
  if (state !== 'stopped') {
    const text =
      finishReason === 'length'
        ? 'The model reached its length limit, so the end is missing.'
        : finishReason === 'incomplete'
          ? 'Part of this script was lost on the way, so a few words may be missing.'
          : note;
    return { text, over: false, again: false };
  }
  const text =
    content === ''
      ? 'Stopped before anything was written. Nothing was charged.'
      : 'Stopped. What was written is kept.';
  return { text, over: false, again: true };
}

interface VerdictProps {
  version: Version;
  /** A run that failed after the version that is shown; null for none. */
  failure: Failure | null;
  /** Asks again for what failed, or for what the version was asked for. */
  onRetry: (failed: boolean) => void;
}

/** How the version that is shown, or the run after it, has ended, where that is to be said. */
export function Verdict({ version, failure, onRetry }: VerdictProps) {
  const failed = failure !== null && failure.id !== version.generationId ? failure : null;
  const { text, over, again } = failed ? { text: failed.text, over: true, again: true } : saidOf(version);
  if (!text) return null;
  return (
    // Its toast has said it to those who listen.
    <div className={`notice ${over ? 'notice-danger' : 'notice-info'} sp-verdict`}>
      <p>{text}</p>
      {again ? (
        <button type="button" className="btn btn-secondary" onClick={() => onRetry(failed !== null)}>
          Try again
        </button>
      ) : null}
    </div>
  );
}
