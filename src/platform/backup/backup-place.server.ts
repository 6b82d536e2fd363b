import { once } from 'node:events';

import { createReadStream, createWriteStream } from 'node:fs';
import { access, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { bucketClient } from '../files/bucket.server.ts';
import { BackupError } from './archive-format.server.ts';

export interface BackupPlace {
  /** The full address of an archive, as `npm run restore` accepts it. */
  addressOf(name: string): string;
  /** Creates an archive that appears under its name only when `finish` is called. */
  create(name: string): Promise<{ stream: Writable; finish(): Promise<void>; abandon(): Promise<void> }>;
  list(): Promise<Array<{ name: string; bytes: number }>>;
  open(name: string): Promise<Readable>;
  remove(name: string): Promise<void>;
}

/** Suffix of an archive that is not complete yet. */
const PART_SUFFIX = '.part';

function folderPlace(folder: string): BackupPlace {
  const pathOf = (name: string) => join(folder, name);
  return {
    addressOf: pathOf,
    async create(name) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const path = pathOf(name);
      const stream = createWriteStream(path + PART_SUFFIX, { mode: 0o600, flush: true });
      const closed = once(stream, 'close');
      closed.catch(() => undefined);
      await once(stream, 'open');
      return {
        stream,
        async finish() {
          await closed;
          await rename(path + PART_SUFFIX, path);
        },
        abandon: () => rm(path + PART_SUFFIX, { force: true }),
      };
    },
    async list() {
      const names = await readdir(folder).catch((error: { code?: string }) => {
        if (error.code === 'ENOENT') return [];
        throw error;
      });
      const found = names.map(async (name) => {
        // A file that was deleted in the meantime is skipped.
        const stats = await stat(pathOf(name)).catch(() => null);
        return stats?.isFile() ? [{ name, bytes: stats.size }] : [];
      });
      return (await Promise.all(found)).flat();
    },
    async open(name) {
      await access(pathOf(name)).catch(() => {
        throw new BackupError(
          `Can't read ${pathOf(name)}: it does not exist, or this account has no access to it.`,
        );
      });
      return createReadStream(pathOf(name));
    },
    remove: (name) => rm(pathOf(name), { force: true }),
  };
}

/** Size of the parts of an upload, of which 10,000 are allowed: archives of up to 160 GB. */
const PART_BYTES = 16 * 1024 * 1024;

function bucketPlace(bucket: string, prefix: string): BackupPlace {
  const keyOf = (name: string) => (prefix ? `${prefix}/${name}` : name);
  const commands = () => import('@aws-sdk/client-s3');
  return {
    addressOf: (name) => `s3://${bucket}/${keyOf(name)}`,
    async create(name) {
      const { Upload } = await import('@aws-sdk/lib-storage');
      const stream = new PassThrough();
      const upload = new Upload({
        client: await bucketClient(),
        params: { Bucket: bucket, Key: keyOf(name), Body: stream },
        partSize: PART_BYTES,
        queueSize: 2,
      });
      const done = upload.done();
      done.catch((error: Error) => stream.destroy(error));
      return {
        stream,
        finish: async () => void (await done),
        async abandon() {
          await upload.abort();
          await done.catch(() => undefined);
        },
      };
    },
    async list() {
      const { paginateListObjectsV2 } = await commands();
      const found: Array<{ name: string; bytes: number }> = [];
      const pages = paginateListObjectsV2(
        { client: await bucketClient() },
        { Bucket: bucket, Prefix: keyOf('') },
      );
      for await (const { Contents = [] } of pages)
        for (const { Key = '', Size = 0 } of Contents)
          found.push({ name: Key.slice(keyOf('').length), bytes: Size });
      return found;
    },
    async open(name) {
      const { GetObjectCommand } = await commands();
      const client = await bucketClient();
      const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: keyOf(name) }));
      return Body as Readable;
    },
    async remove(name) {
      const { DeleteObjectCommand } = await commands();
      const client = await bucketClient();
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: keyOf(name) }));
    },
  };
}

const bucketPattern = /^s3:\/\/([a-z0-9][a-z0-9.-]+)(?:\/(.*?))?\/*$/;

/** `text` is a folder, or `s3://bucket/prefix` in the S3-compatible store of the S3_* variables. */
export function backupPlace(text: string): BackupPlace {
  const [, bucket, prefix = ''] = bucketPattern.exec(text) ?? [];
  if (bucket) return bucketPlace(bucket, prefix);
  if (text.startsWith('s3:')) throw new BackupError(`${text} must be s3://bucket or s3://bucket/prefix.`);
  return folderPlace(resolve(text));
}

/** Splits the address of an archive into its place and its name there. */
export function locateArchive(address: string): { place: BackupPlace; name: string } {
  const bucket = bucketPattern.exec(address);
  if (!bucket) return { place: backupPlace(dirname(resolve(address))), name: basename(address) };
  return { place: backupPlace(dirname(address)), name: basename(address) };
}

const timestamp = (date: Date) => `${date.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;

/** Such as `example.com-20261123T031500Z.tar.zst.age`; the host is included because sites may share a place. */
export function archiveName(
  host: string,
  { madeAt, label, encrypted }: { madeAt: Date; label: string; encrypted: boolean },
): string {
  return `${host}-${timestamp(madeAt)}${label}.tar.zst${encrypted ? '.age' : ''}`;
}

interface FoundArchive {
  name: string;
  bytes: number;
  madeAt: Date;
  label: string;
  /** False for the remains of a backup that was killed. */
  isComplete: boolean;
}

const nameAfterHost = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z(-[\w-]+)?\.tar\.zst(?:\.age)?(\.part)?$/;

async function findArchives(place: BackupPlace, host: string): Promise<FoundArchive[]> {
  const start = `${host}-`;
  const found = (await place.list()).flatMap(({ name, bytes }) => {
    const parts = name.startsWith(start) ? nameAfterHost.exec(name.slice(start.length)) : null;
    if (!parts) return [];
    const [, year, month, day, hour, minute, second, label = '', part] = parts;
    const madeAt = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
    return [{ name, bytes, madeAt, label, isComplete: part === undefined }];
  });
  return found.sort((one, other) => other.madeAt.getTime() - one.madeAt.getTime());
}

/** Returns the archives of one site, newest first. */
export const listArchives = async (place: BackupPlace, host: string): Promise<FoundArchive[]> =>
  (await findArchives(place, host)).filter(({ isComplete }) => isComplete);

const ABANDONED_MS = 24 * 3_600_000;

/** Removes a site's oldest archives above `keep` and abandoned partial ones. @returns the names of the former. */
export async function removeOldArchives(place: BackupPlace, host: string, keep: number): Promise<string[]> {
  const all = await findArchives(place, host);
  const old = all.filter(({ isComplete }) => isComplete).slice(keep);
  const abandoned = all.filter(
    ({ isComplete, madeAt }) => !isComplete && madeAt.getTime() < Date.now() - ABANDONED_MS,
  );
  for (const { name } of [...old, ...abandoned]) await place.remove(name);
  return old.map(({ name }) => name);
}
