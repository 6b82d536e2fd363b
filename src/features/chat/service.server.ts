import { validate as isUuid, v7 as uuid } from 'uuid';
import { type Database, database, transaction } from '../../platform/database/database.server.ts';
import type { Actor, UserActor } from '../../platform/http/actor.server.ts';
import { notFound } from '../../platform/http/problem.server.ts';
import { cleanText } from '../../shared/clean-text.ts';
import { checkChatOfDay } from '../credits/service.server.ts';
import { stop } from '../generations/service.server.ts';
import { type ChatRow, type ChatView, chatLimits, defaultTitle } from './contract.ts';
import {
  deletedSession,
  insertSession,
  type ListedRow,
  listedSession,
  newestSessionId,
  openRuns,
  ownSession,
  purgeDeleted,
  type SessionRow,
  sessionPage,
  setTitle,
  softDelete,
  undelete,
} from './store.server.ts';
import { choose, part, type Wanted, type Window } from './tree/service.server.ts';

/** Days for which a deleted chat can be brought back; then its words are erased. */
const KEEP_DAYS = 7;

/** A title within its length, not cut inside a character of two units. */
function cleanTitle(text: string): string {
  const cut = cleanText(text).trim().slice(0, chatLimits.titleLength);
  return cut.replace(/[\ud800-\udbff]$/, '').trim();
}

const rowOf = ({ id, title, provisional, updated_at, running }: ListedRow): ChatRow => ({
  id,
  title,
  provisional,
  updatedAt: updated_at.toISOString(),
  running,
});

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
    chats: rows.map(rowOf),
    next:
      rows.length === chatLimits.chatsPerPage && last ? `${last.updated_at.toISOString()}_${last.id}` : null,
  };
}

const viewOf = ({ id, title, updated_at, assistant }: SessionRow, window: Window): ChatView => ({
  id,
  title,
  updatedAt: updated_at.toISOString(),
  assistant,
  ...window,
});

/**
 * A part of the branch that a chat shows (see ChatView), of the newest chat for a null id; null for guests and when
 * there is none.
 * @throws Problem not_found.
 */
export async function openChat({
  actor,
  input,
}: {
  actor: Actor;
  input: Wanted & { id: string | null };
}): Promise<ChatView | null> {
  if (actor.kind !== 'user') return null;
  const id = input.id ?? (await newestSessionId(database(), actor.userId));
  if (id === null) return null;
  const session = await own(database(), actor, id);
  return viewOf(session, await part({ id, tip: session.tip_id }, input));
}

/** Shows the newest branch through a message from now on; answers the part of it around the message. @throws Problem not_found. */
export async function chooseBranch({
  actor,
  input,
}: {
  actor: UserActor;
  input: { id: string; messageId: string };
}): Promise<ChatView> {
  const session = await own(database(), actor, input.id);
  return viewOf(session, await choose({ id: session.id, tip: session.tip_id }, input.messageId));
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

/**
 * Removes a chat from view and stops what is being written in it; its content is purged later, and it still counts for
 * its day. @throws Problem not_found.
 */
export async function deleteChat({
  actor,
  input,
}: {
  actor: UserActor;
  input: { id: string };
}): Promise<void> {
  if (!isUuid(input.id) || (await softDelete(database(), actor.userId, input.id)) === 0) throw notFound();
  // Nothing begins in a deleted chat, so that these are all.
  for (const run of await openRuns(database(), actor.userId, input.id)) await stop(actor, run);
}

/**
 * Brings back a deleted chat whose words are still kept; one that is not deleted is answered as it is.
 * @throws Problem not_found.
 */
export async function restoreChat({
  actor,
  input,
}: {
  actor: UserActor;
  input: { id: string };
}): Promise<ChatRow> {
  if (!isUuid(input.id) || !(await undelete(database(), actor.userId, input.id, KEEP_DAYS))) throw notFound();
  const row = await listedSession(database(), actor.userId, input.id);
  if (!row) throw notFound();
  return rowOf(row);
}

/** A chat of the actor's that is deleted and can be brought back; null for any other. */
export async function deletedChat({
  actor,
  input,
}: {
  actor: UserActor;
  input: { id: string };
}): Promise<{ id: string; title: string } | null> {
  return isUuid(input.id) ? deletedSession(database(), actor.userId, input.id, KEEP_DAYS) : null;
}

/** Erases what was deleted longer ago than it is kept. @returns the number of chats. */
export function purgeChats(): Promise<number> {
  return transaction((tx) => purgeDeleted(tx, KEEP_DAYS));
}
