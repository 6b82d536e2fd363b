import { newUuid } from '#client/uuid.ts';
import { LiveText } from '#features/generations/web/live-text.ts';
import type { ChatModel } from '#shared/chat-models.ts';
import { toNotice } from './chat-api.ts';
import { liveMessage, type Message } from './chat-state.ts';
import {
  type ControlParts,
  drawChoice,
  isExpired,
  offerUpgrade,
  onSessionExpired,
  sentChoice,
} from './send-message.ts';

export function requestAnotherReply(
  parts: ControlParts,
  turn: Message,
  { continues, model }: { continues: boolean; model?: ChatModel | undefined },
) {
  const { latest, dispatch, runs } = parts;
  const { open, me } = latest.current;
  if (liveMessage(latest.current) || !me) return;
  const reply = newUuid();
  const initialText = continues ? turn.content : '';
  const live = new LiveText(initialText, initialText);
  const imageSize = continues ? undefined : turn.images?.size;
  const body = imageSize ? drawChoice(imageSize) : sentChoice(latest.current, !continues && open.web, model);
  const { web } = body;
  const now = new Date().toISOString();
  dispatch({
    type: 'replacing',
    key: turn.key,
    reply,
    continues,
    draws: imageSize !== undefined,
    web,
    live,
    now,
  });
  const path = `/api/chats/${open.id}/messages/${turn.id}/${continues ? 'continue' : 'regenerate'}`;
  void runs.start(
    { request: { path, body }, chatId: open.id, reply, question: null, live },
    {
      refused(error) {
        const notice = { ...toNotice(error, latest.current.me), refused: 'reply' as const };
        dispatch({ type: 'refused', reply, question: null, notice });
        if (isExpired(error)) onSessionExpired(`/chat/${open.id}`);
        else offerUpgrade(parts, error, 'reply');
      },
    },
  );
}
