import { v7 as uuid } from 'uuid';
import { database } from '#platform/database/database.server.ts';
import { fileKey, removeFile } from '#platform/files/file-store.server.ts';
import type { Upload } from '#platform/files/upload.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import { cleanFileName } from '#shared/file-name.ts';
import { insertAttachment, storageUsed } from './attachment-store.server.ts';
import { MAX_STORED_BYTES, readContent } from './attachments.server.ts';

const unreadableCodes = new Set(['bad_request', 'unsupported_type', 'too_large']);
const neverAborted = new AbortController().signal;

/**
 * Reads the file like an attachment of the person; it is erased after a day unless something refers to it. @returns
 * its id; null if it cannot be read or there is no room for it. @throws Problem if too many other files are being read
 */
export async function addImportedFile(
  userId: string,
  { name, upload }: { name: string; upload: Upload },
): Promise<string | null> {
  if ((await storageUsed(database(), userId)) + upload.bytes > MAX_STORED_BYTES) return null;
  const cleanName = cleanFileName(name);
  // A separate key, so that imports do not block files that the person attaches meanwhile.
  const reading = { key: `import:${userId}`, signal: neverAborted };
  const content = await readContent(cleanName, upload, reading).catch((error: unknown) => {
    if (error instanceof Problem && unreadableCodes.has(error.code)) return null;
    throw error;
  });
  if (!content) return null;
  const inserted = await insertAttachment(database(), {
    id: uuid(),
    user_id: userId,
    name: cleanName,
    ...content,
  }).catch(async (error: unknown) => {
    await removeFile(fileKey(content.file_key));
    throw error;
  });
  if (!inserted) await removeFile(fileKey(content.file_key));
  return inserted?.id ?? null;
}
