import { useEffect, useMemo, useRef } from 'react';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { repairIncomplete } from '#ui/markdown/incomplete-markdown.ts';
import { markdownToText } from '#ui/markdown/markdown-to-text.ts';
import { WordDiff } from '#ui/word-diff.tsx';

interface SuggestionProps {
  before: string;
  after: string;
  running: boolean;
  ending: string | null;
  placeable: boolean;
  busy: boolean;
  onAccept: () => void;
  onDiscard: () => void;
  onStop: () => void;
}

/** The Markdown itself where nothing but its marks differs. */
function visibleTexts(before: string, after: string): { before: string; after: string } {
  const read = { before: markdownToText(before), after: markdownToText(after) };
  return read.before === read.after ? { before, after } : read;
}

function Difference(texts: { before: string; after: string }) {
  const { before, after } = useMemo(
    () => visibleTexts(texts.before, texts.after),
    [texts.before, texts.after],
  );
  return (
    <p className="whitespace-pre-wrap wrap-anywhere" dir="auto">
      <WordDiff before={before} after={after} />
    </p>
  );
}

export default function Suggestion(props: SuggestionProps) {
  const { before, after, running, ending, placeable, busy, onAccept, onDiscard, onStop } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <section
      className="my-3 grid gap-3 rounded-md border border-line-strong bg-surface p-4 [&_:is(.eyebrow,.row,.notice)]:font-ui"
      aria-labelledby="suggestion-title"
      aria-busy={running}
    >
      <h3 ref={heading} id="suggestion-title" className="eyebrow focus-visible:outline-none" tabIndex={-1}>
        {running ? m.writer_suggestion_writing() : m.writer_suggestion()}
      </h3>
      {running ? (
        <p className="whitespace-pre-wrap wrap-anywhere" dir="auto">
          {markdownToText(repairIncomplete(after)) || m.writer_waiting()}
          <span className="caret" aria-hidden="true" />
        </p>
      ) : (
        <Difference before={before} after={after} />
      )}
      {ending && !running ? <p className="notice notice-warning">{ending}</p> : null}
      {placeable || running ? null : (
        <p className="notice notice-warning">{m.writer_suggestion_unplaced()}</p>
      )}
      <div className="row">
        {running ? (
          <Button disabled={busy} onClick={onStop}>
            {m.common_stop()}
          </Button>
        ) : (
          <>
            <Button look="primary" disabled={busy || !placeable} onClick={onAccept}>
              {m.common_accept()}
            </Button>
            <Button disabled={busy} onClick={onDiscard}>
              {m.common_discard()}
            </Button>
          </>
        )}
      </div>
    </section>
  );
}
