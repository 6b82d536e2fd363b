import type { ChatState, Notice } from '../state/chat-state.ts';
import type { ChatControls } from '../state/controls.ts';
import { openSignIn, upgradeCauses } from '../state/sending.ts';
import { Countdown } from './countdown.tsx';
import { useOffline } from './use-offline.ts';

const kept = 'What you write is kept; nothing is sent by itself.';

/** Refusals that pass by waiting or paying; the rest are failures. */
const calm = [
  'credits_exhausted',
  'daily_chats',
  'daily_fair_use',
  'rate_limited',
  'too_many_released',
  'too_many_running',
];

const toneOf = ({ code }: Notice) => {
  if (code === 'unauthorized') return 'notice-info';
  return calm.includes(code) ? 'notice-warning' : 'notice-danger';
};

interface NoticeLineProps {
  state: ChatState;
  controls: ChatControls;
}

/** A refusal or failure above the composer, with what can be done about it, and whether there is a connection. */
export function NoticeLine({ state, controls }: NoticeLineProps) {
  const { notice } = state;
  const offline = useOffline(notice?.code === 'offline', controls.dismiss);
  return (
    <>
      <div role="status">
        {offline === null ? null : (
          <p className="notice notice-warning chat-notice">
            {offline === 'browser' ? `You are offline. ${kept}` : `The connection was lost. ${kept}`}
          </p>
        )}
      </div>
      {state.gone ? <Gone onRestore={() => controls.restore(state.open.id)} /> : null}
      {notice && notice.code !== 'offline' ? (
        <Refusal notice={notice} state={state} controls={controls} />
      ) : null}
    </>
  );
}

function Gone({ onRestore }: { onRestore: () => void }) {
  return (
    <div className="notice notice-warning chat-notice">
      <p role="alert" className="chat-notice-text">
        This chat was deleted in another tab or on another device. Restore it to go on.
      </p>
      <button type="button" className="btn btn-secondary" onClick={onRestore}>
        Restore
      </button>
    </div>
  );
}

function Refusal({ notice, state: { open }, controls }: NoticeLineProps & { notice: Notice }) {
  const { code, text, until, refused } = notice;
  const cause = upgradeCauses[code];
  return (
    <div className={`notice ${toneOf(notice)} chat-notice`}>
      <div className="chat-notice-text">
        <p role="alert">{text}</p>
        {until === undefined ? null : <Countdown key={until} until={until} />}
      </div>
      {code === 'unauthorized' ? (
        <button
          type="button"
          className="btn btn-secondary"
          onClick={() => openSignIn(open.stored ? `/chat/${open.id}` : '/chat/new')}
        >
          Sign in
        </button>
      ) : null}
      {cause ? (
        <button
          type="button"
          className="btn btn-secondary"
          onClick={() => controls.show({ kind: 'upgrade', cause, refused })}
        >
          Go Pro
        </button>
      ) : null}
      <button type="button" className="btn btn-ghost" onClick={controls.dismiss}>
        Dismiss
      </button>
    </div>
  );
}
