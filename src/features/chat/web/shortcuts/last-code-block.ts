import type { Token } from 'marked';
import { toast } from '#client/page-events.ts';
import { m } from '#messages';
import { readDocument } from '#ui/markdown/markdown-document.ts';
import type { Message } from '../state/chat-state.ts';

function lastCodeIn(tokens: readonly Token[]): string | null {
  for (const token of tokens.toReversed()) {
    if (token.type === 'code') return token.text.replace(/\n$/, '');
    const inside: readonly Token[] =
      token.type === 'list'
        ? (token.items as Token[])
        : token.type === 'blockquote' || token.type === 'list_item'
          ? (token.tokens ?? [])
          : [];
    const found = lastCodeIn(inside);
    if (found !== null) return found;
  }
  return null;
}

export function lastCode(turns: readonly Pick<Message, 'role' | 'content' | 'live'>[]): string | null {
  for (const turn of turns.toReversed()) {
    if (turn.role !== 'assistant') continue;
    const blocks = readDocument(turn.live?.fullText ?? turn.content);
    const found = lastCodeIn(blocks.map(({ token }) => token));
    if (found !== null) return found;
  }
  return null;
}

export async function copyLastCode(turns: readonly Message[]): Promise<void> {
  const code = lastCode(turns);
  if (code === null) {
    toast({ text: m.chat_no_code() });
    return;
  }
  await navigator.clipboard.writeText(code).then(
    () => toast({ text: m.chat_code_copied() }),
    () => undefined,
  );
}
