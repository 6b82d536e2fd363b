import { type Database, database, transaction } from '#platform/database/database.server.ts';
import { everyRow } from '#platform/database/page.server.ts';
import { fileKey, hasFile } from '#platform/files/file-store.server.ts';
import { overdueOrphanFiles, removeFiles, removeOrphanFiles } from '#platform/files/orphan-files.server.ts';
import { DOCUMENT_KIND } from './add-document.server.ts';
import { deleteFinal, documentById, documentsAfter, unknownKeys } from './store.server.ts';

const BATCH = 50;

export async function purgeDeleted(): Promise<number> {
  for (let dropped = 0; ; ) {
    const keys = await transaction((tx) => deleteFinal(tx, BATCH));
    await removeFiles(keys);
    dropped += keys.length;
    if (keys.length < BATCH) return dropped;
  }
}

const files = { kind: DOCUMENT_KIND, unknownKeys: (keys: string[]) => unknownKeys(database(), keys) };

export const removeOrphans = (): Promise<number> => removeOrphanFiles(files);

export async function documentMismatches(db: Database, limit: number): Promise<object[]> {
  const found: object[] = [];
  const read = (last: { id: string } | null, size: number) =>
    documentsAfter(db, { after: last?.id ?? null, limit: size });
  for await (const { id, file_key } of everyRow(BATCH, read)) {
    // A row is deleted before its file.
    if ((await hasFile(fileKey(file_key))) || !(await documentById(db, id))) continue;
    if (found.push({ document: id, missing: 'file' }) === limit) return found;
  }
  for await (const file of overdueOrphanFiles(files))
    if (found.push({ file, missing: 'row' }) === limit) return found;
  return found;
}
