import { v7 as uuid } from 'uuid';
import { type Database, database } from '#platform/database/database.server.ts';
import { fileKey, removeFile } from '#platform/files/file-store.server.ts';
import type { Upload } from '#platform/files/upload.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import { type CheckedRun, checkRuns, type ImportedRun } from './imported-findings.server.ts';
import { DOCUMENT_QUOTA, type ReadDocument, readDocument } from './read-document.server.ts';
import { insertDocument, insertImportedRun, ownDocument, storageUsed } from './store.server.ts';

export interface ImportedDocument {
  name: string;
  upload: Upload;
  createdAt: Date;
  /** Oldest first. */
  runs: readonly ImportedRun[];
}

/** A document whose file is stored, but which has no row yet. */
export interface ReadImportedDocument extends ReadDocument {
  createdAt: Date;
  runs: CheckedRun[];
}

const unreadableCodes = new Set([
  ...['bad_request', 'unsupported_type'],
  // Protected files are not imported, because their passwords are never stored.
  ...['password_needed', 'password_wrong'],
]);

export const hasDocument = async (db: Database, userId: string, id: string): Promise<boolean> =>
  (await ownDocument(db, userId, id)) !== null;

export const removeDocumentFile = ({ row }: ReadDocument): Promise<void> => removeFile(fileKey(row.file_key));

/**
 * Reads the PDF like an upload and looks up its findings in it. Call `removeDocumentFile` if you don't insert the row.
 * @returns null if it cannot be read or exceeds the quota
 * @throws Problem unavailable while too many documents are being read
 */
export async function readImportedDocument(
  userId: string,
  { name, upload, createdAt, runs }: ImportedDocument,
): Promise<ReadImportedDocument | null> {
  const { bytes, documents } = await storageUsed(database(), userId);
  if (bytes + upload.bytes > DOCUMENT_QUOTA.bytes || documents >= DOCUMENT_QUOTA.documents) return null;
  // A separate key, so that an import does not block the person's own uploads.
  const key = `import:${userId}`;
  const signal = new AbortController().signal;
  const read = await readDocument(name, upload, { key, signal }).catch((error: unknown) => {
    if (error instanceof Problem && unreadableCodes.has(error.code)) return null;
    throw error;
  });
  if (!read) return null;
  const pages = read.pages.map(({ boxes, ...page }) => ({ ...page, boxes: Int32Array.from(boxes) }));
  try {
    return { ...read, createdAt, runs: await checkRuns(key, { pages, pageCount: read.row.pages }, runs) };
  } catch (error) {
    await removeDocumentFile(read);
    throw error;
  }
}

/**
 * Inserts the document with its imported findings. The caller prevents duplicates.
 * @returns its id; null if the account was deleted meanwhile
 */
export async function addImportedDocument(
  tx: Database,
  userId: string,
  { row, pages, createdAt, runs }: ReadImportedDocument,
): Promise<string | null> {
  const written = await insertDocument(tx, { ...row, user_id: userId, created_at: createdAt }, pages);
  if (!written) return null;
  for (const run of runs) await insertImportedRun(tx, { id: uuid(), documentId: row.id, ...run });
  return row.id;
}
