import { Suspense, useEffect, useRef, useSyncExternalStore } from 'react';
import { announce, prepareAnnouncer } from '../../../client/announce.ts';
import { countWords } from '../../../shared/words.ts';
import { LazyMarkdown } from '../../../ui/markdown/lazy-markdown.tsx';
import type { LiveText } from '../../generations/web/live-text.ts';
import { fitOf, keptText, replacedText, type WordRange } from '../contract.ts';
import { WordMeter } from './word-meter.tsx';

const figures = new Intl.NumberFormat('en-US');

/** What is being done to a text that is written anew; null while the draft is. */
function correctionOf(text: string, range: WordRange): string | null {
  const before = replacedText(text);
  if (before === null) return null;
  const words = countWords(before);
  if (fitOf(words, range) === 'over') return `Too long, ${figures.format(words)} words: making it fit`;
  return 'The correction did not fit better: keeping the first draft';
}

/** A text while it is written: its end, its words, and what is done to its length. The text itself is not announced. */
export function LiveView({
  title,
  live,
  begun,
  range,
  onStop,
}: {
  title: string;
  live: LiveText;
  /** What the text goes on with. */
  begun: string;
  range: WordRange;
  /** Beside the text where the form is out of sight. */
  onStop: () => void;
}) {
  const whole = useSyncExternalStore(live.subscribe, live.snapshot, () => '');
  const text = begun + keptText(whole);
  const correction = correctionOf(whole, range);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // What shows the finished text is there when it has come.
    void import('./document/document.tsx');
    const { top, bottom } = box.current?.getBoundingClientRect() ?? { top: 0, bottom: 0 };
    if (top > innerHeight * 0.8 || bottom < 0) box.current?.scrollIntoView({ block: 'start' });
  }, []);
  useEffect(() => {
    prepareAnnouncer();
    announce(correction ?? 'Writing');
  }, [correction]);
  return (
    <div ref={box} className="doc-arriving" aria-busy="true">
      <h2 className="h3" dir="auto">
        {title}
      </h2>
      <div className="doc-status">
        <WordMeter words={countWords(text)} range={range} />
        <p className="muted text-sm">
          <span className="spinner doc-spinner" aria-hidden="true" />{' '}
          {correction ?? (text ? 'Writing' : 'Waiting for the first words')}
        </p>
        <button type="button" className="btn btn-secondary doc-stop" onClick={onStop}>
          Stop writing
        </button>
      </div>
      <div className="doc-live" dir="auto">
        <Suspense fallback={null}>
          <LazyMarkdown text={text} streaming />
        </Suspense>
      </div>
    </div>
  );
}
