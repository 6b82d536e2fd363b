import { Suspense, useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { LazyMarkdown } from '../../../../ui/markdown/lazy-markdown.tsx';
import type { LiveText } from '../../../generations/web/live-text.ts';
import { isLive, type Turn } from '../state/chat-state.ts';
import { followedText, hasFailed, leftOutText, markOf } from './marks.ts';
import { ReplyActions } from './reply-actions.tsx';
import type { TurnProps } from './turn-view.tsx';

const never = () => () => undefined;

/** The text of a reply, arriving or whole. The element stays the same when the reply ends. */
function ReplyText({ live, text }: { live: LiveText | undefined; text: string }) {
  const read = live ? live.snapshot : () => text;
  const shown = useSyncExternalStore(live ? live.subscribe : never, read, () => text);
  const begun = performance.now();
  useLayoutEffect(() => live?.took(performance.now() - begun));
  if (shown === '') return null;
  return (
    <Suspense fallback={<p className="md md-raw">{shown}</p>}>
      <LazyMarkdown text={shown} streaming={live !== undefined} />
    </Suspense>
  );
}

/** Shown until the first text of a reply; says after 10 s that the work goes on. */
function Thinking({ live }: { live: LiveText | undefined }) {
  const waiting = useSyncExternalStore(
    live?.subscribe ?? never,
    () => (live?.snapshot() ?? '') === '',
    () => true,
  );
  const [long, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), 10_000);
    return () => clearTimeout(timer);
  }, []);
  if (!waiting) return null;
  return (
    <p className="chat-thinking">
      <span className="chat-dots" aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      {long ? 'Still working…' : 'Thinking…'}
    </p>
  );
}

/** How the reply ended, what it did not know, and by which reference a failure is found. */
function End({ turn }: { turn: Turn }) {
  const mark = markOf(turn);
  const leftOut = leftOutText(turn);
  const followed = followedText(turn);
  return (
    <>
      {mark ? (
        <p className={mark.tone === 'danger' ? 'chat-mark chat-mark-danger' : 'chat-mark'}>{mark.text}</p>
      ) : null}
      {hasFailed(turn) && turn.generationId ? (
        <details className="turn-detail">
          <summary>Details</summary>
          <p>
            Reference <code>{turn.generationId}</code>
          </p>
        </details>
      ) : null}
      {followed ? <p className="chat-mark">{followed}</p> : null}
      {leftOut ? <p className="chat-mark turn-left-out">{leftOut}</p> : null}
    </>
  );
}

/** What the assistant said, is saying, or failed to say. */
export function Reply({ turn, last, controls }: TurnProps) {
  const live = isLive(turn);
  return (
    <article className="chat-reply" data-live={live ? '' : undefined} data-last={last ? '' : undefined}>
      <h2 className="visually-hidden">Assistant said</h2>
      <ReplyText live={turn.live} text={turn.content} />
      {live ? <Thinking live={turn.live} /> : null}
      <End turn={turn} />
      {live ? null : <ReplyActions turn={turn} controls={controls} />}
    </article>
  );
}
