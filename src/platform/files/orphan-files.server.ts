import { backupIsRunning } from '../backup/backup-lock.server.ts';
import { fileKey, removeFile, storedFiles } from './file-store.server.ts';

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

export const overdueOrphanFiles = (files: FileKind): AsyncGenerator<string> => strays(files, OVERDUE_MINUTES);
