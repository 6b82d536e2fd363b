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
import { isItemList, objectParsers, readItem } from './archive-items.ts';
import { type HasFile, isChatgptChat, readChatgptChat } from './chatgpt-chats.ts';
import { isClaudeChat, readClaudeChat } from './claude-chats.ts';
import { type Fields, isObject } from './field-values.ts';
import type {
  ImportLine,
  ImportTask,
  ParsedChat,
  ParsedDocument,
  ParsedFile,
  ParsedItem,
  ParsedMessage,
} from './import-protocol.ts';
import {
  elementsOf,
  ImportRefused,
  type OpenedSource,
  openSource,
  standardInput,
} from './import-source.server.ts';
import { InvalidJson, type JsonElement } from './json-elements.ts';
import { boundMessage, cutName } from './message-bounds.ts';
import { InvalidTree } from './message-tree.ts';

async function send(line: ImportLine): Promise<void> {
  if (!process.stdout.write(`${JSON.stringify(line)}\n`)) await once(process.stdout, 'drain');
}

function parseElement({ bytes }: JsonElement): Fields | null {
  if (bytes === null) return null;
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

type ChatFormat = { matches: (fields: Fields) => boolean; read: typeof readChatgptChat };

const formats: Record<ImportSource, ChatFormat> = {
  chatgpt: { matches: isChatgptChat, read: readChatgptChat },
  claude: { matches: isClaudeChat, read: readClaudeChat },
  archive: { matches: isArchiveChat, read: readArchiveChat },
};

const sourceOfChat = (fields: Fields, list: string): ImportSource | null => {
  if (list === 'chats') return formats.archive.matches(fields) ? 'archive' : null;
  if (list !== '') return null;
  return formats.chatgpt.matches(fields) ? 'chatgpt' : formats.claude.matches(fields) ? 'claude' : null;
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

type Content = { chat: ParsedChat } | { item: ParsedItem };

/**
 * Yields the contents of a file. Called more than once: first to count, so that a file beyond the limits imports
 * nothing at all.
 */
async function* contentsOf(
  file: OpenedSource,
  counts: Counts,
  files: { onFile: (fields: Fields) => void; hasFile: HasFile },
): AsyncGenerator<Content> {
  const seen = new Set<string>();
  for await (const element of elementsOf(file)) {
    const { list } = element;
    if (list === 'attachments') files.onFile(parseElement(element) ?? {});
    else if (list === '' || list === 'chats') {
      const { chat, leftOut } = chatOf(element, counts, files.hasFile);
      if (chat && seen.has(chat.sourceId)) continue;
      addLeftOut(counts.leftOut, leftOut);
      if (!chat) continue;
      seen.add(chat.sourceId);
      counts.total++;
      counts.messages += chat.messages.length;
      if (counts.total > importLimits.chats || counts.messages > importLimits.messages)
        throw new ImportRefused('too_many');
      yield { chat };
    } else {
      for (const item of itemsOf(element, counts)) {
        const name = `${item.kind} ${item.sourceId}`;
        counts.source ??= 'archive';
        if (seen.has(name) || counts.source !== 'archive') continue;
        seen.add(name);
        counts.items++;
        if (counts.items > importLimits.items) throw new ImportRefused('too_many');
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
function itemsOf(element: JsonElement, counts: Counts): ParsedItem[] {
  const { list } = element;
  const leftOutKind = leftOutLists[list];
  const readAll = objectParsers[list];
  if (!isItemList(list) && !readAll && !leftOutKind) return [];
  // Limits how many tags are read, and how large each may be.
  const isOverLimit =
    list === 'tags' &&
    (++counts.tags > importLimits.tags || (element.bytes?.length ?? 0) > importLimits.tagBytes);
  const fields = isOverLimit ? null : parseElement(element);
  if (fields && isDeleted(fields)) return [];
  if (fields && readAll) return readAll(fields);
  const item = fields && isItemList(list) ? readItem(list, fields) : null;
  if (item && item !== 'empty') {
    if (item.kind === 'document') boundFindings(item, counts);
    return [item];
  }
  if (leftOutKind && item === null) addLeftOut(counts.leftOut, { [leftOutKind]: 1 });
  return [];
}

/** Keeps the newest runs. */
function boundFindings(item: ParsedDocument, counts: Counts): void {
  const excess = Math.max(0, item.runs.length + counts.findings - importLimits.findings);
  item.runs = item.runs.slice(excess);
  counts.findings += item.runs.length;
  addLeftOut(counts.leftOut, { findings: excess });
}

/** Reads a chat. Returns null for a deleted chat, and for a damaged or empty one, which is counted as left out. */
function chatOf(
  element: JsonElement,
  counts: Counts,
  hasFile: HasFile,
): { chat: ParsedChat | null; leftOut: LeftOut } {
  const leftOut: LeftOut = {};
  const count = (kind: keyof LeftOut, by = 1) => {
    leftOut[kind] = (leftOut[kind] ?? 0) + by;
  };
  const chat = readChat(element, count, counts, hasFile);
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
  hasFile: HasFile,
): ParsedChat | 'deleted' | null {
  const fields = parseElement(element);
  const source = fields && sourceOfChat(fields, element.list);
  if (!fields || !source) return null;
  // A file contains chats of one service only.
  counts.source ??= source;
  if (counts.source !== source) return null;
  if (source === 'archive' && isDeleted(fields)) return 'deleted';
  try {
    return formats[source].read(fields, count, hasFile);
  } catch (error) {
    if (error instanceof InvalidTree) return null;
    throw error;
  }
}

function failureOf(error: unknown): ImportFailure {
  if (error instanceof ImportRefused || error instanceof ZipFault) return error.failure;
  if (error instanceof InvalidJson) return 'not_json';
  throw error;
}

/** Set ids by image id. */
type Sets = ReadonlyMap<string, string>;

/** Turns the images of a reply into the set that they belong to. Without a set, `images` counts them as missing. */
function linkImages(message: ParsedMessage, sets: Sets): void {
  const { ofArchive, role, text } = message;
  if (!ofArchive || ofArchive.pictures.length === 0) return;
  const [set] = ofArchive.pictures.flatMap((id) => sets.get(id) ?? []);
  ofArchive.drawn = set !== undefined && role === 'assistant' && text === '' ? set : null;
  message.images = ofArchive.pictures.length;
}

interface Counted extends Counts {
  sets: Sets;
}

async function count(file: OpenedSource, files: ArchiveFiles): Promise<Counted> {
  const counts = noCounts();
  const sets = new Map<string, string>();
  const [attachmentIds, pictures]: [string[], string[]] = [[], []];
  const { hasFile } = files;
  const all = contentsOf(file, counts, { onFile: (fields) => files.register(fields), hasFile });
  for await (const content of all) {
    if ('chat' in content) {
      const { messages, texts } = content.chat;
      if (!texts) for (const { attachments } of messages) attachmentIds.push(...attachments);
      for (const { ofArchive } of messages) pictures.push(...(ofArchive?.pictures ?? []));
      continue;
    }
    const { item } = content;
    if (item.kind === 'image') for (const { id } of item.pictures) sets.set(id, item.sourceId);
    if ('attachments' in item) attachmentIds.push(...item.attachments);
  }
  if (counts.source === null) throw new ImportRefused('unknown');
  addLeftOut(counts.leftOut, {
    files: attachmentIds.filter((id) => !hasFile(id)).length,
    images: pictures.filter((id) => !sets.has(id)).length,
  });
  return { ...counts, sets };
}

/** Chats come after everything they refer to, tags after everything they are on. */
const phaseOf = ({ kind }: ParsedItem): 'before' | 'with' | 'after' =>
  kind === 'tag' ? 'after' : kind === 'text' || kind === 'document' ? 'with' : 'before';

function filesOf(item: ParsedItem, files: ArchiveFiles): AsyncIterable<ParsedFile> | ParsedFile[] {
  if (item.kind === 'image') return files.pictures(item);
  if (item.kind === 'document') return files.document(item);
  return 'attachments' in item ? files.ofItem(item) : [];
}

async function sendContents(
  file: OpenedSource,
  files: ArchiveFiles,
  { sets, items, tags }: Counted,
): Promise<void> {
  const readAgain = () => contentsOf(file, noCounts(), { onFile: () => undefined, hasFile: files.hasFile });
  const sendItem = async (item: ParsedItem) => {
    for await (const each of filesOf(item, files)) await send({ file: each });
    await send({ item });
  };
  const sendPhase = async (phase: 'before' | 'after') => {
    for await (const content of readAgain())
      if ('item' in content && phaseOf(content.item) === phase) await sendItem(content.item);
  };
  if (items > 0) await sendPhase('before');
  for await (const content of readAgain()) {
    if ('item' in content) {
      if (phaseOf(content.item) === 'with') await sendItem(content.item);
      continue;
    }
    const { texts: _, ...chat } = content.chat;
    for await (const each of files.ofChat(content.chat)) await send({ file: each });
    for (const message of chat.messages) linkImages(message, sets);
    await send({ chat });
  }
  if (tags > 0) await sendPhase('after');
}

async function main(task: ImportTask): Promise<void> {
  await send({ ready: true });
  try {
    const file = openSource(standardInput(task));
    const files = new ArchiveFiles(file.source, file.entries ?? new Map());
    const counted = await count(file, files);
    const { total, items, leftOut } = counted;
    await send({ total: total + items, source: counted.source ?? 'archive', leftOut });
    await sendContents(file, files, counted);
    await send({ end: true, filesNotTaken: files.skipped });
  } catch (error) {
    await send({ failed: failureOf(error) });
  }
}

await main(JSON.parse(process.argv[2] ?? '') as ImportTask);
