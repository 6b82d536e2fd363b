import type { ChatState } from '../state/chat-state.ts';
import type { ChatControls } from '../state/controls.ts';
import { openSignIn } from '../state/sending.ts';

/** A refusal or failure above the composer, with what can be done about it. */
export function NoticeLine({
  state: { notice, open },
  controls,
}: {
  state: ChatState;
  controls: ChatControls;
}) {
  if (!notice) return null;
  const signedOut = notice.code === 'unauthorized';
  return (
    <div className={`notice ${signedOut ? 'notice-info' : 'notice-danger'} chat-notice`} role="alert">
      <p>{notice.text}</p>
      {signedOut ? (
        <button
          type="button"
          className="btn btn-secondary"
          onClick={() => openSignIn(open.stored ? `/chat/${open.id}` : '/chat/new')}
        >
          Sign in
        </button>
      ) : null}
      <button type="button" className="btn btn-ghost" onClick={controls.dismiss}>
        Dismiss
      </button>
    </div>
  );
}
