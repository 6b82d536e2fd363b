import { type Database, database, transaction } from '../../../../platform/database/database.server.ts';
import { fileKey, hasFile } from '../../../../platform/files/files.server.ts';
import { removeFiles, removeStrays, unsweptFiles } from '../../../../platform/files/upkeep.server.ts';
import {
  attachmentsAfter,
  attachmentsByIds,
  deleteUnreferred,
  lockUnused,
  unknownKeys,
} from '../store.server.ts';

const BATCH = 200;

/** Removes what was not sent within 24 hours, and what belonged to messages that are erased. @returns their number. */
export async function dropUnused(): Promise<number> {
  for (let dropped = 0; ; ) {
    const keys = await transaction(async (tx) => deleteUnreferred(tx, await lockUnused(tx, BATCH)));
    await removeFiles(keys);
    dropped += keys.length;
    if (keys.length < BATCH) return dropped;
  }
}

const files = { kind: 'attachment', unknownKeys: (keys: string[]) => unknownKeys(database(), keys) };

/** Removes files that no row names. @returns their number. */
export const sweepStrays = (): Promise<number> => removeStrays(files);

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
  for await (const file of unsweptFiles(files))
    if (found.push({ file, missing: 'row' }) === limit) return found;
  return found;
}
