import { type Database, database, transaction } from '#platform/database/database.server.ts';
import { everyRow } from '#platform/database/page.server.ts';
import { fileKey, hasFile } from '#platform/files/file-store.server.ts';
import { overdueOrphanFiles, removeFiles, removeOrphanFiles } from '#platform/files/orphan-files.server.ts';
import { eraseJobs, erasePictures, hasPicture, picturesAfter, unknownKeys } from './cleanup-store.server.ts';

export const PICTURE_KIND = 'picture';

const BATCH = 200;

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

export const removeOrphans = (): Promise<number> => removeOrphanFiles(files);

async function* withoutFile(db: Database): AsyncGenerator<string> {
  const read = (last: { id: string } | null, size: number) => picturesAfter(db, last?.id ?? null, size);
  for await (const { id, file_key, small_key, medium_key } of everyRow(BATCH, read)) {
    const there = await Promise.all([file_key, small_key, medium_key].map((key) => hasFile(fileKey(key))));
    // A row is deleted before its files.
    if (there.includes(false) && (await hasPicture(db, id))) yield id;
  }
}

export async function mismatches(db: Database, limit: number): Promise<object[]> {
  const found: object[] = [];
  for await (const picture of withoutFile(db))
    if (found.push({ picture, missing: 'file' }) === limit) return found;
  for await (const file of overdueOrphanFiles(files))
    if (found.push({ file, missing: 'row' }) === limit) return found;
  return found;
}
