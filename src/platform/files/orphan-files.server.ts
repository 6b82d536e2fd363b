import { backupIsRunning } from '../backup/backup-lock.server.ts';
import { type Database, transaction } from '../database/database.server.ts';
import { everyRow } from '../database/page.server.ts';
import { fileKey, hasFile, removeFile, storedFiles } from './file-store.server.ts';

const BATCH = 200;
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
 * that and names them; the sweep of orphans takes them later.
 */
export async function removeFiles(keys: string[]): Promise<void> {
  if (keys.length === 0 || (await backupIsRunning())) return;
  for (const key of keys) await removeFile(fileKey(key));
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
    await removeFiles([key]);
    removed++;
  }
  return removed;
}

interface FileRows extends FileKind {
  /** By their ids. */
  rowsAfter: (after: string | null, limit: number) => Promise<{ id: string; keys: string[] }[]>;
  hasRow: (id: string) => Promise<boolean>;
}

/** Rows without all of their files, and files without a row. */
export async function fileMismatches(files: FileRows, limit: number): Promise<object[]> {
  const found: object[] = [];
  const read = (last: { id: string } | null, size: number) => files.rowsAfter(last?.id ?? null, size);
  for await (const { id, keys } of everyRow(BATCH, read)) {
    const there = await Promise.all(keys.map((key) => hasFile(fileKey(key))));
    // A row is deleted before its files.
    if (!there.includes(false) || !(await files.hasRow(id))) continue;
    if (found.push({ [files.kind]: id, missing: 'file' }) === limit) return found;
  }
  for await (const file of strays(files, OVERDUE_MINUTES))
    if (found.push({ file, missing: 'row' }) === limit) return found;
  return found;
}
