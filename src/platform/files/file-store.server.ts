import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Disk, type DriveFile } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import { config } from '../config/config.server.ts';
import { bucketAddress, bucketClient } from './bucket.server.ts';

/** A key that this site generated; names from outside never become keys. */
export type FileKey = string & { readonly brand: 'file-key' };

export const keyPattern: RegExp = /^[a-z-]+\/[0-9a-f]{2}\/[0-9a-f-]{36}$/;

/** Where files are stored: a folder of this machine, or a bucket of the store in the S3_* variables. */
export type FilePlace = { folder: string } | { bucket: string };

/** Returns the place that the environment configures for this site. */
export function configuredPlace(): FilePlace {
  const { FILES_BUCKET, dataDir } = config();
  return FILES_BUCKET ? { bucket: FILES_BUCKET } : { folder: join(dataDir, 'files') };
}

export async function openDisk(place: FilePlace): Promise<Disk> {
  if ('folder' in place) return new Disk(new FSDriver({ location: place.folder, visibility: 'private' }));
  const { S3Driver } = await import('flydrive/drivers/s3');
  const client = await bucketClient();
  return new Disk(new S3Driver({ client, bucket: place.bucket, visibility: 'private', supportsACL: false }));
}

const nameOf = (place: FilePlace) => ('folder' in place ? place.folder : bucketAddress(place.bucket));

let disk: { name: string; opened: Promise<Disk> } | undefined;

function currentDisk(): Promise<Disk> {
  const place = configuredPlace();
  const name = nameOf(place);
  if (disk?.name !== name) disk = { name, opened: openDisk(place) };
  return disk.opened;
}

export function fileKey(text: string): FileKey {
  if (!keyPattern.test(text)) throw new Error('This is not a key of a stored file.');
  return text as FileKey;
}

function newKey(kind: string): FileKey {
  const id = randomUUID();
  return fileKey(`${kind}/${id.slice(0, 2)}/${id}`);
}

export async function storeFile(kind: string, bytes: Uint8Array): Promise<FileKey> {
  const key = newKey(kind);
  await (await currentDisk()).put(key, bytes);
  return key;
}

export async function storeFileFromPath(kind: string, path: string): Promise<FileKey> {
  const key = newKey(kind);
  await (await currentDisk()).moveFromFs(path, key);
  return key;
}

export async function hasFile(key: FileKey): Promise<boolean> {
  return (await currentDisk()).exists(key);
}

export async function readFile(key: FileKey, from?: Disk): Promise<Uint8Array | null> {
  const files = from ?? (await currentDisk());
  return (await files.exists(key)) ? files.getBytes(key) : null;
}

/** The stream must be read or destroyed. */
export async function openFile(key: FileKey): Promise<{ stream: Readable; bytes: number } | null> {
  const files = await currentDisk();
  if (!(await files.exists(key))) return null;
  const { contentLength } = await files.getMetaData(key);
  return { stream: await files.getStream(key), bytes: contentLength };
}

/** Lists page by page: a bucket returns at most a thousand files at once. */
async function* filesBelow(files: Disk, prefix: string): AsyncGenerator<DriveFile> {
  for (let paginationToken: string | undefined; ; ) {
    const listed = await files
      .listAll(prefix, { recursive: true, ...(paginationToken ? { paginationToken } : {}) })
      .catch((error: { code?: string }) => {
        if (error.code === 'ENOENT') return { objects: [], paginationToken: undefined };
        throw error;
      });
    for (const file of listed.objects) if (file.isFile) yield file;
    paginationToken = listed.paginationToken;
    if (!paginationToken) return;
  }
}

export async function* storedFiles(kind: string, minutes: number): AsyncGenerator<FileKey> {
  for await (const file of filesBelow(await currentDisk(), kind)) {
    if (!keyPattern.test(file.key)) continue;
    const { lastModified } = await file.getMetaData();
    if (lastModified.getTime() <= Date.now() - minutes * 60_000) yield fileKey(file.key);
  }
}

export async function isEmptyPlace(place: FilePlace): Promise<boolean> {
  for await (const file of filesBelow(await openDisk(place), '/'))
    if (keyPattern.test(file.key)) return false;
  return true;
}

export async function removeFile(key: FileKey): Promise<void> {
  await (await currentDisk()).delete(key);
}
