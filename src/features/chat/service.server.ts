import { validate as isUuid, v7 as uuid } from 'uuid';
import { type Database, database, transaction } from '../../platform/database/database.server.ts';
import type { Actor, UserActor } from '../../platform/http/actor.server.ts';
import { notFound, Problem } from '../../platform/http/problem.server.ts';
import { type Admission, checkChatOfDay } from '../credits/service.server.ts';
import { liveRuns } from '../generations/live/service.server.ts';
import { start } from '../generations/service.server.ts';
import {
  type ChatMessage,
  type ChatRow,
  type ChatView,
  chatLimits,
  defaultTitle,
  type SendMessage,
  type StartedReply,
} from './contract.ts';
import type { ReplyPayload } from './reply/service.server.ts';
import {
  branch,
  idTaken,
  insertMessage,
  insertSession,
  type MessageRow,
  messageOf,
  newestMessageId,
  newestSessionId,
  ownSession,
  replyOf,
  type SessionRow,
  sessionPage,
  setTitle,
  softDelete,
  touch,
} from './store.server.ts';

/** Text without NUL and without lone surrogates, which PostgreSQL refuses. */
function clean(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

function messageView(row: MessageRow): ChatMessage {
  const live = row.generation_id ? liveRuns.get(row.generation_id) : undefined;
  return {
    id: row.id,
    parentId: row.parent_id,
    role: row.role,
    content: live && row.content === '' ? live.text : row.content,
    createdAt: row.created_at.toISOString(),
    state: row.state ?? 'done',
    generationId: row.generation_id,
    finishReason: row.finish_reason,
    error: row.error_message,
    creditsCharged: row.credits_charged ?? 0,
  };
}

function cursor(text: string | undefined): { at: string; id: string } | null {
  const [at, id] = text?.split('_') ?? [];
  return at && id && isUuid(id) && !Number.isNaN(Date.parse(at)) ? { at, id } : null;
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
  const leaf = input.before
    ? (await messageOf(database(), id, input.before))?.parent_id
    : await newestMessageId(database(), id);
  const rows = leaf ? await branch(database(), id, leaf, chatLimits.messagesPerPage) : [];
  const messages = rows.reverse().map(messageView);
  return {
    id,
    title: session.title,
    updatedAt: session.updated_at.toISOString(),
    messages,
    older: messages[0]?.parentId ? messages[0].id : null,
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
  const title = clean(input.title ?? '')
    .trim()
    .slice(0, chatLimits.titleLength);
  const row = {
    id: input.id ?? uuid(),
    userId: actor.userId,
    title: title || defaultTitle,
    source: title ? 'user' : 'default',
  };
  await transaction(async (tx) => {
    if (input.id && (await ownSession(tx, actor.userId, input.id))) return;
    await checkChatOfDay(tx, actor);
    await insertOwn(tx, row);
  });
  return { id: row.id, title: row.title };
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
  const title = clean(input.title).trim().slice(0, chatLimits.titleLength).trim();
  if (title) await setTitle(database(), session.id, title, 'user');
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

interface ReplyTarget {
  actor: UserActor;
  key: string;
  bound: unknown;
  chatId: string;
  isNew: boolean;
  messageId: string;
  /** Writes what is missing of chat and question. */
  prepare: (tx: Database) => Promise<void>;
}

async function startReply(target: ReplyTarget): Promise<{ started: StartedReply; fresh: boolean }> {
  const replyId = uuid();
  const admission = await start(target.actor, {
    feature: 'chat',
    key: target.key,
    bound: target.bound,
    startsChat: target.isNew,
    payload: () => ({ sessionId: target.chatId, messageId: target.messageId }) satisfies ReplyPayload,
    prepare: async (tx, { generationId }: Admission) => {
      await target.prepare(tx);
      await insertMessage(tx, {
        id: replyId,
        sessionId: target.chatId,
        parentId: target.messageId,
        role: 'assistant',
        content: '',
        generationId,
      });
      await touch(tx, target.chatId);
    },
  });
  const { generationId, fresh, credits } = admission;
  const row = await replyOf(database(), generationId);
  if (!row) throw notFound();
  return {
    fresh,
    started: {
      chat: { id: row.session_id, title: row.title, isNew: target.isNew },
      message: { id: row.message_id },
      reply: { id: row.reply_id },
      generation: { id: generationId, state: row.state },
      credits: admission.unlimited ? null : credits,
    },
  };
}

/**
 * Stores a message and starts the reply, in one transaction; with `create` the chat too.
 * @throws Problem not_found, bad_request (empty text), and the refusals of admission.
 */
export async function sendMessage({
  actor,
  input,
}: {
  actor: UserActor;
  input: SendMessage & { chatId: string; key: string };
}) {
  const { chatId, key } = input;
  const text = clean(input.text);
  if (text.trim() === '') throw new Problem('bad_request', 'An empty message cannot be sent.');
  if (!isUuid(chatId)) throw notFound();
  const session = await ownSession(database(), actor.userId, chatId);
  if (!session && (!input.create || (await idTaken(database(), chatId)))) throw notFound();
  const messageId = uuid();
  return startReply({
    actor,
    key,
    bound: ['message', chatId, text, input.parentId ?? null],
    chatId,
    isNew: session === null,
    messageId,
    prepare: async (tx) => {
      if (!session)
        await insertOwn(tx, { id: chatId, userId: actor.userId, title: defaultTitle, source: 'default' });
      const parentId = await parentFor(tx, chatId, input.parentId ?? null);
      await insertMessage(tx, {
        id: messageId,
        sessionId: chatId,
        parentId,
        role: 'user',
        content: text,
        generationId: null,
      });
    },
  });
}

async function parentFor(tx: Database, chatId: string, wanted: string | null): Promise<string | null> {
  if (wanted === null) return newestMessageId(tx, chatId);
  const parent = await messageOf(tx, chatId, wanted);
  if (parent?.role !== 'assistant')
    throw new Problem('bad_request', 'The message answered to is not a reply of this chat.');
  return wanted;
}

/** Starts another reply to the question of a reply; the earlier one stays as its sibling. @throws Problem. */
export async function regenerate({
  actor,
  input,
}: {
  actor: UserActor;
  input: { chatId: string; messageId: string; key: string };
}) {
  await own(database(), actor, input.chatId);
  const message = isUuid(input.messageId) ? await messageOf(database(), input.chatId, input.messageId) : null;
  const questionId = message?.role === 'assistant' ? message.parent_id : message?.id;
  if (!questionId) throw notFound();
  return startReply({
    actor,
    key: input.key,
    bound: ['regenerate', input.chatId, input.messageId],
    chatId: input.chatId,
    isNew: false,
    messageId: questionId,
    prepare: async () => undefined,
  });
}
