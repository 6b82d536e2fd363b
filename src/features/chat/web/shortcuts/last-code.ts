import type { Token } from 'marked';
import { readDocument } from '../../../../ui/markdown/document.ts';
import type { Turn } from '../state/chat-state.ts';

/** The text of the last block of code in tokens, in lists and quotes too. */
function lastIn(tokens: readonly Token[]): string | null {
  for (const token of tokens.toReversed()) {
    if (token.type === 'code') return token.text.replace(/\n$/, '');
    const inside: readonly Token[] =
      token.type === 'list'
        ? (token.items as Token[])
        : token.type === 'blockquote' || token.type === 'list_item'
          ? (token.tokens ?? [])
          : [];
    const found = lastIn(inside);
    if (found !== null) return found;
  }
  return null;
}

/** The last block of code that the assistant wrote in these turns; null when there is none. */
export function lastCode(turns: readonly Pick<Turn, 'role' | 'content' | 'live'>[]): string | null {
  for (const turn of turns.toReversed()) {
    if (turn.role !== 'assistant') continue;
    const blocks = readDocument(turn.live?.whole ?? turn.content);
    const found = lastIn(blocks.map(({ token }) => token));
    if (found !== null) return found;
  }
  return null;
}
