import { validate as isUuid, v7 as uuid } from 'uuid';
import { type Database, database, transaction } from '../../platform/database/database.server.ts';
import { sql } from '../../platform/database/sql.server.ts';
import type { Actor, UserActor } from '../../platform/http/actor.server.ts';
import { notFound, Problem } from '../../platform/http/problem.server.ts';
import { checkChatOfDay } from '../credits/service.server.ts';
import { liveRuns } from '../generations/live/service.server.ts';
import { start } from '../generations/service.server.ts';
import {
  type ChatMessage,
  type ChatRow,
  type ChatView,
  chatLimits,
  defaultTitle,
  generalAssistant,
  type SendMessage,
  type StartedReply,
} from './contract.ts';
import type { ReplyPayload, Said } from './reply/service.server.ts';
import {
  branch,
  exchangeStatement,
  insertSession,
  type MessageRow,
  messageOf,
  newestMessageId,
  newestSessionId,
  ownSession,
  type Question,
  type SessionRow,
  sessionPage,
  setTitle,
  softDelete,
  type WrittenExchange,
} from './store.server.ts';

/** Text without NUL and without lone surrogates, which PostgreSQL refuses. */
function clean(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/** A title within its length, not cut inside a character of two units. */
function cleanTitle(text: string): string {
  const cut = clean(text).trim().slice(0, chatLimits.titleLength);
  return cut.replace(/[\ud800-\udbff]$/, '').trim();
}

function messageView(row: MessageRow): ChatMessage {
  const live = row.generation_id ? liveRuns.get(row.generation_id) : undefined;
  const running = row.state === 'queued' || row.state === 'running';
  return {
    id: row.id,
    parentId: row.parent_id,
    role: row.role,
    content: live && running ? row.content + live.text : row.content,
    createdAt: row.created_at.toISOString(),
    state: row.state ?? 'done',
    generationId: row.generation_id,
    finishReason: row.finish_reason,
    error: row.error_message,
    creditsCharged: row.credits_charged ?? 0,
    model: row.model,
    takenOver: row.taken_over,
    leftOut: row.left_out,
    versions: row.versions,
    attachment: row.attachment,
  };
}

function cursor(text: string | undefined): { at: string; id: string } | null {
  const [at, id] = text?.split('_') ?? [];
  // Date.parse takes more than PostgreSQL does.
  const time = at && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(at) && !Number.isNaN(Date.parse(at));
  return time && id && isUuid(id) ? { at, id } : null;
}

/** A page of the actor's chats, newest first; a guest has none. */
export async function listChats({
  actor,
  input,
}: {
  actor: Actor;
  input: { before?: string };
}): Promise<{ chats: ChatRow[]; next: string | null }> {
  if (actor.kind !== 'user') return { chats: [], next: null };
  const rows = await sessionPage(database(), actor.userId, cursor(input.before), chatLimits.chatsPerPage);
  const last = rows.at(-1);
  return {
    chats: rows.map(({ id, title, updated_at, running }) => ({
      id,
      title,
      updatedAt: updated_at.toISOString(),
      running,
    })),
    next:
      rows.length === chatLimits.chatsPerPage && last ? `${last.updated_at.toISOString()}_${last.id}` : null,
  };
}

/**
 * A chat with the end of its newest branch, or the newest chat for a null id; null for guests and when there is none.
 * `before` pages towards the start: the id of a message whose ancestors are wanted.
 * @throws Problem not_found.
 */
export async function openChat({
  actor,
  input,
}: {
  actor: Actor;
  input: { id: string | null; before?: string };
}): Promise<ChatView | null> {
  if (actor.kind !== 'user') return null;
  const id = input.id ?? (await newestSessionId(database(), actor.userId));
  if (id === null) return null;
  const session = await own(database(), actor, id);
  const leaf =
    input.before === undefined
      ? await newestMessageId(database(), id)
      : isUuid(input.before) && (await messageOf(database(), id, input.before))?.parent_id;
  const rows = leaf ? await branch(database(), id, leaf, chatLimits.messagesPerPage) : [];
  const messages = rows.reverse().map(messageView);
  return {
    id,
    title: session.title,
    updatedAt: session.updated_at.toISOString(),
    assistant: session.assistant,
    messages,
    older: messages[0]?.parentId ? messages[0].id : null,
    newer: null,
  };
}

async function own(db: Database, actor: UserActor, id: string): Promise<SessionRow> {
  const session = isUuid(id) ? await ownSession(db, actor.userId, id) : null;
  if (!session) throw notFound();
  return session;
}

/** Makes an empty chat. @throws Problem daily_chats. */
export async function createChat({
  actor,
  input,
}: {
  actor: UserActor;
  input: { id?: string; title?: string };
}): Promise<{ id: string; title: string }> {
  const title = cleanTitle(input.title ?? '');
  const row = {
    id: input.id ?? uuid(),
    userId: actor.userId,
    title: title || defaultTitle,
    source: title ? 'user' : 'default',
  };
  return transaction(async (tx) => {
    const there = input.id ? await ownSession(tx, actor.userId, input.id) : null;
    if (there) return { id: there.id, title: there.title };
    await checkChatOfDay(tx, actor);
    await insertOwn(tx, row);
    return { id: row.id, title: row.title };
  });
}

/** An id that is somebody else's is answered like a missing one. */
async function insertOwn(tx: Database, row: Parameters<typeof insertSession>[1]): Promise<void> {
  await insertSession(tx, row);
  if (!(await ownSession(tx, row.userId, row.id))) throw notFound();
}

/** Gives a chat a title; a blank one changes nothing. @throws Problem not_found. */
export async function renameChat({
  actor,
  input,
}: {
  actor: UserActor;
  input: { id: string; title: string };
}): Promise<{ id: string; title: string }> {
  const session = await own(database(), actor, input.id);
  const title = cleanTitle(input.title);
  if (title) await setTitle(database(), session.id, title);
  return { id: session.id, title: title || session.title };
}

/** Removes a chat from view; its content is purged later, and it still counts for its day. @throws Problem not_found. */
export async function deleteChat({
  actor,
  input,
}: {
  actor: UserActor;
  input: { id: string };
}): Promise<void> {
  if (!isUuid(input.id) || (await softDelete(database(), actor.userId, input.id)) === 0) throw notFound();
}

interface Exchange {
  actor: UserActor;
  key: string;
  /** What the key is bound to. */
  bound: unknown;
  chatId: string;
  create: string | null;
  question: Question;
}

/** SQLSTATE of what `write_exchange` raises. */
const refusals: Record<string, () => Problem> = {
  P0002: notFound,
  '22023': () => new Problem('bad_request', 'The message answered to is not a reply of this chat.'),
};

async function startReply({ actor, chatId, create, question, ...keyed }: Exchange): Promise<StartedReply> {
  const payload: ReplyPayload = { sessionId: chatId, messageId: question.id };
  const isNew = sql`not exists (select 1 from chat_sessions where id = ${chatId})`;
  const started = await start<WrittenExchange>(actor, {
    ...keyed,
    feature: 'chat',
    startsChat: create !== null && isNew,
    payload,
    write: (admission) =>
      exchangeStatement(admission, {
        userId: actor.userId,
        chatId,
        create,
        replyId: uuid(),
        question,
        continues: null,
      }),
    recall: ({ is_new }): Said[] | undefined =>
      is_new && question.text !== null ? [{ role: 'user', content: question.text }] : undefined,
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

/**
 * Stores a message and starts the reply, in one statement; with `create` the chat too.
 * @throws Problem not_found, bad_request (empty text), and the refusals of admission.
 */
export function sendMessage({
  actor,
  input,
}: {
  actor: UserActor;
  input: SendMessage & { chatId: string; key: string };
}): Promise<StartedReply> {
  const { chatId, key, create = false, parentId = null } = input;
  const text = clean(input.text);
  if (text.trim() === '') throw new Problem('bad_request', 'An empty message cannot be sent.');
  if (!isUuid(chatId)) throw notFound();
  const bound = ['message', chatId, text, parentId];
  return startReply({
    actor,
    key,
    bound,
    chatId,
    create: create ? generalAssistant : null,
    question: { id: uuid(), text, parentId, replaces: null, attachmentId: null },
  });
}

/** Starts another reply to the question of a reply; the earlier one stays as its sibling. @throws Problem. */
export async function regenerate({
  actor,
  input,
}: {
  actor: UserActor;
  input: { chatId: string; messageId: string; key: string };
}): Promise<StartedReply> {
  const { chatId, messageId, key } = input;
  await own(database(), actor, chatId);
  const message = isUuid(messageId) ? await messageOf(database(), chatId, messageId) : null;
  const id = message?.role === 'assistant' ? message.parent_id : message?.id;
  if (!id) throw notFound();
  const bound = ['regenerate', chatId, messageId];
  return startReply({
    actor,
    key,
    bound,
    chatId,
    create: null,
    question: { id, text: null, parentId: null, replaces: null, attachmentId: null },
  });
}
