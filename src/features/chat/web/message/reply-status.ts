import { m } from '#messages';
import { failureText } from '../../contract.ts';
import type { Message } from '../state/chat-state.ts';

export function replyStatus(turn: Message): { text: string; tone: 'quiet' | 'danger' } | null {
  if (turn.cutOff) return { text: m.chat_reply_cut_off(), tone: 'quiet' };
  const free = turn.creditsCharged === 0;
  switch (turn.state) {
    case 'stopped':
      if (turn.content !== '') return { text: m.common_stopped_kept(), tone: 'quiet' };
      return { text: free ? m.chat_reply_stopped_free() : m.common_stopped(), tone: 'quiet' };
    case 'interrupted':
      return { text: free ? m.chat_reply_interrupted_free() : m.chat_reply_interrupted(), tone: 'danger' };
    case 'failed':
      return {
        text: free
          ? m.chat_reply_failed_free({ error: turn.error ?? failureText() })
          : (turn.error ?? failureText()),
        tone: 'danger',
      };
    case 'done':
      if (turn.finishReason === 'length') return { text: m.chat_reply_length(), tone: 'quiet' };
      if (turn.finishReason === 'filtered') return { text: m.common_withheld(), tone: 'quiet' };
      if (turn.finishReason === 'incomplete') return { text: m.chat_reply_incomplete(), tone: 'quiet' };
      return turn.content === '' && !turn.images ? { text: m.chat_reply_empty(), tone: 'quiet' } : null;
    default:
      return null;
  }
}
