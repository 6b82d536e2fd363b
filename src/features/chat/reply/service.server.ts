import { config } from '../../../platform/config/config.server.ts';
import { database } from '../../../platform/database/database.server.ts';
import { callStreamed } from '../../generations/calls/service.server.ts';
import type { Ending, Tool } from '../../generations/engine/service.server.ts';
import type { ChatTurn } from '../../generations/gateway/gateway.adapter.server.ts';
import { chatLimits } from '../contract.ts';
import { branch, type MessageRow, replyStatement } from '../store.server.ts';
import { startTitle } from '../title/service.server.ts';

/** What a reply's run refers to; the texts themselves are read from the chat. */
export interface ReplyPayload {
  sessionId: string;
  messageId: string;
}

/** What of a message is sent. */
export type Said = Pick<MessageRow, 'role' | 'content'>;

const SYSTEM =
  'You are a helpful assistant. Answer in the language of the question. Use Markdown where it helps.';

const bounds = {
  firstByteMs: 30_000,
  idleMs: 30_000,
  totalMs: 180_000,
  eventBytes: 1024 * 1024,
  textBytes: 256 * 1024,
};

/** Rough size of a text in tokens; on the large side, so that the gateway's own limit is not met. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 3.5) + 4;
}

/**
 * The turns that are sent: as much of the branch's end as the budget holds, the oldest left out first. The newest
 * message always goes. A reply without text is no turn; one that broke off is sent as far as it came.
 */
export function turnsWithin(newestFirst: Said[], budget: number): ChatTurn[] {
  const turns: ChatTurn[] = [];
  let left = budget - estimateTokens(SYSTEM);
  for (const message of newestFirst) {
    if (message.content === '') continue;
    left -= estimateTokens(message.content);
    if (left < 0 && turns.length > 0) break;
    turns.push({ role: message.role, content: message.content });
  }
  return [{ role: 'system', content: SYSTEM }, ...turns.reverse()];
}

async function after(ending: Ending<ReplyPayload>): Promise<void> {
  if (ending.state === 'done') await startTitle(ending.userId, ending.payload.sessionId);
}

/** A chat reply: the branch up to the question goes to the gateway, the text is the reply's content. */
export const replyTool: Tool<ReplyPayload> = {
  feature: 'chat',
  async *run(context, payload, recalled?: Said[]) {
    const rows = recalled ?? (await branch(database(), payload.sessionId, payload.messageId, 400));
    const messages = turnsWithin(rows, config().CONTEXT_TOKENS - chatLimits.maxTokens);
    const finish = yield* callStreamed({
      context,
      purpose: 'chat',
      messages,
      temperature: chatLimits.temperature,
      maxTokens: chatLimits.maxTokens,
      bounds,
    });
    return { finish };
  },
  store: ({ text, generationId }, closing) => replyStatement(closing, generationId, text),
  after,
};
