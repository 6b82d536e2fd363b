import { mkdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type pg from 'pg';
import {
  BackupError,
  type BackupManifest,
  HEADER_ENTRY,
  MANIFEST_ENTRY,
  parseTableEntry,
  SUMS_ENTRY,
} from '#platform/backup/archive-format.server.ts';
import { DatabaseLoad } from '#platform/backup/load-database.server.ts';
import { entriesOf, type VerifiedArchive } from '#platform/backup/read-archive.server.ts';
import type { Config } from '#platform/config/config.server.ts';
import { migrationsFolder } from '#platform/config/project-root.server.ts';
import {
  configuredPlace,
  type FilePlace,
  fileKey,
  isEmptyPlace,
  openDisk,
} from '#platform/files/file-store.server.ts';
import { setFilePlace } from '../startup/site-place.server.ts';

const FILES = 'files/';

/** Temporary folder for files until all of them are restored. */
const draftOf = (folder: string) => `${folder}.restoring`;

interface FileTarget {
  put(key: string, bytes: Buffer): Promise<void>;
  finish(): Promise<void>;
  abandon(): Promise<void>;
}

async function openFileTarget(place: FilePlace): Promise<FileTarget> {
  if (!(await isEmptyPlace(place)))
    throw new BackupError(
      'folder' in place
        ? `${place.folder} already has files. Choose an empty DATA_DIR.`
        : `The bucket ${place.bucket} already has files. Choose an empty one.`,
    );
  const draft = 'folder' in place ? { folder: draftOf(place.folder) } : place;
  // Left over by a restore that was killed.
  if ('folder' in draft) await rm(draft.folder, { recursive: true, force: true });
  const disk = await openDisk(draft);
  const written: string[] = [];
  return {
    async put(key, bytes) {
      written.push(key);
      await disk.put(fileKey(key), bytes);
    },
    async finish() {
      if (!('folder' in place)) return;
      await mkdir(draftOf(place.folder), { recursive: true, mode: 0o700 });
      await rmdir(place.folder).catch(() => undefined);
      await rename(draftOf(place.folder), place.folder);
    },
    async abandon() {
      if ('folder' in place) await rm(draftOf(place.folder), { recursive: true, force: true });
      else for (const key of written) await disk.delete(key).catch(() => undefined);
    },
  };
}

async function compareTables(load: DatabaseLoad, { tables, jobs }: BackupManifest): Promise<void> {
  for (const [table, { rows, bytes, sha256 }] of Object.entries(tables)) {
    if (load.unknown.has(table)) continue;
    const actual = await load.contentOf(table);
    // The row counts are not compared, because earlier builds stored some that are too low.
    if (actual.sha256 === sha256) continue;
    const difference = `${actual.rows} rows and ${actual.bytes} bytes instead of ${rows} rows and ${bytes} bytes`;
    throw new BackupError(`Table ${table} does not match the backup (${difference}). Nothing was restored.`);
  }
  for (const [table, { rows }] of Object.entries(jobs))
    if (load.jobRows(table) !== rows)
      throw new BackupError('The job queue does not match the backup. Nothing was restored.');
}

async function writePrivateFile(path: string, bytes: Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, bytes, { mode: 0o600 });
}

interface RestoreRequest {
  config: Config;
  connection: pg.ClientConfig;
  archive: VerifiedArchive;
  /** Whether to use the backup's secret, because AUTH_SECRET is not set. */
  usesBackupSecret: boolean;
}

async function restoreEntries(load: DatabaseLoad, files: FileTarget, request: RestoreRequest): Promise<void> {
  const { config, archive, usesBackupSecret } = request;
  for await (const { name, bytes } of entriesOf(archive)) {
    const table = parseTableEntry(name);
    if (table) await load.write(table.schema, table.table, bytes);
    else if (name.startsWith(FILES)) await files.put(name.slice(FILES.length), bytes);
    else if (name === 'secrets/auth' && usesBackupSecret)
      await writePrivateFile(join(config.dataDir, name), bytes);
    else if (name.startsWith('standins/') && config.sandbox)
      await writePrivateFile(join(config.dataDir, name), bytes);
    else if (
      ![HEADER_ENTRY, MANIFEST_ENTRY, SUMS_ENTRY].includes(name) &&
      !/^(secrets|standins)\//.test(name)
    )
      throw new BackupError(`The backup has an unexpected entry: ${name}. Nothing was restored.`);
  }
}

/**
 * Restores a backup into an empty database and an empty file place; after a failure, both are empty again.
 * @returns the tables that this build does not know, which were skipped.
 * @throws BackupError
 */
export async function restoreBackup(request: RestoreRequest): Promise<string[]> {
  const { connection, archive } = request;
  const load = await DatabaseLoad.begin(connection, archive.header, migrationsFolder);
  try {
    const files = await openFileTarget(configuredPlace());
    try {
      await restoreEntries(load, files, request);
      await load.finish(archive.manifest.sequences);
      await compareTables(load, archive.manifest);
      // The leases belong to processes of the site that was backed up, and none of its runs is running here.
      await load.query('delete from engine_leases');
      await load.query(`delete from instance_values where key in ('moved-to', 'last-backup')`);
      await setFilePlace((text, values) => load.query(text, values));
      await files.finish();
    } catch (error) {
      await files.abandon();
      throw error;
    }
    await load.commit();
    return [...load.unknown];
  } finally {
    await load.end();
  }
}
