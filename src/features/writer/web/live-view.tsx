import { Suspense, useEffect } from 'react';
import { announce } from '#client/announce.ts';
import { type LiveText, useLiveText } from '#features/generations/web/live-text.ts';
import { m } from '#messages';
import { formatTextLength, sizeOf, textLength } from '#shared/text-length.ts';
import { Button } from '#ui/button.tsx';
import { useMarkdown } from '#ui/markdown/use-markdown.ts';
import { finalText, type Length, lengthFor, rangeOf, supersededText } from '../contract.ts';
import { LengthMeter } from './length-meter.tsx';

function describeCorrection(text: string, requested: Length): string | null {
  const superseded = supersededText(text);
  if (superseded === null) return null;
  const length = textLength(superseded);
  const surplus = sizeOf(length) - rangeOf(requested, length).most;
  if (surplus <= 0) return m.writer_keeping_first();
  const excess = { words: surplus, characters: length.characters && surplus };
  return m.writer_tightening({ length: formatTextLength(excess) });
}

/** Screen readers do not announce the text itself. */
export function LiveView({
  live,
  partial,
  requested,
  prompt,
  onStop,
}: {
  live: LiveText;
  partial: string;
  requested: Length;
  prompt: string;
  /** For screens on which the form is out of view. */
  onStop: () => void;
}) {
  const Markdown = useMarkdown();
  const streamed = useLiveText(live) ?? '';
  const text = partial + finalText(streamed);
  const correction = describeCorrection(streamed, requested);
  useEffect(() => {
    // Preload the view of the finished text.
    void import('./document/text-document.tsx');
  }, []);
  useEffect(() => {
    if (correction) announce(correction);
  }, [correction]);
  return (
    <div className="grid gap-4" aria-busy="true">
      <div className="doc-status flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
        <LengthMeter text={lengthFor(prompt, text)} requested={requested} />
        <p className="muted text-sm">
          <span className="spinner size-3.5 align-[-2px]" aria-hidden="true" />{' '}
          {correction ?? (text ? m.writer_writing() : m.writer_waiting())}
        </p>
        <Button className="lg:hidden" onClick={onStop}>
          {m.writer_stop()}
        </Button>
      </div>
      <div className="doc-live" dir="auto">
        <Suspense fallback={null}>
          <Markdown text={text} streaming />
        </Suspense>
      </div>
    </div>
  );
}
