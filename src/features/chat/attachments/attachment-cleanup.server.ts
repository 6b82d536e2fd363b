import { type Database, database, transaction } from '#platform/database/database.server.ts';
import { everyRow } from '#platform/database/page.server.ts';
import { fileKey, hasFile } from '#platform/files/file-store.server.ts';
import { overdueOrphanFiles, removeFiles, removeOrphanFiles } from '#platform/files/orphan-files.server.ts';
import {
  attachmentsAfter,
  attachmentsByIds,
  deleteUnreferenced,
  lockUnused,
  unknownKeys,
} from './attachment-store.server.ts';

const BATCH = 200;

export async function deleteUnusedAttachments(): Promise<number> {
  for (let dropped = 0; ; ) {
    const keys = await transaction(async (tx) => deleteUnreferenced(tx, await lockUnused(tx, BATCH)));
    await removeFiles(keys);
    dropped += keys.length;
    if (keys.length < BATCH) return dropped;
  }
}

const files = { kind: 'attachment', unknownKeys: (keys: string[]) => unknownKeys(database(), keys) };

export const deleteOrphanFiles = (): Promise<number> => removeOrphanFiles(files);

async function* withoutFile(db: Database): AsyncGenerator<string> {
  const read = (last: { id: string } | null, size: number) =>
    attachmentsAfter(db, { after: last?.id ?? null, limit: size });
  for await (const { id, file_key } of everyRow(BATCH, read)) {
    if (await hasFile(fileKey(file_key))) continue;
    // A row goes before its file does.
    if ((await attachmentsByIds(db, [id])).length > 0) yield id;
  }
}

export async function findMismatches(db: Database, limit: number): Promise<object[]> {
  const found: object[] = [];
  for await (const attachment of withoutFile(db))
    if (found.push({ attachment, missing: 'file' }) === limit) return found;
  for await (const file of overdueOrphanFiles(files))
    if (found.push({ file, missing: 'row' }) === limit) return found;
  return found;
}
