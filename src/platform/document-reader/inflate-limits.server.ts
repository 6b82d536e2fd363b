import { constants, createInflate, createInflateRaw } from 'node:zlib';

/** Bytes that each stream of a document, or entry of an archive, may inflate to, and all of them together. */
export const inflatedLimits = { each: 64 * 1024 * 1024, all: 256 * 1024 * 1024 } as const;
/** Filters can be chained; a nested bomb is found at its second layer. */
const MAX_LAYERS = 4;

/** RFC 1950, 2.2. A document can disguise the names of its filters, but not these bytes. */
function isDeflated(bytes: Buffer): boolean {
  return bytes.length > 2 && (bytes[0]! & 0x8f) === 8 && bytes.readUInt16BE(0) % 31 === 0;
}

/** Inflates up to the first damaged byte, as document readers do; null above the limit. */
async function inflate(bytes: Buffer, limit: number): Promise<Buffer | null> {
  const engine = createInflate({ finishFlush: constants.Z_SYNC_FLUSH, chunkSize: 256 * 1024 });
  const parts: Buffer[] = [];
  let size = 0;
  try {
    engine.end(bytes);
    for await (const part of engine as AsyncIterable<Buffer>) {
      size += part.length;
      if (size > limit) return null;
      parts.push(part);
    }
  } catch {
    // The rest is damaged.
  }
  return Buffer.concat(parts);
}

/** Yields where each stream's data starts (ISO 32000, 7.3.8.1). */
function* streamStarts(document: Buffer): Generator<number> {
  for (let at = document.indexOf('stream'); at >= 0; at = document.indexOf('stream', at + 6)) {
    if (document.toString('latin1', at - 3, at) === 'end') continue;
    let start = at + 6;
    if (document[start] === 0x0d) start++;
    if (document[start] === 0x0a) start++;
    yield start;
  }
}

/** Cannot check encrypted streams or filters other than Flate, so the reader needs a memory limit as well. */
export async function inflatesWithinBounds(document: Buffer): Promise<boolean> {
  let remaining: number = inflatedLimits.all;
  for (const start of streamStarts(document)) {
    let bytes: Buffer | null = document.subarray(start);
    for (let layer = 0; layer < MAX_LAYERS && isDeflated(bytes); layer++) {
      bytes = await inflate(bytes, Math.min(inflatedLimits.each, remaining));
      if (bytes === null) return false;
      remaining -= bytes.length;
    }
  }
  return true;
}

/** Returns the inflated size of an archive entry, ignoring its header; at most `limit`. */
async function inflatedSize(bytes: Buffer, limit: number): Promise<number> {
  const engine = createInflateRaw({ finishFlush: constants.Z_SYNC_FLUSH, chunkSize: 256 * 1024 });
  let size = 0;
  try {
    engine.end(bytes);
    for await (const part of engine as AsyncIterable<Buffer>) {
      size += part.length;
      if (size >= limit) return limit;
    }
  } catch {
    // The rest is damaged.
  }
  return size;
}

/** Checks a zip archive (APPNOTE 4.3.7), including the entries of archives inside it. */
export async function entriesWithinBounds(archive: Buffer): Promise<boolean> {
  let remaining: number = inflatedLimits.all;
  const header = Buffer.from('PK\x03\x04', 'latin1');
  for (let at = archive.indexOf(header); at >= 0; at = archive.indexOf(header, at + 4)) {
    if (at + 30 > archive.length) break;
    if (archive.readUInt16LE(at + 8) === 0) continue;
    const start = at + 30 + archive.readUInt16LE(at + 26) + archive.readUInt16LE(at + 28);
    const limit = Math.min(inflatedLimits.each, remaining);
    const size = await inflatedSize(archive.subarray(start), limit);
    if (size >= limit) return false;
    remaining -= size;
  }
  return true;
}

/** Pixels from which a picture may be a scanned page. */
const SCAN_PIXELS = 400_000;

export function mayContainScans(document: Buffer): boolean {
  const text = document.toString('latin1');
  for (const { index } of text.matchAll(/\/Subtype\s*\/Image\b/g)) {
    const around = text.slice(Math.max(0, index - 500), index + 500);
    const [width, height] = ['Width', 'Height'].map((key) =>
      Number(new RegExp(`/${key}\\s+(\\d{1,6})`).exec(around)?.[1] ?? 0),
    ) as [number, number];
    if (width * height >= SCAN_PIXELS) return true;
  }
  return false;
}
