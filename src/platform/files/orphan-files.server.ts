import { backupIsRunning } from '../backup/backup-lock.server.ts';
import { type Database, transaction } from '../database/database.server.ts';
import { fileKey, hasFile, removeFile, storedFiles } from './file-store.server.ts';

const BATCH = 200;
/** Rows whose files are looked for at once: in a bucket each look is a request. */
const AT_ONCE = 20;
/** What is stored is written down within a minute of its files. */
const ORPHAN_MINUTES = 60;
/** The sweep comes once a day. */
const OVERDUE_MINUTES = 2 * 24 * 60;

interface FileKind {
  kind: string;
  unknownKeys: (keys: string[]) => Promise<string[]>;
}

/**
 * Removes files whose rows are gone for good. While a backup runs they stay, for its picture of the database is of before
 * that and names them; the sweep of orphans takes them later. @returns how many are removed
 */
export async function removeFiles(keys: string[]): Promise<number> {
  if (keys.length === 0 || (await backupIsRunning())) return 0;
  for (const key of keys) await removeFile(fileKey(key));
  return keys.length;
}

/** Takes rows away a batch at a time, each batch's files once that holds. @returns how many rows. */
export async function purgeInBatches(
  size: number,
  erase: (tx: Database, limit: number) => Promise<{ keys: string[]; rows: number }>,
): Promise<number> {
  for (let erased = 0; ; ) {
    const { keys, rows } = await transaction((tx) => erase(tx, size));
    await removeFiles(keys);
    erased += rows;
    if (rows < size) return erased;
  }
}

async function* strays({ kind, unknownKeys }: FileKind, minutes: number): AsyncGenerator<string> {
  let batch: string[] = [];
  for await (const key of storedFiles(kind, minutes)) {
    batch.push(key);
    if (batch.length < BATCH) continue;
    yield* await unknownKeys(batch);
    batch = [];
  }
  yield* await unknownKeys(batch);
}

export async function removeOrphanFiles(files: FileKind): Promise<number> {
  let removed = 0;
  for await (const key of strays(files, ORPHAN_MINUTES)) {
    removed += await removeFiles([key]);
  }
  return removed;
}

interface FileRow {
  id: string;
  keys: string[];
}

interface FileRows extends FileKind {
  /** By their ids. */
  rowsAfter: (after: string | null, limit: number) => Promise<FileRow[]>;
  hasRow: (id: string) => Promise<boolean>;
}

/** Of these rows, those without all of their files. */
async function withoutFiles({ hasRow }: FileRows, rows: FileRow[]): Promise<string[]> {
  const found = await Promise.all(
    rows.map(async ({ id, keys }) => {
      const there = await Promise.all(keys.map((key) => hasFile(fileKey(key))));
      // A row is deleted before its files.
      return there.includes(false) && (await hasRow(id)) ? [id] : [];
    }),
  );
  return found.flat();
}

/** Rows without all of their files, and files without a row. */
export async function fileMismatches(files: FileRows, limit: number): Promise<object[]> {
  const found: object[] = [];
  for (let last: FileRow | undefined; found.length < limit; ) {
    const rows: FileRow[] = await files.rowsAfter(last?.id ?? null, AT_ONCE);
    for (const id of await withoutFiles(files, rows)) found.push({ [files.kind]: id, missing: 'file' });
    last = rows.at(-1);
    if (rows.length < AT_ONCE) break;
  }
  for await (const file of strays(files, OVERDUE_MINUTES)) {
    if (found.length >= limit) break;
    found.push({ file, missing: 'row' });
  }
  return found.slice(0, limit);
}
