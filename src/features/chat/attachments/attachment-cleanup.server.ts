import { type Database, database } from '#platform/database/database.server.ts';
import { fileMismatches, purgeInBatches, removeOrphanFiles } from '#platform/files/orphan-files.server.ts';
import {
  attachmentsAfter,
  attachmentsByIds,
  deleteUnreferenced,
  lockUnused,
  unknownKeys,
} from './attachment-store.server.ts';

const BATCH = 200;

export const deleteUnusedAttachments = (): Promise<number> =>
  purgeInBatches(BATCH, async (tx, limit) => {
    const keys = await deleteUnreferenced(tx, await lockUnused(tx, limit));
    return { keys, rows: keys.length };
  });

const files = { kind: 'attachment', unknownKeys: (keys: string[]) => unknownKeys(database(), keys) };

export const deleteOrphanFiles = (): Promise<number> => removeOrphanFiles(files);

export const findMismatches = (db: Database, limit: number): Promise<object[]> =>
  fileMismatches(
    {
      ...files,
      async rowsAfter(after, size) {
        const rows = await attachmentsAfter(db, { after, limit: size });
        return rows.map(({ id, file_key }) => ({ id, keys: [file_key] }));
      },
      hasRow: async (id) => (await attachmentsByIds(db, [id])).length > 0,
    },
    limit,
  );
