import { m } from '#messages';
import { isLive, type Message } from '../state/chat-state.ts';

export const hasFailed = ({ state }: Message) => state === 'failed' || state === 'interrupted';

const brokeOff = (turn: Message) =>
  turn.content !== '' &&
  (hasFailed(turn) || turn.state === 'stopped' || (turn.state === 'done' && turn.finishReason === 'length'));

interface ReplyOptions {
  again: { label: string; goesOn: boolean } | null;
  goOn: boolean;
}

/** Images have a button with their price instead. Retrying a failed continuation starts from the same point again. */
export function replyOptions(turn: Message): ReplyOptions {
  if (isLive(turn) || turn.cutOff || turn.unsent || turn.images) return { again: null, goOn: false };
  const goesOn = hasFailed(turn) && turn.takenOver > 0;
  const label = hasFailed(turn) ? m.common_retry() : m.chat_regenerate();
  return { again: { label, goesOn }, goOn: brokeOff(turn) && !goesOn };
}
