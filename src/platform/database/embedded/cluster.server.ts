import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { isAlive, runToCompletion } from './child-process.server.ts';
import type { DatabaseHome } from './database-home.server.ts';
import { codeOf, explainOutput } from './embedded-error.server.ts';
import type { PostgresBinaries } from './postgres-binaries.server.ts';
import { chownTree } from './system-account.server.ts';

export const APP = 'app';

export const clusterExists = (home: DatabaseHome): boolean => existsSync(join(home.cluster, 'PG_VERSION'));

/** Builds the database in a draft folder and renames it last, so that a kill leaves nothing or a complete database. */
export async function createCluster(
  home: DatabaseHome,
  program: PostgresBinaries,
  password: string,
): Promise<void> {
  await removeAbandonedDrafts(home);
  const draft = join(home.folder, `init-${process.pid}-${randomBytes(4).toString('hex')}`);
  const data = join(draft, 'data');
  const passwordFile = join(draft, 'password');
  try {
    await mkdir(draft, { mode: 0o700 });
    await writeFile(passwordFile, password, { mode: 0o600 });
    if (home.account.switched) await chownTree(draft, home.account);
    await initializeCluster(home, program, ['-D', data, `--pwfile=${passwordFile}`]);
    await runSingleUser(home, program, data, [
      `CREATE ROLE ${APP} LOGIN CREATEDB PASSWORD '${password}'`,
      `GRANT pg_monitor TO ${APP}`,
      `CREATE DATABASE ${APP} OWNER ${APP}`,
    ]);
    await rename(data, home.cluster);
    await syncFolder(dirname(home.cluster));
  } catch (error) {
    const lostRace = ['ENOTEMPTY', 'EEXIST'].includes(codeOf(error) ?? '') && clusterExists(home);
    if (!lostRace) throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Sets new passwords when the stored one was lost. PostgreSQL must not be running. */
export async function resetPasswords(
  home: DatabaseHome,
  program: PostgresBinaries,
  password: string,
): Promise<void> {
  await runSingleUser(home, program, home.cluster, [
    `ALTER ROLE postgres PASSWORD '${password}'`,
    `ALTER ROLE ${APP} PASSWORD '${password}'`,
  ]);
}

async function initializeCluster(
  home: DatabaseHome,
  program: PostgresBinaries,
  dataArgs: string[],
): Promise<void> {
  // The builtin provider sorts the same on every system: an upgrade of the C library breaks no index. The ctype only
  // affects full-text parsing; macOS has another name for UTF-8.
  const ctype = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8';
  const locale = [
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    `--lc-ctype=${ctype}`,
  ];
  const args = [
    ...dataArgs,
    '-U',
    'postgres',
    '-A',
    'scram-sha-256',
    '-E',
    'UTF8',
    ...locale,
    '--no-instructions',
  ];
  const cwd = home.folder;
  const result = await runToCompletion(join(program.folder, 'bin/initdb'), {
    args,
    account: home.account,
    cwd,
  });
  if (result.code !== 0) throw explainOutput('could not create its data', result.output, home.folder);
}

async function runSingleUser(
  home: DatabaseHome,
  program: PostgresBinaries,
  data: string,
  statements: string[],
): Promise<void> {
  // Failed statements must not be logged: they contain the password.
  const args = ['--single', '-D', data, '-c', 'log_min_error_statement=panic', 'postgres'];
  const input = `${statements.join(';\n')};\n`;
  const options = { args, input, account: home.account, cwd: home.folder };
  const result = await runToCompletion(join(program.folder, 'bin/postgres'), options);
  if (result.code !== 0 || /\b(ERROR|FATAL|PANIC):/.test(result.output)) {
    throw explainOutput('could not set up its role', result.output, home.folder);
  }
}

async function removeAbandonedDrafts(home: DatabaseHome): Promise<void> {
  for (const name of await readdir(home.folder)) {
    const pid = /^(?:init|program-draft)-(\d+)-/.exec(name)?.[1];
    if (pid === undefined || (await isAlive(Number(pid)))) continue;
    // An initdb that outlived its parent may still be writing for a moment.
    const rmOptions = { recursive: true, force: true, maxRetries: 8, retryDelay: 30 };
    await rm(join(home.folder, name), rmOptions).catch(() => undefined);
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
