import { type Database, database } from '#platform/database/database.server.ts';
import { everyRow } from '#platform/database/page.server.ts';
import type { ActorInput, UserActor } from '#platform/http/actor.server.ts';
import { deleteAttachmentsOf } from './attachments/attachment-store.server.ts';
import { deleteAssistantsOf } from './own-assistants/own-assistants-store.server.ts';
import {
  type BranchMessageRow,
  branchIds,
  type ChatExportRow,
  chatsAfter,
  deleteChatsOf,
  deleteWebSearchesOf,
  type MessageExportRow,
  messageContents,
  messagesAfter,
  ownChat,
  ownChats,
} from './privacy-store.server.ts';
import { deleteProjectsOf } from './projects/projects-store.server.ts';

/** @returns keys of the files to remove once the transaction is committed */
export async function erasePerson(tx: Database, userId: string): Promise<string[]> {
  await deleteWebSearchesOf(tx, userId);
  await deleteChatsOf(tx, userId);
  await deleteProjectsOf(tx, userId);
  await deleteAssistantsOf(tx, userId);
  return deleteAttachmentsOf(tx, userId);
}

const CHATS = 50;
/** Few, because each message may hold 256 KiB. */
const MESSAGES = 20;
/** Of a branch, where BRANCH_BYTES limits the text that is read at once. */
const BRANCH_MESSAGES = 500;
const BRANCH_BYTES = 2 * 1024 * 1024;

export interface ChatExport extends Omit<ChatExportRow, 'cursor'> {
  messages(): AsyncGenerator<MessageExportRow>;
  shownMessages(): AsyncGenerator<BranchMessageRow>;
}

async function* readBranch(end: string | null): AsyncGenerator<BranchMessageRow> {
  const ids = end === null ? [] : await branchIds(database(), end);
  for (let at = 0; at < ids.length; ) {
    const rows = await messageContents(database(), ids.slice(at, at + BRANCH_MESSAGES), BRANCH_BYTES);
    yield* rows;
    // Erased meanwhile.
    if (rows.length === 0) return;
    at += rows.length;
  }
}

const toChatExport = ({ cursor: _, ...chat }: ChatExportRow): ChatExport => ({
  ...chat,
  messages: () =>
    everyRow<MessageExportRow>(MESSAGES, (last, size) =>
      messagesAfter(database(), chat.id, last?.position ?? 0, size),
    ),
  shownMessages: () => readBranch(chat.shown_id),
});

export async function exportChat({ actor, input }: ActorInput<{ id: string }>): Promise<ChatExport | null> {
  const row = await ownChat(database(), actor.userId, input.id);
  return row && toChatExport(row);
}

/** Returns those of these chats that are the person's own and not deleted. */
export async function exportOwnChats({ actor, input }: ActorInput<{ ids: string[] }>): Promise<ChatExport[]> {
  return (await ownChats(database(), actor.userId, input.ids)).map(toChatExport);
}

export async function* exportChats({ userId }: UserActor): AsyncGenerator<ChatExport> {
  const read = (last: ChatExportRow | null, size: number) => chatsAfter(database(), userId, last, size);
  for await (const row of everyRow(CHATS, read)) yield toChatExport(row);
}
