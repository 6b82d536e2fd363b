import { validate as isUuid } from 'uuid';
import { addImportedChat, existingChats, type ImportedChat } from '#features/chat/service.server.ts';
import { storedBytes } from '#platform/data-export.server.ts';
import { database, transaction } from '#platform/database/database.server.ts';
import { removeFiles } from '#platform/files/orphan-files.server.ts';
import { withTemporaryFile } from '#platform/files/upload.server.ts';
import { jobsAreStopping } from '#platform/job-queue.server.ts';
import { withLocale } from '#platform/locale.server.ts';
import { log } from '#platform/log.server.ts';
import { baseLanguage, toLocale } from '#shared/language-path.ts';
import { addLeftOut } from './add-left-out.ts';
import { type ImportFailure, type ItemKind, importLimits, type LeftOut } from './contract.ts';
import { type ReferencedItems, toImported } from './imported-chat.server.ts';
import { importedTotals, knownChat, recordChat } from './imported-chats-store.server.ts';
import { addFiles, ImportInterrupted } from './imported-files.server.ts';
import { leftOutOf, prepareItem } from './imported-items.server.ts';
import { recordFiles, recordItem } from './imported-items-store.server.ts';
import { addTag } from './imported-tags.server.ts';
import { ownItem } from './own-items.server.ts';
import type { ParsedChat, ParsedFile, ParsedItem, ParsedTag } from './reading/import-protocol.ts';
import { readImport, UnreadableImport } from './reading/start-import-reader.server.ts';
import {
  claimImport,
  deleteParts,
  finishImport,
  lockClaimedImport,
  partsOf,
  queueImport,
  recordContents,
  recordLeftOut,
  recordProgress,
} from './store.server.ts';

const PROGRESS_MS = 3_000;
/** Attempts before an import is given up, in case it crashes its process or the database. */
const MAX_ATTEMPTS = 5;

type ClaimedImport = NonNullable<Awaited<ReturnType<typeof claimImport>>>;

const bytesOf = ({ messages }: ImportedChat) =>
  messages.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);

/** Whether the chat exists from this or an earlier import, or is the original if this account made the archive. */
async function chatExists(row: ClaimedImport, { source, sourceId }: ParsedChat): Promise<boolean> {
  const known = await knownChat(database(), { userId: row.user_id, source, sourceId });
  if (known?.import_id === row.id) return true;
  const ids = [
    ...(known ? [known.chat_id] : []),
    ...(source === 'archive' && isUuid(sourceId) ? [sourceId] : []),
  ];
  return ids.length > 0 && (await existingChats(database(), row.user_id, ids)).length > 0;
}

/** Finds the person's items that a chat refers to, imported earlier from this file or by another import. */
async function referencedItems(
  row: ClaimedImport,
  { ofArchive, messages }: ParsedChat,
): Promise<ReferencedItems> {
  const idOf = async (kind: ItemKind, sourceId: string | null | undefined) =>
    sourceId ? ((await ownItem({ userId: row.user_id, kind, sourceId }))?.id ?? null) : null;
  const images = new Map<string, string>();
  for (const sourceId of new Set(messages.flatMap((message) => message.ofArchive?.drawn ?? []))) {
    const id = await idOf('image', sourceId);
    if (id !== null) images.set(sourceId, id);
  }
  return {
    projectId: await idOf('project', ofArchive?.project),
    ownAssistantId: await idOf('assistant', ofArchive?.ownAssistant),
    images,
  };
}

/**
 * Adds a chat and the record of its source in one transaction, so that neither exists without the other. Returns its
 * bytes and how many of its files could not be read.
 */
async function addChat(
  row: ClaimedImport,
  chat: ParsedChat,
  files: readonly ParsedFile[],
): Promise<{ bytes: number; unreadable: number }> {
  const added = await addFiles(row.user_id, files);
  const imported = toImported(chat, { files: added, items: await referencedItems(row, chat), now: row.now });
  const bytes = bytesOf(imported);
  const { source, sourceId } = chat;
  await transaction(async (tx) => {
    if (!(await lockClaimedImport(tx, row))) throw new ImportInterrupted();
    const chatId = await addImportedChat(tx, row.user_id, imported);
    if (chatId === null) throw new ImportInterrupted();
    await recordChat(tx, { userId: row.user_id, source, sourceId }, { chatId, importId: row.id, bytes });
    if (source === 'archive') await recordFiles(tx, { userId: row.user_id, importId: row.id }, added.stored);
  });
  return { bytes, unreadable: added.unreadable.size };
}

/** Like `addChat`. Returns what was left out, and whether the item existed before this import. */
async function addItem(
  row: ClaimedImport,
  item: Exclude<ParsedItem, ParsedTag>,
  files: readonly ParsedFile[],
): Promise<{ leftOut: LeftOut; isPresent: boolean }> {
  const { kind, sourceId } = item;
  const key = { userId: row.user_id, kind, sourceId };
  const existing = await ownItem(key);
  if (existing) return { leftOut: {}, isPresent: existing.importId !== row.id };
  const prepared = await prepareItem(item, { userId: row.user_id, now: row.now, files });
  if (!prepared) return { leftOut: leftOutOf(item), isPresent: false };
  const written = await transaction(async (tx) => {
    if (!(await lockClaimedImport(tx, row))) throw new ImportInterrupted();
    const itemId = await prepared.write(tx);
    if (itemId === null) return false;
    await recordItem(tx, key, { itemId, importId: row.id });
    if (prepared.files) await recordFiles(tx, { userId: row.user_id, importId: row.id }, prepared.files);
    return true;
  });
  if (written) return { leftOut: prepared.leftOut, isPresent: false };
  await prepared.undo?.();
  return { leftOut: leftOutOf(item), isPresent: false };
}

async function* partsBytes(row: ClaimedImport): AsyncGenerator<Uint8Array> {
  for (const { file_key } of await partsOf(database(), row.id)) yield* storedBytes(file_key);
}

/** What one process has found in a file and created from it. */
interface Tally {
  handled: number;
  chats: number;
  leftOut: LeftOut;
  present: Partial<Record<ItemKind, number>>;
}

const emptyTally = (): Tally => ({ handled: 0, chats: 0, leftOut: {}, present: {} });

async function addAll(row: ClaimedImport, path: string, tally: Tally): Promise<void> {
  let { chats, bytes } = await importedTotals(database(), row.user_id);
  let files: ParsedFile[] = [];
  const reportProgress = () => void recordProgress(database(), row, tally.handled).catch(() => undefined);
  const timer = setInterval(reportProgress, PROGRESS_MS);
  const importChat = async (chat: ParsedChat) => {
    tally.chats++;
    if (await chatExists(row, chat)) return;
    if (chats >= importLimits.importedChats || bytes >= importLimits.importedBytes) {
      tally.chats--;
      throw new UnreadableImport('full');
    }
    const added = await addChat(row, chat, files);
    bytes += added.bytes;
    chats++;
    addLeftOut(tally.leftOut, { files: added.unreadable });
  };
  const importItem = async (item: ParsedItem) => {
    const { leftOut, isPresent } =
      item.kind === 'tag' ? await addTag(row, item) : await addItem(row, item, files);
    addLeftOut(tally.leftOut, leftOut);
    if (isPresent) tally.present[item.kind] = (tally.present[item.kind] ?? 0) + 1;
  };
  try {
    for await (const line of readImport(path, row.bytes)) {
      if ('total' in line) await recordContents(database(), row, line);
      if ('file' in line) files.push(line.file);
      if ('end' in line) addLeftOut(tally.leftOut, { files: line.filesNotTaken });
      if (!('chat' in line || 'item' in line)) continue;
      if (jobsAreStopping()) throw new ImportInterrupted();
      if ('chat' in line) await importChat(line.chat);
      else await importItem(line.item);
      files = [];
      tally.handled++;
    }
  } finally {
    clearInterval(timer);
    await recordProgress(database(), row, tally.handled);
    await recordLeftOut(database(), row, tally.leftOut);
  }
}

async function finish(
  row: ClaimedImport,
  failure: ImportFailure | null,
  tally = emptyTally(),
): Promise<void> {
  const keys = await transaction(async (tx) => {
    const ended = await finishImport(tx, row, { failure, chats: tally.chats, present: tally.present });
    return ended > 0 ? deleteParts(tx, row.id) : [];
  });
  await removeFiles(keys);
}

async function runImport(row: ClaimedImport): Promise<void> {
  if (row.epoch > MAX_ATTEMPTS) return finish(row, 'internal');
  const tally = emptyTally();
  try {
    await withTemporaryFile(partsBytes(row), (path) => addAll(row, path, tally));
    await finish(row, null, tally);
  } catch (error) {
    if (error instanceof UnreadableImport) return finish(row, error.failure, tally);
    if (error instanceof ImportInterrupted) {
      if (jobsAreStopping()) await transaction((tx) => queueImport(tx, row.id));
      return;
    }
    log.warn({ error, importId: row.id }, 'an import was not finished');
    if (row.epoch >= MAX_ATTEMPTS) await finish(row, 'internal');
  }
}

let running = false;
let requested = false;

/** Runs imports one at a time in this process, the oldest first, and resumes those that another process left. */
export async function runImports(): Promise<void> {
  requested = true;
  if (running) return;
  running = true;
  try {
    while (requested) {
      requested = false;
      for (let row: ClaimedImport | null; !jobsAreStopping(); ) {
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
