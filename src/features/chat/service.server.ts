import { validate as isUuid, v7 as uuid } from 'uuid';
import { checkDailyChats } from '#features/credits/service.server.ts';
import { m } from '#messages';
import { type Database, database, transaction } from '#platform/database/database.server.ts';
import { pageOf, parseTimeCursor, timeCursor } from '#platform/database/page.server.ts';
import type { Actor, ActorInput, UserActor } from '#platform/http/actor.server.ts';
import { notFound, requireFound, requireUuid } from '#platform/http/problem.server.ts';
import { cleanLine } from '#shared/clean-text.ts';
import { arrangeChats, arrangeInTransaction } from './chat-order.server.ts';
import {
  type ChangeChat,
  type ChatPage,
  type ChatRow,
  type ChatView,
  chatLimits,
  defaultTitle,
  type SelectionAction,
  shownTitle,
} from './contract.ts';
import {
  type MessageWindow,
  readWindow,
  selectBranch,
  type WindowQuery,
} from './messages/branch-window.server.ts';
import { moveChats, readProject } from './projects/projects.server.ts';
import {
  archivedPage,
  deletedSession,
  insertSession,
  type ListedRow,
  listedSessions,
  newestSessionId,
  ownSession,
  projectPage,
  purgeDeleted,
  type SessionRow,
  sessionPage,
  setTitle,
} from './store.server.ts';
import { eraseTemporaryChats } from './temporary-chats.server.ts';
import { offersWebSearch } from './web-search/web-search-settings.server.ts';

const cleanTitle = (text: string) => cleanLine(text, chatLimits.titleLength);

export { usedFiles } from './attachments/attachments.server.ts';
export { fileItems } from './attachments/file-items-store.server.ts';
export { addImportedFile } from './attachments/import-file.server.ts';
export { chatFile } from './chat-export.server.ts';
export { chatItems } from './chat-items-store.server.ts';
export { search } from './chat-search.server.ts';
export { readSnapshot } from './chat-snapshot.server.ts';
export { copyChat } from './copy-chat.server.ts';
export { attachmentFile } from './export-entries.server.ts';
export {
  addImportedChat,
  existingChats,
  type ImportedChat,
  type ImportedMessage,
} from './import-chat.server.ts';
export {
  addImportedAssistant,
  addImportedProject,
  hasAssistant,
  hasProject,
} from './import-keepers.server.ts';
export { projectNames } from './projects/projects-store.server.ts';
export { recentChats, recentMessages } from './recent-chats.server.ts';
export { SearchFailed, searchWith } from './web-search/search-services.server.ts';
export { offersWebSearch } from './web-search/web-search-settings.server.ts';

const toRow = ({ id, title, provisional, running, ...row }: ListedRow): ChatRow => ({
  id,
  title: shownTitle(title),
  provisional,
  updatedAt: row.updated_at.toISOString(),
  running,
  projectId: row.project_id,
  assistant: row.assistant,
  pinnedAt: row.pinned_at?.toISOString() ?? null,
  archivedAt: row.archived_at?.toISOString() ?? null,
});

export async function listChats({
  actor,
  input,
}: {
  actor: Actor;
  input: { before?: string };
}): Promise<ChatPage> {
  if (actor.kind !== 'user') return { chats: [], next: null, projects: [] };
  const size = chatLimits.chatsPerPage;
  const before = parseTimeCursor(input.before);
  const { rows, projects } = await sessionPage(database(), actor.userId, before, size + 1);
  const pinned = rows.filter((row) => row.pinned_at !== null);
  const page = pageOf(rows.slice(pinned.length), size, timeCursor);
  return { chats: [...pinned, ...page.rows].map(toRow), next: page.next, projects };
}

/** Newest first, regardless of pins. */
export async function listProjectChats({
  actor,
  input,
}: ActorInput<{ project: string; before?: string }>): Promise<Omit<ChatPage, 'projects'>> {
  const { id: projectId } = await readProject({ actor, input: { id: input.project } });
  const { userId } = actor;
  const size = chatLimits.chatsPerPage;
  const rows = await projectPage(database(), { userId, projectId }, parseTimeCursor(input.before), size + 1);
  const page = pageOf(rows, size, timeCursor);
  return { chats: page.rows.map(toRow), next: page.next };
}

export async function listArchivedChats({
  actor,
  input,
}: ActorInput<{ before?: string }>): Promise<Omit<ChatPage, 'projects'>> {
  const size = chatLimits.chatsPerPage;
  const rows = await archivedPage(database(), actor.userId, parseTimeCursor(input.before), size + 1);
  const page = pageOf(rows, size, ({ id, archived_at }) => timeCursor({ id, updated_at: archived_at }));
  return { chats: page.rows.map(toRow), next: page.next };
}

const toView = (
  { id, title, updated_at, archived_at, temporary, model, compared_model, project, own, ...row }: SessionRow,
  window: MessageWindow,
): ChatView => ({
  id,
  title: temporary ? m.chat_temporary() : shownTitle(title),
  updatedAt: updated_at.toISOString(),
  archivedAt: archived_at?.toISOString() ?? null,
  assistant: row.own_assistant_id ?? row.assistant,
  own,
  assistantGone: row.own_assistant_id !== null && own === null,
  temporary,
  model,
  compare: compared_model,
  web: offersWebSearch() && window.messages.findLast(({ role }) => role === 'assistant')?.web != null,
  project,
  ...window,
});

/** Opens the newest chat for a null id. Returns null for guests, and if there is no chat. */
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
  return toView(session, await readWindow({ id, tip: session.tip_id }, input));
}

export async function chooseBranch({
  actor,
  input,
}: ActorInput<{ id: string; messageId: string }>): Promise<ChatView> {
  const session = await requireOwnChat(database(), actor, input.id);
  return toView(session, await selectBranch({ id: session.id, tip: session.tip_id }, input.messageId));
}

async function requireOwnChat(db: Database, actor: UserActor, id: string): Promise<SessionRow> {
  return requireFound(await ownSession(db, actor.userId, requireUuid(id)));
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
    const existing = input.id ? await ownSession(tx, actor.userId, input.id) : null;
    if (existing) return { id: existing.id, title: shownTitle(existing.title) };
    await checkDailyChats(tx, actor);
    await insertSession(tx, row);
    // Somebody else's id looks like a missing one.
    if (!(await ownSession(tx, row.userId, row.id))) throw notFound();
    return { id: row.id, title: shownTitle(row.title) };
  });
}

/** Applies all changes, or none if one is refused. A blank title changes nothing. */
export async function changeChat({
  actor,
  input: { id, title = '', pinned, archived },
}: ActorInput<ChangeChat & { id: string }>): Promise<ChatRow> {
  const cleaned = cleanTitle(title);
  const session = await requireOwnChat(database(), actor, id);
  await transaction(async (tx) => {
    const arrange = (action: Parameters<typeof arrangeInTransaction>[3]) =>
      arrangeInTransaction(tx, actor, [session.id], action);
    if (archived !== undefined) await arrange(archived ? 'archive' : 'unarchive');
    if (pinned !== undefined) await arrange(pinned ? 'pin' : 'unpin');
    if (cleaned) await setTitle(tx, session.id, cleaned);
  });
  return listedRow(actor.userId, session.id);
}

const listedRow = async (userId: string, id: string): Promise<ChatRow> =>
  toRow(requireFound((await listedSessions(database(), userId, [id]))[0] ?? null));

/** The content is purged later, a temporary chat's as soon as no run is open. The chat still counts for its day. */
export async function deleteChat({ actor, input }: ActorInput<{ id: string }>): Promise<void> {
  const id = requireUuid(input.id);
  await arrangeChats(actor, [id], 'delete');
  await eraseTemporaryChats(id);
}

export async function restoreChat({ actor, input }: ActorInput<{ id: string }>): Promise<ChatRow> {
  const id = requireUuid(input.id);
  await arrangeChats(actor, [id], 'restore');
  return listedRow(actor.userId, id);
}

/** @returns the chats that exist afterwards */
export async function actOnSelection({
  actor,
  input: { ids, act: action, projectId = null },
}: ActorInput<{ ids: string[]; act: SelectionAction; projectId?: string | null | undefined }>): Promise<
  ChatRow[]
> {
  if (action === 'move') await moveChats({ actor, input: { ids, projectId } });
  else await arrangeChats(actor, ids, action);
  return action === 'delete' ? [] : (await listedSessions(database(), actor.userId, ids)).map(toRow);
}

export async function deletedChat({
  actor,
  input,
}: ActorInput<{ id: string }>): Promise<{ id: string; title: string } | null> {
  return isUuid(input.id) ? deletedSession(database(), actor.userId, input.id) : null;
}

export function purgeChats(): Promise<number> {
  return transaction(purgeDeleted);
}
