import { validate as isUuid } from 'uuid';
import { addImportedChat, type ImportedChat, liveChats } from '#features/chat/service.server.ts';
import { storedBytes } from '#platform/data-export.server.ts';
import { database, transaction } from '#platform/database/database.server.ts';
import { removeFiles } from '#platform/files/orphan-files.server.ts';
import { withTemporaryFile } from '#platform/files/upload.server.ts';
import { jobsAreRunning } from '#platform/job-queue.server.ts';
import { withLocale } from '#platform/locale.server.ts';
import { log } from '#platform/log.server.ts';
import { baseLanguage, toLocale } from '#shared/language-path.ts';
import { type ImportFailure, importLimits } from './contract.ts';
import { toImported } from './imported-chat.server.ts';
import { importedOf, knownChat, noteChat } from './imported-chats-store.server.ts';
import { addFiles, NoLongerOurs } from './imported-files.server.ts';
import type { ReadChat, ReadFile } from './reading/import-protocol.ts';
import { readImport, UnreadableImport } from './reading/start-import-reader.server.ts';
import {
  claimImport,
  deleteParts,
  finishImport,
  holdImport,
  noteContents,
  noteProgress,
  noteUnread,
  partsOf,
  queueImport,
} from './store.server.ts';

const PROGRESS_MS = 3_000;
/** Processes that may have died of it, or of the database, before it is given up. */
const TRIES = 5;

type Claimed = NonNullable<Awaited<ReturnType<typeof claimImport>>>;

const bytesOf = ({ messages }: ImportedChat) =>
  messages.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);

/** Whether it is there, from this import or an earlier one; an archive may also be of this very account. */
async function isThere(row: Claimed, { source, sourceId }: ReadChat): Promise<boolean> {
  const known = await knownChat(database(), { userId: row.user_id, source, sourceId });
  if (known?.import_id === row.id) return true;
  const ids = [
    ...(known ? [known.chat_id] : []),
    ...(source === 'archive' && isUuid(sourceId) ? [sourceId] : []),
  ];
  return ids.length > 0 && (await liveChats(database(), row.user_id, ids)).length > 0;
}

/**
 * Chat and note of its source are one transaction: it is there with both, or not at all. @returns its bytes, and how
 * many of its files could not be read
 */
async function addChat(
  row: Claimed,
  chat: ReadChat,
  files: readonly ReadFile[],
): Promise<{ bytes: number; unread: number }> {
  const added = await addFiles(row.user_id, files);
  const imported = toImported(chat, added, row.now);
  const bytes = bytesOf(imported);
  const { source, sourceId } = chat;
  await transaction(async (tx) => {
    if (!(await holdImport(tx, row))) throw new NoLongerOurs();
    const chatId = await addImportedChat(tx, row.user_id, imported);
    if (chatId === null) throw new NoLongerOurs();
    await noteChat(tx, { userId: row.user_id, source, sourceId }, { chatId, importId: row.id, bytes });
  });
  return { bytes, unread: added.unread.size };
}

async function* partsBytes(row: Claimed): AsyncGenerator<Uint8Array> {
  for (const { file_key } of await partsOf(database(), row.id)) yield* storedBytes(file_key);
}

async function addAll(row: Claimed, path: string): Promise<void> {
  let { chats, bytes } = await importedOf(database(), row.user_id);
  let [handled, unread] = [0, 0];
  let files: ReadFile[] = [];
  const note = () => void noteProgress(database(), row, handled).catch(() => undefined);
  const timer = setInterval(note, PROGRESS_MS);
  try {
    for await (const line of readImport(path, row.bytes)) {
      if ('total' in line) await noteContents(database(), row, line);
      if ('file' in line) files.push(line.file);
      if ('end' in line) unread += line.filesNotTaken;
      if (!('chat' in line)) continue;
      if (!jobsAreRunning()) throw new NoLongerOurs();
      if (!(await isThere(row, line.chat))) {
        if (chats >= importLimits.keptChats || bytes >= importLimits.keptBytes)
          throw new UnreadableImport('full');
        const added = await addChat(row, line.chat, files);
        bytes += added.bytes;
        unread += added.unread;
        chats++;
      }
      files = [];
      handled++;
    }
  } finally {
    clearInterval(timer);
    await noteProgress(database(), row, handled);
    if (unread > 0) await noteUnread(database(), row, unread);
  }
}

async function finish(row: Claimed, failure: ImportFailure | null): Promise<void> {
  const keys = await transaction(async (tx) => {
    const ended = await finishImport(tx, row, failure);
    return ended > 0 ? deleteParts(tx, row.id) : [];
  });
  await removeFiles(keys);
}

async function runImport(row: Claimed): Promise<void> {
  if (row.epoch > TRIES) return finish(row, 'internal');
  try {
    await withTemporaryFile(partsBytes(row), (path) => addAll(row, path));
    await finish(row, null);
  } catch (error) {
    if (error instanceof UnreadableImport) return finish(row, error.failure);
    if (error instanceof NoLongerOurs) {
      if (!jobsAreRunning()) await transaction((tx) => queueImport(tx, row.id));
      return;
    }
    log.warn({ error, importId: row.id }, 'an import was not finished');
    if (row.epoch >= TRIES) await finish(row, 'internal');
  }
}

let running = false;
let asked = false;

/** One at a time in this process, the oldest first; what another process left is gone on with. */
export async function runImports(): Promise<void> {
  asked = true;
  if (running) return;
  running = true;
  try {
    while (asked) {
      asked = false;
      for (let row: Claimed | null; jobsAreRunning(); ) {
        row = await claimImport(database());
        if (!row) break;
        const claimed = row;
        await withLocale(toLocale(claimed.language) ?? baseLanguage, () => runImport(claimed));
      }
    }
  } finally {
    running = false;
  }
}
