import type { FinishReason } from '#features/generations/contract.ts';
import { streamText, type Tool } from '#features/generations/service.server.ts';
import { database } from '#platform/database/database.server.ts';
import type { CompletionCall } from './completion-request.server.ts';
import { eraseText } from './store.server.ts';

export interface CompletionPayload {
  /** The text is kept for a while, because the request may be repeated with its Idempotency-Key. */
  repeatable: boolean;
}

const bounds = { idleMs: 30_000, answerMs: 150_000, eventBytes: 1024 * 1024, textBytes: 256 * 1024 };

/** Returns the index of the earliest stop text, or -1. */
function firstStop(text: string, stops: readonly string[]): number {
  const positions = stops.map((stop) => text.indexOf(stop)).filter((at) => at >= 0);
  return positions.length > 0 ? Math.min(...positions) : -1;
}

/** Cuts the text at the first stop text, because a gateway may not support the parameter `stop`. */
export async function* untilStop(
  pieces: AsyncGenerator<string, FinishReason, void>,
  stops: readonly string[],
): AsyncGenerator<string, FinishReason, void> {
  const maxOverlap = Math.max(0, ...stops.map(({ length }) => length - 1));
  let text = '';
  for (;;) {
    const step = await pieces.next();
    if (step.done) {
      if (text !== '') yield text;
      return step.value;
    }
    text += step.value;
    const at = firstStop(text, stops);
    if (at >= 0) {
      await pieces.return('stop');
      if (at > 0) yield text.slice(0, at);
      return 'stop';
    }
    let safeLength = text.length - maxOverlap;
    if (/[\ud800-\udbff]/.test(text[safeLength - 1] ?? '')) safeLength--;
    if (safeLength > 0) yield text.slice(0, safeLength);
    text = text.slice(Math.max(0, safeLength));
  }
}

/** The messages are only in memory: no table stores them, and a run that a crash ends is not restarted. */
export const completionTool: Tool<CompletionPayload> = {
  feature: 'completion',
  showsThinking: true,
  async *run(context, _, knownInput) {
    const { messages, maxTokens, temperature, stops, sampling } = knownInput as CompletionCall;
    const call = { context, purpose: 'completion', messages, maxTokens, temperature, sampling, bounds };
    return { finish: yield* untilStop(streamText(call), stops) };
  },
  store: (_, closing) => closing,
  async after({ generationId, payload }) {
    if (!payload.repeatable) await eraseText(database(), generationId);
  },
};
