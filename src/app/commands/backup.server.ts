import { parseArgs } from 'node:util';
import { BackupError } from '#platform/backup/archive-format.server.ts';
import { backupPlace, listArchives } from '#platform/backup/backup-place.server.ts';
import { config } from '#platform/config/config.server.ts';
import { formatBytes } from '#shared/format-bytes.ts';
import { hostOf, makeBackup } from '../backup/make-backup.server.ts';
import { runDataCommand, withData } from './data-command.server.ts';
import { formatMinute, printLine } from './terminal-output.server.ts';

const help = `npm run backup                       backs up the database and files to one archive in BACKUP_DIR, while the site runs
npm run backup -- --to PLACE         writes it to PLACE instead: a folder, or s3://bucket/prefix
npm run backup -- --keep 7           keeps this site's 7 newest archives there and removes older ones; default BACKUP_KEEP
npm run backup -- --list             lists this site's archives, newest first
Set BACKUP_PASSPHRASE to encrypt backups. A backup holds people's messages and files: keep it as safe as the site itself.`;

const options = {
  to: { type: 'string' },
  keep: { type: 'string' },
  list: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

async function listBackups(to: string | undefined): Promise<void> {
  if (!to) throw new BackupError(help);
  const place = backupPlace(to);
  for (const { name, bytes, madeAt } of await listArchives(place, hostOf(config())))
    printLine(`${formatMinute(madeAt)} UTC  ${formatBytes(bytes).padStart(9)}  ${place.addressOf(name)}`);
}

async function runBackup(to: string | undefined, keep: number | undefined): Promise<void> {
  const startedAt = Date.now();
  const report = await withData('command', ({ connection }) =>
    makeBackup({ config: config(), connection, to, keep }),
  );
  const { tables, files, missingFiles } = report.manifest;
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
  printLine(
    `Backed up to ${report.address}: ${rows} rows in ${Object.keys(tables).length} tables, ${files.count} files (${formatBytes(files.bytes)}); ${formatBytes(report.bytes)} compressed, in ${Math.ceil((Date.now() - startedAt) / 1000)} s.`,
  );
  for (const key of missingFiles) printLine(`Missing file, not in this backup: files/${key}`);
  for (const name of report.removed) printLine(`Removed old backup: ${name}`);
}

async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options });
  if (values.help) return void printLine(help);
  if (values.keep !== undefined && !/^[1-9]\d{0,4}$/.test(values.keep)) throw new BackupError(help);
  const to = values.to ?? config().BACKUP_DIR;
  if (values.list) await listBackups(to);
  else await runBackup(to, values.keep ? Number(values.keep) : undefined);
}

await runDataCommand(main);
