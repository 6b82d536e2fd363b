import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import pg from 'pg';
import { inUtc } from '#platform/database/session-options.server.ts';

const SERVER_LOCK = 7_241_002;

interface Instance {
  pid: number;
  /** Tells the process from a later one with the same pid, which a restarted container often has. */
  born: string | null;
  url: string;
  /** Base of the stand-ins that this server has started, for the operator's commands beside it. */
  standins?: string | undefined;
}

/** When a process began, in ticks since the machine's start (proc(5), field 22); null where there is no /proc. */
export function birthOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

const fileOf = (dataDir: string) => join(dataDir, 'server.json');

export function runningInstance(dataDir: string): Instance | null {
  try {
    const instance = JSON.parse(readFileSync(fileOf(dataDir), 'utf8')) as Instance;
    process.kill(instance.pid, 0);
    return instance.pid === process.pid || instance.born !== birthOf(instance.pid) ? null : instance;
  } catch {
    return null;
  }
}

export function announceInstance(dataDir: string, url: string, standins?: string): void {
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(
    fileOf(dataDir),
    JSON.stringify({ pid: process.pid, born: birthOf(process.pid), url, standins } satisfies Instance),
  );
}

export function withdrawInstance(dataDir: string): void {
  rmSync(fileOf(dataDir), { force: true });
}

/** The database itself keeps the lock, so a killed server frees it. Null when another server has it. */
export async function becomeOnlyServer(connection: pg.ClientConfig): Promise<pg.Client | null> {
  const client = new pg.Client({ ...inUtc(connection), application_name: 'site-lock' });
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query<{ got: boolean }>('select pg_try_advisory_lock($1) as got', [
    SERVER_LOCK,
  ]);
  if (rows[0]?.got) return client;
  await client.end();
  return null;
}
