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
  last: Promise<unknown>;
  isOver: boolean;
  end(broken?: Error): void;
}

let current: Promise<LockSession> | undefined;

/** Lock names this process holds or is trying to take: PostgreSQL would let a session take its own lock twice. */
const names = new Set<string>();

async function openSession(): Promise<LockSession> {
  const client = await lockPool().connect();
  const session: LockSession = {
    client,
    uses: 0,
    last: Promise.resolve(),
    isOver: false,
    end(broken) {
      if (session.isOver) return;
      session.isOver = true;
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
    if (session.isOver) continue;
    session.uses++;
    return session;
  }
}

async function ask(session: LockSession, text: string, name: string): Promise<boolean> {
  const answer = session.last.then(() => {
    if (session.isOver) throw new Error('The session of the locks has broken.');
    return session.client.query<{ done: boolean }>(text, [name]);
  });
  session.last = answer.catch((error: Error) => session.end(error));
  return (await answer).rows[0]?.done === true;
}

function leave(session: LockSession): void {
  session.uses--;
  if (session.uses === 0) session.end();
}

async function tryLock(name: string): Promise<LockSession | null> {
  if (names.has(name)) return null;
  names.add(name);
  let isTaken = false;
  try {
    const session = await joinSession();
    isTaken = await ask(session, 'select pg_try_advisory_lock(hashtextextended($1, 10)) as done', name);
    if (!isTaken) leave(session);
    return isTaken ? session : null;
  } finally {
    if (!isTaken) names.delete(name);
  }
}

async function unlock(name: string, session: LockSession): Promise<void> {
  try {
    await ask(session, 'select pg_advisory_unlock(hashtextextended($1, 10)) as done', name);
    leave(session);
  } catch {
    // The session has ended, which released its locks.
  } finally {
    names.delete(name);
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
  const until = Date.now() + waitMs;
  let session = await tryLock(name);
  while (!session) {
    if (Date.now() > until) throw new LockTimeoutError(`The lock ${name} is taken.`);
    await pause(POLL_MS);
    session = await tryLock(name);
  }
  try {
    return await work();
  } finally {
    await unlock(name, session);
  }
}
