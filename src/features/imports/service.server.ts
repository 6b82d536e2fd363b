import { v7 as uuid } from 'uuid';
import { locale, m } from '#messages';
import type { Database } from '#platform/database/database.server.ts';
import { database, transaction } from '#platform/database/database.server.ts';
import { fileKey, removeFile, storeFileFromPath } from '#platform/files/file-store.server.ts';
import { fileMismatches, removeFiles, removeOrphanFiles } from '#platform/files/orphan-files.server.ts';
import type { Upload } from '#platform/files/upload.server.ts';
import { uploadSlots } from '#platform/files/upload-slots.server.ts';
import type { ActorInput, UserActor } from '#platform/http/actor.server.ts';
import { Problem, requireFound, requireUuid, signInRequired } from '#platform/http/problem.server.ts';
import { enforceLimit } from '#platform/http/rate-limit.server.ts';
import { enqueue } from '#platform/job-queue.server.ts';
import { cleanFileName } from '#shared/file-name.ts';
import { type CreateImport, type ImportView, importLimits } from './contract.ts';
import {
  abandonedUploads,
  deleteImport,
  deleteParts,
  hasPart,
  type ImportRow,
  importsOf,
  insertImport,
  insertPart,
  lockImport,
  ownImport,
  partRowsAfter,
  partsOf,
  queueImport,
  stopOpenImport,
  unknownPartKeys,
} from './store.server.ts';

const KIND = 'import';
const LIMIT = { max: 10, seconds: 3600 };
const PARTS = { max: 300, seconds: 3600 };
const LISTED = 5;
export const RUN_IMPORTS = 'run-imports';

const viewOf = (row: ImportRow): ImportView => ({
  id: row.id,
  name: row.name,
  bytes: row.bytes,
  state: row.state,
  source: row.source,
  total: row.total,
  handled: row.handled,
  added: row.added,
  present: row.present,
  items: row.items,
  leftOut: row.left_out,
  failure: row.failure,
  stalled: row.stalled,
  createdAt: row.created_at.toISOString(),
  finishedAt: row.finished_at?.toISOString() ?? null,
});

export async function listImports({ actor }: { actor: UserActor }): Promise<ImportView[]> {
  return (await importsOf(database(), actor.userId, LISTED)).map(viewOf);
}

/**
 * Starts an upload; an unfinished earlier upload is deleted.
 * @throws Problem conflict while an import is queued or running
 */
export async function createImport({ actor, input }: ActorInput<CreateImport>): Promise<ImportView> {
  const { userId } = actor;
  if (input.bytes > importLimits.size) throw new Problem('too_large', m.imports_too_large());
  await enforceLimit(`imports:${userId}`, LIMIT, m.imports_too_often());
  const row = { id: uuid(), userId, name: cleanFileName(input.name), bytes: input.bytes, language: locale() };
  const { inserted, keys } = await transaction(async (tx) => {
    const open = (await importsOf(tx, userId, 1))[0];
    // Another request may have started or ended it meanwhile.
    const locked = open?.state === 'uploading' ? await lockImport(tx, userId, open.id) : null;
    const removedKeys = locked?.state === 'uploading' ? await endOpenImport(tx, locked) : [];
    return { inserted: await insertImport(tx, row), keys: removedKeys };
  });
  await removeFiles(keys);
  if (inserted) return viewOf(inserted);
  const others = await importsOf(database(), userId, 1);
  throw others.length > 0 ? new Problem('conflict', m.imports_running()) : signInRequired();
}

/** Bytes that the part at this position must have; only the last part may be shorter. */
const partBytes = (bytes: number, position: number) =>
  Math.max(0, Math.min(importLimits.part, bytes - position * importLimits.part));

async function requireUpload(actor: UserActor, id: string): Promise<ImportRow> {
  const row = requireFound(await ownImport(database(), actor.userId, requireUuid(id)));
  if (row.state !== 'uploading') throw new Problem('conflict', m.imports_no_upload());
  return row;
}

/** Checks a part before its bytes are read. Returns how many bytes it must have. */
export async function expectPart({
  actor,
  input: { id, position },
}: ActorInput<{ id: string; position: number }>): Promise<number> {
  const row = await requireUpload(actor, id);
  const bytes = Number.isInteger(position) && position >= 0 ? partBytes(row.bytes, position) : 0;
  if (bytes === 0) throw new Problem('bad_request', m.request_field({ field: 'part' }));
  await enforceLimit(`import-parts:${actor.userId}`, PARTS, m.imports_too_often());
  return bytes;
}

/** A page sends one part at a time; the second slot lets it retry while its first request is still stuck. */
export const withPartSlot = uploadSlots(2, m.imports_running);

/**
 * Stores a part; sending it again changes nothing. The file is written before its row, so a crash can only leave an
 * orphan file, which the sweep removes.
 */
export async function addPart({
  actor,
  input: { id, position, bytes, upload },
}: ActorInput<{ id: string; position: number; bytes: number; upload: Upload }>): Promise<void> {
  if (upload.bytes !== bytes) throw new Problem('bad_request', m.request_cut_off());
  const key = await storeFileFromPath(KIND, upload.path);
  const part = { importId: requireUuid(id), position, userId: actor.userId, bytes, key };
  const stored = await transaction(async (tx) => {
    const row = await lockImport(tx, actor.userId, part.importId);
    return row?.state === 'uploading' && (await insertPart(tx, part));
  }).catch(async (error: unknown) => {
    await removeFile(fileKey(key));
    throw error;
  });
  if (!stored) await removeFile(fileKey(key));
}

/** Queues the import once all parts are uploaded, or resumes a stalled one. Calling it again changes nothing. */
export async function startImport({ actor, input }: ActorInput<{ id: string }>): Promise<ImportView> {
  const id = requireUuid(input.id);
  await transaction(async (tx) => {
    const row = requireFound(await lockImport(tx, actor.userId, id));
    if (row.state === 'uploading') {
      const sent = (await partsOf(tx, id)).reduce((sum, { bytes }) => sum + bytes, 0);
      if (sent !== row.bytes) throw new Problem('conflict', m.imports_incomplete());
      await queueImport(tx, id);
    }
    if (row.state === 'uploading' || row.stalled) await enqueue(RUN_IMPORTS, {}, { tx });
  });
  return viewOf(requireFound(await ownImport(database(), actor.userId, id)));
}

async function endOpenImport(tx: Database, row: Pick<ImportRow, 'id' | 'state'>): Promise<string[]> {
  const keys = await deleteParts(tx, row.id);
  if (row.state === 'uploading') await deleteImport(tx, row.id);
  else await stopOpenImport(tx, row.id);
  return keys;
}

/** Stops an open import. Chats imported so far stay; an upload is deleted. */
export async function stopImport({ actor, input }: ActorInput<{ id: string }>): Promise<void> {
  const keys = await transaction(async (tx) => {
    const row = requireFound(await lockImport(tx, actor.userId, requireUuid(input.id)));
    return endOpenImport(tx, row);
  });
  await removeFiles(keys);
}

export async function removeAbandonedUploads(): Promise<number> {
  const abandoned = await abandonedUploads(database());
  for (const { id, user_id } of abandoned) {
    const keys = await transaction(async (tx) => {
      const row = await lockImport(tx, user_id, id);
      return row?.state === 'uploading' ? endOpenImport(tx, row) : [];
    });
    await removeFiles(keys);
  }
  return abandoned.length;
}

const files = { kind: KIND, unknownKeys: (keys: string[]) => unknownPartKeys(database(), keys) };

export const removeOrphanParts = (): Promise<number> => removeOrphanFiles(files);

export const partMismatches = (db: Database, limit: number): Promise<object[]> =>
  fileMismatches(
    {
      ...files,
      rowsAfter: async (after, size) =>
        (await partRowsAfter(db, after, size)).map(({ file_key }) => ({ id: file_key, keys: [file_key] })),
      hasRow: (key) => hasPart(db, key),
    },
    limit,
  );
