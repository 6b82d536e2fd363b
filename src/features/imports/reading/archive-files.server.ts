import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type RandomAccessFile, unpacked, type ZipEntry, ZipFault } from '#platform/zip-entries.server.ts';
import { cleanFileName } from '#shared/file-name.ts';
import { importLimits } from '../contract.ts';
import { type Fields, idOf, textOf, timeOf } from './field-values.ts';
import type { ReadChat, ReadDocument, ReadFile, ReadImages } from './import-protocol.ts';
import { FILES_OF_MESSAGE, nameFile } from './message-bounds.ts';

/** Bytes of one file, and of all files of a chat. */
const EACH = 10 * 1024 * 1024;
const OF_CHAT = 40 * 1024 * 1024;
/** Bytes of a generated image: twice what 1024 × 1024 uncompressed pixels with 4 channels take. */
const PICTURE = 8 * 1024 * 1024;
const FILES = 100_000;

interface ListedFile {
  name: string;
  createdAt: number | null;
  entry: ZipEntry;
}

/** ChatGPT starts file names with the file's id. */
const nameOfChatgpt = /(?:^|\/)((file[-_][A-Za-z0-9]{1,64})(?:-([^/]+)|\.[^/]+))$/;

/**
 * Attachments from three places: the list at the end of an archive of this kind of site, texts inside a chat, and files
 * next to the chats in a ChatGPT archive.
 */
export class ArchiveFiles {
  readonly #source: RandomAccessFile;
  readonly #entries: ReadonlyMap<string, ZipEntry>;
  readonly #listed = new Map<string, ListedFile>();
  /** Totals of the import. */
  #files = 0;
  #bytes = 0;
  #pictureBytes = 0;
  #documentBytes = 0;
  /** Files in the archive that were not imported. */
  notTaken = 0;

  constructor(source: RandomAccessFile, entries: ReadonlyMap<string, ZipEntry>) {
    this.#source = source;
    this.#entries = entries;
    for (const [path, entry] of entries) {
      const [, whole = '', id, name = whole] = nameOfChatgpt.exec(path) ?? [];
      if (id !== undefined && this.#listed.size < FILES)
        this.#listed.set(id, { name: cleanFileName(name), createdAt: null, entry });
    }
  }

  list(fields: Fields): void {
    const id = idOf(fields.id);
    const entry = this.#entries.get(textOf(fields.file));
    if (id === null || !entry || this.#listed.size >= FILES) return;
    this.#listed.set(id, {
      name: cleanFileName(textOf(fields.name)),
      createdAt: timeOf(fields.createdAt),
      entry,
    });
  }

  holds = (id: string): boolean => this.#listed.has(id);

  /**
   * Yields the files of a chat that can be imported. The names of the others are added to their messages' missing
   * files.
   */
  async *of(chat: ReadChat): AsyncGenerator<ReadFile> {
    // A file may be listed twice in a message that was joined from several.
    for (const message of chat.messages) message.attachments = [...new Set(message.attachments)];
    const read = new Set<string>();
    const texts = new Map((chat.texts ?? []).map((file) => [file.id, file]));
    const asked = chat.messages.flatMap(({ attachments }) => attachments.slice(0, FILES_OF_MESSAGE));
    for await (const file of this.#taken(new Set(asked), texts)) {
      read.add(file.id);
      yield file;
    }
    for (const message of chat.messages) {
      // A message that was joined from several may have more files than allowed.
      const kept = message.attachments.slice(0, FILES_OF_MESSAGE).filter((id) => read.has(id));
      for (const id of message.attachments) {
        if (kept.includes(id)) continue;
        const known = texts.get(id) ?? this.#listed.get(id);
        // Files that the archive doesn't have were counted after its list was read.
        if (known) this.notTaken++;
        nameFile(message, known?.name ?? 'file');
      }
      message.attachments = kept;
    }
  }

  /** Yields the files of a project or assistant that can be imported. */
  async *ofItem(item: { attachments: string[] }): AsyncGenerator<ReadFile> {
    const read = new Set<string>();
    for await (const file of this.#taken(item.attachments, new Map())) {
      read.add(file.id);
      yield file;
    }
    this.notTaken += item.attachments.filter((id) => !read.has(id) && this.holds(id)).length;
    item.attachments = item.attachments.filter((id) => read.has(id));
  }

  /** Yields the images of a set that can be imported. */
  async *pictures({ pictures }: ReadImages): AsyncGenerator<ReadFile> {
    for (const { id, path, at } of pictures) {
      const entry = this.#entries.get(path);
      const limit = Math.min(PICTURE, importLimits.imageBytes - this.#pictureBytes);
      const bytes = entry && (await this.#unpackedEntry(entry, limit));
      if (!bytes || bytes.length === 0) continue;
      this.#pictureBytes += bytes.length;
      yield { id, name: '', createdAt: at, content: bytes.toString('base64') };
    }
  }

  async *document({ sourceId: id, name, path, createdAt }: ReadDocument): AsyncGenerator<ReadFile> {
    const entry = this.#entries.get(path);
    const limit = Math.min(EACH, importLimits.documentBytes - this.#documentBytes);
    const bytes = entry && (await this.#unpackedEntry(entry, limit));
    if (!bytes || bytes.length === 0) return;
    this.#documentBytes += bytes.length;
    yield { id, name, createdAt, content: bytes.toString('base64') };
  }

  async *#taken(ids: Iterable<string>, texts: ReadonlyMap<string, ReadFile>): AsyncGenerator<ReadFile> {
    let left = OF_CHAT;
    for (const id of ids) {
      const known = texts.get(id) ?? this.#listed.get(id);
      if (!known || this.#files >= importLimits.files) continue;
      const bytes = await this.#bytesOf(known, Math.min(EACH, left, importLimits.fileBytes - this.#bytes));
      if (!bytes || bytes.length === 0) continue;
      left -= bytes.length;
      this.#files++;
      this.#bytes += bytes.length;
      yield { id, name: known.name, createdAt: known.createdAt, content: bytes.toString('base64') };
    }
  }

  async #bytesOf(file: ListedFile | ReadFile, limit: number): Promise<Buffer | null> {
    if ('content' in file) return Buffer.byteLength(file.content) > limit ? null : Buffer.from(file.content);
    return this.#unpackedEntry(file.entry, limit);
  }

  async #unpackedEntry(entry: ZipEntry, limit: number): Promise<Buffer | null> {
    try {
      return await buffer(Readable.from(unpacked(this.#source, entry, limit)));
    } catch (error) {
      if (error instanceof ZipFault) return null;
      throw error;
    }
  }
}
