import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type RandomAccessFile, unpacked, type ZipEntry, ZipFault } from '#platform/zip-entries.server.ts';
import { cleanFileName } from '#shared/file-name.ts';
import { importLimits } from '../contract.ts';
import { asId, asText, asTime, type Fields } from './field-values.ts';
import type { ParsedChat, ParsedDocument, ParsedFile, ParsedImages } from './import-protocol.ts';
import { MAX_FILES_PER_MESSAGE, nameFile } from './message-bounds.ts';

/** Bytes of one file, and of all files of a chat. */
const MAX_FILE_BYTES = 10 * 1024 * 1024;
const MAX_CHAT_BYTES = 40 * 1024 * 1024;
/** Bytes of a generated image: twice what 1024 × 1024 uncompressed pixels with 4 channels take. */
const MAX_IMAGE_BYTES = 8 * 1024 * 1024;
const MAX_LISTED_FILES = 100_000;

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
  skipped = 0;

  constructor(source: RandomAccessFile, entries: ReadonlyMap<string, ZipEntry>) {
    this.#source = source;
    this.#entries = entries;
    for (const [path, entry] of entries) {
      const [, fullName = '', id, name = fullName] = nameOfChatgpt.exec(path) ?? [];
      if (id !== undefined && this.#listed.size < MAX_LISTED_FILES)
        this.#listed.set(id, { name: cleanFileName(name), createdAt: null, entry });
    }
  }

  register(fields: Fields): void {
    const id = asId(fields.id);
    const entry = this.#entries.get(asText(fields.file));
    if (id === null || !entry || this.#listed.size >= MAX_LISTED_FILES) return;
    this.#listed.set(id, {
      name: cleanFileName(asText(fields.name)),
      createdAt: asTime(fields.createdAt),
      entry,
    });
  }

  hasFile = (id: string): boolean => this.#listed.has(id);

  /**
   * Yields the files of a chat that can be imported. The names of the others are added to their messages' missing
   * files.
   */
  async *ofChat(chat: ParsedChat): AsyncGenerator<ParsedFile> {
    // A file may be listed twice in a message that was joined from several.
    for (const message of chat.messages) message.attachments = [...new Set(message.attachments)];
    const read = new Set<string>();
    const texts = new Map((chat.texts ?? []).map((file) => [file.id, file]));
    const attachmentIds = chat.messages.flatMap(({ attachments }) =>
      attachments.slice(0, MAX_FILES_PER_MESSAGE),
    );
    for await (const file of this.#readable(new Set(attachmentIds), texts)) {
      read.add(file.id);
      yield file;
    }
    for (const message of chat.messages) {
      // A message that was joined from several may have more files than allowed.
      const importedIds = message.attachments.slice(0, MAX_FILES_PER_MESSAGE).filter((id) => read.has(id));
      for (const id of message.attachments) {
        if (importedIds.includes(id)) continue;
        const listed = texts.get(id) ?? this.#listed.get(id);
        // Files that the archive doesn't have were counted after its list was read.
        if (listed) this.skipped++;
        nameFile(message, listed?.name ?? 'file');
      }
      message.attachments = importedIds;
    }
  }

  /** Yields the files of a project or assistant that can be imported. */
  async *ofItem(item: { attachments: string[] }): AsyncGenerator<ParsedFile> {
    const read = new Set<string>();
    for await (const file of this.#readable(item.attachments, new Map())) {
      read.add(file.id);
      yield file;
    }
    this.skipped += item.attachments.filter((id) => !read.has(id) && this.hasFile(id)).length;
    item.attachments = item.attachments.filter((id) => read.has(id));
  }

  /** Yields the images of a set that can be imported. */
  async *pictures({ pictures }: ParsedImages): AsyncGenerator<ParsedFile> {
    for (const { id, path, at } of pictures) {
      const entry = this.#entries.get(path);
      const limit = Math.min(MAX_IMAGE_BYTES, importLimits.imageBytes - this.#pictureBytes);
      const bytes = entry && (await this.#unpackedEntry(entry, limit));
      if (!bytes || bytes.length === 0) continue;
      this.#pictureBytes += bytes.length;
      yield { id, name: '', createdAt: at, content: bytes.toString('base64') };
    }
  }

  async *document({ sourceId: id, name, path, createdAt }: ParsedDocument): AsyncGenerator<ParsedFile> {
    const entry = this.#entries.get(path);
    const limit = Math.min(MAX_FILE_BYTES, importLimits.documentBytes - this.#documentBytes);
    const bytes = entry && (await this.#unpackedEntry(entry, limit));
    if (!bytes || bytes.length === 0) return;
    this.#documentBytes += bytes.length;
    yield { id, name, createdAt, content: bytes.toString('base64') };
  }

  async *#readable(
    ids: Iterable<string>,
    texts: ReadonlyMap<string, ParsedFile>,
  ): AsyncGenerator<ParsedFile> {
    let remaining = MAX_CHAT_BYTES;
    for (const id of ids) {
      const listed = texts.get(id) ?? this.#listed.get(id);
      if (!listed || this.#files >= importLimits.files) continue;
      const bytes = await this.#bytesOf(
        listed,
        Math.min(MAX_FILE_BYTES, remaining, importLimits.fileBytes - this.#bytes),
      );
      if (!bytes || bytes.length === 0) continue;
      remaining -= bytes.length;
      this.#files++;
      this.#bytes += bytes.length;
      yield { id, name: listed.name, createdAt: listed.createdAt, content: bytes.toString('base64') };
    }
  }

  async #bytesOf(file: ListedFile | ParsedFile, limit: number): Promise<Buffer | null> {
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
