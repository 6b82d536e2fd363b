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

const help = `npm run move -- database postgres://user:password@host/name   moves the current database to an empty one
npm run move -- database embedded                             moves it from DATABASE_URL to the embedded one in DATA_DIR
npm run move -- files BUCKET                                  moves the files to a bucket at S3_ENDPOINT
npm run move -- files folder                                  moves the files from FILES_BUCKET to DATA_DIR
npm run move -- undo                                          lets you use a database again after moving away from it
Stop the site first. The source keeps everything; the site switches only after the copy has been read back and compared.
If a move is interrupted, run the same command again.`;

const options = { help: { type: 'boolean', short: 'h' } } as const;

async function database(to: string): Promise<void> {
  if (to !== 'embedded' && !/^postgres(ql)?:\/\//.test(to)) throw new BackupError(help);
  const moved = await withData('server', (data) => moveDatabase(config(), data, to, printLine));
  printLine(
    `Moved and verified ${moved.rows} rows (${formatBytes(moved.bytes)}) to ${moved.to}. Next: ${moved.to === EMBEDDED_DATABASE ? 'unset DATABASE_URL' : 'set DATABASE_URL to it'}, then run npm start.`,
  );
}

async function files(to: string): Promise<void> {
  if (to !== 'folder' && !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(to)) throw new BackupError(help);
  if (to !== 'folder' && !config().S3_ACCESS_KEY_ID)
    throw new BackupError(
      'First set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, and S3_ENDPOINT unless you use AWS.',
    );
  const place: FilePlace = to === 'folder' ? { folder: `${config().dataDir}/files` } : { bucket: to };
  const moved = await withData('server', ({ connection }) => moveFiles(connection, place));
  for (const key of moved.missing) printLine(`Missing file, not moved: files/${key}`);
  printLine(
    `Moved and verified ${moved.count} files (${formatBytes(moved.bytes)}), ${moved.copied} of them copied now. Next: ${to === 'folder' ? 'unset FILES_BUCKET' : `set FILES_BUCKET=${to}`}, then run npm start.`,
  );
}

async function undo(): Promise<void> {
  const wasMoved = await withData('server', ({ connection }) => undoMove(connection));
  printLine(
    wasMoved
      ? 'The move was undone: you can use this database again.'
      : 'Nothing to undo: this database was not moved.',
  );
}

async function main(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  if (values.help) return void printLine(help);
  const [action, to, ...extra] = positionals;
  if (extra.length > 0) throw new BackupError(help);
  if (action === 'database' && to) await database(to);
  else if (action === 'files' && to) await files(to);
  else if (action === 'undo' && !to) await undo();
  else throw new BackupError(help);
}

await runDataCommand(main);
