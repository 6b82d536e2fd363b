import { type Database, database } from '#platform/database/database.server.ts';
import { fileMismatches, purgeInBatches, removeOrphanFiles } from '#platform/files/orphan-files.server.ts';
import { DOCUMENT_KIND } from './read-document.server.ts';
import { deleteExpired, documentById, documentsAfter, unknownKeys } from './store.server.ts';

const BATCH_SIZE = 50;

export const purgeDeleted = (): Promise<number> =>
  purgeInBatches(BATCH_SIZE, async (tx, limit) => {
    const keys = await deleteExpired(tx, limit);
    return { keys, rows: keys.length };
  });

const files = { kind: DOCUMENT_KIND, unknownKeys: (keys: string[]) => unknownKeys(database(), keys) };

export const removeOrphans = (): Promise<number> => removeOrphanFiles(files);

export const documentMismatches = (db: Database, limit: number): Promise<object[]> =>
  fileMismatches(
    {
      ...files,
      async rowsAfter(after, size) {
        const rows = await documentsAfter(db, { after, limit: size });
        return rows.map(({ id, file_key }) => ({ id, keys: [file_key] }));
      },
      hasRow: async (id) => (await documentById(db, id)) !== null,
    },
    limit,
  );
