import { memo, type ReactNode, useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { failureText } from '../../contract.ts';
import { Markdown } from '../markdown/markdown.tsx';
import type { LiveText } from '../run/live-text.ts';
import { isLive, type Turn } from '../state/chat-state.ts';
import type { ChatControls } from '../state/controls.ts';
import { useCopied } from '../use-copied.ts';

const never = () => () => undefined;

/** The text of a reply, arriving or whole. The element stays the same when the reply ends. */
function ReplyText({ live, text }: { live: LiveText | undefined; text: string }) {
  const read = live ? live.snapshot : () => text;
  const shown = useSyncExternalStore(live ? live.subscribe : never, read, () => text);
  const begun = performance.now();
  useLayoutEffect(() => live?.took(performance.now() - begun));
  return shown === '' ? null : <Markdown text={shown} streaming={live !== undefined} />;
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
  return waiting ? <p className="chat-thinking">{long ? 'Still working…' : 'Thinking…'}</p> : null;
}

interface Mark {
  text: string;
  tone: 'quiet' | 'danger';
}

/** What the end of a reply says of it, if it did not simply finish. */
function markOf(turn: Turn): Mark | null {
  if (turn.cutOff) return { text: 'The rest is shown after you sign in.', tone: 'quiet' };
  const uncharged = turn.creditsCharged === 0 ? ' You were not charged.' : '';
  switch (turn.state) {
    case 'stopped':
      return { text: turn.content === '' ? `Stopped.${uncharged}` : 'Stopped.', tone: 'quiet' };
    case 'interrupted':
      return { text: `Interrupted.${uncharged}`, tone: 'danger' };
    case 'failed':
      return { text: `${turn.error ?? failureText}${uncharged}`, tone: 'danger' };
    case 'done':
      if (turn.finishReason === 'length')
        return { text: 'The reply reached its length limit.', tone: 'quiet' };
      if (turn.finishReason === 'filtered')
        return { text: 'The rest was withheld by the model’s filter.', tone: 'quiet' };
      return null;
    default:
      return null;
  }
}

const isBroken = (turn: Turn) => turn.state !== 'done' && !isLive(turn);

/** What another reply to the same message is called. */
export const againLabel = (turn: Turn) => (isBroken(turn) ? 'Retry' : 'Regenerate');

interface TurnProps {
  turn: Turn;
  /** The last turn of the conversation: its actions stay visible. */
  last: boolean;
  controls: ChatControls;
}

function Actions({ turn, last, controls }: TurnProps) {
  const { copied, copy } = useCopied();
  return (
    <div className="chat-actions" data-last={last ? '' : undefined}>
      {turn.content === '' ? null : (
        <button type="button" className="btn btn-ghost" onClick={() => copy(turn.content)}>
          {copied ? 'Copied' : 'Copy'}
        </button>
      )}
      {last ? (
        <button type="button" className="btn btn-ghost" onClick={() => controls.again(turn)}>
          {againLabel(turn)}
        </button>
      ) : null}
      <span className="visually-hidden" role="status">
        {copied ? 'Copied' : ''}
      </span>
    </div>
  );
}

function Reply({ turn, last, controls }: TurnProps) {
  const live = isLive(turn);
  const mark = markOf(turn);
  return (
    <article className="chat-reply" data-live={live ? '' : undefined} data-last={last ? '' : undefined}>
      <h2 className="visually-hidden">Assistant said</h2>
      <ReplyText live={turn.live} text={turn.content} />
      {live ? <Thinking live={turn.live} /> : null}
      {mark ? (
        <p className={mark.tone === 'danger' ? 'chat-mark chat-mark-danger' : 'chat-mark'}>{mark.text}</p>
      ) : null}
      {live ? null : <Actions turn={turn} last={last && !turn.cutOff} controls={controls} />}
    </article>
  );
}

/** One turn of the conversation; only the one that changes is shown anew. */
export const TurnView = memo(function TurnView(props: TurnProps): ReactNode {
  if (props.turn.role === 'assistant') return <Reply {...props} />;
  return (
    <article className="chat-question">
      <h2 className="visually-hidden">You said</h2>
      <p className="bubble">{props.turn.content}</p>
    </article>
  );
});
