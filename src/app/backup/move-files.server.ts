import type { Disk } from 'flydrive';
import type pg from 'pg';
import { BackupError } from '#platform/backup/archive-format.server.ts';
import { sha256Of } from '#platform/backup/read-archive.server.ts';
import { openSession } from '#platform/backup/snapshot.server.ts';
import {
  configuredPlace,
  type FileKey,
  type FilePlace,
  openDisk,
  readFile,
} from '#platform/files/file-store.server.ts';
import { setFilePlace } from '../startup/site-place.server.ts';
import { mapInOrder, referencedFiles } from './file-keys.server.ts';
import { requireStoppedSite } from './move-database.server.ts';

const CONCURRENCY = 8;

interface Moved {
  key: FileKey;
  /** Null if the file is missing in the source. */
  bytes: number | null;
  copied: boolean;
}

/** Copies one file and reads it back, unless the target already has it. */
async function moveFile(key: FileKey, from: Disk, to: Disk): Promise<Moved> {
  const bytes = await readFile(key, from);
  if (!bytes) return { key, bytes: null, copied: false };
  const checksum = sha256Of(bytes);
  const existing = await readFile(key, to);
  if (existing && sha256Of(existing) === checksum) return { key, bytes: bytes.length, copied: false };
  await to.put(key, bytes);
  const copy = await readFile(key, to);
  if (!copy || sha256Of(copy) !== checksum)
    throw new BackupError(
      `The copy of file ${key} does not match. The site still uses the files in their old place.`,
    );
  return { key, bytes: bytes.length, copied: true };
}

export interface MovedFiles {
  count: number;
  bytes: number;
  /** Number of files copied now; the others were copied by an earlier attempt. */
  copied: number;
  missing: string[];
}

/**
 * Copies the files that a stopped site's rows refer to, and records the new place once all have been read back. If
 * interrupted, the site keeps its old place and the next call continues. Nothing is deleted from the source.
 */
export async function moveFiles(connection: pg.ClientConfig, to: FilePlace): Promise<MovedFiles> {
  const from = configuredPlace();
  if (JSON.stringify(from) === JSON.stringify(to))
    throw new BackupError('The files are already there: the settings point to the same place.');
  const [source, target] = await Promise.all([openDisk(from), openDisk(to)]);
  const client = await openSession(connection, 'site-move');
  try {
    // Makes a process that starts now wait for its lease until all files are copied.
    await client.query('begin; lock table engine_leases in share mode');
    await requireStoppedSite(client);
    const moved: MovedFiles = { count: 0, bytes: 0, copied: 0, missing: [] };
    const move = (key: FileKey) => moveFile(key, source, target);
    for await (const { key, bytes, copied } of mapInOrder(referencedFiles(client), CONCURRENCY, move)) {
      if (bytes === null) {
        moved.missing.push(key);
        continue;
      }
      moved.count++;
      moved.bytes += bytes;
      if (copied) moved.copied++;
    }
    await setFilePlace((text, values) => client.query(text, values), to);
    await client.query('commit');
    return moved;
  } finally {
    await client.end();
  }
}
