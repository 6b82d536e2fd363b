import { plainText, wordCount } from '../../../../ui/markdown/plain-text.ts';
import { failureText } from '../../contract.ts';
import type { Turn } from '../state/chat-state.ts';

/** Replies of up to this many words are read out whole. */
const shortReply = 60;

/** Longer texts are counted as they are written: reading their Markdown again would hold the page. */
const mostRead = 2_000;

/** What a screen reader says when a reply has ended. */
export function spokenOutcome(turn: Turn): string {
  if (turn.cutOff) return '';
  switch (turn.state) {
    case 'done': {
      const text = turn.content.length > mostRead ? turn.content : plainText(turn.content);
      const words = wordCount(text);
      return words > shortReply ? `Reply ready, ${words} words.` : `Assistant said: ${text}`;
    }
    case 'stopped':
      return 'The reply was stopped.';
    case 'interrupted':
      return 'The reply was interrupted.';
    default:
      return turn.error ?? failureText;
  }
}
