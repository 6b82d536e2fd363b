import { config } from '../../../platform/config/config.server.ts';
import { database } from '../../../platform/database/database.server.ts';
import { estimateTokens, TOKEN_BYTES, TOKENS_A_TEXT } from '../../../shared/tokens.ts';
import { callStreamed } from '../../generations/calls/service.server.ts';
import type { Ending, RunContext, Tool } from '../../generations/engine/service.server.ts';
import type { ChatTurn } from '../../generations/gateway/gateway.adapter.server.ts';
import { instructionOf } from '../assistants/service.server.ts';
import { frameTokens, type Part, partsFor, pictureTokens } from '../attachments/sent/service.server.ts';
import { chatLimits } from '../contract.ts';
import { startTitle } from '../title/service.server.ts';
import { branchEnd, replyStatement, type Said, setLeftOut, textSoFar } from './store.server.ts';

/** What a reply's run refers to; the texts themselves are read from the chat. */
export interface ReplyPayload {
  sessionId: string;
  messageId: string;
  /** The reply begins with the text of an earlier one and goes on with it. */
  continues: boolean;
}

/** What is sent of a chat: its assistant, and the branch up to the question. */
export interface Recalled {
  assistant: string;
  newestFirst: Said[];
}

const CONTINUE =
  'Continue your last message exactly where it stops, even within a word, a sentence or a block of code. Repeat nothing of it and add no remark about going on.';

const bounds = {
  idleMs: 30_000,
  answerMs: 150_000,
  eventBytes: 1024 * 1024,
  textBytes: 256 * 1024,
};

/** Tokens that a request may always have, however small the context is. */
const LEAST = 500;

/** Rough size of a message in tokens, with its file: a picture's is fixed, a document's that of its text. */
function tokensOf({ content, attachment }: Said): number {
  const file =
    attachment === null
      ? 0
      : attachment.kind === 'image'
        ? pictureTokens
        : Math.ceil((attachment.textBytes ?? 0) / TOKEN_BYTES) + frameTokens;
  return estimateTokens(content) + file;
}

/** A message as it is sent, what it says before its file. */
function turnOf({ role, content, attachment }: Said, files: Map<string, Part>): ChatTurn {
  const file = attachment && files.get(attachment.id);
  return { role, content: file ? [{ type: 'text', text: content }, file] : content };
}

/**
 * As much of the branch's end as the budget of tokens holds, oldest first; the question always goes. A reply without
 * text is no turn, one that broke off is sent as far as it came, and none stands at the start without its question.
 */
export function within(newestFirst: Said[], budget: number): { kept: Said[]; leftOut: number } {
  const kept: Said[] = [];
  let left = budget;
  for (const message of newestFirst) {
    if (message.content === '' && !message.attachment) continue;
    left -= tokensOf(message);
    if (left < 0 && kept.length > 0) break;
    kept.push(message);
  }
  while (kept.length > 1 && kept.at(-1)?.role === 'assistant') kept.pop();
  return { kept: kept.reverse(), leftOut: (kept[0]?.depth ?? 1) - 1 };
}

/** The end of a text that takes at most so many tokens. */
function endOf(text: string, tokens: number): string {
  const bytes = Buffer.from(text);
  const from = Math.max(0, bytes.length - Math.floor(tokens * TOKEN_BYTES));
  // What is left of a character that was cut through.
  return bytes
    .subarray(from)
    .toString()
    .replace(/^\ufffd+/, '');
}

/** The earlier text of a reply that is gone on with, and the wish to go on; at most half of what may be sent. */
async function begun(context: RunContext, budget: number): Promise<ChatTurn[]> {
  const content = endOf(await textSoFar(database(), context.generationId), budget / 2);
  return [
    { role: 'assistant', content },
    { role: 'user', content: CONTINUE },
  ];
}

async function read({ sessionId, messageId }: ReplyPayload, budget: number): Promise<Recalled> {
  const rows = await branchEnd(
    database(),
    { sessionId, messageId },
    {
      bytes: Math.ceil(budget * TOKEN_BYTES),
      perMessage: TOKENS_A_TEXT * TOKEN_BYTES,
      perPicture: pictureTokens * TOKEN_BYTES,
    },
  );
  const newest = rows[0];
  if (!newest) throw new Error('The question of a reply is not there.');
  return { assistant: newest.assistant, newestFirst: rows };
}

/** The turns of a request, within the context budget, and how many messages of the branch's start are not among them. */
async function request(
  context: RunContext,
  payload: ReplyPayload,
  recalled: Recalled | undefined,
): Promise<{ messages: ChatTurn[]; leftOut: number }> {
  const budget = Math.max(LEAST, config().CONTEXT_TOKENS - chatLimits.maxTokens);
  const tail = payload.continues ? await begun(context, budget) : [];
  const { assistant, newestFirst } = recalled ?? (await read(payload, budget));
  const system = instructionOf(assistant);
  const spent = [system, ...tail.map(({ content }) => String(content))].map(estimateTokens);
  const { kept, leftOut } = within(newestFirst, budget - spent.reduce((sum, tokens) => sum + tokens, 0));
  const files = await partsFor(kept.flatMap(({ attachment }) => attachment?.id ?? []).reverse());
  const turns = kept.map((message) => turnOf(message, files));
  return { messages: [{ role: 'system', content: system }, ...turns, ...tail], leftOut };
}

async function after(ending: Ending<ReplyPayload>): Promise<void> {
  if (ending.state === 'done') await startTitle(ending.userId, ending.payload.sessionId);
}

/** A chat reply: the branch up to the question goes to the gateway, the text is the reply's content, or its continuation. */
export const replyTool: Tool<ReplyPayload> = {
  feature: 'chat',
  async *run(context, payload, recalled?: Recalled) {
    const { messages, leftOut } = await request(context, payload, recalled);
    if (leftOut > 0) await setLeftOut(database(), context.generationId, leftOut);
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
