import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Disk } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import { config } from '../config/config.server.ts';

/** A key that we made; names from outside never become one. */
export type FileKey = string & { readonly brand: 'file-key' };

const pattern = /^[a-z-]+\/[0-9a-f]{2}\/[0-9a-f-]{36}$/;

let disk: { folder: string; of: Disk } | undefined;

function current(): Disk {
  const folder = join(config().dataDir, 'files');
  if (disk?.folder !== folder) {
    disk = { folder, of: new Disk(new FSDriver({ location: folder, visibility: 'private' })) };
  }
  return disk.of;
}

/** Reads a key that was stored in a row. @throws when it is none of ours. */
export function fileKey(text: string): FileKey {
  if (!pattern.test(text)) throw new Error('This is not a key of a stored file.');
  return text as FileKey;
}

/** Stores bytes under a new key below a kind, such as `attachment`. */
export async function storeFile(kind: string, bytes: Uint8Array): Promise<FileKey> {
  const id = randomUUID();
  const key = fileKey(`${kind}/${id.slice(0, 2)}/${id}`);
  await current().put(key, bytes);
  return key;
}

/** The bytes of a file, or null when there is none. */
export async function readFile(key: FileKey): Promise<Uint8Array | null> {
  return (await current().exists(key)) ? current().getBytes(key) : null;
}

/** Removes a file; one that is gone already is no error. */
export async function removeFile(key: FileKey): Promise<void> {
  await current().delete(key);
}
