/** Started by `start-import-reader.server.ts` with a memory limit, in a sandbox, without environment variables. */

import { once } from 'node:events';
import process from 'node:process';
import { ZipFault } from '#platform/zip-entries.server.ts';
import { addLeftOut } from '../add-left-out.ts';
import {
  type ImportFailure,
  type ImportSource,
  importLimits,
  type LeftOut,
  type LeftOutKind,
} from '../contract.ts';
import { isArchiveChat, isDeleted, readArchiveChat } from './archive-chats.ts';
import { ArchiveFiles } from './archive-files.server.ts';
import { isItemList, objectReadings, readItem } from './archive-items.ts';
import { type HoldsFile, isChatgptChat, readChatgptChat } from './chatgpt-chats.ts';
import { isClaudeChat, readClaudeChat } from './claude-chats.ts';
import { type Fields, isObject } from './field-values.ts';
import type {
  ImportLine,
  ImportTask,
  ReadChat,
  ReadDocument,
  ReadFile,
  ReadItem,
  ReadMessage,
} from './import-protocol.ts';
import { elementsOf, type OpenedSource, openSource, Refused, standardInput } from './import-source.server.ts';
import { type JsonElement, NotJson } from './json-elements.ts';
import { boundMessage, cutName } from './message-bounds.ts';
import { BadTree } from './message-tree.ts';

async function say(line: ImportLine): Promise<void> {
  if (!process.stdout.write(`${JSON.stringify(line)}\n`)) await once(process.stdout, 'drain');
}

function parsed({ bytes }: JsonElement): Fields | null {
  if (bytes === null) return null;
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

type Reading = { is: (fields: Fields) => boolean; read: typeof readChatgptChat };

const readings: Record<ImportSource, Reading> = {
  chatgpt: { is: isChatgptChat, read: readChatgptChat },
  claude: { is: isClaudeChat, read: readClaudeChat },
  archive: { is: isArchiveChat, read: readArchiveChat },
};

const sourceOfChat = (fields: Fields, list: string): ImportSource | null => {
  if (list === 'chats') return readings.archive.is(fields) ? 'archive' : null;
  if (list !== '') return null;
  return readings.chatgpt.is(fields) ? 'chatgpt' : readings.claude.is(fields) ? 'claude' : null;
};

interface Counts {
  source: ImportSource | null;
  total: number;
  items: number;
  tags: number;
  findings: number;
  messages: number;
  leftOut: LeftOut;
}

const noCounts = (): Counts => ({
  source: null,
  total: 0,
  items: 0,
  tags: 0,
  findings: 0,
  messages: 0,
  leftOut: {},
});

type Content = { chat: ReadChat } | { item: ReadItem };

/**
 * Yields the contents of a file. Called more than once: first to count, so that a file beyond the limits imports
 * nothing at all.
 */
async function* contentsOf(
  file: OpenedSource,
  counts: Counts,
  files: { onFile: (fields: Fields) => void; holds: HoldsFile },
): AsyncGenerator<Content> {
  const seen = new Set<string>();
  for await (const element of elementsOf(file)) {
    const { list } = element;
    if (list === 'attachments') files.onFile(parsed(element) ?? {});
    else if (list === '' || list === 'chats') {
      const { chat, leftOut } = chatOf(element, counts, files.holds);
      if (chat && seen.has(chat.sourceId)) continue;
      addLeftOut(counts.leftOut, leftOut);
      if (!chat) continue;
      seen.add(chat.sourceId);
      counts.total++;
      counts.messages += chat.messages.length;
      if (counts.total > importLimits.chats || counts.messages > importLimits.messages)
        throw new Refused('too_many');
      yield { chat };
    } else {
      for (const item of itemsOf(element, counts)) {
        const name = `${item.kind} ${item.sourceId}`;
        counts.source ??= 'archive';
        if (seen.has(name) || counts.source !== 'archive') continue;
        seen.add(name);
        counts.items++;
        if (counts.items > importLimits.items) throw new Refused('too_many');
        yield { item };
      }
    }
  }
}

const leftOutLists: Readonly<Record<string, LeftOutKind>> = {
  works: 'texts',
  images: 'images',
  projects: 'projects',
  assistants: 'assistants',
  prompts: 'prompts',
  tags: 'tags',
  documents: 'documents',
};

/** Reads the items of an element. Deleted items and remains of failed runs don't count as damaged. */
function itemsOf(element: JsonElement, counts: Counts): ReadItem[] {
  const { list } = element;
  const left = leftOutLists[list];
  const readAll = objectReadings[list];
  if (!isItemList(list) && !readAll && !left) return [];
  // Limits how many tags are read, and how large each may be.
  const isBeyond =
    list === 'tags' &&
    (++counts.tags > importLimits.tags || (element.bytes?.length ?? 0) > importLimits.tagBytes);
  const fields = isBeyond ? null : parsed(element);
  if (fields && isDeleted(fields)) return [];
  if (fields && readAll) return readAll(fields);
  const item = fields && isItemList(list) ? readItem(list, fields) : null;
  if (item && item !== 'empty') {
    if (item.kind === 'document') boundFindings(item, counts);
    return [item];
  }
  if (left && item === null) addLeftOut(counts.leftOut, { [left]: 1 });
  return [];
}

/** Keeps the newest runs. */
function boundFindings(item: ReadDocument, counts: Counts): void {
  const beyond = Math.max(0, item.runs.length + counts.findings - importLimits.findings);
  item.runs = item.runs.slice(beyond);
  counts.findings += item.runs.length;
  addLeftOut(counts.leftOut, { findings: beyond });
}

/** Reads a chat. Returns null for a deleted chat, and for a damaged or empty one, which is counted as left out. */
function chatOf(
  element: JsonElement,
  counts: Counts,
  holds: HoldsFile,
): { chat: ReadChat | null; leftOut: LeftOut } {
  const leftOut: LeftOut = {};
  const count = (kind: keyof LeftOut, by = 1) => {
    leftOut[kind] = (leftOut[kind] ?? 0) + by;
  };
  const chat = readChat(element, count, counts, holds);
  if (chat === 'deleted') return { chat: null, leftOut: {} };
  if (!chat || chat.messages.length === 0) return { chat: null, leftOut: { chats: 1 } };
  chat.title = cutName(chat.title);
  for (const message of chat.messages) boundMessage(message, count);
  return { chat, leftOut };
}

function readChat(
  element: JsonElement,
  count: (kind: keyof LeftOut) => void,
  counts: Counts,
  holds: HoldsFile,
): ReadChat | 'deleted' | null {
  const fields = parsed(element);
  const source = fields && sourceOfChat(fields, element.list);
  if (!fields || !source) return null;
  // A file contains chats of one service only.
  counts.source ??= source;
  if (counts.source !== source) return null;
  if (source === 'archive' && isDeleted(fields)) return 'deleted';
  try {
    return readings[source].read(fields, count, holds);
  } catch (error) {
    if (error instanceof BadTree) return null;
    throw error;
  }
}

function failureOf(error: unknown): ImportFailure {
  if (error instanceof Refused || error instanceof ZipFault) return error.failure;
  if (error instanceof NotJson) return 'not_json';
  throw error;
}

/** Set ids by image id. */
type Sets = ReadonlyMap<string, string>;

/** Turns the images of a reply into the set that they belong to. Without a set, `images` counts them as missing. */
function linkImages(message: ReadMessage, sets: Sets): void {
  const { ofArchive, role, text } = message;
  if (!ofArchive || ofArchive.pictures.length === 0) return;
  const [set] = ofArchive.pictures.flatMap((id) => sets.get(id) ?? []);
  ofArchive.drawn = set !== undefined && role === 'assistant' && text === '' ? set : null;
  message.images = ofArchive.pictures.length;
}

interface Found extends Counts {
  sets: Sets;
}

async function count(file: OpenedSource, files: ArchiveFiles): Promise<Found> {
  const counts = noCounts();
  const sets = new Map<string, string>();
  const [asked, pictures]: [string[], string[]] = [[], []];
  const { holds } = files;
  const all = contentsOf(file, counts, { onFile: (fields) => files.list(fields), holds });
  for await (const content of all) {
    if ('chat' in content) {
      const { messages, texts } = content.chat;
      if (!texts) for (const { attachments } of messages) asked.push(...attachments);
      for (const { ofArchive } of messages) pictures.push(...(ofArchive?.pictures ?? []));
      continue;
    }
    const { item } = content;
    if (item.kind === 'image') for (const { id } of item.pictures) sets.set(id, item.sourceId);
    if ('attachments' in item) asked.push(...item.attachments);
  }
  if (counts.source === null) throw new Refused('unknown');
  addLeftOut(counts.leftOut, {
    files: asked.filter((id) => !holds(id)).length,
    images: pictures.filter((id) => !sets.has(id)).length,
  });
  return { ...counts, sets };
}

/** Chats come after everything they refer to, tags after everything they are on. */
const turnOf = ({ kind }: ReadItem): 'before' | 'with' | 'after' =>
  kind === 'tag' ? 'after' : kind === 'text' || kind === 'document' ? 'with' : 'before';

function filesOf(item: ReadItem, files: ArchiveFiles): AsyncIterable<ReadFile> | ReadFile[] {
  if (item.kind === 'image') return files.pictures(item);
  if (item.kind === 'document') return files.document(item);
  return 'attachments' in item ? files.ofItem(item) : [];
}

async function sayContents(
  file: OpenedSource,
  files: ArchiveFiles,
  { sets, items, tags }: Found,
): Promise<void> {
  const again = () => contentsOf(file, noCounts(), { onFile: () => undefined, holds: files.holds });
  const sayItem = async (item: ReadItem) => {
    for await (const each of filesOf(item, files)) await say({ file: each });
    await say({ item });
  };
  const sayTurn = async (turn: 'before' | 'after') => {
    for await (const content of again())
      if ('item' in content && turnOf(content.item) === turn) await sayItem(content.item);
  };
  if (items > 0) await sayTurn('before');
  for await (const content of again()) {
    if ('item' in content) {
      if (turnOf(content.item) === 'with') await sayItem(content.item);
      continue;
    }
    const { texts: _, ...chat } = content.chat;
    for await (const each of files.of(content.chat)) await say({ file: each });
    for (const message of chat.messages) linkImages(message, sets);
    await say({ chat });
  }
  if (tags > 0) await sayTurn('after');
}

async function main(task: ImportTask): Promise<void> {
  await say({ ready: true });
  try {
    const file = openSource(standardInput(task));
    const files = new ArchiveFiles(file.source, file.entries ?? new Map());
    const found = await count(file, files);
    const { total, items, leftOut } = found;
    await say({ total: total + items, source: found.source ?? 'archive', leftOut });
    await sayContents(file, files, found);
    await say({ end: true, filesNotTaken: files.notTaken });
  } catch (error) {
    await say({ failed: failureOf(error) });
  }
}

await main(JSON.parse(process.argv[2] ?? '') as ImportTask);
