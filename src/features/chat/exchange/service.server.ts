import { validate as isUuid, v7 as uuid } from 'uuid';
import { database } from '../../../platform/database/database.server.ts';
import { sql } from '../../../platform/database/sql.server.ts';
import type { UserActor } from '../../../platform/http/actor.server.ts';
import { notFound, Problem } from '../../../platform/http/problem.server.ts';
import { cleanText } from '../../../shared/clean-text.ts';
import { start } from '../../generations/service.server.ts';
import { assistantOf } from '../assistants/service.server.ts';
import { requestFor } from '../attachments/contract.ts';
import { generalAssistant, type SendMessage, type StartedReply } from '../contract.ts';
import type { Recalled, ReplyPayload } from '../reply/service.server.ts';
import { ownSession } from '../store.server.ts';
import { spotOf } from '../tree/store.server.ts';
import {
  type ExchangeRow,
  exchangeStatement,
  ownAttachment,
  type Question,
  replyOf,
  type WrittenExchange,
} from './store.server.ts';

/** UTF-8 bytes of a reply that can be gone on with: as many as one run may make. */
const LONGEST = 256 * 1024;

interface Exchange extends Pick<ExchangeRow, 'chatId' | 'create' | 'question' | 'continues'> {
  actor: UserActor;
  key: string;
  /** What the key is bound to. */
  bound: unknown;
}

const fileGone = () => new Problem('bad_request', 'That file is not there any more. Please attach it again.');

/** SQLSTATE of what `write_exchange` raises. */
const refusals: Record<string, () => Problem> = {
  P0002: notFound,
  '22023': () =>
    new Problem('bad_request', 'The message named is none that can be answered or replaced here.'),
  '23503': fileGone,
};

/** What is known of a new chat need not be read again; the file beside a first message is. */
function remembered({ create, question }: Exchange, isNew: boolean): Recalled | undefined {
  if (!isNew || question.text === null || question.attachmentId) return;
  return { assistant: create ?? generalAssistant, newestFirst: [firstOf(question.text)] };
}

const firstOf = (content: string): Recalled['newestFirst'][number] => ({
  role: 'user',
  content,
  depth: 1,
  attachment: null,
});

async function startReply(exchange: Exchange): Promise<StartedReply> {
  const { actor, key, bound, chatId, create, question, continues } = exchange;
  const payload: ReplyPayload = { sessionId: chatId, messageId: question.id, continues: continues !== null };
  const isNew = sql`not exists (select 1 from chat_sessions where id = ${chatId})`;
  const row = { userId: actor.userId, chatId, create, replyId: uuid(), question, continues };
  const started = await start<WrittenExchange>(actor, {
    key,
    bound,
    feature: 'chat',
    startsChat: create !== null && isNew,
    payload,
    write: (admission) => exchangeStatement(admission, row),
    recall: ({ is_new }) => remembered(exchange, is_new),
  }).catch((error: { code?: string }) => {
    throw refusals[error.code ?? '']?.() ?? error;
  });
  const { session_id, title, is_new, message_id, content, reply_id } = started.written;
  // A repeated key whose chat is erased by now.
  if (session_id === null) throw notFound();
  return {
    chat: { id: session_id, title, isNew: is_new },
    message: { id: message_id, content },
    reply: { id: reply_id },
    generation: { id: started.generationId, state: started.state },
    credits: started.unlimited ? null : started.credits,
  };
}

/** What a message says: its text, or what stands for its file. */
async function wording(actor: UserActor, text: string, attachmentId: string | null): Promise<string> {
  if (text.trim() !== '') return text;
  if (!attachmentId) throw new Problem('bad_request', 'An empty message cannot be sent.');
  const file = await ownAttachment(database(), actor.userId, attachmentId);
  if (!file) throw fileGone();
  return requestFor(file);
}

/**
 * Stores a message and starts the reply, in one statement; with `create` the chat too.
 * @throws Problem not_found, bad_request (empty text, unknown message or file), and the refusals of admission.
 */
export async function sendMessage({
  actor,
  input,
}: {
  actor: UserActor;
  input: Omit<SendMessage, 'by'> & { chatId: string; key: string };
}): Promise<StartedReply> {
  const { chatId, key, create = false, attachmentId = null, replaces = null } = input;
  if (!isUuid(chatId)) throw notFound();
  const text = cleanText(input.text);
  const parentId = replaces ? null : (input.parentId ?? null);
  const assistant = create ? assistantOf(input.assistant).id : null;
  const question: Question = {
    id: uuid(),
    text: await wording(actor, text, attachmentId),
    parentId,
    replaces,
    attachmentId,
  };
  const bound = ['message', chatId, text, parentId, replaces, attachmentId, assistant];
  return startReply({ actor, key, bound, chatId, create: assistant, question, continues: null });
}

const again = (id: string): Question => ({
  id,
  text: null,
  parentId: null,
  replaces: null,
  attachmentId: null,
});

interface OfMessage {
  chatId: string;
  messageId: string;
  key: string;
}

async function proveOwn(actor: UserActor, chatId: string): Promise<void> {
  if (!isUuid(chatId) || !(await ownSession(database(), actor.userId, chatId))) throw notFound();
}

/** Starts another reply to the question of a reply; the earlier one stays as its sibling. @throws Problem. */
export async function regenerate({
  actor,
  input: { chatId, messageId, key },
}: {
  actor: UserActor;
  input: OfMessage;
}): Promise<StartedReply> {
  await proveOwn(actor, chatId);
  const message = isUuid(messageId) ? await spotOf(database(), chatId, messageId) : null;
  const id = message?.role === 'assistant' ? message.parent_id : message?.id;
  if (!id) throw notFound();
  const bound = ['regenerate', chatId, messageId];
  return startReply({ actor, key, bound, chatId, create: null, question: again(id), continues: null });
}

/**
 * Starts another version of a reply that did not come to its end, which begins with the earlier text and goes on with it.
 * @throws Problem not_found, conflict for a reply that runs, is complete, empty or too long, and the refusals of admission.
 */
export async function continueReply({
  actor,
  input: { chatId, messageId, key },
}: {
  actor: UserActor;
  input: OfMessage;
}): Promise<StartedReply> {
  await proveOwn(actor, chatId);
  const reply = isUuid(messageId) ? await replyOf(database(), chatId, messageId) : null;
  if (!reply?.parent_id) throw notFound();
  const { content, state, finish_reason } = reply;
  if (state === 'queued' || state === 'running')
    throw new Problem('conflict', 'This reply is still being written.');
  if (content === '') throw new Problem('conflict', 'This reply has no text to continue.');
  if (state === 'done' && finish_reason !== 'length')
    throw new Problem('conflict', 'This reply is complete.');
  if (Buffer.byteLength(content) > LONGEST)
    throw new Problem('conflict', 'This reply is as long as a reply can be.');
  const bound = ['continue', chatId, messageId];
  const continues = { id: messageId, length: content.length };
  return startReply({ actor, key, bound, chatId, create: null, question: again(reply.parent_id), continues });
}
