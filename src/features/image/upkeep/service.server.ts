import { type Database, database, transaction } from '../../../platform/database/database.server.ts';
import { fileKey, hasFile, removeFile, storedFiles } from '../../../platform/files/files.server.ts';
import { eraseJobs, erasePictures, hasPicture, picturesAfter, unknownKeys } from './store.server.ts';

/** Kind of the stored files. */
export const PICTURE_KIND = 'picture';

const BATCH = 200;
/** A picture is written down within a minute of its files. */
const STRAY_MINUTES = 60;
/** The sweep comes once a day. */
const UNSWEPT_MINUTES = 2 * 24 * 60;

/** Removes files whose rows are gone. */
export async function removeFiles(keys: string[]): Promise<void> {
  for (const key of keys) await removeFile(fileKey(key));
}

/** Erases what was deleted longer ago than it can come back. @returns the number of requests. */
export async function purgeImages(): Promise<number> {
  await removeFiles(await transaction(erasePictures));
  for (let erased = 0; ; ) {
    const { keys, jobs } = await transaction((tx) => eraseJobs(tx, BATCH));
    await removeFiles(keys);
    erased += jobs;
    if (jobs < BATCH) return erased;
  }
}

/** Files of so many minutes that no row names: a crash came between the two. */
async function* strays(minutes: number): AsyncGenerator<string> {
  let batch: string[] = [];
  for await (const key of storedFiles(PICTURE_KIND, minutes)) {
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
    const rows = await picturesAfter(db, after, BATCH);
    for (const { id, file_key, small_key, medium_key } of rows) {
      const there = await Promise.all([file_key, small_key, medium_key].map((key) => hasFile(fileKey(key))));
      // A row goes before its files do.
      if (there.includes(false) && (await hasPicture(db, id))) yield id;
    }
    if (rows.length < BATCH) return;
    after = rows.at(-1)?.id ?? null;
  }
}

/** Rows without their files, and files that should have been swept, up to `limit`. */
export async function mismatches(db: Database, limit: number): Promise<object[]> {
  const found: object[] = [];
  for await (const picture of withoutFile(db))
    if (found.push({ picture, missing: 'file' }) === limit) return found;
  for await (const file of strays(UNSWEPT_MINUTES))
    if (found.push({ file, missing: 'row' }) === limit) return found;
  return found;
}
