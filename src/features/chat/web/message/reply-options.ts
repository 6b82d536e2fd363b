import { m } from '#messages';
import { isLive, type Message } from '../state/chat-state.ts';

export const hasFailed = ({ state }: Message) => state === 'failed' || state === 'interrupted';

const isCutShort = (turn: Message) =>
  turn.content !== '' &&
  (hasFailed(turn) || turn.state === 'stopped' || (turn.state === 'done' && turn.finishReason === 'length'));

interface ReplyOptions {
  regenerate: { label: string; continues: boolean } | null;
  canContinue: boolean;
}

/** Images have a button with their price instead. Retrying a failed continuation starts from the same point again. */
export function replyOptions(turn: Message): ReplyOptions {
  if (isLive(turn) || turn.cutOff || turn.unsent || turn.images)
    return { regenerate: null, canContinue: false };
  const continues = hasFailed(turn) && turn.takenOver > 0;
  const label = hasFailed(turn) ? m.common_retry() : m.chat_regenerate();
  return { regenerate: { label, continues }, canContinue: isCutShort(turn) && !continues };
}
