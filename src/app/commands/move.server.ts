import { parseArgs } from 'node:util';
import { BackupError } from '#platform/backup/archive-format.server.ts';
import { config } from '#platform/config/config.server.ts';
import type { FilePlace } from '#platform/files/file-store.server.ts';
import { formatBytes } from '#shared/format-bytes.ts';
import { moveDatabase, undoMove } from '../backup/move-database.server.ts';
import { moveFiles } from '../backup/move-files.server.ts';
import { EMBEDDED_DATABASE } from '../startup/site-place.server.ts';
import { runDataCommand, withData } from './data-command.server.ts';
import { printLine } from './terminal-output.server.ts';

const help = `npm run move -- database postgres://user:password@host/name   from the database of the settings to an empty one
npm run move -- database embedded                             from DATABASE_URL to the embedded one in DATA_DIR
npm run move -- files BUCKET                                  from where the files are to a bucket of S3_ENDPOINT
npm run move -- files folder                                  from FILES_BUCKET to DATA_DIR
npm run move -- undo                                          lets a database that was moved away be used again
The site stands still meanwhile. The source keeps everything; it is given up once the copy was read back and compared.
What is cut off is begun again with the same words.`;

const options = { help: { type: 'boolean', short: 'h' } } as const;

async function database(to: string): Promise<void> {
  if (to !== 'embedded' && !/^postgres(ql)?:\/\//.test(to)) throw new BackupError(help);
  const moved = await withData('server', (data) => moveDatabase(config(), data, to, printLine));
  printLine(
    `Moved and compared: ${moved.rows} rows (${formatBytes(moved.bytes)}), to ${moved.to}. ${moved.to === EMBEDDED_DATABASE ? 'Unset DATABASE_URL' : 'Set DATABASE_URL to it'} and start.`,
  );
}

async function files(to: string): Promise<void> {
  if (to !== 'folder' && !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(to)) throw new BackupError(help);
  if (to !== 'folder' && !config().S3_ACCESS_KEY_ID)
    throw new BackupError(
      'Set S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY and, unless it is AWS, S3_ENDPOINT first.',
    );
  const place: FilePlace = to === 'folder' ? { folder: `${config().dataDir}/files` } : { bucket: to };
  const moved = await withData('server', ({ connection }) => moveFiles(connection, place));
  for (const key of moved.missing) printLine(`Not there, though a row names it: files/${key}`);
  printLine(
    `Moved and compared: ${moved.count} files (${formatBytes(moved.bytes)}), ${moved.copied} of them copied now. ${to === 'folder' ? 'Unset FILES_BUCKET' : `Set FILES_BUCKET=${to}`} and start.`,
  );
}

async function undo(): Promise<void> {
  const was = await withData('server', ({ connection }) => undoMove(connection));
  printLine(was ? 'This database is used again.' : 'This database was not moved away.');
}

async function main(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  if (values.help) return void printLine(help);
  const [what, to, ...more] = positionals;
  if (more.length > 0) throw new BackupError(help);
  if (what === 'database' && to) await database(to);
  else if (what === 'files' && to) await files(to);
  else if (what === 'undo' && !to) await undo();
  else throw new BackupError(help);
}

await runDataCommand(main);
