import { v7 as uuid } from 'uuid';
import type { Database } from '#platform/database/database.server.ts';
import { cleanLine, cleanText } from '#shared/clean-text.ts';
import { assistantOf } from './assistants.server.ts';
import { chatLimits, defaultTitle } from './contract.ts';
import {
  arrangeImported,
  attachImportedFiles,
  type ImportedFileRef,
  type ImportedMessageRow,
  insertImported,
  insertImportedMessages,
} from './import-chat-store.server.ts';

export { liveChats } from './import-chat-store.server.ts';

export interface ImportedMessage {
  /** Place of the message that it follows, which comes before it; null: a first message. */
  parent: number | null;
  role: 'user' | 'assistant';
  text: string;
  createdAt: Date;
  /** Of `addImportedFile`. */
  files: readonly ImportedFileRef[];
}

export interface ImportedChat {
  title: string;
  assistant: string | null;
  createdAt: Date;
  updatedAt: Date;
  archivedAt: Date | null;
  messages: readonly ImportedMessage[];
  /** Place of the end of the branch that is shown; null: the newest. */
  shown: number | null;
}

/** Messages of one statement. */
const BATCH = 500;

const titleOf = ({ title }: ImportedChat) => cleanLine(title, chatLimits.titleLength) || defaultTitle;

/**
 * A new chat of the person, which costs nothing, counts for no day and asks no model. The caller sees to it that it is
 * made once. @returns its id; null for an account that was deleted meanwhile.
 */
export async function addImportedChat(
  tx: Database,
  userId: string,
  chat: ImportedChat,
): Promise<string | null> {
  const id = uuid();
  const { createdAt, updatedAt, archivedAt } = chat;
  const assistant = assistantOf(chat.assistant ?? undefined).id;
  if (!(await insertImported(tx, { id, userId, title: titleOf(chat), assistant, createdAt, updatedAt })))
    return null;
  const ids = chat.messages.map(() => uuid());
  const rows = chat.messages.map(
    ({ parent, role, text, createdAt: at, files }, place): ImportedMessageRow => ({
      id: ids[place] ?? '',
      parentId: parent === null ? null : (ids[parent] ?? null),
      role,
      text: cleanText(text),
      createdAt: at,
      files,
    }),
  );
  for (let at = 0; at < rows.length; at += BATCH)
    await insertImportedMessages(tx, id, rows.slice(at, at + BATCH));
  const withFiles = rows.filter(({ files }) => files.length > 0);
  if (withFiles.length > 0) await attachImportedFiles(tx, userId, withFiles);
  const shownId = chat.shown === null ? null : (ids[chat.shown] ?? null);
  if (shownId !== null || archivedAt !== null) await arrangeImported(tx, id, { shownId, archivedAt });
  return id;
}
