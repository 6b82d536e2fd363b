import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { lockPool } from './database.server.ts';

const POLL_MS = 150;

export class LockTimeoutError extends Error {
  override readonly name = 'LockTimeoutError';
}

/** One session for all locks of this process; PostgreSQL releases them however the process ends. */
interface LockSession {
  client: pg.PoolClient;
  uses: number;
  /** Settles with the latest statement: a client runs one at a time. */
  lastQuery: Promise<unknown>;
  hasEnded: boolean;
  end(broken?: Error): void;
}

let current: Promise<LockSession> | undefined;

/** Lock names this process holds or is trying to take: PostgreSQL would let a session take its own lock twice. */
const lockNames = new Set<string>();

async function openSession(): Promise<LockSession> {
  const client = await lockPool().connect();
  const session: LockSession = {
    client,
    uses: 0,
    lastQuery: Promise.resolve(),
    hasEnded: false,
    end(broken) {
      if (session.hasEnded) return;
      session.hasEnded = true;
      current = undefined;
      client.off('error', session.end);
      client.release(broken);
    },
  };
  client.on('error', session.end);
  return session;
}

async function joinSession(): Promise<LockSession> {
  for (;;) {
    current ??= openSession().catch((error: unknown) => {
      current = undefined;
      throw error;
    });
    const session = await current;
    if (session.hasEnded) continue;
    session.uses++;
    return session;
  }
}

async function runQuery(session: LockSession, text: string, name: string): Promise<boolean> {
  const result = session.lastQuery.then(() => {
    if (session.hasEnded) throw new Error('The session of the locks has broken.');
    return session.client.query<{ done: boolean }>(text, [name]);
  });
  session.lastQuery = result.catch((error: Error) => session.end(error));
  return (await result).rows[0]?.done === true;
}

function leaveSession(session: LockSession): void {
  session.uses--;
  if (session.uses === 0) session.end();
}

async function tryLock(name: string): Promise<LockSession | null> {
  if (lockNames.has(name)) return null;
  lockNames.add(name);
  let isTaken = false;
  try {
    const session = await joinSession();
    isTaken = await runQuery(session, 'select pg_try_advisory_lock(hashtextextended($1, 10)) as done', name);
    if (!isTaken) leaveSession(session);
    return isTaken ? session : null;
  } finally {
    if (!isTaken) lockNames.delete(name);
  }
}

async function unlock(name: string, session: LockSession): Promise<void> {
  try {
    await runQuery(session, 'select pg_advisory_unlock(hashtextextended($1, 10)) as done', name);
    leaveSession(session);
  } catch {
    // The session has ended, which released its locks.
  } finally {
    lockNames.delete(name);
  }
}

/**
 * Runs `work` in one process at a time. If the lock's session breaks, another process may start it meanwhile, which
 * `work` must tolerate. @throws LockTimeoutError when the lock is still taken after `waitMs`
 */
export async function withAdvisoryLock<T>(
  name: string,
  { waitMs }: { waitMs: number },
  work: () => Promise<T>,
): Promise<T> {
  const deadline = Date.now() + waitMs;
  let session = await tryLock(name);
  while (!session) {
    if (Date.now() > deadline) throw new LockTimeoutError(`The lock ${name} is taken.`);
    await pause(POLL_MS);
    session = await tryLock(name);
  }
  try {
    return await work();
  } finally {
    await unlock(name, session);
  }
}
