import { addImportedFile } from '#features/chat/service.server.ts';
import { type Upload, withTemporaryFile } from '#platform/files/upload.server.ts';
import { jobsAreStopping } from '#platform/job-queue.server.ts';
import type { ReadFile } from './reading/import-protocol.ts';

const HEAD = 1024;

/** Thrown when another process has taken over the import, the person stopped it, or this process is shutting down. */
export class NoLongerOurs extends Error {}

/**
 * Both maps use the ids in the file: `made` has the files that were stored, `unread` the names of those that could not
 * be read.
 */
export interface AddedFiles {
  made: Map<string, { id: string; at: number | null }>;
  unread: Map<string, string>;
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

/** Passes a file from an archive to `work` as if it had been uploaded alone. */
export function withFile<T>({ content }: ReadFile, work: (upload: Upload) => Promise<T>): Promise<T> {
  const bytes = Buffer.from(content, 'base64');
  return withTemporaryFile(once(bytes), (path) =>
    work({ path, bytes: bytes.length, head: bytes.subarray(0, HEAD) }),
  );
}

/**
 * Adds files one after the other, so that only one is parsed at a time.
 * @throws NoLongerOurs when this process is shutting down
 */
export async function addFiles(userId: string, files: readonly ReadFile[]): Promise<AddedFiles> {
  const added: AddedFiles = { made: new Map(), unread: new Map() };
  for (const file of files) {
    const { id, name, createdAt } = file;
    if (jobsAreStopping()) throw new NoLongerOurs();
    const own = await withFile(file, (upload) => addImportedFile(userId, { name, upload }));
    if (own === null) added.unread.set(id, name);
    else added.made.set(id, { id: own, at: createdAt });
  }
  return added;
}
