import { m } from '#messages';
import { asyncCommitDatabase, type Database, database } from '../database/database.server.ts';
import { raw, sql } from '../database/sql.server.ts';
import { Problem } from './problem.server.ts';

export interface RateLimit {
  max: number;
  seconds: number;
}

/** Over, or ending impossibly late (the clock was set back). The minute covers statements that started earlier. */
const hasEnded = raw(`(r.resets_at <= app_now() or r.resets_at > excluded.resets_at + interval '1 minute')`);

/** Counts in one statement, for all processes. @returns whether the hit fits, and the seconds until the window ends. */
export async function hitRateLimit(
  key: string,
  { max, seconds }: RateLimit,
  db: Database = asyncCommitDatabase(),
): Promise<{ allowed: boolean; retryAfter: number }> {
  const row = await db.row<{ count: number; retry_after: number }>(sql`
    insert into rate_limits as r (key, count, resets_at)
    values (${key}, 1, app_now() + ${seconds}::int * interval '1 second')
    on conflict (key) do update set
      count = case when ${hasEnded} then 1 else least(r.count + 1, ${max}::int + 1) end,
      resets_at = case when ${hasEnded} then excluded.resets_at else r.resets_at end
    returning r.count, ceil(extract(epoch from r.resets_at - app_now()))::int as retry_after`);
  if (!row) throw new Error('A rate limit answered no row.');
  return { allowed: row.count <= max, retryAfter: Math.max(1, row.retry_after) };
}

export async function rateLimitedFor(key: string, { max, seconds }: RateLimit): Promise<number | null> {
  const row = await asyncCommitDatabase().row<{ retry_after: number }>(sql`
    select ceil(extract(epoch from resets_at - app_now()))::int as retry_after from rate_limits
     where key = ${key} and count >= ${max}::int and resets_at > app_now()
       and resets_at <= app_now() + ${seconds}::int * interval '1 second' + interval '1 minute'`);
  return row && Math.max(1, row.retry_after);
}

export async function enforceLimit(
  key: string,
  limit: RateLimit,
  text = m.too_many_attempts_wait(),
): Promise<void> {
  const { allowed, retryAfter } = await hitRateLimit(key, limit);
  if (!allowed) throw new Problem('rate_limited', text, { retryAfter });
}

/** Undoes one hit, for an action that was counted but not carried out. */
export const undoHit = (key: string): Promise<number> =>
  asyncCommitDatabase().run(sql`update rate_limits set count = count - 1 where key = ${key} and count > 0`);

export function sweepRateLimits(): Promise<number> {
  return database().run(sql`delete from rate_limits where resets_at <= app_now()`);
}
