import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { APP } from './cluster.server.ts';
import { codeOf } from './embedded-error.server.ts';
import { PORT } from './socket-folder.server.ts';

export interface Connection {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
}

export type SessionOutcome =
  | { kind: 'connected'; client: pg.Client }
  | { kind: 'wrong-password' }
  | { kind: 'gone' }
  | { kind: 'silent' };

const SILENCE_MS = 10_000;
/** Crash recovery of a large log may take minutes; meanwhile the server answers "starting up". */
const RECOVERY_MS = 600_000;
const RECOVERY_NOTE_MS = 2000;

/** Every supervisor holds this lock in shared mode; one that gets it exclusively is the server's only user. */
const USERS_LOCK = '1701667428, 1';

export function connectionTo(socketFolder: string, password: string): Connection {
  return { host: socketFolder, port: PORT, user: APP, password, database: APP };
}

export function urlOf(connection: Connection): string {
  const { user, password, host, port, database } = connection;
  return `postgres://${user}:${password}@${encodeURIComponent(host)}:${port}/${database}`;
}

export async function awaitSession(options: {
  connection: Connection;
  isUp: () => Promise<boolean>;
  log: (line: string) => void;
}): Promise<SessionOutcome> {
  const startedAt = Date.now();
  let lastAnswer = startedAt;
  let hasLogged = false;
  for (;;) {
    const attempt = await tryConnect(options.connection);
    if (attempt === 'wrong-password') return { kind: 'wrong-password' };
    if (typeof attempt === 'object') return { kind: 'connected', client: attempt };
    if (!(await options.isUp())) return { kind: 'gone' };
    const now = Date.now();
    if (attempt === 'not-yet') lastAnswer = now;
    if (now - lastAnswer > SILENCE_MS || now - startedAt > RECOVERY_MS) return { kind: 'silent' };
    if (attempt === 'not-yet' && !hasLogged && now - startedAt > RECOVERY_NOTE_MS) {
      hasLogged = true;
      options.log('database: recovering what was written before it was cut off');
    }
    await delay(10);
  }
}

async function tryConnect(
  connection: Connection,
): Promise<pg.Client | 'wrong-password' | 'not-yet' | 'no-answer'> {
  const client = new pg.Client({
    ...connection,
    connectionTimeoutMillis: 5000,
    application_name: 'supervisor',
  });
  // Errors after connecting also reach the owner's listeners.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(`select pg_advisory_lock_shared(${USERS_LOCK})`);
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    const code = codeOf(error);
    if (code === '28P01' || code === '28000') return 'wrong-password';
    // 57P0x: starting up, shutting down, ended by an operator; 53300: all connections are taken.
    if (code?.startsWith('57P0') === true || code === '53300') return 'not-yet';
    // An SQLSTATE contains a digit; EPIPE, from a server that closes while we write, only looks like one.
    if (code !== undefined && /^(?=.*\d)[0-9A-Z]{5}$/.test(code) && !code.startsWith('08')) throw error;
    return 'no-answer';
  }
}

export async function isOnlyClient(client: pg.Client): Promise<boolean> {
  await client.query(`select pg_advisory_unlock_shared(${USERS_LOCK})`);
  const lock = await client.query(`select pg_try_advisory_lock(${USERS_LOCK}) as alone`);
  if (lock.rows[0]?.alone !== true) return false;
  // Connections that this process has just closed may still be listed.
  for (const deadline = Date.now() + 500; ; await delay(20)) {
    const others = await client.query(
      `select 1 from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() limit 1`,
    );
    if (others.rowCount === 0) return true;
    if (Date.now() > deadline) return false;
  }
}
