import { addImportedFile } from '#features/chat/service.server.ts';
import { type Upload, withTemporaryFile } from '#platform/files/upload.server.ts';
import { jobsAreStopping } from '#platform/job-queue.server.ts';
import type { ParsedFile } from './reading/import-protocol.ts';

const HEAD_BYTES = 1024;

/** Thrown when another process has taken over the import, the person stopped it, or this process is shutting down. */
export class ImportInterrupted extends Error {}

/**
 * Both maps use the ids in the file: `stored` has the files that were stored, `unreadable` the names of those that
 * could not be read.
 */
export interface AddedFiles {
  stored: Map<string, { id: string; at: number | null }>;
  unreadable: Map<string, string>;
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

/** Passes a file from an archive to `work` as if it had been uploaded alone. */
export function withFile<T>({ content }: ParsedFile, work: (upload: Upload) => Promise<T>): Promise<T> {
  const bytes = Buffer.from(content, 'base64');
  return withTemporaryFile(once(bytes), (path) =>
    work({ path, bytes: bytes.length, head: bytes.subarray(0, HEAD_BYTES) }),
  );
}

/**
 * Adds files one after the other, so that only one is parsed at a time.
 * @throws ImportInterrupted when this process is shutting down
 */
export async function addFiles(userId: string, files: readonly ParsedFile[]): Promise<AddedFiles> {
  const added: AddedFiles = { stored: new Map(), unreadable: new Map() };
  for (const file of files) {
    const { id, name, createdAt } = file;
    if (jobsAreStopping()) throw new ImportInterrupted();
    const attachmentId = await withFile(file, (upload) => addImportedFile(userId, { name, upload }));
    if (attachmentId === null) added.unreadable.set(id, name);
    else added.stored.set(id, { id: attachmentId, at: createdAt });
  }
  return added;
}
