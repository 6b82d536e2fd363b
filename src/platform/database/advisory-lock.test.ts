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

const waits = { waitMs: 20_000 };
const take = async (name: string): Promise<boolean> => {
  const { rows } = await other.query<{ got: boolean }>(
    'select pg_try_advisory_lock(hashtextextended($1, 10)) as got',
    [name],
  );
  return rows[0]?.got === true;
};
const free = (name: string) => other.query('select pg_advisory_unlock(hashtextextended($1, 10))', [name]);
const isFree = async (name: string): Promise<boolean> => {
  const got = await take(name);
  if (got) await free(name);
  return got;
};
const isTaken = async (name: string) => !(await isFree(name));

function openWork() {
  const { promise, resolve } = Promise.withResolvers<string>();
  return { work: () => promise, finish: resolve };
}

test('of one name one works at a time, of many names all; one connection holds them', async () => {
  const running = new Map<string, number>();
  const seen: number[] = [];
  const each = (name: string) =>
    withAdvisoryLock(name, waits, async () => {
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

test('another process is kept out, and keeps out; whoever waits too long is told so', async () => {
  const { work, finish } = openWork();
  const mine = withAdvisoryLock('mine', waits, work);
  await eventually(() => isTaken('mine'));
  await expect(withAdvisoryLock('mine', { waitMs: 0 }, async () => 'never')).rejects.toThrow(
    LockTimeoutError,
  );
  finish('done');
  expect(await mine).toBe('done');
  expect(await take('mine')).toBe(true);
  await expect(withAdvisoryLock('mine', { waitMs: 0 }, async () => 'never')).rejects.toThrow(
    LockTimeoutError,
  );
  const waiting = withAdvisoryLock('mine', waits, async () => 'after the other');
  await free('mine');
  expect(await waiting).toBe('after the other');
});

test('work that fails frees its name', async () => {
  const failing = withAdvisoryLock('failing', waits, () => Promise.reject(new Error('no')));
  await expect(failing).rejects.toThrow('no');
  expect(await withAdvisoryLock('failing', waits, async () => 'again')).toBe('again');
});

test('a session that ends frees its names, and the next one begins anew', async () => {
  const { work, finish } = openWork();
  const mine = withAdvisoryLock('cut', waits, work);
  const { work: second, finish: finishSecond } = openWork();
  const beside = withAdvisoryLock('beside', waits, second);
  await eventually(async () => (await isTaken('cut')) && isTaken('beside'));
  await other.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'site-locks'`,
  );
  await eventually(() => isFree('cut'));
  expect(await withAdvisoryLock('new', waits, async () => 'works')).toBe('works');
  finish('done');
  finishSecond('done too');
  expect([await mine, await beside]).toEqual(['done', 'done too']);
  expect(await withAdvisoryLock('cut', waits, async () => 'again')).toBe('again');
});
