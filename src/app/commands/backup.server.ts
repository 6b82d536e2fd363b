import { parseArgs } from 'node:util';
import { BackupError } from '#platform/backup/archive-format.server.ts';
import { archivesOf, backupPlace } from '#platform/backup/backup-place.server.ts';
import { config } from '#platform/config/config.server.ts';
import { formatBytes } from '#shared/format-bytes.ts';
import { hostOf, makeBackup } from '../backup/make-backup.server.ts';
import { runDataCommand, withData } from './data-command.server.ts';
import { formatMinute, printLine } from './terminal-output.server.ts';

const help = `npm run backup                       writes database and files into one archive in BACKUP_DIR, while the site runs
npm run backup -- --to PLACE         PLACE: a folder, or s3://bucket/prefix
npm run backup -- --keep 7           removes older archives of this site there, up to so many; default BACKUP_KEEP
npm run backup -- --list             the archives of this site, the newest first
BACKUP_PASSPHRASE encrypts it. It holds the words and files of people: keep it as safe as the site itself.`;

const options = {
  to: { type: 'string' },
  keep: { type: 'string' },
  list: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

async function list(to: string | undefined): Promise<void> {
  if (!to) throw new BackupError(help);
  const place = backupPlace(to);
  for (const { name, bytes, madeAt } of await archivesOf(place, hostOf(config())))
    printLine(`${formatMinute(madeAt)} UTC  ${formatBytes(bytes).padStart(9)}  ${place.addressOf(name)}`);
}

async function make(to: string | undefined, keep: number | undefined): Promise<void> {
  const begun = Date.now();
  const report = await withData('command', ({ connection }) =>
    makeBackup({ config: config(), connection, to, keep }),
  );
  const { tables, files, missingFiles } = report.manifest;
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
  printLine(
    `${report.address}: ${rows} rows of ${Object.keys(tables).length} tables, ${files.count} files (${formatBytes(files.bytes)}), packed into ${formatBytes(report.bytes)} in ${Math.ceil((Date.now() - begun) / 1000)} s.`,
  );
  for (const key of missingFiles) printLine(`Not there, though a row names it: files/${key}`);
  for (const name of report.removed) printLine(`Removed as too old: ${name}`);
}

async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options });
  if (values.help) return void printLine(help);
  if (values.keep !== undefined && !/^[1-9]\d{0,4}$/.test(values.keep)) throw new BackupError(help);
  const to = values.to ?? config().BACKUP_DIR;
  if (values.list) await list(to);
  else await make(to, values.keep ? Number(values.keep) : undefined);
}

await runDataCommand(main);
