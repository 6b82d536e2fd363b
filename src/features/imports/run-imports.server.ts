import { validate as isUuid } from 'uuid';
import { addImportedChat, type ImportedChat, liveChats } from '#features/chat/service.server.ts';
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
import { type NamedItems, toImported } from './imported-chat.server.ts';
import { importedOf, knownChat, noteChat } from './imported-chats-store.server.ts';
import { addFiles, NoLongerOurs } from './imported-files.server.ts';
import { leftOutOf, readyItem } from './imported-items.server.ts';
import { noteFiles, noteItem } from './imported-items-store.server.ts';
import { addTag } from './imported-tags.server.ts';
import { ownItem } from './own-items.server.ts';
import type { ReadChat, ReadFile, ReadItem, ReadTag } from './reading/import-protocol.ts';
import { readImport, UnreadableImport } from './reading/start-import-reader.server.ts';
import {
  claimImport,
  deleteParts,
  finishImport,
  holdImport,
  noteContents,
  noteLeftOut,
  noteProgress,
  partsOf,
  queueImport,
} from './store.server.ts';

const PROGRESS_MS = 3_000;
/** Attempts before an import is given up, in case it crashes its process or the database. */
const TRIES = 5;

type Claimed = NonNullable<Awaited<ReturnType<typeof claimImport>>>;

const bytesOf = ({ messages }: ImportedChat) =>
  messages.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);

/** Whether the chat exists from this or an earlier import, or is the original if this account made the archive. */
async function isThere(row: Claimed, { source, sourceId }: ReadChat): Promise<boolean> {
  const known = await knownChat(database(), { userId: row.user_id, source, sourceId });
  if (known?.import_id === row.id) return true;
  const ids = [
    ...(known ? [known.chat_id] : []),
    ...(source === 'archive' && isUuid(sourceId) ? [sourceId] : []),
  ];
  return ids.length > 0 && (await liveChats(database(), row.user_id, ids)).length > 0;
}

/** Finds the person's items that a chat refers to, imported earlier from this file or by another import. */
async function namedBy(row: Claimed, { ofArchive, messages }: ReadChat): Promise<NamedItems> {
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
  row: Claimed,
  chat: ReadChat,
  files: readonly ReadFile[],
): Promise<{ bytes: number; unread: number }> {
  const added = await addFiles(row.user_id, files);
  const imported = toImported(chat, { files: added, named: await namedBy(row, chat), now: row.now });
  const bytes = bytesOf(imported);
  const { source, sourceId } = chat;
  await transaction(async (tx) => {
    if (!(await holdImport(tx, row))) throw new NoLongerOurs();
    const chatId = await addImportedChat(tx, row.user_id, imported);
    if (chatId === null) throw new NoLongerOurs();
    await noteChat(tx, { userId: row.user_id, source, sourceId }, { chatId, importId: row.id, bytes });
    if (source === 'archive') await noteFiles(tx, { userId: row.user_id, importId: row.id }, added.made);
  });
  return { bytes, unread: added.unread.size };
}

/** Like `addChat`. Returns what was left out, and whether the item existed before this import. */
async function addItem(
  row: Claimed,
  item: Exclude<ReadItem, ReadTag>,
  files: readonly ReadFile[],
): Promise<{ leftOut: LeftOut; isPresent: boolean }> {
  const { kind, sourceId } = item;
  const key = { userId: row.user_id, kind, sourceId };
  const there = await ownItem(key);
  if (there) return { leftOut: {}, isPresent: there.importId !== row.id };
  const ready = await readyItem(item, { userId: row.user_id, now: row.now, files });
  if (!ready) return { leftOut: leftOutOf(item), isPresent: false };
  const written = await transaction(async (tx) => {
    if (!(await holdImport(tx, row))) throw new NoLongerOurs();
    const itemId = await ready.write(tx);
    if (itemId === null) return false;
    await noteItem(tx, key, { itemId, importId: row.id });
    if (ready.files) await noteFiles(tx, { userId: row.user_id, importId: row.id }, ready.files);
    return true;
  });
  if (written) return { leftOut: ready.leftOut, isPresent: false };
  await ready.undo?.();
  return { leftOut: leftOutOf(item), isPresent: false };
}

async function* partsBytes(row: Claimed): AsyncGenerator<Uint8Array> {
  for (const { file_key } of await partsOf(database(), row.id)) yield* storedBytes(file_key);
}

/** What one process has found in a file and created from it. */
interface Tally {
  handled: number;
  chats: number;
  leftOut: LeftOut;
  present: Partial<Record<ItemKind, number>>;
}

const noTally = (): Tally => ({ handled: 0, chats: 0, leftOut: {}, present: {} });

async function addAll(row: Claimed, path: string, tally: Tally): Promise<void> {
  let { chats, bytes } = await importedOf(database(), row.user_id);
  let files: ReadFile[] = [];
  const note = () => void noteProgress(database(), row, tally.handled).catch(() => undefined);
  const timer = setInterval(note, PROGRESS_MS);
  const takeChat = async (chat: ReadChat) => {
    tally.chats++;
    if (await isThere(row, chat)) return;
    if (chats >= importLimits.keptChats || bytes >= importLimits.keptBytes) {
      tally.chats--;
      throw new UnreadableImport('full');
    }
    const added = await addChat(row, chat, files);
    bytes += added.bytes;
    chats++;
    addLeftOut(tally.leftOut, { files: added.unread });
  };
  const takeItem = async (item: ReadItem) => {
    const { leftOut, isPresent } =
      item.kind === 'tag' ? await addTag(row, item) : await addItem(row, item, files);
    addLeftOut(tally.leftOut, leftOut);
    if (isPresent) tally.present[item.kind] = (tally.present[item.kind] ?? 0) + 1;
  };
  try {
    for await (const line of readImport(path, row.bytes)) {
      if ('total' in line) await noteContents(database(), row, line);
      if ('file' in line) files.push(line.file);
      if ('end' in line) addLeftOut(tally.leftOut, { files: line.filesNotTaken });
      if (!('chat' in line || 'item' in line)) continue;
      if (jobsAreStopping()) throw new NoLongerOurs();
      if ('chat' in line) await takeChat(line.chat);
      else await takeItem(line.item);
      files = [];
      tally.handled++;
    }
  } finally {
    clearInterval(timer);
    await noteProgress(database(), row, tally.handled);
    await noteLeftOut(database(), row, tally.leftOut);
  }
}

async function finish(row: Claimed, failure: ImportFailure | null, tally = noTally()): Promise<void> {
  const keys = await transaction(async (tx) => {
    const ended = await finishImport(tx, row, { failure, chats: tally.chats, present: tally.present });
    return ended > 0 ? deleteParts(tx, row.id) : [];
  });
  await removeFiles(keys);
}

async function runImport(row: Claimed): Promise<void> {
  if (row.epoch > TRIES) return finish(row, 'internal');
  const tally = noTally();
  try {
    await withTemporaryFile(partsBytes(row), (path) => addAll(row, path, tally));
    await finish(row, null, tally);
  } catch (error) {
    if (error instanceof UnreadableImport) return finish(row, error.failure, tally);
    if (error instanceof NoLongerOurs) {
      if (jobsAreStopping()) await transaction((tx) => queueImport(tx, row.id));
      return;
    }
    log.warn({ error, importId: row.id }, 'an import was not finished');
    if (row.epoch >= TRIES) await finish(row, 'internal');
  }
}

let running = false;
let asked = false;

/** Runs imports one at a time in this process, the oldest first, and resumes those that another process left. */
export async function runImports(): Promise<void> {
  asked = true;
  if (running) return;
  running = true;
  try {
    while (asked) {
      asked = false;
      for (let row: Claimed | null; !jobsAreStopping(); ) {
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
