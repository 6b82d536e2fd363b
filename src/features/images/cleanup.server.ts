import { type Database, database, transaction } from '#platform/database/database.server.ts';
import {
  fileMismatches,
  purgeInBatches,
  removeFiles,
  removeOrphanFiles,
} from '#platform/files/orphan-files.server.ts';
import { eraseJobs, erasePictures, hasPicture, picturesAfter, unknownKeys } from './cleanup-store.server.ts';

export const PICTURE_KIND = 'picture';

const BATCH = 200;

export async function purgeImages(): Promise<number> {
  await removeFiles(await transaction(erasePictures));
  return purgeInBatches(BATCH, eraseJobs);
}

const files = { kind: PICTURE_KIND, unknownKeys: (keys: string[]) => unknownKeys(database(), keys) };

export const removeOrphans = (): Promise<number> => removeOrphanFiles(files);

export const mismatches = (db: Database, limit: number): Promise<object[]> =>
  fileMismatches(
    {
      ...files,
      async rowsAfter(after, size) {
        const rows = await picturesAfter(db, after, size);
        return rows.map(({ id, file_key, small_key, medium_key }) => ({
          id,
          keys: [file_key, small_key, medium_key],
        }));
      },
      hasRow: (id) => hasPicture(db, id),
    },
    limit,
  );
