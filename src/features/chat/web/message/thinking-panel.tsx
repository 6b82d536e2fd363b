import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { request } from '#client/api-request.ts';
import type { ThinkingView } from '#features/generations/contract.ts';
import { locale, m } from '#messages';
import { formatDuration } from '#shared/format-duration.ts';
import { useMarkdown } from '#ui/markdown/use-markdown.ts';
import { failureText } from '../../contract.ts';

/** Milliseconds since the run started; at most a second late. */
function useRunningTime(startMs: number): number {
  const [ms, setMs] = useState(startMs);
  useEffect(() => {
    const since = performance.now() - startMs;
    const tick = () => setMs(performance.now() - since);
    tick();
    const timer = setInterval(tick, 1_000);
    return () => clearInterval(timer);
  }, [startMs]);
  return ms;
}

const seconds = (ms: number) =>
  new Intl.NumberFormat(locale(), { style: 'unit', unit: 'second', unitDisplay: 'narrow' }).format(
    Math.floor(ms / 1000),
  );

/** Hidden from screen readers, which would read it out again and again. */
function RunningTime({ startMs }: { startMs: number }): ReactNode {
  return (
    <span className="tabular-nums ms-1" aria-hidden="true">
      {seconds(useRunningTime(startMs))}
    </span>
  );
}

function useStoredText(generationId: string | null, enabled: boolean) {
  const [text, setText] = useState<string | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const shouldLoad = enabled && text === null;
  useEffect(() => {
    if (!shouldLoad || generationId === null) return;
    let cancelled = false;
    setFailed(null);
    request<ThinkingView>(`/api/generations/${generationId}/thinking`).then(
      (view) => cancelled || setText(view.text),
      (error: unknown) => cancelled || setFailed(error instanceof Error ? error.message : failureText()),
    );
    return () => {
      cancelled = true;
    };
  }, [shouldLoad, generationId]);
  return { text, failed };
}

interface ThinkingPanelProps {
  generationId: string | null;
  /** The thinking so far; null if it is stored. */
  live: ThinkingView | null;
  isThinking: boolean;
  ms: number;
}

export default function ThinkingPanel({ generationId, live, isThinking, ms }: ThinkingPanelProps) {
  const Markdown = useMarkdown();
  const [open, setOpen] = useState(false);
  const liveText = useRef<string | null>(null);
  if (live) liveText.current = live.text;
  const stored = useStoredText(generationId, open && liveText.current === null);
  const text = liveText.current ?? stored.text;
  return (
    <details
      className="turn-detail mb-2 text-sm text-fg-muted"
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        {isThinking ? (
          <>
            {m.chat_thinking()}
            <RunningTime startMs={ms} />
          </>
        ) : (
          m.chat_thought_for({ time: formatDuration(ms) })
        )}
      </summary>
      {open && text !== null ? (
        <div className="mt-1 border-s-2 border-line ps-3">
          <Suspense fallback={<p className="md md-raw">{text}</p>}>
            <Markdown text={text} streaming={isThinking} />
          </Suspense>
        </div>
      ) : null}
      {open && stored.failed !== null ? <p role="alert">{stored.failed}</p> : null}
    </details>
  );
}
