import { validate as isUuid, v7 as uuid } from 'uuid';
import { checkChatOfDay } from '#features/credits/service.server.ts';
import { stopRun } from '#features/generations/service.server.ts';
import { type Database, database, transaction } from '#platform/database/database.server.ts';
import { pageOf, parseTimeCursor, timeCursor } from '#platform/database/page.server.ts';
import type { Actor, ActorInput, UserActor } from '#platform/http/actor.server.ts';
import { found, notFound, requireUuid } from '#platform/http/problem.server.ts';
import { cleanText } from '#shared/clean-text.ts';
import { type ChatRow, type ChatView, chatLimits, defaultTitle, shownTitle } from './contract.ts';
import { type MessageWindow, part, selectBranch, type WindowQuery } from './messages/branch-window.server.ts';
import {
  deletedSession,
  insertSession,
  type ListedRow,
  listedSession,
  newestSessionId,
  openRuns,
  ownSession,
  purgeDeleted,
  restoreDeleted,
  type SessionRow,
  sessionPage,
  setTitle,
  softDelete,
} from './store.server.ts';

/** Not cut inside a character of two UTF-16 units. */
function cleanTitle(text: string): string {
  const cut = cleanText(text).trim().slice(0, chatLimits.titleLength);
  return cut.replace(/[\ud800-\udbff]$/, '').trim();
}

const rowOf = ({ id, title, provisional, updated_at, running }: ListedRow): ChatRow => ({
  id,
  title: shownTitle(title),
  provisional,
  updatedAt: updated_at.toISOString(),
  running,
});

export async function listChats({
  actor,
  input,
}: {
  actor: Actor;
  input: { before?: string };
}): Promise<{ chats: ChatRow[]; next: string | null }> {
  if (actor.kind !== 'user') return { chats: [], next: null };
  const size = chatLimits.chatsPerPage;
  const before = parseTimeCursor(input.before);
  const rows = await sessionPage(database(), actor.userId, before, size + 1);
  const page = pageOf(rows, size, timeCursor);
  return { chats: page.rows.map(rowOf), next: page.next };
}

const viewOf = ({ id, title, updated_at, assistant }: SessionRow, window: MessageWindow): ChatView => ({
  id,
  title: shownTitle(title),
  updatedAt: updated_at.toISOString(),
  assistant,
  ...window,
});

/** Of the newest chat for a null id; null for guests and when there is none. See ChatView. */
export async function openChat({
  actor,
  input,
}: {
  actor: Actor;
  input: WindowQuery & { id: string | null };
}): Promise<ChatView | null> {
  if (actor.kind !== 'user') return null;
  const id = input.id ?? (await newestSessionId(database(), actor.userId));
  if (id === null) return null;
  const session = await requireOwnChat(database(), actor, id);
  return viewOf(session, await part({ id, tip: session.tip_id }, input));
}

export async function chooseBranch({
  actor,
  input,
}: ActorInput<{ id: string; messageId: string }>): Promise<ChatView> {
  const session = await requireOwnChat(database(), actor, input.id);
  return viewOf(session, await selectBranch({ id: session.id, tip: session.tip_id }, input.messageId));
}

async function requireOwnChat(db: Database, actor: UserActor, id: string): Promise<SessionRow> {
  return found(await ownSession(db, actor.userId, requireUuid(id)));
}

export async function createChat({
  actor,
  input,
}: ActorInput<{ id?: string; title?: string }>): Promise<{ id: string; title: string }> {
  const title = cleanTitle(input.title ?? '');
  const row = {
    id: input.id ?? uuid(),
    userId: actor.userId,
    title: title || defaultTitle,
    source: title ? 'user' : 'default',
  };
  return transaction(async (tx) => {
    const there = input.id ? await ownSession(tx, actor.userId, input.id) : null;
    if (there) return { id: there.id, title: shownTitle(there.title) };
    await checkChatOfDay(tx, actor);
    await insertSession(tx, row);
    // An id that is somebody else's is answered like a missing one.
    if (!(await ownSession(tx, row.userId, row.id))) throw notFound();
    return { id: row.id, title: shownTitle(row.title) };
  });
}

export async function renameChat({
  actor,
  input,
}: ActorInput<{ id: string; title: string }>): Promise<{ id: string; title: string }> {
  const session = await requireOwnChat(database(), actor, input.id);
  const title = cleanTitle(input.title);
  if (title) await setTitle(database(), session.id, title);
  return { id: session.id, title: title || shownTitle(session.title) };
}

/** Its content is purged later, and it still counts for its day. */
export async function deleteChat({ actor, input }: ActorInput<{ id: string }>): Promise<void> {
  if ((await softDelete(database(), actor.userId, requireUuid(input.id))) === 0) throw notFound();
  // Nothing begins in a deleted chat, so that these are all.
  for (const run of await openRuns(database(), actor.userId, input.id)) await stopRun(actor, run);
}

export async function restoreChat({ actor, input }: ActorInput<{ id: string }>): Promise<ChatRow> {
  if (!(await restoreDeleted(database(), actor.userId, requireUuid(input.id), chatLimits.restoreDays)))
    throw notFound();
  return rowOf(found(await listedSession(database(), actor.userId, input.id)));
}

export async function deletedChat({
  actor,
  input,
}: ActorInput<{ id: string }>): Promise<{ id: string; title: string } | null> {
  return isUuid(input.id) ? deletedSession(database(), actor.userId, input.id, chatLimits.restoreDays) : null;
}

export function purgeChats(): Promise<number> {
  return transaction((tx) => purgeDeleted(tx, chatLimits.restoreDays));
}
