import { readSync } from 'node:fs';
import { type RandomAccessFile, unpacked, type ZipEntry, zipEntries } from '#platform/zip-entries.server.ts';
import { type ImportFailure, importLimits } from '../contract.ts';
import { objectParsers } from './archive-items.ts';
import type { ImportTask } from './import-protocol.ts';
import { type JsonElement, JsonElements } from './json-elements.ts';

const CHUNK_BYTES = 256 * 1024;

export class ImportRefused extends Error {
  readonly failure: ImportFailure;
  constructor(failure: ImportFailure) {
    super(failure);
    this.failure = failure;
  }
}

/** Reads the file from standard input. Its `read` throws if the file ends early. */
export function standardInput({ bytes }: ImportTask): RandomAccessFile {
  return {
    bytes,
    read(offset, length) {
      const buffer = Buffer.alloc(length);
      for (let at = 0; at < length; ) {
        const count = readSync(0, buffer, at, length - at, offset + at);
        if (count === 0) throw new ImportRefused('damaged');
        at += count;
      }
      return buffer;
    },
  };
}

function* fileChunks(source: RandomAccessFile): Generator<Buffer> {
  for (let at = 0; at < source.bytes; at += CHUNK_BYTES)
    yield source.read(at, Math.min(CHUNK_BYTES, source.bytes - at));
}

/** ChatGPT splits a long history into several files; an archive of this kind of site has a single one. */
const chatFile = /(?:^|\/)(?:conversations(?:-\d{1,5})?|export)\.json$/;

const isChatFile = ({ name }: ZipEntry) => chatFile.test(name) && !name.startsWith('__MACOSX/');

export interface OpenedSource {
  source: RandomAccessFile;
  /** Null for a file that is not a ZIP archive. */
  entries: ReadonlyMap<string, ZipEntry> | null;
}

export function openSource(source: RandomAccessFile): OpenedSource {
  const isArchive = source.bytes > 4 && source.read(0, 4).toString('latin1') === 'PK\x03\x04';
  return { source, entries: isArchive ? zipEntries(source) : null };
}

/** Yields the JSON of a file: the file itself, or the chat files of an archive. */
function* jsonTexts({ source, entries }: OpenedSource): Generator<AsyncIterable<Buffer> | Iterable<Buffer>> {
  if (entries === null) {
    yield fileChunks(source);
    return;
  }
  const texts = [...entries.values()].filter(isChatFile);
  if (texts.length === 0) throw new ImportRefused('unknown');
  for (const entry of texts.sort((a, b) => (a.name < b.name ? -1 : 1)))
    yield unpacked(source, entry, importLimits.unpacked);
}

export async function* elementsOf(file: OpenedSource): AsyncGenerator<JsonElement> {
  let remaining: number = importLimits.unpacked;
  for (const pieces of jsonTexts(file)) {
    const elements = new JsonElements(Object.keys(objectParsers));
    for await (const piece of pieces) {
      remaining -= piece.length;
      if (remaining < 0) throw new ImportRefused('too_large');
      yield* elements.push(piece);
    }
    elements.end();
  }
}
