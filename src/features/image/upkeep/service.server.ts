import { type Database, database, transaction } from '../../../platform/database/database.server.ts';
import { fileKey, hasFile } from '../../../platform/files/files.server.ts';
import { removeFiles, removeStrays, unsweptFiles } from '../../../platform/files/upkeep.server.ts';
import { eraseJobs, erasePictures, hasPicture, picturesAfter, unknownKeys } from './store.server.ts';

/** Kind of the stored files. */
export const PICTURE_KIND = 'picture';

const BATCH = 200;

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

const files = { kind: PICTURE_KIND, unknownKeys: (keys: string[]) => unknownKeys(database(), keys) };

/** Removes files that no row names. @returns their number. */
export const sweepStrays = (): Promise<number> => removeStrays(files);

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
  for await (const file of unsweptFiles(files))
    if (found.push({ file, missing: 'row' }) === limit) return found;
  return found;
}
