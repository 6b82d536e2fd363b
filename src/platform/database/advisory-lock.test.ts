import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { useTestDatabase } from '#tests/support/database.ts';
import { eventually } from '#tests/support/server.ts';
import { LockTimeoutError, withAdvisoryLock } from './advisory-lock.server.ts';
import { database, lockPool } from './database.server.ts';
import { sql } from './sql.server.ts';

let end: () => Promise<void>;
let other: pg.Client;
beforeAll(async () => {
  end = await useTestDatabase(inject('postgres'));
  const name = await database().row<{ name: string }>(sql`select current_database() as name`);
  other = new pg.Client({ connectionString: inject('postgres').replace(/\/[^/]*$/, `/${name?.name}`) });
  other.on('error', () => undefined);
  await other.connect();
});
afterAll(async () => {
  await other.end();
  await end();
});

const longWait = { waitMs: 20_000 };
const tryLock = async (name: string): Promise<boolean> => {
  const { rows } = await other.query<{ got: boolean }>(
    'select pg_try_advisory_lock(hashtextextended($1, 10)) as got',
    [name],
  );
  return rows[0]?.got === true;
};
const unlock = (name: string) => other.query('select pg_advisory_unlock(hashtextextended($1, 10))', [name]);
const isFree = async (name: string): Promise<boolean> => {
  const isLocked = await tryLock(name);
  if (isLocked) await unlock(name);
  return isLocked;
};
const isTaken = async (name: string) => !(await isFree(name));

function openWork() {
  const { promise, resolve } = Promise.withResolvers<string>();
  return { work: () => promise, finish: resolve };
}

test('runs one piece of work per name at a time, and holds all locks on one connection', async () => {
  const running = new Map<string, number>();
  const seen: number[] = [];
  const each = (name: string) =>
    withAdvisoryLock(name, longWait, async () => {
      running.set(name, (running.get(name) ?? 0) + 1);
      await database().run(sql`select 1`);
      seen.push(running.get(name) ?? 0);
      running.set(name, 0);
    });
  await Promise.all(['a', 'b', 'c', 'a', 'b', 'a'].map(each));
  expect(seen).toEqual([1, 1, 1, 1, 1, 1]);
  expect(lockPool().totalCount).toBe(1);
  expect(await isFree('a')).toBe(true);
});

test('processes lock each other out, and waiting too long throws an error', async () => {
  const { work, finish } = openWork();
  const first = withAdvisoryLock('mine', longWait, work);
  await eventually(() => isTaken('mine'));
  await expect(withAdvisoryLock('mine', { waitMs: 0 }, async () => 'never')).rejects.toThrow(
    LockTimeoutError,
  );
  finish('done');
  expect(await first).toBe('done');
  expect(await tryLock('mine')).toBe(true);
  await expect(withAdvisoryLock('mine', { waitMs: 0 }, async () => 'never')).rejects.toThrow(
    LockTimeoutError,
  );
  const waiting = withAdvisoryLock('mine', longWait, async () => 'after the other');
  await unlock('mine');
  expect(await waiting).toBe('after the other');
});

test('releases the lock of work that fails', async () => {
  const failing = withAdvisoryLock('failing', longWait, () => Promise.reject(new Error('no')));
  await expect(failing).rejects.toThrow('no');
  expect(await withAdvisoryLock('failing', longWait, async () => 'again')).toBe('again');
});

test('a broken session releases its locks, and the next one starts afresh', async () => {
  const { work, finish } = openWork();
  const first = withAdvisoryLock('cut', longWait, work);
  const { work: secondWork, finish: finishSecond } = openWork();
  const second = withAdvisoryLock('beside', longWait, secondWork);
  await eventually(async () => (await isTaken('cut')) && isTaken('beside'));
  await other.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'site-locks'`,
  );
  await eventually(() => isFree('cut'));
  expect(await withAdvisoryLock('new', longWait, async () => 'works')).toBe('works');
  finish('done');
  finishSecond('done too');
  expect([await first, await second]).toEqual(['done', 'done too']);
  expect(await withAdvisoryLock('cut', longWait, async () => 'again')).toBe('again');
});
