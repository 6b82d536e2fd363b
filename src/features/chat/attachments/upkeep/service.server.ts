import { type Database, database, transaction } from '../../../../platform/database/database.server.ts';
import { fileKey, hasFile, removeFile, storedFiles } from '../../../../platform/files/files.server.ts';
import {
  attachmentsAfter,
  attachmentsByIds,
  deleteUnreferred,
  lockUnused,
  unknownKeys,
} from '../store.server.ts';

const BATCH = 200;
/** An upload is stored within a minute of its file. */
const STRAY_MINUTES = 60;
/** The sweep comes once a day. */
const UNSWEPT_MINUTES = 2 * 24 * 60;

/** Removes files whose rows are gone. */
export async function removeFiles(keys: string[]): Promise<void> {
  for (const key of keys) await removeFile(fileKey(key));
}

/** Removes what was not sent within 24 hours, and what belonged to messages that are erased. @returns their number. */
export async function dropUnused(): Promise<number> {
  for (let dropped = 0; ; ) {
    const keys = await transaction(async (tx) => deleteUnreferred(tx, await lockUnused(tx, BATCH)));
    await removeFiles(keys);
    dropped += keys.length;
    if (keys.length < BATCH) return dropped;
  }
}

/** Files of so many minutes that no row names: a crash came between the two. */
async function* strays(minutes: number): AsyncGenerator<string> {
  let batch: string[] = [];
  for await (const key of storedFiles('attachment', minutes)) {
    batch.push(key);
    if (batch.length < BATCH) continue;
    yield* await unknownKeys(database(), batch);
    batch = [];
  }
  yield* await unknownKeys(database(), batch);
}

/** Removes files that no row names. @returns their number. */
export async function sweepStrays(): Promise<number> {
  let removed = 0;
  for await (const key of strays(STRAY_MINUTES)) {
    await removeFiles([key]);
    removed++;
  }
  return removed;
}

async function* withoutFile(db: Database): AsyncGenerator<string> {
  for (let after: string | null = null; ; ) {
    const rows = await attachmentsAfter(db, { after, limit: BATCH });
    for (const { id, file_key } of rows) {
      if (await hasFile(fileKey(file_key))) continue;
      // A row goes before its file does.
      if ((await attachmentsByIds(db, [id])).length > 0) yield id;
    }
    if (rows.length < BATCH) return;
    after = rows.at(-1)?.id ?? null;
  }
}

/** Rows without their file, and files that should have been swept, up to `limit`. */
export async function mismatches(db: Database, limit: number): Promise<object[]> {
  const found: object[] = [];
  for await (const attachment of withoutFile(db))
    if (found.push({ attachment, missing: 'file' }) === limit) return found;
  for await (const file of strays(UNSWEPT_MINUTES))
    if (found.push({ file, missing: 'row' }) === limit) return found;
  return found;
}
