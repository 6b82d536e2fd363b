import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { z } from 'zod';
import { useTestDatabase } from '#tests/support/database.ts';
import { eventually } from '#tests/support/server.ts';
import { expectWithin } from '#tests/support/soak.ts';
import { database, transaction } from './database/database.server.ts';
import { sql } from './database/sql.server.ts';
import { defineJob, enqueue, startJobs, stopJobs } from './job-queue.server.ts';
import { log } from './log.server.ts';

const ran = new Map<string, number>();
let end: () => Promise<void>;

beforeAll(async () => {
  log.level = 'silent';
  end = await useTestDatabase(inject('postgres'));
  defineJob({
    name: 'note',
    schema: z.object({ id: z.string() }),
    run: async ({ id }) => {
      ran.set(id, performance.now());
    },
  });
  defineJob({ name: 'fail', run: () => Promise.reject(new Error('no')) });
  defineJob({ name: 'hourly', cron: '7 * * * *', run: async () => undefined });
  await startJobs();
});
afterAll(async () => {
  await stopJobs();
  await end();
});

const stateOf = (name: string, state: string) =>
  database().row<{ wait: number }>(
    sql`select extract(epoch from start_after - now())::float8 as wait from jobs.job where name = ${name} and state = ${state}::jobs.job_state`,
  );

test('runs a job immediately, also in a burst', async () => {
  const startedAt = performance.now();
  const ids = Array.from({ length: 40 }, (_, i) => `burst-${i}`);
  await Promise.all(ids.map((id) => enqueue('note', { id })));
  await eventually(async () => ids.every((id) => ran.has(id)));
  expectWithin((ran.get('burst-39') ?? 0) - startedAt, 1_500);
});

test('runs a job of a transaction once it commits, or never', async () => {
  await transaction(async (tx) => {
    await enqueue('note', { id: 'kept' }, { tx });
    expect(ran.has('kept')).toBe(false);
  });
  await transaction(async (tx) => {
    await enqueue('note', { id: 'rolled back' }, { tx });
    throw new Error('no');
  }).catch(() => undefined);
  await enqueue('note', { id: 'last' });
  await eventually(async () => ran.has('kept') && ran.has('last'));
  expect(ran.has('rolled back')).toBe(false);
});

test('retries a failed job later without stopping others', async () => {
  await enqueue('fail', {});
  const retry = await eventually(() => stateOf('fail', 'retry'));
  expect(retry.wait).toBeGreaterThan(0);
  expect(retry.wait).toBeLessThan(5);
  await enqueue('note', { id: 'after' });
  await eventually(async () => ran.has('after'));
});

test('finds a job without a notification long before its worker polls', async () => {
  await database().run(sql`insert into jobs.job (name, data) values ('note', '{"id": "unheard"}')`);
  await eventually(async () => ran.has('unheard'), 30_000);
});

test('updates a queue of another build to the settings of this one', async () => {
  await stopJobs();
  await database().run(sql`update jobs.queue set retry_limit = 1, notify = false where name = 'note'`);
  await database().run(sql`update jobs.schedule set cron = '1 1 * * *' where name = 'hourly'`);
  await startJobs();
  const queue = await database().row(
    sql`select retry_limit as retries, notify from jobs.queue where name = 'note'`,
  );
  expect(queue).toEqual({ retries: 5, notify: true });
});

test('data of another shape fails without a retry', async () => {
  await enqueue('note', { id: 5 });
  await eventually(() => stateOf('note', 'failed'));
});

test('stores a schedule once', async () => {
  const rows = await database().rows(sql`select name, cron from jobs.schedule`);
  expect(rows).toEqual([{ name: 'hourly', cron: '7 * * * *' }]);
  expect(() => defineJob({ name: 'note', run: async () => undefined })).toThrow('defined twice');
});
