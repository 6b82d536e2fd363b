import { addImportedFile } from '#features/chat/service.server.ts';
import { type Upload, withTemporaryFile } from '#platform/files/upload.server.ts';
import { jobsAreStopping } from '#platform/job-queue.server.ts';
import type { ReadFile } from './reading/import-protocol.ts';

const HEAD = 1024;

/** Another process has the import, it was stopped, or this process ends. */
export class NoLongerOurs extends Error {}

/** By the ids that they have in the file: those that are the person's now, and the names of those that are not. */
export interface AddedFiles {
  made: Map<string, { id: string; at: number | null }>;
  unread: Map<string, string>;
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

/** What was uploaded in an archive, as it is uploaded by itself. */
export function withFile<T>({ content }: ReadFile, work: (upload: Upload) => Promise<T>): Promise<T> {
  const bytes = Buffer.from(content, 'base64');
  return withTemporaryFile(once(bytes), (path) =>
    work({ path, bytes: bytes.length, head: bytes.subarray(0, HEAD) }),
  );
}

/** One by one, so that no more than one is read at a time. @throws NoLongerOurs once this process ends. */
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
