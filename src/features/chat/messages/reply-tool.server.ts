import type { AppliedInstructions } from '#features/accounts/service.server.ts';
import {
  contextTokens,
  continuationMessages,
  type Ending,
  estimateMessageTokens,
  type GatewayMessage,
  type RunContext,
  RunFailure,
  shorterContext,
  streamText,
  type Tool,
} from '#features/generations/service.server.ts';
import { m } from '#messages';
import { database } from '#platform/database/database.server.ts';
import { BYTES_PER_TOKEN, estimateTokens, IMAGE_TOKENS, TOKENS_PER_MESSAGE } from '#shared/token-estimate.ts';
import { systemMessageFor } from '../assistants.server.ts';
import {
  documentFrameTokens,
  type MessagePart,
  messagePartsFor,
} from '../attachments/attachment-parts.server.ts';
import { shareText, textBytesBeside } from '../attachments/share-text.ts';
import { attachmentLimits, chatLimits, type OtherReply } from '../contract.ts';
import { eraseTemporaryChats } from '../temporary-chats.server.ts';
import { startTitle } from '../title-tool.server.ts';
import { ReplySearch } from '../web-search/reply-search.server.ts';
import { copySources } from '../web-search/web-search-store.server.ts';
import {
  type HistoryMessage,
  recentHistory,
  replyStatement,
  type StoredReply,
  setLeftOut,
  textSoFar,
} from './reply-store.server.ts';

export interface ReplyPayload {
  sessionId: string;
  messageId: string;
  continues: boolean;
  /** The reply that it goes on with. */
  continued?: string;
  /** The web is searched first, for these credits of the price. */
  web?: { credits: number };
  /** The reply of another model that was asked for together with this one. */
  beside?: OtherReply;
}

interface History {
  assistant: string;
  newestFirst: HistoryMessage[];
}

/** What the statement that started the run has read. */
export interface KnownInput {
  instructions: AppliedInstructions | null;
  /** Of a chat that begins. */
  history: History | undefined;
}

/** Gateways count what a model thinks as part of its answer: without more room the answer would be cut, or missing. */
const THINKING_TOKENS = 8_000;

const bounds = { idleMs: 30_000, answerMs: 150_000, eventBytes: 1024 * 1024, textBytes: 256 * 1024 };

function tokensOf({ content, attachments }: HistoryMessage): number {
  const texts = shareText(attachments);
  const files = attachments.map(({ kind }, index) =>
    kind === 'image' ? IMAGE_TOKENS : Math.ceil((texts[index] ?? 0) / BYTES_PER_TOKEN) + documentFrameTokens,
  );
  return files.reduce((sum, each) => sum + each, estimateTokens(content));
}

const unseen = ({ name }: { name: string }) => `[The image "${name}" is here, which you cannot see.]`;

function toGatewayMessage(
  { role, content, attachments }: HistoryMessage,
  files: MessagePart[],
  { seesImages }: Pick<RunContext['model'], 'seesImages'>,
): GatewayMessage {
  const images = seesImages ? [] : attachments.filter(({ kind }) => kind === 'image');
  const text = [...images.map(unseen), content].join('\n\n');
  return { role, content: files.length > 0 ? [{ type: 'text', text }, ...files] : text };
}

/** The question always goes. A reply without text is no turn, and none stands at the start without its question. */
export function trimHistory(
  newestFirst: HistoryMessage[],
  budget: number,
): { kept: HistoryMessage[]; leftOut: number } {
  const kept: HistoryMessage[] = [];
  let left = budget;
  for (const message of newestFirst) {
    if (message.content === '' && message.attachments.length === 0) continue;
    left -= tokensOf(message);
    if (left < 0 && kept.length > 0) break;
    kept.push(message);
  }
  while (kept.length > 1 && kept.at(-1)?.role === 'assistant') kept.pop();
  return { kept: kept.reverse(), leftOut: (kept[0]?.depth ?? 1) - 1 };
}

function tailOf(text: string, tokens: number): string {
  const bytes = Buffer.from(text);
  const from = Math.max(0, bytes.length - Math.floor(tokens * BYTES_PER_TOKEN));
  // What is left of a character that was cut through.
  return bytes
    .subarray(from)
    .toString()
    .replace(/^\ufffd+/, '');
}

async function messagesToContinue(context: RunContext, budget: number): Promise<GatewayMessage[]> {
  return continuationMessages(tailOf(await textSoFar(database(), context.generationId), budget / 2));
}

async function readHistory({ sessionId, messageId }: ReplyPayload, budget: number): Promise<History> {
  const rows = await recentHistory(
    database(),
    { sessionId, messageId },
    {
      bytes: Math.ceil(budget * BYTES_PER_TOKEN),
      perMessage: TOKENS_PER_MESSAGE * BYTES_PER_TOKEN,
      perPicture: IMAGE_TOKENS * BYTES_PER_TOKEN,
      leastText: textBytesBeside(attachmentLimits.perMessage),
    },
  );
  const newest = rows[0];
  if (!newest) throw new Error('The question of a reply is not there.');
  return { assistant: newest.assistant, newestFirst: rows };
}

interface ReplyRequest {
  messages: GatewayMessage[];
  maxTokens: number;
  leftOut: number;
  sent: number;
}

async function requestWithin(
  context: RunContext,
  payload: ReplyPayload,
  { instructions, history }: KnownInput,
  search: ReplySearch | null,
  tokens: number,
): Promise<ReplyRequest> {
  const wanted = chatLimits.maxTokens + (context.model.thinks ? THINKING_TOKENS : 0);
  const maxTokens = Math.min(wanted, Math.floor(tokens / 2));
  const budget = tokens - maxTokens;
  const tail = payload.continues ? await messagesToContinue(context, budget) : [];
  const { assistant, newestFirst } = history ?? (await readHistory(payload, budget));
  const system = systemMessageFor(assistant, instructions, budget);
  const found = search?.material(Math.floor((budget / 3) * BYTES_PER_TOKEN)) ?? null;
  const beside = [system, ...(found === null ? [] : [found]), ...tail.map(({ content }) => String(content))];
  const spent = beside.map(estimateTokens);
  const { kept, leftOut } = trimHistory(newestFirst, budget - spent.reduce((sum, each) => sum + each, 0));
  const { seesImages } = context.model;
  const files = await messagePartsFor(kept, { seesImages });
  if (found !== null)
    files[kept.length - 1] = [...(files[kept.length - 1] ?? []), { type: 'text', text: found }];
  const turns = kept.map((message, index) => toGatewayMessage(message, files[index] ?? [], { seesImages }));
  const messages: GatewayMessage[] = [{ role: 'system', content: system }, ...turns, ...tail];
  return { messages, maxTokens, leftOut, sent: kept.length };
}

const failures = {
  chat_error_chat_too_long: m.chat_error_chat_too_long,
  chat_error_message_too_long: m.chat_error_message_too_long,
};

function tooLong({ sent }: ReplyRequest): RunFailure {
  const name: keyof typeof failures = sent > 1 ? 'chat_error_chat_too_long' : 'chat_error_message_too_long';
  return new RunFailure('context_length', name);
}

const isSmaller = (next: ReplyRequest, refused: ReplyRequest) =>
  next.maxTokens < refused.maxTokens ||
  estimateMessageTokens(next.messages) < estimateMessageTokens(refused.messages);

/** Where the model refuses the request as too long, it is asked once more with a shorter one. */
async function* streamReply(
  context: RunContext,
  payload: ReplyPayload,
  known: KnownInput,
  search: ReplySearch | null,
) {
  let refused: ReplyRequest | null = null;
  for (let tokens = contextTokens(context.model); ; ) {
    const asked = await requestWithin(context, payload, known, search, tokens);
    if (refused && !isSmaller(asked, refused)) throw tooLong(asked);
    const { messages, maxTokens, leftOut } = asked;
    if (leftOut > 0) await setLeftOut(database(), context.generationId, leftOut);
    const { temperature } = chatLimits;
    const purpose = refused ? 'chat-shorter' : 'chat';
    let said = false;
    try {
      const call = { context, purpose, messages, temperature, maxTokens, bounds };
      const steps = streamText({ ...call, ...search?.callOptions() });
      let step = await steps.next();
      for (; !step.done; step = await steps.next()) {
        said = true;
        yield step.value;
      }
      return { finish: step.value };
    } catch (error) {
      if (!said && search?.isRefusedBy(error)) {
        await search.refused();
        continue;
      }
      const size = { prompt: estimateMessageTokens(messages), answer: maxTokens };
      const shorter = said ? null : await shorterContext(error, size, context);
      if (shorter === null) throw error;
      if (refused) throw tooLong(asked);
      refused = asked;
      tokens = shorter;
    }
  }
}

/** The newest questions and replies, of which the search is made. */
const RECENT_TOKENS = 4_000;

async function* searchAndReply(context: RunContext, payload: ReplyPayload, known: KnownInput) {
  if (payload.continued) await copySources(database(), context.generationId, payload.continued);
  if (!payload.web) return yield* streamReply(context, payload, known, null);
  const history = async () => (known.history ?? (await readHistory(payload, RECENT_TOKENS))).newestFirst;
  const search = await ReplySearch.begin(context, payload.web.credits, history);
  try {
    return yield* streamReply(context, payload, known, search);
  } finally {
    await search.end();
  }
}

async function after(
  { state, userId, payload: { sessionId, messageId, beside } }: Ending<ReplyPayload>,
  { title_source }: StoredReply,
): Promise<void> {
  // A temporary chat that was left during the reply.
  if (state !== 'done' || title_source === null) await eraseTemporaryChats(sessionId);
  else if (title_source === 'default') await startTitle(userId, sessionId, beside && messageId);
}

export const replyTool: Tool<ReplyPayload, StoredReply> = {
  feature: 'chat',
  failures,
  showsThinking: true,
  run: (context, payload, recalled) => searchAndReply(context, payload, recalled as KnownInput),
  store: ({ text, generationId }, closing) => replyStatement(closing, generationId, text),
  after,
};
