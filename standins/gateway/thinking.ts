/** Limit of fidelity: the thinking has nothing to do with the request. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChatCall } from './chat.ts';
import type { ChatStream } from './chat-stream.ts';
import type { ThinkingMode } from './fault-modes.ts';
import { piecesOf } from './tokens.ts';

export const thinkingTokens = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `thought${index + 1} `);

const encrypted = { type: 'reasoning.encrypted', data: 'c2VjcmV0', format: 'unknown', index: 1 };

/** Fields of thinking next to the content, for a chunk or a whole answer. */
export function thinkingFields(mode: ThinkingMode, thinking: string): Record<string, unknown> {
  switch (mode) {
    case 'reasoning': {
      const detail = { type: 'reasoning.text', text: thinking, format: 'unknown', index: 0 };
      return { reasoning: thinking, reasoning_details: [detail] };
    }
    case 'reasoningcontent':
      return { reasoning_content: thinking };
    case 'reasoningdetails': {
      const detail = { type: 'reasoning.summary', summary: thinking, format: 'unknown', index: 0 };
      return { reasoning: null, reasoning_details: [detail, encrypted] };
    }
    default:
      return {};
  }
}

export const withTags = (mode: ThinkingMode, thinking: string) =>
  `<think>\n${thinking}${mode === 'thinkopen' ? '' : '\n</think>\n\n'}`;

/** Streams the thinking before the answer; false when the reader left meanwhile. */
export async function streamThinking(
  mode: ThinkingMode,
  call: ChatCall,
  stream: ChatStream,
): Promise<boolean> {
  const { plan, held, userText, res } = call;
  const asText = mode === 'thinktags' || mode === 'thinkopen';
  const tokens = thinkingTokens(plan.thought);
  const pieces = asText ? piecesOf(withTags(mode, tokens.join('')), 3) : tokens;
  const interval = plan.tokensPerSecond > 0 ? 1000 / plan.tokensPerSecond : 0;
  for (const [at, piece] of pieces.entries()) {
    if (at > 0 && at === plan.holdThought && !(await held.wait(userText, res))) return false;
    if (interval > 0) await sleep(interval);
    if (stream.closed) return false;
    if (asText) stream.delta({ role: 'assistant', content: piece });
    else stream.delta({ role: 'assistant', content: '', ...thinkingFields(mode, piece) });
  }
  return true;
}
