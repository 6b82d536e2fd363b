import { Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';

export class ZipFault extends Error {
  readonly failure: 'damaged' | 'encrypted' | 'unsafe' | 'too_large' | 'too_many';
  constructor(failure: ZipFault['failure']) {
    super(failure);
    this.failure = failure;
  }
}

/** A file that can be read at any offset, wherever it is stored. */
export interface RandomAccessFile {
  bytes: number;
  read(offset: number, length: number): Buffer;
}

export interface ZipEntry {
  name: string;
  /** 0: stored, 8: deflated. */
  method: number;
  checksum: number;
  packed: number;
  /** Offset of its local header. */
  header: number;
}

const MAX_ENTRIES = 60_000;
const MAX_DIRECTORY_BYTES = 32 * 1024 * 1024;
const PIECE_BYTES = 256 * 1024;
/** APPNOTE 4.3.16: the size of the end record without a comment, and the longest comment. */
const END_BYTES = 22;
const MAX_COMMENT_BYTES = 65_535;

const isUnsafe = (name: string) =>
  name.includes('\0') ||
  name.includes('\\') ||
  /^(?:\/|[a-z]:)/i.test(name) ||
  name.split('/').includes('..');

function findDirectory(source: RandomAccessFile): { start: number; bytes: number; entries: number } {
  const length = Math.min(source.bytes, END_BYTES + MAX_COMMENT_BYTES);
  const tail = source.read(source.bytes - length, length);
  const at = tail.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (at < 0 || at + END_BYTES > tail.length) throw new ZipFault('damaged');
  const [entries, bytes, start] = [
    tail.readUInt16LE(at + 10),
    tail.readUInt32LE(at + 12),
    tail.readUInt32LE(at + 16),
  ];
  // More entries need the 64-bit format, which files of the accepted sizes never need.
  if (entries > MAX_ENTRIES || bytes > MAX_DIRECTORY_BYTES) throw new ZipFault('too_many');
  if (start + bytes > source.bytes) throw new ZipFault('damaged');
  return { start, bytes, entries };
}

/** Lists the entries of the central directory (APPNOTE 4.3.12) by name. @throws ZipFault */
export function zipEntries(source: RandomAccessFile): Map<string, ZipEntry> {
  const { start, bytes, entries } = findDirectory(source);
  const directory = source.read(start, bytes);
  const found = new Map<string, ZipEntry>();
  for (let at = 0, remaining = entries; remaining > 0; remaining--) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== 0x02014b50)
      throw new ZipFault('damaged');
    const [name, extra, comment] = [28, 30, 32].map((offset) => directory.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    const entry = {
      name: directory.toString('utf8', at + 46, at + 46 + name),
      method: directory.readUInt16LE(at + 10),
      checksum: directory.readUInt32LE(at + 16),
      packed: directory.readUInt32LE(at + 20),
      header: directory.readUInt32LE(at + 42),
    };
    if (directory.readUInt16LE(at + 8) & 1) throw new ZipFault('encrypted');
    if (isUnsafe(entry.name)) throw new ZipFault('unsafe');
    if (found.has(entry.name)) throw new ZipFault('damaged');
    found.set(entry.name, entry);
    at += 46 + name + extra + comment;
  }
  return found;
}

function* packedPieces(source: RandomAccessFile, { header, packed }: ZipEntry): Generator<Buffer> {
  if (header + 30 > source.bytes) throw new ZipFault('damaged');
  const local = source.read(header, 30);
  if (local.readUInt32LE(0) !== 0x04034b50) throw new ZipFault('damaged');
  const start = header + 30 + local.readUInt16LE(26) + local.readUInt16LE(28);
  if (start + packed > source.bytes) throw new ZipFault('damaged');
  for (let at = 0; at < packed; at += PIECE_BYTES)
    yield source.read(start + at, Math.min(PIECE_BYTES, packed - at));
}

/** Unpacks an entry, ignoring the size in its headers. @throws ZipFault, too_large above `limit` bytes. */
export async function* unpacked(
  source: RandomAccessFile,
  entry: ZipEntry,
  limit: number,
): AsyncGenerator<Buffer> {
  if (entry.method !== 0 && entry.method !== 8) throw new ZipFault('damaged');
  let [size, checksum] = [0, 0];
  const pieces = packedPieces(source, entry);
  const inflate = entry.method === 8 ? createInflateRaw({ chunkSize: PIECE_BYTES }) : null;
  const content: AsyncIterable<Buffer> = inflate
    ? Readable.from(pieces)
        .on('error', (error) => inflate.destroy(error))
        .pipe(inflate)
    : Readable.from(pieces);
  try {
    for await (const piece of content) {
      size += piece.length;
      if (size > limit) throw new ZipFault('too_large');
      checksum = crc32(piece, checksum);
      yield piece;
    }
  } catch (error) {
    throw error instanceof ZipFault || (error as { code?: string }).code?.startsWith('Z_') !== true
      ? error
      : new ZipFault('damaged');
  }
  if (checksum !== entry.checksum) throw new ZipFault('damaged');
}
