import type { Version } from '../../works/contract.ts';

/** Whether a version's run came to no end of its own. */
export const hasFailed = ({ state }: Pick<Version, 'state'>): boolean =>
  state === 'failed' || state === 'interrupted';

/** Some of the API's texts say it themselves. */
const free = (text: string, more: string) => (/not charged/.test(text) ? text : `${text} ${more}`);

function TryAgain({ onRetry }: { onRetry: () => void }) {
  return (
    <button type="button" className="btn btn-secondary" onClick={onRetry}>
      Try again
    </button>
  );
}

interface FailureProps {
  /** In the API's words. */
  text: string;
  /** The same is asked for again; null where that is not known any more. */
  onRetry: (() => void) | null;
}

/** What is said of a run that has failed, as long as no version shows it. */
export function Failure({ text, onRetry }: FailureProps) {
  return (
    // Its toast has said it to those who listen.
    <div className="notice notice-danger writer-verdict">
      <p>{free(text, 'Nothing was charged.')}</p>
      {onRetry ? <TryAgain onRetry={onRetry} /> : null}
    </div>
  );
}

interface VerdictProps {
  version: Version;
  /** What the button says that continues the text, with the price. */
  goOnLabel: string;
  onGoOn: () => void;
  onRetry: () => void;
}

/** What is to be said of the version that is shown: how it came to its end, and what it lacks. */
export function Verdict({ version, goOnLabel, onGoOn, onRetry }: VerdictProps) {
  const { state, error, note, content } = version;
  const nothing = content === '';
  const goOn = (
    <button type="button" className="btn btn-primary" onClick={onGoOn}>
      {goOnLabel}
    </button>
  );
  if (hasFailed(version))
    return (
      <div className="notice notice-danger writer-verdict">
        <p>
          {free(error ?? 'The text could not be written.', 'Nothing was charged.')}
          {nothing ? '' : ' This is what had arrived.'}
        </p>
        {state === 'interrupted' && !nothing ? goOn : null}
        <TryAgain onRetry={onRetry} />
      </div>
    );
  if (state === 'stopped')
    return (
      <div className="notice notice-info writer-verdict">
        <p>
          {nothing
            ? 'Stopped before the first words came. Nothing was charged.'
            : 'Stopped. This is what had arrived.'}
        </p>
        {nothing ? null : goOn}
        <TryAgain onRetry={onRetry} />
      </div>
    );
  return note ? <p className="notice notice-warning">{note}</p> : null;
}
