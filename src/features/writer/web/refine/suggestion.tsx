import { diffWordsWithSpace } from 'diff';
import { useEffect, useMemo, useRef } from 'react';
import { mend } from '../../../../ui/markdown/mend.ts';
import { plainText } from '../../../../ui/markdown/plain-text.ts';

interface SuggestionProps {
  before: string;
  /** So far. */
  after: string;
  running: boolean;
  /** What is to be said of one that did not come to its end. */
  ending: string | null;
  /** False where the passage has changed meanwhile. */
  placeable: boolean;
  busy: boolean;
  onAccept: () => void;
  onDiscard: () => void;
  onStop: () => void;
}

/** Units of a passage up to which the words are compared; longer ones are shown one above the other. */
const COMPARED = 6_000;

/** What two Markdown texts read as; the texts themselves where nothing but their marks differs. */
function asRead(before: string, after: string): { before: string; after: string } {
  const read = { before: plainText(before), after: plainText(after) };
  return read.before === read.after ? { before, after } : read;
}

function Difference(texts: { before: string; after: string }) {
  const { before, after } = useMemo(() => asRead(texts.before, texts.after), [texts.before, texts.after]);
  const parts = useMemo(
    () =>
      before.length > COMPARED || after.length > COMPARED * 2
        ? [
            { value: before, removed: true, added: false },
            { value: `\n${after}`, removed: false, added: true },
          ]
        : diffWordsWithSpace(before, after),
    [before, after],
  );
  return (
    <p className="suggestion-text" dir="auto">
      {parts.map(({ value, added, removed }, at) => {
        const Tag = added ? 'ins' : removed ? 'del' : 'span';
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity but their place
        return <Tag key={at}>{value}</Tag>;
      })}
    </p>
  );
}

/** Another wording of a passage beside the old one, to be taken or not. The focus waits on its name. */
export default function Suggestion(props: SuggestionProps) {
  const { before, after, running, ending, placeable, busy, onAccept, onDiscard, onStop } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <section className="suggestion" aria-labelledby="suggestion-title" aria-busy={running}>
      <h3 ref={heading} id="suggestion-title" className="eyebrow" tabIndex={-1}>
        {running ? 'Suggestion, being written' : 'Suggestion'}
      </h3>
      {running ? (
        <p className="suggestion-text" dir="auto">
          {plainText(mend(after)) || 'Waiting for the first words…'}
          <span className="caret" aria-hidden="true" />
        </p>
      ) : (
        <Difference before={before} after={after} />
      )}
      {ending && !running ? <p className="notice notice-warning">{ending}</p> : null}
      {placeable || running ? null : (
        <p className="notice notice-warning">
          The passage has changed meanwhile, so the suggestion cannot be placed. Undo the change, or select
          the passage again.
        </p>
      )}
      <div className="row">
        {running ? (
          <button type="button" className="btn btn-secondary" disabled={busy} onClick={onStop}>
            Stop
          </button>
        ) : (
          <>
            <button
              type="button"
              className="btn btn-primary"
              disabled={busy || !placeable}
              onClick={onAccept}
            >
              Accept
            </button>
            <button type="button" className="btn btn-secondary" disabled={busy} onClick={onDiscard}>
              Discard
            </button>
          </>
        )}
      </div>
    </section>
  );
}
