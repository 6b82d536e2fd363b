import { execFile, spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { open, readFile, readlink, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { isAlive, sendSignal, spawnSettings } from './child-process.server.ts';
import type { DatabaseHome } from './database-home.server.ts';
import { codeOf, DATABASE_URL_HINT, EmbeddedDatabaseError } from './embedded-error.server.ts';
import type { PostgresBinaries } from './postgres-binaries.server.ts';
import { PORT } from './socket-folder.server.ts';

export interface Postmaster {
  pid: number;
  socketFolder: string;
}

const STOP_WAIT_MS = 8000;
const QUIT_WAIT_MS = 2000;
const LOG_LIMIT = 256 * 1024;

/** Small and safe: durable commits, no TCP, few helper processes, and no statement or row data in the log. */
const SETTINGS: Record<string, string> = {
  listen_addresses: '',
  port: String(PORT),
  unix_socket_permissions: '0700',
  fsync: 'on',
  max_connections: '100',
  shared_buffers: '96MB',
  huge_pages: 'off',
  io_method: 'sync',
  max_wal_size: '512MB',
  min_wal_size: '32MB',
  max_wal_senders: '0',
  max_replication_slots: '0',
  max_logical_replication_workers: '0',
  max_parallel_workers_per_gather: '0',
  autovacuum_max_workers: '2',
  autovacuum_worker_slots: '2',
  maintenance_work_mem: '48MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
};

/** Finds the running server. A dead one's postmaster.pid (a crash, a reused pid) is removed or left to PostgreSQL. */
export async function findPostmaster(home: DatabaseHome): Promise<Postmaster | undefined> {
  const file = join(home.cluster, 'postmaster.pid');
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  // Line 1 is the pid, line 5 the socket folder (PostgreSQL source, src/include/utils/pidfile.h).
  const lines = text.split('\n');
  const pid = Number.parseInt(lines[0] ?? '', 10);
  if (Number.isInteger(pid) && pid > 0) {
    if (await isOwnPostmaster(pid, home)) return { pid, socketFolder: lines[4] ?? '' };
    // PostgreSQL takes any living process of its user for a server, so the file must go if the pid was reused.
    if (sendSignal(pid, 0) && (await readFile(file, 'utf8').catch(() => '')) === text)
      await rm(file, { force: true });
    return undefined;
  }
  const age = Date.now() - ((await stat(file).catch(() => undefined))?.mtimeMs ?? Date.now());
  if (age > 5000) await rm(file, { force: true });
  return undefined;
}

/** Starts PostgreSQL in a separate session, so that Ctrl+C in the terminal does not reach it. */
export async function launch(
  home: DatabaseHome,
  program: PostgresBinaries,
  socketFolder: string,
  extraSettings: Record<string, string> = {},
) {
  const log = await openLog(home);
  const quoted = `"${socketFolder.replaceAll('"', '""')}"`;
  const settings = Object.entries({ ...SETTINGS, ...extraSettings, unix_socket_directories: quoted });
  const args = ['-D', home.cluster, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const start = (await log.stat()).size;
  try {
    const child = spawn(join(program.folder, 'bin/postgres'), args, {
      ...spawnSettings(home.account, home.folder),
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    });
    await new Promise((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (error) => reject(explainSpawn(error, home)));
    });
    child.unref();
    const hasExited = () => child.exitCode !== null || child.signalCode !== null;
    const pid = child.pid ?? 0;
    return { postmaster: { pid, socketFolder }, hasExited, readOutput: () => logSince(home, start) };
  } finally {
    await log.close();
  }
}

export async function stopPostmaster(pid: number, home: DatabaseHome): Promise<void> {
  for (const [signal, waitMs] of [
    ['SIGINT', STOP_WAIT_MS],
    ['SIGQUIT', QUIT_WAIT_MS],
  ] as const) {
    if (!(await isOwnPostmaster(pid, home))) return;
    sendSignal(pid, signal);
    const deadline = Date.now() + waitMs;
    while (Date.now() < deadline) {
      // Not isOwnPostmaster: a process loses its working directory a moment before it is gone.
      if (!(await isAlive(pid))) return;
      await delay(15);
    }
  }
}

/** Distinguishes an ordinary shutdown, which removes postmaster.pid at its end, from a crash. Waits for that end. */
export async function wasStoppedOnPurpose(pid: number, home: DatabaseHome): Promise<boolean> {
  for (;;) {
    const text = await readFile(join(home.cluster, 'postmaster.pid'), 'utf8').catch(() => undefined);
    if (text === undefined) return true;
    // Line 8 is the state of the server.
    if (text.split('\n')[7]?.trim() !== 'stopping' || !(await isOwnPostmaster(pid, home))) return false;
    await delay(20);
  }
}

export async function isOwnPostmaster(pid: number, home: DatabaseHome): Promise<boolean> {
  if (!(await isAlive(pid))) return false;
  if (process.platform === 'linux') {
    // The server's working directory is its data folder; a zombie has none.
    const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
    const owner = (await stat(`/proc/${pid}`).catch(() => undefined))?.uid;
    return cwd === home.cluster && owner === home.account.uid;
  }
  const listed = await promisify(execFile)('ps', ['-o', 'stat=,command=', '-p', String(pid)]).catch(
    () => undefined,
  );
  const line = listed?.stdout.trim() ?? '';
  return !line.startsWith('Z') && line.includes('postgres') && line.includes(home.cluster);
}

function logFile(home: DatabaseHome): string {
  return join(home.folder, 'postgres.log');
}

/** Does not follow links: the account could replace its files by links, and root would write to their targets. */
async function openLog(home: DatabaseHome) {
  const file = logFile(home);
  const size = (await stat(file).catch(() => undefined))?.size ?? 0;
  if (size > LOG_LIMIT) await rename(file, `${file}.1`);
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;
  const handle = await open(file, flags, 0o600);
  if (home.account.switched) await handle.chown(home.account.uid, home.account.gid);
  return handle;
}

async function logSince(home: DatabaseHome, start: number): Promise<string> {
  return (await readFile(logFile(home))).subarray(start).toString('utf8');
}

function explainSpawn(error: unknown, home: DatabaseHome): unknown {
  if (codeOf(error) === 'EPERM' && home.account.switched) {
    return new EmbeddedDatabaseError(
      `PostgreSQL does not run as root, and this root can't switch to user ${home.account.uid}. ` +
        `Start as a regular user, or ${DATABASE_URL_HINT}.`,
    );
  }
  return error;
}
