import process from 'node:process';
import { parseArgs } from 'node:util';
import { closeAbandonedRuns, registerTool } from '#features/generations/service.server.ts';
import { BackupError } from '#platform/backup/archive-format.server.ts';
import { locateArchive } from '#platform/backup/backup-place.server.ts';
import { type VerifiedArchive, verifyArchive } from '#platform/backup/read-archive.server.ts';
import { config } from '#platform/config/config.server.ts';
import { migrationsFolder } from '#platform/config/project-root.server.ts';
import { readEnvironment } from '#platform/config/read-environment.server.ts';
import { database, databasePool } from '#platform/database/database.server.ts';
import { migrate } from '#platform/database/migrate.server.ts';
import { formatBytes } from '#shared/format-bytes.ts';
import { restoreBackup } from '../backup/restore-backup.server.ts';
import { features } from '../features.ts';
import { audit } from '../operator/audit.server.ts';
import { secretFingerprint } from '../startup/secret-fingerprint.server.ts';
import { runDataCommand, withData } from './data-command.server.ts';
import { formatMinute, printLine } from './terminal-output.server.ts';

const help = `npm run restore -- ARCHIVE           restores a backup to an empty DATABASE_URL (or DATA_DIR) and FILES_BUCKET
npm run restore -- --verify ARCHIVE  checks that a backup is complete; writes nothing
ARCHIVE is a file, or s3://bucket/prefix/name. Encrypted backups need BACKUP_PASSPHRASE.`;

const options = { verify: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const;

function summarize({ header, manifest }: VerifiedArchive): string {
  const rows = Object.values(manifest.tables).reduce((sum, table) => sum + table.rows, 0);
  const at = formatMinute(new Date(header.madeAt));
  return `${header.site}, ${at} UTC: ${rows} rows in ${Object.keys(manifest.tables).length} tables, ${manifest.files.count} files (${formatBytes(manifest.files.bytes)})`;
}

/** Migrates and closes abandoned runs as a start would, so that the audit sees a consistent state. */
async function prepareForAudit(): Promise<void> {
  await migrate(databasePool(), migrationsFolder);
  for (const tool of features.flatMap(({ tools = [] }) => tools)) registerTool(tool);
  await closeAbandonedRuns();
}

async function reportAudit(): Promise<void> {
  const violated = (await audit(database())).filter(({ violations }) => violations.length > 0);
  for (const { id, says } of violated)
    printLine(`Audit failed: ${id}, ${says}. Run npm run audit for details.`);
  if (violated.length > 0) process.exitCode = 1;
  else printLine('The audit found no problems. Run npm start to start the site.');
}

async function restore(archive: VerifiedArchive): Promise<void> {
  const usesBackupSecret = readEnvironment().values.AUTH_SECRET === undefined;
  await withData('server', async ({ connection }) => {
    const unknown = await restoreBackup({ config: config(), connection, archive, usesBackupSecret });
    printLine(`Restored: ${summarize(archive)}.`);
    for (const table of unknown) printLine(`Skipped a table that this build does not have: ${table}`);
    for (const key of archive.manifest.missingFiles)
      printLine(`Missing file, not in the backup: files/${key}`);
    const hasBackupSecret = usesBackupSecret && archive.sums.has('secrets/auth');
    if (!hasBackupSecret && secretFingerprint(config().authSecret) !== archive.header.secretPrint)
      printLine('AUTH_SECRET differs from the one in the backup, so everyone has to sign in again.');
    await prepareForAudit();
    await reportAudit();
  });
}

async function main(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  if (values.help) return void printLine(help);
  const [address, ...extra] = positionals;
  if (!address || extra.length > 0) throw new BackupError(help);
  const { place, name } = locateArchive(address);
  const archive = await verifyArchive(() => place.open(name), config().BACKUP_PASSPHRASE);
  if (values.verify) printLine(`The backup is complete: ${summarize(archive)}.`);
  else await restore(archive);
}

await runDataCommand(main);
