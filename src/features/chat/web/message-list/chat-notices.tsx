import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import type { ChatProps } from '../state/chat-controls.ts';

export default function ChatNotices({ state: { open }, controls }: ChatProps) {
  return (
    <>
      {open.archivedAt === null ? null : (
        <Notice as="div" kind="info" className="chat-notice">
          <p className="min-w-0 flex-1 max-md:basis-full">{m.chat_archived_notice()}</p>
          <Button onClick={() => void controls.arrange(open.id, { archived: false })}>
            {m.chat_unarchive()}
          </Button>
        </Notice>
      )}
      {open.assistantGone ? (
        <Notice as="div" kind="info" className="chat-notice">
          <p className="min-w-0 flex-1 max-md:basis-full">{m.assistant_gone()}</p>
          <Button onClick={() => controls.show({ kind: 'assistants' })}>{m.assistant_change()}</Button>
        </Notice>
      ) : null}
    </>
  );
}
