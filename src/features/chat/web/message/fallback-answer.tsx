import { m } from '#messages';
import { chatModelOf } from '#shared/chat-models.ts';

const nameOf = (id: string) => chatModelOf(id)?.name ?? id;

/** @param asked null on the page that has sent the message, until it is loaded again */
export default function FallbackAnswer({ asked, by }: { asked: string | null; by: string }) {
  return (
    <p className="mt-2 text-xs text-fg-muted wrap-anywhere">
      {asked === null
        ? m.chat_answered_by({ model: nameOf(by) })
        : m.chat_answered_for({ model: nameOf(by), asked: nameOf(asked) })}
    </p>
  );
}
