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
  tokensWithThinking,
} from '#features/generations/service.server.ts';
import { m } from '#messages';
import { endWithin } from '#platform/cut-utf8.server.ts';
import { database } from '#platform/database/database.server.ts';
import { BYTES_PER_TOKEN, estimateTokens, IMAGE_TOKENS, TOKENS_PER_MESSAGE } from '#shared/token-estimate.ts';
import { systemMessageFor } from '../assistants.server.ts';
import { allocateTextBytes, textBytesWithImages } from '../attachments/allocate-text-bytes.ts';
import {
  documentFrameTokens,
  type MessagePart,
  messagePartsFor,
} from '../attachments/attachment-parts.server.ts';
import { attachmentLimits, chatLimits, type OtherReply } from '../contract.ts';
import { fitKnowledge } from '../knowledge/fit-knowledge.server.ts';
import { knowledgeParts } from '../knowledge/knowledge-parts.server.ts';
import type { KnowledgeFile } from '../knowledge/knowledge-store.server.ts';
import type { AppliedAssistant } from '../own-assistants/own-assistants-store.server.ts';
import { eraseTemporaryChats } from '../temporary-chats.server.ts';
import { startTitle } from '../title-tool.server.ts';
import { ReplySearch } from '../web-search/reply-search.server.ts';
import { copySources } from '../web-search/web-search-store.server.ts';
import {
  type HistoryMessage,
  type LeftOutOfReply,
  recentHistory,
  replyStatement,
  type StoredReply,
  saveLeftOut,
  textSoFar,
} from './message-store.server.ts';

export interface ReplyPayload {
  sessionId: string;
  messageId: string;
  continues: boolean;
  /** Id of the reply that this one continues. */
  continued?: string;
  /** Set to search the web first; `credits` is the part of the price for that. */
  web?: { credits: number };
  /** The reply of another model that was requested together with this one. */
  beside?: OtherReply;
}

interface History {
  assistant: string;
  newestFirst: HistoryMessage[];
}

/** What the statement that started the run already read. */
export interface KnownInput {
  instructions: AppliedInstructions | null;
  /** The person's own assistant of this chat. */
  own: AppliedAssistant | null;
  /** Files of the chat's assistant and project. */
  knowledge: KnowledgeFile[];
  /** Only for a new chat; undefined where the run has to read the history itself. */
  history: History | undefined;
}

const bounds = { idleMs: 30_000, answerMs: 150_000, eventBytes: 1024 * 1024, textBytes: 256 * 1024 };

function fileTokens({ attachments }: HistoryMessage): number {
  const texts = allocateTextBytes(attachments);
  const files = attachments.map(({ kind }, index) =>
    kind === 'image' ? IMAGE_TOKENS : Math.ceil((texts[index] ?? 0) / BYTES_PER_TOKEN) + documentFrameTokens,
  );
  return files.reduce((sum, each) => sum + each, 0);
}

const messageTokens = (message: HistoryMessage) => estimateTokens(message.content) + fileTokens(message);

const drawnPlaceholder =
  '[An image was made from the message above and shown to the person. You cannot see it.]';

const unseenImageNote = ({ name }: { name: string }) =>
  `[The image "${name}" is here, which you cannot see.]`;

function toGatewayMessage(
  { role, content, attachments }: HistoryMessage,
  files: MessagePart[],
  { seesImages }: Pick<RunContext['model'], 'seesImages'>,
): GatewayMessage {
  const images = seesImages ? [] : attachments.filter(({ kind }) => kind === 'image');
  const text = [...images.map(unseenImageNote), content].join('\n\n');
  return { role, content: files.length > 0 ? [{ type: 'text', text }, ...files] : text };
}

/** Always keeps the newest message. Skips empty messages, and drops leading replies whose question is left out. */
export function trimHistory(
  newestFirst: HistoryMessage[],
  budget: number,
): { kept: HistoryMessage[]; leftOut: number } {
  const kept: HistoryMessage[] = [];
  let left = budget;
  for (const message of newestFirst) {
    if (message.content === '' && message.attachments.length === 0) continue;
    left -= messageTokens(message);
    if (left < 0 && kept.length > 0) break;
    kept.push(message);
  }
  while (kept.length > 1 && kept.at(-1)?.role === 'assistant') kept.pop();
  return { kept: kept.reverse(), leftOut: (kept[0]?.depth ?? 1) - 1 };
}

/**
 * Returns the tokens that the chat leaves unused or, if more, up to half of the request at the expense of older texts,
 * but never those of the question and the files of the sent messages.
 */
function knowledgeBudget(sent: HistoryMessage[], budget: number): number {
  const reserved = sent.map((message, at) =>
    at === sent.length - 1 ? messageTokens(message) : fileTokens(message),
  );
  const left = reserved.reduce((rest, tokens) => rest - tokens, budget);
  const unused = sent.reduce((rest, message) => rest - messageTokens(message), budget);
  return Math.max(0, Math.min(Math.floor(budget / 2), left), unused);
}

/** Returns each file once, without the files that the sent messages already contain. */
function unsentKnowledge(sent: HistoryMessage[], knowledge: KnowledgeFile[]): KnowledgeFile[] {
  const sentIds = new Set(sent.flatMap(({ attachments }) => attachments.map(({ id }) => id)));
  return knowledge.filter(
    ({ id }, at) => !sentIds.has(id) && knowledge.findIndex((file) => file.id === id) === at,
  );
}

async function messagesToContinue(context: RunContext, budget: number): Promise<GatewayMessage[]> {
  const text = await textSoFar(database(), context.generationId);
  return continuationMessages(endWithin(text, Math.floor((budget / 2) * BYTES_PER_TOKEN)));
}

async function readHistory({ sessionId, messageId }: ReplyPayload, budget: number): Promise<History> {
  const rows = await recentHistory(
    database(),
    { sessionId, messageId },
    {
      bytes: Math.ceil(budget * BYTES_PER_TOKEN),
      perMessage: TOKENS_PER_MESSAGE * BYTES_PER_TOKEN,
      perPicture: IMAGE_TOKENS * BYTES_PER_TOKEN,
      maxFilesText: textBytesWithImages(attachmentLimits.perMessage),
    },
  );
  for (const row of rows) if (row.images && row.content === '') row.content = drawnPlaceholder;
  const newest = rows[0];
  if (!newest) throw new Error('The question of a reply is not there.');
  return { assistant: newest.assistant, newestFirst: rows };
}

interface ReplyRequest {
  messages: GatewayMessage[];
  maxTokens: number;
  leftOut: LeftOutOfReply;
  sent: number;
}

async function buildRequest(
  context: RunContext,
  payload: ReplyPayload,
  { instructions, own, knowledge, history }: KnownInput,
  search: ReplySearch | null,
  tokens: number,
): Promise<ReplyRequest> {
  const preferredTokens = tokensWithThinking(chatLimits.maxTokens, context.model);
  const maxTokens = Math.min(preferredTokens, Math.floor(tokens / 2));
  const budget = tokens - maxTokens;
  const tail = payload.continues ? await messagesToContinue(context, budget) : [];
  const { assistant, newestFirst } = history ?? (await readHistory(payload, budget));
  const system = systemMessageFor({ assistant, own, instructions }, budget);
  const searchResults = search?.framedResults(Math.floor((budget / 3) * BYTES_PER_TOKEN)) ?? null;
  const fixedTexts = [
    system,
    ...(searchResults === null ? [] : [searchResults]),
    ...tail.map(({ content }) => String(content)),
  ];
  const left = fixedTexts.reduce((rest, text) => rest - estimateTokens(text), budget);
  const { seesImages } = context.model;
  const withoutKnowledge = trimHistory(newestFirst, left).kept;
  const fitted = fitKnowledge(unsentKnowledge(withoutKnowledge, knowledge), {
    tokens: knowledgeBudget(withoutKnowledge, left),
    seesImages,
  });
  const { kept, leftOut } = trimHistory(newestFirst, left - fitted.tokens);
  const files = await messagePartsFor(kept, { seesImages });
  // At the start, because it stays the same from reply to reply and gateways charge less for a cached prefix.
  files[0] = [...(files[0] ?? []), ...(await knowledgeParts(fitted.files))];
  if (searchResults !== null)
    files[kept.length - 1] = [...(files[kept.length - 1] ?? []), { type: 'text', text: searchResults }];
  const turns = kept.map((message, index) => toGatewayMessage(message, files[index] ?? [], { seesImages }));
  const messages: GatewayMessage[] = [{ role: 'system', content: system }, ...turns, ...tail];
  return { messages, maxTokens, leftOut: { messages: leftOut, files: fitted.leftOut }, sent: kept.length };
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

/** Retries once with a shorter request if the model refuses the first one as too long. */
async function* streamReply(
  context: RunContext,
  payload: ReplyPayload,
  knownInput: KnownInput,
  search: ReplySearch | null,
) {
  let refused: ReplyRequest | null = null;
  for (let tokens = contextTokens(context.model); ; ) {
    const attempt = await buildRequest(context, payload, knownInput, search, tokens);
    if (refused && !isSmaller(attempt, refused)) throw tooLong(attempt);
    const { messages, maxTokens, leftOut } = attempt;
    if (knownInput.own || leftOut.messages > 0 || leftOut.files.length > 0)
      await saveLeftOut(database(), context.generationId, {
        ...leftOut,
        assistant: knownInput.own?.name ?? null,
      });
    const { temperature } = chatLimits;
    const purpose = refused ? 'chat-shorter' : 'chat';
    let hasOutput = false;
    try {
      const call = { context, purpose, messages, temperature, maxTokens, bounds };
      const steps = streamText({ ...call, ...search?.callOptions() });
      let step = await steps.next();
      for (; !step.done; step = await steps.next()) {
        hasOutput = true;
        yield step.value;
      }
      return { finish: step.value };
    } catch (error) {
      if (!hasOutput && search?.isRefusedBy(error)) {
        await search.onRefused();
        continue;
      }
      const size = { prompt: estimateMessageTokens(messages), answer: maxTokens };
      const shorter = hasOutput ? null : await shorterContext(error, size, context);
      if (shorter === null) throw error;
      if (refused) throw tooLong(attempt);
      refused = attempt;
      tokens = shorter;
    }
  }
}

/** Tokens of the newest messages, from which the search queries are written. */
const RECENT_TOKENS = 4_000;

async function* searchAndReply(context: RunContext, payload: ReplyPayload, knownInput: KnownInput) {
  if (payload.continued) await copySources(database(), context.generationId, payload.continued);
  if (!payload.web) return yield* streamReply(context, payload, knownInput, null);
  const history = async () => (knownInput.history ?? (await readHistory(payload, RECENT_TOKENS))).newestFirst;
  const search = await ReplySearch.start(context, payload.web.credits, history);
  try {
    return yield* streamReply(context, payload, knownInput, search);
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
