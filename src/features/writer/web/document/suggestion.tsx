import { useEffect, useMemo, useRef } from 'react';
import { ProposalButtons } from '#features/texts/web/proposal-buttons.tsx';
import { m } from '#messages';
import { repairIncomplete } from '#ui/markdown/incomplete-markdown.ts';
import { markdownToText } from '#ui/markdown/markdown-to-text.ts';
import { WordDiff } from '#ui/word-diff.tsx';

interface SuggestionProps {
  before: string;
  after: string;
  running: boolean;
  endMessage: string | null;
  canApply: boolean;
  busy: boolean;
  onDecide: (decision: 'accepted' | 'discarded') => void;
  onStop: () => void;
}

/** Returns plain texts, or the Markdown if only its marks differ. */
function visibleTexts(before: string, after: string): { before: string; after: string } {
  const plain = { before: markdownToText(before), after: markdownToText(after) };
  return plain.before === plain.after ? { before, after } : plain;
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
  const { before, after, running, endMessage, canApply, busy, onDecide, onStop } = props;
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
      {endMessage && !running ? <p className="notice notice-warning">{endMessage}</p> : null}
      {canApply || running ? null : <p className="notice notice-warning">{m.writer_suggestion_unplaced()}</p>}
      <ProposalButtons
        running={running}
        busy={busy}
        blocked={!canApply}
        onStop={onStop}
        onDecide={onDecide}
      />
    </section>
  );
}
