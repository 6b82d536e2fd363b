/** Started by `start-import-reader.server.ts` with a limit of memory, without rights and without an environment. */

import { once } from 'node:events';
import { readSync } from 'node:fs';
import process from 'node:process';
import {
  type RandomAccessFile,
  unpacked,
  type ZipEntry,
  ZipFault,
  zipEntries,
} from '#platform/zip-entries.server.ts';
import { type ImportFailure, type ImportSource, importLimits, type LeftOut } from '../contract.ts';
import { isArchiveChat, isDeletedChat, readArchiveChat } from './archive-chats.ts';
import { ArchiveFiles } from './archive-files.server.ts';
import { type HoldsFile, isChatgptChat, readChatgptChat } from './chatgpt-chats.ts';
import { isClaudeChat, readClaudeChat } from './claude-chats.ts';
import { type Fields, isObject } from './field-values.ts';
import type { ImportLine, ImportTask, ReadChat } from './import-protocol.ts';
import { type JsonElement, JsonElements, NotJson } from './json-elements.ts';
import { boundMessage, cutName } from './message-bounds.ts';
import { BadTree } from './message-tree.ts';

const PIECE = 256 * 1024;

class Refused extends Error {
  readonly failure: ImportFailure;
  constructor(failure: ImportFailure) {
    super(failure);
    this.failure = failure;
  }
}

async function say(line: ImportLine): Promise<void> {
  if (!process.stdout.write(`${JSON.stringify(line)}\n`)) await once(process.stdout, 'drain');
}

/** @throws for a file that ends early. */
function sourceOf({ bytes }: ImportTask): RandomAccessFile {
  return {
    bytes,
    read(offset, length) {
      const buffer = Buffer.alloc(length);
      for (let at = 0; at < length; ) {
        const count = readSync(0, buffer, at, length - at, offset + at);
        if (count === 0) throw new Refused('damaged');
        at += count;
      }
      return buffer;
    },
  };
}

function* wholeFile(source: RandomAccessFile): Generator<Buffer> {
  for (let at = 0; at < source.bytes; at += PIECE) yield source.read(at, Math.min(PIECE, source.bytes - at));
}

/** ChatGPT splits a long history; an archive of a site of this kind has one file for everything. */
const chatFile = /(?:^|\/)(?:conversations(?:-\d{1,5})?|export)\.json$/;

const isChatFile = ({ name }: ZipEntry) => chatFile.test(name) && !name.startsWith('__MACOSX/');

interface Opened {
  source: RandomAccessFile;
  /** Null for a file that is no archive. */
  entries: ReadonlyMap<string, ZipEntry> | null;
}

function opened(source: RandomAccessFile): Opened {
  const isArchive = source.bytes > 4 && source.read(0, 4).toString('latin1') === 'PK\x03\x04';
  return { source, entries: isArchive ? zipEntries(source) : null };
}

/** The JSON texts of a file: itself, or those of its chats in an archive. */
function* textsOf({ source, entries }: Opened): Generator<AsyncIterable<Buffer> | Iterable<Buffer>> {
  if (entries === null) {
    yield wholeFile(source);
    return;
  }
  const texts = [...entries.values()].filter(isChatFile);
  if (texts.length === 0) throw new Refused('unknown');
  for (const entry of texts.sort((one, other) => (one.name < other.name ? -1 : 1)))
    yield unpacked(source, entry, importLimits.unpacked);
}

async function* elementsOf(file: Opened): AsyncGenerator<JsonElement> {
  let left: number = importLimits.unpacked;
  for (const pieces of textsOf(file)) {
    const elements = new JsonElements();
    for await (const piece of pieces) {
      left -= piece.length;
      if (left < 0) throw new Refused('too_large');
      yield* elements.push(piece);
    }
    elements.end();
  }
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
  messages: number;
  leftOut: LeftOut;
}

const noCounts = (): Counts => ({ source: null, total: 0, messages: 0, leftOut: {} });

/** Everything is read twice: first to count it, so that what is too much makes no chat at all. */
async function* chatsOf(
  file: Opened,
  counts: Counts,
  files: { onFile: (fields: Fields) => void; holds: HoldsFile },
): AsyncGenerator<ReadChat> {
  const seen = new Set<string>();
  for await (const element of elementsOf(file)) {
    if (element.list === 'attachments') files.onFile(parsed(element) ?? {});
    // Other lists of an archive are not about chats.
    if (element.list !== '' && element.list !== 'chats') continue;
    const own: LeftOut = {};
    const count = (kind: keyof LeftOut, by = 1) => {
      own[kind] = (own[kind] ?? 0) + by;
    };
    const chat = readChat(element, count, counts, files.holds);
    if (chat === 'deleted') continue;
    if (chat && seen.has(chat.sourceId)) continue;
    if (chat && chat.messages.length > 0) {
      seen.add(chat.sourceId);
      counts.total++;
      counts.messages += chat.messages.length;
      if (counts.total > importLimits.chats || counts.messages > importLimits.messages)
        throw new Refused('too_many');
      chat.title = cutName(chat.title);
      for (const message of chat.messages) boundMessage(message, count);
      add(counts.leftOut, own);
      yield chat;
    } else add(counts.leftOut, { chats: 1 });
  }
}

function add(sum: LeftOut, more: LeftOut): void {
  for (const [kind, count] of Object.entries(more) as [keyof LeftOut, number][])
    if (count > 0) sum[kind] = (sum[kind] ?? 0) + count;
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
  // One file is of one service.
  counts.source ??= source;
  if (counts.source !== source) return null;
  if (source === 'archive' && isDeletedChat(fields)) return 'deleted';
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

async function main(task: ImportTask): Promise<void> {
  await say({ ready: true });
  try {
    const file = opened(sourceOf(task));
    const files = new ArchiveFiles(file.source, file.entries ?? new Map());
    const counts = noCounts();
    const asked: string[] = [];
    const { holds } = files;
    const counted = chatsOf(file, counts, { onFile: (fields) => files.list(fields), holds });
    for await (const { messages, texts } of counted)
      if (!texts) for (const { attachments } of messages) asked.push(...attachments);
    if (counts.source === null) throw new Refused('unknown');
    add(counts.leftOut, { files: asked.filter((id) => !holds(id)).length });
    await say({ total: counts.total, source: counts.source, leftOut: counts.leftOut });
    for await (const chat of chatsOf(file, noCounts(), { onFile: () => undefined, holds })) {
      for await (const each of files.of(chat)) await say({ file: each });
      const { texts: _, ...rest } = chat;
      await say({ chat: rest });
    }
    await say({ end: true, filesNotTaken: files.notTaken });
  } catch (error) {
    await say({ failed: failureOf(error) });
  }
}

await main(JSON.parse(process.argv[2] ?? '') as ImportTask);
