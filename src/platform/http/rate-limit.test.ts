import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { useTestDatabase } from '#tests/support/database.ts';
import { database } from '../database/database.server.ts';
import { sql } from '../database/sql.server.ts';
import { enforceLimit, hitRateLimit, sweepRateLimits } from './rate-limit.server.ts';

let end: () => Promise<void>;
beforeAll(async () => {
  end = await useTestDatabase(inject('postgres'));
});
afterAll(() => end());

const clock = (ms: number) => database().run(sql`update app_clock set offset_ms = ${ms}`);
const limit = { max: 7, seconds: 900 };

test('allows exactly the limit of parallel calls', async () => {
  const answers = await Promise.all(Array.from({ length: 60 }, () => hitRateLimit('parallel', limit)));
  expect(answers.filter(({ allowed }) => allowed)).toHaveLength(7);
  for (const { retryAfter } of answers) expect(retryAfter).toBeGreaterThan(890);
});

test('starts a new window when the last one has ended, and when the clock was set back', async () => {
  for (let i = 0; i < 8; i++) await hitRateLimit('clock', limit);
  await clock(890_000);
  expect(await hitRateLimit('clock', limit)).toMatchObject({ allowed: false });
  await clock(901_000);
  expect(await hitRateLimit('clock', limit)).toEqual({ allowed: true, retryAfter: 900 });
  await clock(0);
  expect(await hitRateLimit('clock', limit)).toEqual({ allowed: true, retryAfter: 900 });
});

test('throws a problem that says when to retry', async () => {
  await enforceLimit('problem', { max: 1, seconds: 60 });
  await expect(enforceLimit('problem', { max: 1, seconds: 60 }, 'Slow down.')).rejects.toMatchObject({
    code: 'rate_limited',
    status: 429,
    message: 'Slow down.',
    retryAfter: 60,
  });
});

test('removes only windows that have ended', async () => {
  await sweepRateLimits();
  await hitRateLimit('short', { max: 1, seconds: 10 });
  await hitRateLimit('long', { max: 1, seconds: 86_400 });
  await clock(3_600_000);
  expect(await sweepRateLimits()).toBeGreaterThanOrEqual(1);
  const left = await database().rows<{ key: string }>(sql`select key from rate_limits`);
  expect(left).toEqual([{ key: 'long' }]);
  await clock(0);
});
