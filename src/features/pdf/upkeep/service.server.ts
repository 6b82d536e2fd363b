import { type Database, database, transaction } from '../../../platform/database/database.server.ts';
import { fileKey, hasFile } from '../../../platform/files/files.server.ts';
import { removeFiles, removeStrays, unsweptFiles } from '../../../platform/files/upkeep.server.ts';
import { KIND } from '../reading/service.server.ts';
import { deleteFinal, documentById, documentsAfter, unknownKeys } from '../store.server.ts';

const BATCH = 50;

/** Erases documents whose deletion can be taken back no more: text, findings, file. @returns their number. */
export async function dropDeleted(): Promise<number> {
  for (let dropped = 0; ; ) {
    const keys = await transaction((tx) => deleteFinal(tx, BATCH));
    await removeFiles(keys);
    dropped += keys.length;
    if (keys.length < BATCH) return dropped;
  }
}

const files = { kind: KIND, unknownKeys: (keys: string[]) => unknownKeys(database(), keys) };

/** Removes files that no row names. @returns their number. */
export const sweepStrays = (): Promise<number> => removeStrays(files);

/** Documents without their file, and files that should have been swept, up to `limit`. */
export async function documentMismatches(db: Database, limit: number): Promise<object[]> {
  const found: object[] = [];
  for (let after: string | null = null; ; ) {
    const rows = await documentsAfter(db, { after, limit: BATCH });
    for (const { id, file_key } of rows) {
      // A row goes before its file does.
      if ((await hasFile(fileKey(file_key))) || !(await documentById(db, id))) continue;
      if (found.push({ document: id, missing: 'file' }) === limit) return found;
    }
    if (rows.length < BATCH) break;
    after = rows.at(-1)?.id ?? null;
  }
  for await (const file of unsweptFiles(files))
    if (found.push({ file, missing: 'row' }) === limit) return found;
  return found;
}
