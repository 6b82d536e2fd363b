import { useEffect, useState } from 'react';
import { openSignIn } from '#client/page-events.ts';
import { usePurchaseLabel } from '#features/credits/web/purchase-label.ts';
import { m } from '#messages';
import { formatDuration } from '#shared/format-duration.ts';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import type { ChatProps } from '../state/chat-controls.ts';
import type { Notice as ChatNotice } from '../state/chat-state.ts';
import { upgradeCauses } from '../state/send-message.ts';

const warningCodes = [
  'credits_exhausted',
  'daily_chats',
  'daily_fair_use',
  'model_gone',
  'plan_required',
  'rate_limited',
  'too_many_released',
  'too_many_running',
];

const noticeKind = ({ code }: ChatNotice) => {
  if (code === 'unauthorized') return 'info';
  return warningCodes.includes(code) ? 'warning' : 'danger';
};

export function DeletedChatNotice({ temporary, onRestore }: { temporary: boolean; onRestore: () => void }) {
  return (
    <Notice as="div" kind="warning" className="chat-notice">
      <p role="alert" className="min-w-0 flex-1 max-md:basis-full">
        {temporary ? m.chat_temporary_gone() : m.chat_gone()}
      </p>
      {temporary ? null : <Button onClick={onRestore}>{m.common_restore()}</Button>}
    </Notice>
  );
}

export function Refusal({ notice, state: { open }, controls }: ChatProps & { notice: ChatNotice }) {
  const { code, text, until, refused } = notice;
  const cause = upgradeCauses[code];
  const purchaseLabel = usePurchaseLabel();
  return (
    <Notice as="div" kind={noticeKind(notice)} live={false} className="chat-notice">
      <div className="min-w-0 flex-1 max-md:basis-full">
        <p role="alert">{text}</p>
        {until === undefined ? null : <RetryCountdown key={until} until={until} />}
      </div>
      {code === 'unauthorized' ? (
        <Button onClick={() => openSignIn({ next: open.stored ? `/chat/${open.id}` : '/chat/new' })}>
          {m.chat_sign_in()}
        </Button>
      ) : null}
      {cause ? (
        <Button onClick={() => controls.show({ kind: 'upgrade', cause, refused })}>
          {cause === 'credits' ? purchaseLabel : m.upgrade_go_pro()}
        </Button>
      ) : null}
      <Button variant="ghost" onClick={controls.dismiss}>
        {m.common_dismiss()}
      </Button>
    </Notice>
  );
}

function RetryCountdown({ until }: { until: number }) {
  const [left, setLeft] = useState(() => until - Date.now());
  const isOver = left <= 0;
  useEffect(() => {
    if (isOver) return;
    const tick = () => setLeft(until - Date.now());
    const timer = setInterval(tick, 1000);
    // A hidden page ticks less often.
    document.addEventListener('visibilitychange', tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', tick);
    };
  }, [until, isOver]);
  return (
    <>
      {isOver ? null : <p role="timer">{m.chat_try_in({ wait: formatDuration(left) })}</p>}
      <p role="status">{isOver ? m.chat_try_now() : null}</p>
    </>
  );
}
