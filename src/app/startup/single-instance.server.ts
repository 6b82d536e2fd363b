import { mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import pg from 'pg';
import { inUtc } from '#platform/database/session-options.server.ts';
import { isOtherFolder } from './folder-identity.server.ts';

const SERVER_LOCK = 7_241_002;

interface Instance {
  pid: number;
  /** Distinguishes the process from a later one with the same pid, which is common in restarted containers. */
  born: string | null;
  url: string;
  /** The DATA_DIR that the process serves; differs from the file's folder in a copy. */
  folder?: string;
  /** Base URL of the stand-ins that this server started, for the operator's commands. */
  standins?: string | undefined;
}

/** Returns a process's start time in ticks since boot (proc(5), field 22), or null without /proc. */
export function processStartTime(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

const fileOf = (dataDir: string) => join(dataDir, 'server.json');

function recordedInstance(dataDir: string): Instance | null {
  try {
    return JSON.parse(readFileSync(fileOf(dataDir), 'utf8')) as Instance;
  } catch {
    return null;
  }
}

/**
 * Returns the folder that a DATA_DIR was copied from while its site was running, if that folder still exists, or null.
 * A folder that was moved or is mounted twice is not a copy.
 */
export function copiedWhileRunning(dataDir: string): string | null {
  const folder = recordedInstance(dataDir)?.folder;
  return folder !== undefined && isOtherFolder(folder, dataDir) ? folder : null;
}

export function runningInstance(dataDir: string): Instance | null {
  try {
    const instance = recordedInstance(dataDir);
    if (!instance || copiedWhileRunning(dataDir)) return null;
    process.kill(instance.pid, 0);
    return instance.pid === process.pid || instance.born !== processStartTime(instance.pid) ? null : instance;
  } catch {
    return null;
  }
}

export function announceInstance(dataDir: string, url: string, standins?: string): void {
  mkdirSync(dataDir, { recursive: true });
  const own = {
    pid: process.pid,
    born: processStartTime(process.pid),
    url,
    folder: realpathSync(dataDir),
    standins,
  };
  writeFileSync(fileOf(dataDir), JSON.stringify(own satisfies Instance));
}

export function withdrawInstance(dataDir: string): void {
  rmSync(fileOf(dataDir), { force: true });
}

/** Acquires an advisory lock, which the database frees if the server is killed. Null if another server holds it. */
export async function acquireServerLock(connection: pg.ClientConfig): Promise<pg.Client | null> {
  const client = new pg.Client({ ...inUtc(connection), application_name: 'site-lock' });
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query<{ acquired: boolean }>('select pg_try_advisory_lock($1) as acquired', [
    SERVER_LOCK,
  ]);
  if (rows[0]?.acquired) return client;
  await client.end();
  return null;
}
