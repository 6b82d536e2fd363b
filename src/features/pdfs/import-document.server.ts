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
  /** The oldest first. */
  runs: readonly ImportedRun[];
}

/** A document whose file is stored, and that has no row yet. */
export interface ReadImportedDocument extends ReadDocument {
  createdAt: Date;
  runs: CheckedRun[];
}

const unreadable = new Set([
  ...['bad_request', 'unsupported_type'],
  // A protected file is kept as it came, and nobody keeps its password.
  ...['password_needed', 'password_wrong'],
]);

export const hasDocument = async (db: Database, userId: string, id: string): Promise<boolean> =>
  (await ownDocument(db, userId, id)) !== null;

export const removeDocumentFile = ({ row }: ReadDocument): Promise<void> => removeFile(fileKey(row.file_key));

/**
 * It is read as one that is uploaded, and its findings are looked up in it. `removeDocumentFile` where no row follows.
 * @returns null for one that cannot be read, or that there is no room for
 * @throws Problem unavailable while others are read
 */
export async function readImportedDocument(
  userId: string,
  { name, upload, createdAt, runs }: ImportedDocument,
): Promise<ReadImportedDocument | null> {
  const { bytes, documents } = await storageUsed(database(), userId);
  if (bytes + upload.bytes > DOCUMENT_QUOTA.bytes || documents >= DOCUMENT_QUOTA.documents) return null;
  // A turn of their own: they must not refuse what the person uploads meanwhile.
  const key = `import:${userId}`;
  const signal = new AbortController().signal;
  const read = await readDocument(name, upload, { key, signal }).catch((error: unknown) => {
    if (error instanceof Problem && unreadable.has(error.code)) return null;
    throw error;
  });
  if (!read) return null;
  const pages = read.pages.map(({ boxes, ...page }) => ({ ...page, boxes: Int32Array.from(boxes) }));
  try {
    return { ...read, createdAt, runs: await checkRuns(key, { pages, of: read.row.pages }, runs) };
  } catch (error) {
    await removeDocumentFile(read);
    throw error;
  }
}

/**
 * A new document of the person with findings that no run made. The caller sees to it that it is made once.
 * @returns its id; null for an account that was deleted meanwhile
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
