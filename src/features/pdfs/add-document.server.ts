import { checkOffered } from '#features/credits/service.server.ts';
import { m } from '#messages';
import { database, transaction } from '#platform/database/database.server.ts';
import { fileKey, removeFile } from '#platform/files/file-store.server.ts';
import type { Upload } from '#platform/files/upload.server.ts';
import { uploadSlots } from '#platform/files/upload-slots.server.ts';
import type { ActorInput, UserActor } from '#platform/http/actor.server.ts';
import { Problem, signInRequired } from '#platform/http/problem.server.ts';
import { enforceLimit } from '#platform/http/rate-limit.server.ts';
import type { DocumentView } from './contract.ts';
import { DOCUMENT_QUOTA, type OnPage, readDocument } from './read-document.server.ts';
import { openDocument, requirePlan } from './service.server.ts';
import { insertDocument, storageUsed } from './store.server.ts';

const UPLOADS = { max: 30, seconds: 3600 };
const withSlot = uploadSlots(1, m.pdfs_one_at_once);

/** One upload of a person at a time. @throws Problem plan_required before anything else; rate_limited; too_large. */
export async function withUploadSlot<T>(actor: UserActor, upload: () => Promise<T>): Promise<T> {
  await requirePlan(actor);
  const { userId } = actor;
  return withSlot(userId, async () => {
    await enforceLimit(`documents:${userId}`, UPLOADS, m.pdfs_too_often());
    const { bytes, documents } = await storageUsed(database(), userId);
    if (bytes >= DOCUMENT_QUOTA.bytes || documents >= DOCUMENT_QUOTA.documents)
      throw new Problem('too_large', m.pdfs_quota());
    return upload();
  });
}

/** The file is written before its rows: a crash leaves a file only, which is swept. */
export async function addDocument({
  actor,
  input,
}: ActorInput<{
  name: string;
  upload: Upload;
  signal: AbortSignal;
  /** Opens a protected file; it is not stored. */
  password?: string;
  onPage: OnPage;
}>): Promise<DocumentView> {
  const { name, upload, signal, password, onPage } = input;
  checkOffered('pdf');
  const { userId: user_id } = actor;
  const { row, pages } = await readDocument(name, upload, { key: user_id, signal, password, onPage });
  try {
    const written = await transaction((tx) =>
      insertDocument(tx, { ...row, user_id, created_at: null }, pages),
    );
    if (!written) throw signInRequired();
  } catch (error) {
    await removeFile(fileKey(row.file_key));
    throw error;
  }
  return openDocument({ actor, input: { id: row.id } });
}
