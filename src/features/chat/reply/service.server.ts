import { database } from '../../../platform/database/database.server.ts';
import { estimateTokens, PICTURE_TOKENS, TOKEN_BYTES, TOKENS_A_TEXT } from '../../../shared/tokens.ts';
import { callStreamed } from '../../generations/calls/service.server.ts';
import { contextTokens, shorterContext, sizeOf } from '../../generations/context/service.server.ts';
import type { Ending, RunContext, Tool } from '../../generations/engine/service.server.ts';
import type { ChatTurn } from '../../generations/gateway/gateway.adapter.server.ts';
import { RunFailure } from '../../generations/verdict/service.server.ts';
import { instructionOf } from '../assistants/service.server.ts';
import { frameTokens, type Part, partsFor } from '../attachments/sent/service.server.ts';
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

/** Rough size of a message in tokens, with its file: a picture's is fixed, a document's that of its text. */
function tokensOf({ content, attachment }: Said): number {
  const file =
    attachment === null
      ? 0
      : attachment.kind === 'image'
        ? PICTURE_TOKENS
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
      perPicture: PICTURE_TOKENS * TOKEN_BYTES,
    },
  );
  const newest = rows[0];
  if (!newest) throw new Error('The question of a reply is not there.');
  return { assistant: newest.assistant, newestFirst: rows };
}

/** What is asked for: the turns, and how many messages of the branch's start are not among them. */
interface ReplyRequest {
  messages: ChatTurn[];
  maxTokens: number;
  leftOut: number;
  /** Messages of the branch that are sent. */
  sent: number;
}

/** A request within a context of so many tokens, of which the answer gets no more than half. */
async function requestWithin(
  context: RunContext,
  payload: ReplyPayload,
  recalled: Recalled | undefined,
  tokens: number,
): Promise<ReplyRequest> {
  const maxTokens = Math.min(chatLimits.maxTokens, Math.floor(tokens / 2));
  const budget = tokens - maxTokens;
  const tail = payload.continues ? await begun(context, budget) : [];
  const { assistant, newestFirst } = recalled ?? (await read(payload, budget));
  const system = instructionOf(assistant);
  const spent = [system, ...tail.map(({ content }) => String(content))].map(estimateTokens);
  const { kept, leftOut } = within(newestFirst, budget - spent.reduce((sum, each) => sum + each, 0));
  const files = await partsFor(kept.flatMap(({ attachment }) => attachment?.id ?? []).reverse());
  const turns = kept.map((message) => turnOf(message, files));
  const messages: ChatTurn[] = [{ role: 'system', content: system }, ...turns, ...tail];
  return { messages, maxTokens, leftOut, sent: kept.length };
}

const texts = {
  message:
    'This message is longer than the model can take at once. Please shorten it, or send it in several parts.',
  chat: 'This chat is longer than the model can take. Please go on in a new chat.',
};

const tooLong = ({ sent }: ReplyRequest) =>
  new RunFailure('context_length', sent > 1 ? texts.chat : texts.message);

/** Whether a request is worth a second try: it is smaller than the one that was refused. */
const isSmaller = (next: ReplyRequest, refused: ReplyRequest) =>
  next.maxTokens < refused.maxTokens || sizeOf(next.messages) < sizeOf(refused.messages);

/** Asks for the reply, and where the model refuses the request as too long, once more for a shorter one. */
async function* answered(context: RunContext, payload: ReplyPayload, recalled: Recalled | undefined) {
  let refused: ReplyRequest | null = null;
  for (let tokens = contextTokens(); ; ) {
    const asked = await requestWithin(context, payload, recalled, tokens);
    if (refused && !isSmaller(asked, refused)) throw tooLong(asked);
    const { messages, maxTokens, leftOut } = asked;
    if (leftOut > 0) await setLeftOut(database(), context.generationId, leftOut);
    const { temperature } = chatLimits;
    const purpose = refused ? 'chat-shorter' : 'chat';
    let said = false;
    try {
      const steps = callStreamed({ context, purpose, messages, temperature, maxTokens, bounds });
      let step = await steps.next();
      for (; !step.done; step = await steps.next()) {
        said = true;
        yield step.value;
      }
      return { finish: step.value };
    } catch (error) {
      const size = { prompt: sizeOf(messages), answer: maxTokens };
      const shorter = said ? null : await shorterContext(error, size, context.signal);
      if (shorter === null) throw error;
      if (refused) throw tooLong(asked);
      refused = asked;
      tokens = shorter;
    }
  }
}

async function after(ending: Ending<ReplyPayload>): Promise<void> {
  if (ending.state === 'done') await startTitle(ending.userId, ending.payload.sessionId);
}

/** A chat reply: the branch up to the question goes to the gateway, the text is the reply's content, or its continuation. */
export const replyTool: Tool<ReplyPayload> = {
  feature: 'chat',
  run: (context, payload, recalled) => answered(context, payload, recalled as Recalled | undefined),
  store: ({ text, generationId }, closing) => replyStatement(closing, generationId, text),
  after,
};
