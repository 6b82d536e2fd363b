import { m } from '#messages';
import type { Message } from '../state/chat-state.ts';
import { ReplyNotes } from './reply-notes.tsx';
import { hasFailed } from './reply-options.ts';
import { replyStatus } from './reply-status.ts';

/** Note on how a reply ended, where one is needed. */
export default function ReplyEnding({ turn }: { turn: Message }) {
  const status = replyStatus(turn);
  return (
    <>
      {status ? (
        <p className={`mt-2 text-sm ${status.tone === 'danger' ? 'text-danger' : 'text-fg-muted'}`}>
          {status.text}
        </p>
      ) : null}
      {hasFailed(turn) && turn.generationId ? (
        <details className="turn-detail mt-1 text-xs text-fg-muted">
          <summary>{m.common_details()}</summary>
          <p>
            {m.chat_failure_reference({
              id: turn.generationId,
              code: (id) => <code className="wrap-anywhere select-all">{id}</code>,
            })}
          </p>
        </details>
      ) : null}
      {turn.followed ? <p className="mt-2 text-sm text-fg-muted">{m.chat_reply_followed()}</p> : null}
      <ReplyNotes turn={turn} />
    </>
  );
}
