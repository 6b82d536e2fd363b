import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
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

export function fileKey(text: string): FileKey {
  if (!pattern.test(text)) throw new Error('This is not a key of a stored file.');
  return text as FileKey;
}

function newKey(kind: string): FileKey {
  const id = randomUUID();
  return fileKey(`${kind}/${id.slice(0, 2)}/${id}`);
}

export async function storeFile(kind: string, bytes: Uint8Array): Promise<FileKey> {
  const key = newKey(kind);
  await current().put(key, bytes);
  return key;
}

export async function storeFileFromPath(kind: string, path: string): Promise<FileKey> {
  const key = newKey(kind);
  await current().moveFromFs(path, key);
  return key;
}

export function hasFile(key: FileKey): Promise<boolean> {
  return current().exists(key);
}

export async function readFile(key: FileKey): Promise<Uint8Array | null> {
  return (await current().exists(key)) ? current().getBytes(key) : null;
}

/** The stream must be read or destroyed. */
export async function openFile(key: FileKey): Promise<{ stream: Readable; bytes: number } | null> {
  if (!(await current().exists(key))) return null;
  const { contentLength } = await current().getMetaData(key);
  return { stream: await current().getStream(key), bytes: contentLength };
}

export async function* storedFiles(kind: string, minutes: number): AsyncGenerator<FileKey> {
  const listed = await current()
    .listAll(kind, { recursive: true })
    .catch((error: { code?: string }) => {
      if (error.code === 'ENOENT') return { objects: [] };
      throw error;
    });
  for (const file of listed.objects) {
    if (!file.isFile || !pattern.test(file.key)) continue;
    const { lastModified } = await current().getMetaData(file.key);
    if (lastModified.getTime() <= Date.now() - minutes * 60_000) yield fileKey(file.key);
  }
}

export async function removeFile(key: FileKey): Promise<void> {
  await current().delete(key);
}
