import { v7 as uuid } from 'uuid';
import { database } from '#platform/database/database.server.ts';
import { fileKey, removeFile } from '#platform/files/file-store.server.ts';
import type { Upload } from '#platform/files/upload.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import { cleanFileName } from '#shared/file-name.ts';
import { insertAttachment, storageUsed } from './attachment-store.server.ts';
import { contentOf, MAX_STORED_BYTES } from './attachments.server.ts';

const unreadable = new Set(['bad_request', 'unsupported_type', 'too_large']);
const never = new AbortController().signal;

/**
 * Read as one that the person puts to a message, whatever made it; until a message has it, it is removed after a day.
 * @returns its id; null for one that cannot be read, or for which there is no room. @throws Problem where too many
 * others are read.
 */
export async function addImportedFile(
  userId: string,
  { name, upload }: { name: string; upload: Upload },
): Promise<string | null> {
  if ((await storageUsed(database(), userId)) + upload.bytes > MAX_STORED_BYTES) return null;
  const clean = cleanFileName(name);
  // A turn of their own: they must not refuse what the person attaches meanwhile.
  const reading = { key: `import:${userId}`, signal: never };
  const content = await contentOf(clean, upload, reading).catch((error: unknown) => {
    if (error instanceof Problem && unreadable.has(error.code)) return null;
    throw error;
  });
  if (!content) return null;
  const written = await insertAttachment(database(), {
    id: uuid(),
    user_id: userId,
    name: clean,
    ...content,
  }).catch(async (error: unknown) => {
    await removeFile(fileKey(content.file_key));
    throw error;
  });
  if (!written) await removeFile(fileKey(content.file_key));
  return written?.id ?? null;
}
