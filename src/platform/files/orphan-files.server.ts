import { backupIsRunning } from '../backup/backup-lock.server.ts';
import { type Database, transaction } from '../database/database.server.ts';
import { fileKey, hasFile, removeFile, storedFiles } from './file-store.server.ts';

const BATCH = 200;
/** Rows whose files are checked at once: in a bucket each check is a request. */
const CONCURRENT_ROWS = 20;
/** A file's row is written within a minute, so older files without a row are orphans. */
const ORPHAN_MINUTES = 60;
/** The sweep runs once a day, so it has missed files that are older than this. */
const OVERDUE_MINUTES = 2 * 24 * 60;

interface FileKind {
  kind: string;
  unknownKeys: (keys: string[]) => Promise<string[]>;
}

/**
 * Removes files whose rows are deleted for good. While a backup runs it removes none, because the backup's snapshot
 * still refers to them; the sweep of orphans removes them later. @returns the number of removed files
 */
export async function removeFiles(keys: string[]): Promise<number> {
  if (keys.length === 0 || (await backupIsRunning())) return 0;
  for (const key of keys) await removeFile(fileKey(key));
  return keys.length;
}

/** Deletes rows in batches, and the files of each batch after it commits. @returns the number of rows */
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

async function* findOrphans({ kind, unknownKeys }: FileKind, minutes: number): AsyncGenerator<string> {
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
  for await (const key of findOrphans(files, ORPHAN_MINUTES)) {
    removed += await removeFiles([key]);
  }
  return removed;
}

interface FileRow {
  id: string;
  keys: string[];
}

interface FileRows extends FileKind {
  /** In the order of their ids. */
  rowsAfter: (after: string | null, limit: number) => Promise<FileRow[]>;
  hasRow: (id: string) => Promise<boolean>;
}

/** Returns the ids of rows that lack some of their files. */
async function rowsWithoutFiles({ hasRow }: FileRows, rows: FileRow[]): Promise<string[]> {
  const found = await Promise.all(
    rows.map(async ({ id, keys }) => {
      const exists = await Promise.all(keys.map((key) => hasFile(fileKey(key))));
      // A row is deleted before its files, so it must still exist.
      return exists.includes(false) && (await hasRow(id)) ? [id] : [];
    }),
  );
  return found.flat();
}

/** Finds rows that lack some of their files, and files without a row. */
export async function fileMismatches(files: FileRows, limit: number): Promise<object[]> {
  const found: object[] = [];
  for (let last: FileRow | undefined; found.length < limit; ) {
    const rows: FileRow[] = await files.rowsAfter(last?.id ?? null, CONCURRENT_ROWS);
    for (const id of await rowsWithoutFiles(files, rows)) found.push({ [files.kind]: id, missing: 'file' });
    last = rows.at(-1);
    if (rows.length < CONCURRENT_ROWS) break;
  }
  for await (const file of findOrphans(files, OVERDUE_MINUTES)) {
    if (found.length >= limit) break;
    found.push({ file, missing: 'row' });
  }
  return found.slice(0, limit);
}
