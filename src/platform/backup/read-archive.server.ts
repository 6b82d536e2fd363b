import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { createZstdDecompress } from 'node:zlib';
import { Decrypter } from 'age-encryption';
import { extract } from 'tar-stream';
import {
  ARCHIVE_VERSION,
  BackupError,
  type BackupHeader,
  type BackupManifest,
  HEADER_ENTRY,
  headerSchema,
  isEntryName,
  MANIFEST_ENTRY,
  MAX_ENTRY_BYTES,
  manifestSchema,
  SUMS_ENTRY,
} from './archive-format.server.ts';

/** Opens the archive at its start; it is read twice. */
export type OpenArchive = () => Promise<Readable>;

export interface ArchiveEntry {
  name: string;
  bytes: Buffer;
}

const ZSTD_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
const AGE_MAGIC = Buffer.from('age-encryption.org/v1');

const notABackup = () => new BackupError('This is not a backup made by npm run backup.');
const damaged = (problem: string) => new BackupError(`The backup is damaged: ${problem}. Use another one.`);

async function peek(stream: Readable): Promise<{ head: Buffer; full: Readable }> {
  const parts = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const chunks: Buffer[] = [];
  for (let size = 0; size < AGE_MAGIC.length; ) {
    const { value, done } = await parts.next();
    if (done) break;
    size += chunks[chunks.push(value) - 1]?.length ?? 0;
  }
  async function* full() {
    yield* chunks;
    yield* { [Symbol.asyncIterator]: () => parts };
  }
  return { head: Buffer.concat(chunks), full: Readable.from(full(), { objectMode: false }) };
}

async function decrypted(bytes: Readable, passphrase: string | undefined): Promise<Readable> {
  if (!passphrase) throw new BackupError('The backup is encrypted. Set BACKUP_PASSPHRASE.');
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  try {
    const stream = await decrypter.decrypt(
      Readable.toWeb(bytes) as unknown as globalThis.ReadableStream<Uint8Array>,
    );
    return Readable.fromWeb(stream as ReadableStream<Uint8Array>);
  } catch (error) {
    if (/no identity matched/.test((error as Error).message))
      throw new BackupError('BACKUP_PASSPHRASE does not decrypt this backup.');
    throw damaged('its encrypted part is unreadable');
  }
}

async function compressed(open: OpenArchive, passphrase: string | undefined): Promise<Readable> {
  const { head, full } = await peek(await open());
  if (!head.subarray(0, AGE_MAGIC.length).equals(AGE_MAGIC)) {
    if (!head.subarray(0, ZSTD_MAGIC.length).equals(ZSTD_MAGIC)) throw notABackup();
    return full;
  }
  return decrypted(full, passphrase);
}

/** Yields every entry in order. @throws BackupError for an entry that no backup has, and for damaged data. */
export async function* readArchive(
  open: OpenArchive,
  passphrase: string | undefined,
): AsyncGenerator<ArchiveEntry> {
  const source = await compressed(open, passphrase);
  const tar = extract();
  const unpack = createZstdDecompress();
  const reading = pipeline(source, unpack, tar);
  reading.catch((error: Error) => tar.destroy(error));
  try {
    for await (const entry of tar) {
      const { name, type, size = 0 } = entry.header;
      if (type !== 'file' || !isEntryName(name))
        throw new BackupError(
          `The archive contains ${JSON.stringify(name)}, which does not belong in a backup. Nothing was restored.`,
        );
      if (size > MAX_ENTRY_BYTES) throw damaged(`${name} is too large`);
      const parts: Buffer[] = [];
      for await (const part of entry) parts.push(part as Buffer);
      yield { name, bytes: Buffer.concat(parts) };
    }
    await reading;
  } catch (error) {
    throw error instanceof BackupError ? error : damaged('it is cut off, or some of it has changed');
  } finally {
    source.destroy();
  }
}

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

function parseJson<T>(schema: { parse(value: unknown): T }, { name, bytes }: ArchiveEntry): T {
  try {
    return schema.parse(JSON.parse(bytes.toString()));
  } catch {
    throw damaged(`${name} is unreadable`);
  }
}

function readHeader(entry: ArchiveEntry | undefined): BackupHeader {
  if (entry?.name !== HEADER_ENTRY) throw notABackup();
  const version = (JSON.parse(entry.bytes.toString()) as { version?: unknown }).version;
  if (typeof version === 'number' && version > ARCHIVE_VERSION)
    throw new BackupError('The backup was made by a newer build. Restore it with that build.');
  return parseJson(headerSchema, entry);
}

export interface VerifiedArchive {
  header: BackupHeader;
  manifest: BackupManifest;
  sums: ReadonlyMap<string, string>;
  open: OpenArchive;
  passphrase: string | undefined;
}

function compareSums(sumsEntry: ArchiveEntry, found: ReadonlyMap<string, string>): void {
  const lines = sumsEntry.bytes.toString().split('\n').slice(0, -1);
  const listed = new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
  for (const [name, sum] of listed) {
    if (!found.has(name)) throw damaged(`${name} is missing`);
    if (found.get(name) !== sum) throw damaged(`${name} has changed`);
  }
  for (const name of found.keys()) if (!listed.has(name)) throw damaged(`${name} was added`);
}

/** Reads the whole archive and compares each entry with its checksum, without writing anything. @throws BackupError */
export async function verifyArchive(
  open: OpenArchive,
  passphrase: string | undefined,
): Promise<VerifiedArchive> {
  const sums = new Map<string, string>();
  let header: BackupHeader | undefined;
  let manifest: BackupManifest | undefined;
  let sumsEntry: ArchiveEntry | undefined;
  for await (const entry of readArchive(open, passphrase)) {
    header ??= readHeader(entry);
    if (sumsEntry) throw damaged('it has extra data at the end');
    if (entry.name === SUMS_ENTRY) sumsEntry = entry;
    else if (sums.has(entry.name)) throw damaged(`${entry.name} appears twice`);
    else sums.set(entry.name, sha256Of(entry.bytes));
    if (entry.name === MANIFEST_ENTRY) manifest = parseJson(manifestSchema, entry);
  }
  if (!header) throw notABackup();
  if (!sumsEntry || !manifest) throw damaged('it is cut off');
  compareSums(sumsEntry, sums);
  return { header, manifest, sums, open, passphrase };
}

/** Yields the entries of a verified archive, comparing each with its checksum again. @throws BackupError */
export async function* entriesOf({ open, passphrase, sums }: VerifiedArchive): AsyncGenerator<ArchiveEntry> {
  for await (const entry of readArchive(open, passphrase)) {
    if (entry.name !== SUMS_ENTRY && sums.get(entry.name) !== sha256Of(entry.bytes))
      throw damaged(`${entry.name} changed while it was being read`);
    yield entry;
  }
}
