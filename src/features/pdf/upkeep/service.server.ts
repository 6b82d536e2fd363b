import { type Database, database, transaction } from '../../../platform/database/database.server.ts';
import { fileKey, hasFile, removeFile, storedFiles } from '../../../platform/files/files.server.ts';
import { KIND } from '../reading/service.server.ts';
import { deleteFinal, documentById, documentsAfter, unknownKeys } from '../store.server.ts';

const BATCH = 50;
/** An upload is stored within a minute of its file. */
const STRAY_MINUTES = 60;
/** The sweep comes once a day. */
const UNSWEPT_MINUTES = 2 * 24 * 60;

/** Erases documents whose deletion can be taken back no more: text, findings, file. @returns their number. */
export async function dropDeleted(): Promise<number> {
  for (let dropped = 0; ; ) {
    const keys = await transaction((tx) => deleteFinal(tx, BATCH));
    for (const key of keys) await removeFile(fileKey(key));
    dropped += keys.length;
    if (keys.length < BATCH) return dropped;
  }
}

/** Files of so many minutes that no row names: a crash came between the two. */
async function* strays(minutes: number): AsyncGenerator<string> {
  let batch: string[] = [];
  for await (const key of storedFiles(KIND, minutes)) {
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
    await removeFile(fileKey(key));
    removed++;
  }
  return removed;
}

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
  for await (const file of strays(UNSWEPT_MINUTES))
    if (found.push({ file, missing: 'row' }) === limit) return found;
  return found;
}
