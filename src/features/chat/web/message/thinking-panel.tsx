import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { request } from '#client/api-request.ts';
import type { ThinkingView } from '#features/generations/contract.ts';
import { locale, m } from '#messages';
import { formatDuration } from '#shared/format-duration.ts';
import { useMarkdown } from '#ui/markdown/use-markdown.ts';
import { failureText } from '../../contract.ts';

/** Milliseconds since the run started; at most a second late. */
function useRunningTime(told: number): number {
  const [ms, setMs] = useState(told);
  useEffect(() => {
    const since = performance.now() - told;
    const tick = () => setMs(performance.now() - since);
    tick();
    const timer = setInterval(tick, 1_000);
    return () => clearInterval(timer);
  }, [told]);
  return ms;
}

const seconds = (ms: number) =>
  new Intl.NumberFormat(locale(), { style: 'unit', unit: 'second', unitDisplay: 'narrow' }).format(
    Math.floor(ms / 1000),
  );

/** Hidden from screen readers, which would read it out again and again. */
function RunningTime({ told }: { told: number }): ReactNode {
  return (
    <span className="tabular-nums ms-1" aria-hidden="true">
      {seconds(useRunningTime(told))}
    </span>
  );
}

function useStoredText(generationId: string | null, wanted: boolean) {
  const [text, setText] = useState<string | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const asked = wanted && text === null;
  useEffect(() => {
    if (!asked || generationId === null) return;
    let left = false;
    setFailed(null);
    request<ThinkingView>(`/api/generations/${generationId}/thinking`).then(
      (view) => left || setText(view.text),
      (error: unknown) => left || setFailed(error instanceof Error ? error.message : failureText()),
    );
    return () => {
      left = true;
    };
  }, [asked, generationId]);
  return { text, failed };
}

interface ThinkingPanelProps {
  generationId: string | null;
  /** The thinking so far; null if it is stored. */
  live: ThinkingView | null;
  lasting: boolean;
  ms: number;
}

export default function ThinkingPanel({ generationId, live, lasting, ms }: ThinkingPanelProps) {
  const Markdown = useMarkdown();
  const [open, setOpen] = useState(false);
  const seen = useRef<string | null>(null);
  if (live) seen.current = live.text;
  const stored = useStoredText(generationId, open && seen.current === null);
  const text = seen.current ?? stored.text;
  return (
    <details
      className="turn-detail mb-2 text-sm text-fg-muted"
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        {lasting ? (
          <>
            {m.chat_thinking()}
            <RunningTime told={ms} />
          </>
        ) : (
          m.chat_thought_for({ time: formatDuration(ms) })
        )}
      </summary>
      {open && text !== null ? (
        <div className="mt-1 border-s-2 border-line ps-3">
          <Suspense fallback={<p className="md md-raw">{text}</p>}>
            <Markdown text={text} streaming={lasting} />
          </Suspense>
        </div>
      ) : null}
      {open && stored.failed !== null ? <p role="alert">{stored.failed}</p> : null}
    </details>
  );
}
