import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import {
  ARCHIVE_FORMAT,
  ARCHIVE_VERSION,
  BackupError,
  type BackupHeader,
  type BackupManifest,
  HEADER_ENTRY,
  MANIFEST_ENTRY,
} from '#platform/backup/archive-format.server.ts';
import {
  archiveName,
  backupPlace,
  listArchives,
  removeOldArchives,
} from '#platform/backup/backup-place.server.ts';
import { contentOf } from '#platform/backup/load-database.server.ts';
import { openSession, openSnapshot, type Snapshot } from '#platform/backup/snapshot.server.ts';
import { type ArchiveWriter, writeArchive } from '#platform/backup/write-archive.server.ts';
import type { Config } from '#platform/config/config.server.ts';
import { readFile as readStoredFile } from '#platform/files/file-store.server.ts';
import { secretFingerprint } from '../startup/secret-fingerprint.server.ts';
import { mapInOrder, referencedFiles } from './file-keys.server.ts';

export interface BackupRequest {
  config: Config;
  connection: pg.ClientConfig;
  /** Default: BACKUP_DIR. */
  to?: string | undefined;
  /** Default: BACKUP_KEEP. */
  keep?: number | undefined;
  /** Part of the backup's name, such as `-before-0026`. */
  label?: string;
  holdsMigrationLock?: boolean;
}

export interface BackupReport {
  address: string;
  bytes: number;
  manifest: BackupManifest;
  removed: string[];
}

/** Number of parallel file reads: buckets have high latency but serve many requests at once. */
const READ_CONCURRENCY = 8;

export const hostOf = (config: Config): string => new URL(config.publicUrl).hostname;

const json = (value: unknown) => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);

async function addDatabase(
  archive: ArchiveWriter,
  { client, header }: Snapshot,
): Promise<Pick<BackupManifest, 'tables' | 'jobs'>> {
  const read = async (schema: 'database' | 'jobs') => {
    const contents: BackupManifest['tables'] = {};
    for (const [table, { columns }] of Object.entries(
      (schema === 'jobs' ? header.jobs : header.tables) ?? {},
    )) {
      let piece = 0;
      contents[table] = await contentOf(client, { schema, table, columns }, (bytes) =>
        archive.add(`${schema}/${table}/${String(++piece).padStart(6, '0')}`, bytes),
      );
    }
    return contents;
  };
  return { tables: await read('database'), jobs: await read('jobs') };
}

/** Adds the files that the snapshot's rows refer to, without newer ones. */
async function addFiles(
  archive: ArchiveWriter,
  { client }: Snapshot,
): Promise<Pick<BackupManifest, 'files' | 'missingFiles'>> {
  const files = { count: 0, bytes: 0 };
  const missingFiles: string[] = [];
  const read = async (key: Parameters<typeof readStoredFile>[0]) => ({
    key,
    bytes: await readStoredFile(key),
  });
  for await (const { key, bytes } of mapInOrder(referencedFiles(client), READ_CONCURRENCY, read)) {
    if (!bytes) {
      missingFiles.push(key);
      continue;
    }
    await archive.add(`files/${key}`, bytes);
    files.count++;
    files.bytes += bytes.length;
  }
  return { files, missingFiles };
}

/** Adds what else a sandbox keeps in DATA_DIR: its generated secret and the state of the stand-ins. */
async function addDataDir(archive: ArchiveWriter, { dataDir, sandbox }: Config): Promise<void> {
  if (!sandbox) return;
  const secret = await readFile(join(dataDir, 'secrets/auth')).catch(() => null);
  if (secret) await archive.add('secrets/auth', secret);
  const standins = join(dataDir, 'standins');
  const entries = await readdir(standins, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    // The stand-ins write temporary files and rename them, so a listed file may be gone.
    const bytes = entry.isFile() && !path.endsWith('.part') ? await readFile(path).catch(() => null) : null;
    if (bytes) await archive.add(`standins/${path.slice(standins.length + 1)}`, bytes);
  }
}

async function writeContents(
  archive: ArchiveWriter,
  snapshot: Snapshot,
  request: BackupRequest,
  madeAt: Date,
) {
  const { config } = request;
  const header: BackupHeader = {
    format: ARCHIVE_FORMAT,
    version: ARCHIVE_VERSION,
    madeAt: madeAt.toISOString(),
    site: config.publicUrl,
    ...snapshot.header,
    secretPrint: secretFingerprint(config.authSecret),
  };
  await archive.add(HEADER_ENTRY, json(header));
  const content = await addDatabase(archive, snapshot);
  const manifest: BackupManifest = {
    ...content,
    sequences: await snapshot.sequences(),
    ...(await addFiles(archive, snapshot)),
  };
  await addDataDir(archive, config);
  await archive.add(MANIFEST_ENTRY, json(manifest));
  await archive.finish();
  return manifest;
}

/** Records the backup, because the doctor reports the age of the last one. */
async function recordBackup(
  connection: pg.ClientConfig,
  report: { address: string; madeAt: Date },
): Promise<void> {
  const client = await openSession(connection, 'site-backup');
  try {
    await client.query(
      `insert into instance_values (key, value) values ('last-backup', $1)
       on conflict (key) do update set value = excluded.value`,
      [JSON.stringify(report)],
    );
  } finally {
    await client.end();
  }
}

/**
 * Writes the database and the files that it refers to into one archive, while the site is running.
 * @throws BackupError
 */
export async function makeBackup(request: BackupRequest): Promise<BackupReport> {
  const { config, connection, holdsMigrationLock = false, label = '' } = request;
  const to = request.to ?? config.BACKUP_DIR;
  if (!to)
    throw new BackupError(
      'Choose where to put the backup: set BACKUP_DIR, or add -- --to FOLDER (or s3://bucket/prefix).',
    );
  const place = backupPlace(to);
  const passphrase = config.BACKUP_PASSPHRASE;
  const host = hostOf(config);
  const snapshot = await openSnapshot(connection, { holdsMigrationLock });
  try {
    const madeAt = new Date();
    const name = archiveName(host, { madeAt, label, encrypted: passphrase !== undefined });
    const target = await place.create(name).catch((error: Error) => {
      throw new BackupError(`Can't write to ${to}: ${error.message}`);
    });
    let manifest: BackupManifest;
    const archive = writeArchive(target.stream, { madeAt, passphrase });
    try {
      manifest = await writeContents(archive, snapshot, request, madeAt);
      await target.finish();
    } catch (error) {
      archive.abandon(error as Error);
      await target.abandon();
      throw new BackupError(`Could not write the backup: ${(error as Error).message}`, { cause: error });
    }
    await snapshot.end();
    const address = place.addressOf(name);
    await recordBackup(connection, { address, madeAt });
    const removed = await removeOldArchives(place, host, request.keep ?? config.BACKUP_KEEP);
    const bytes = (await place.list()).find((each) => each.name === name)?.bytes ?? 0;
    return { address, bytes, manifest, removed };
  } finally {
    await snapshot.end().catch(() => undefined);
  }
}

/** A start that fails repeatedly reuses its backup for this long. */
const REUSE_MS = 60 * 60_000;

/** Makes a backup before migrations. @returns its address, or null if BACKUP_DIR is not set. */
export async function backupBeforeMigration(
  config: Config,
  connection: pg.ClientConfig,
  [firstMigration = '']: string[],
): Promise<string | null> {
  if (!config.BACKUP_DIR) return null;
  const label = `-before-${firstMigration.slice(0, 4)}`;
  const place = backupPlace(config.BACKUP_DIR);
  const recent = (await listArchives(place, hostOf(config)).catch(() => [])).find(
    (each) => each.label === label && each.madeAt.getTime() > Date.now() - REUSE_MS,
  );
  if (recent) return place.addressOf(recent.name);
  const { address } = await makeBackup({ config, connection, label, holdsMigrationLock: true });
  return address;
}
