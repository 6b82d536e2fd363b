import { lazy, Suspense } from 'react';
import { useOffline } from '#client/use-offline.ts';
import { m } from '#messages';
import { Notice } from '#ui/notice.tsx';
import type { ChatProps } from '../state/chat-controls.ts';

export const loadRefusal = () => import('./refusal.tsx');
const DeletedChatNotice = lazy(async () => ({ default: (await loadRefusal()).DeletedChatNotice }));
const Refusal = lazy(async () => ({ default: (await loadRefusal()).Refusal }));

export function ComposerNotice({ state, controls }: ChatProps) {
  const { notice } = state;
  const offline = useOffline(notice?.code === 'offline', controls.dismiss);
  return (
    <>
      <div role="status">
        {offline === null ? null : (
          <Notice kind="warning" className="chat-notice">
            {offline === 'browser' ? m.chat_offline() : m.chat_connection_lost()}
          </Notice>
        )}
      </div>
      <Suspense>
        {state.deletedElsewhere ? (
          <DeletedChatNotice
            temporary={state.open.temporary}
            onRestore={() => controls.restore(state.open.id)}
          />
        ) : null}
        {notice && notice.code !== 'offline' ? (
          <Refusal notice={notice} state={state} controls={controls} />
        ) : null}
      </Suspense>
    </>
  );
}

export function NextMessageHint({ isWaiting, onCancel }: { isWaiting: boolean; onCancel: () => void }) {
  return (
    <p className={isWaiting ? 'px-4 pb-2 text-sm text-fg-muted' : undefined}>
      <span role="status">{isWaiting ? m.chat_sends_after_reply() : null}</span>
      {isWaiting ? (
        <button type="button" className="link ms-1.5" onClick={onCancel}>
          {m.common_cancel()}
        </button>
      ) : null}
    </p>
  );
}
