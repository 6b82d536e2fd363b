import { m } from '#messages';
import { asyncCommitDatabase, type Database, database } from '../database/database.server.ts';
import { raw, sql } from '../database/sql.server.ts';
import { Problem } from './problem.server.ts';

/** At most `max` events in a fixed window of `seconds`, by the database's clock. */
export interface RateLimit {
  max: number;
  seconds: number;
}

/**
 * Ended, or ending later than any window could (the clock was set back). The minute covers statements that began
 * before the one that opened the window.
 */
const over = raw(`(r.resets_at <= app_now() or r.resets_at > excluded.resets_at + interval '1 minute')`);

/**
 * Counts one event against a key, in one statement, so parallel calls on any process share the count. A power cut
 * may forget the last moment's counts.
 * @returns whether it fits, and the whole seconds until the window ends.
 */
export async function hitRateLimit(
  key: string,
  { max, seconds }: RateLimit,
  db: Database = asyncCommitDatabase(),
): Promise<{ allowed: boolean; retryAfter: number }> {
  const row = await db.row<{ count: number; retry_after: number }>(sql`
    insert into rate_limits as r (key, count, resets_at)
    values (${key}, 1, app_now() + ${seconds}::int * interval '1 second')
    on conflict (key) do update set
      count = case when ${over} then 1 else least(r.count + 1, ${max}::int + 1) end,
      resets_at = case when ${over} then excluded.resets_at else r.resets_at end
    returning r.count, ceil(extract(epoch from r.resets_at - app_now()))::int as retry_after`);
  if (!row) throw new Error('A rate limit answered no row.');
  return { allowed: row.count <= max, retryAfter: Math.max(1, row.retry_after) };
}

/** Whether a key's window is full, without counting: the whole seconds until it ends, or null while another fits. */
export async function rateLimitedFor(key: string, { max, seconds }: RateLimit): Promise<number | null> {
  const row = await asyncCommitDatabase().row<{ retry_after: number }>(sql`
    select ceil(extract(epoch from resets_at - app_now()))::int as retry_after from rate_limits
     where key = ${key} and count >= ${max}::int and resets_at > app_now()
       and resets_at <= app_now() + ${seconds}::int * interval '1 second' + interval '1 minute'`);
  return row && Math.max(1, row.retry_after);
}

/** @throws Problem rate_limited with the seconds to wait. */
export async function enforceLimit(
  key: string,
  limit: RateLimit,
  text = m.too_many_attempts_wait(),
): Promise<void> {
  const { allowed, retryAfter } = await hitRateLimit(key, limit);
  if (!allowed) throw new Problem('rate_limited', text, { retryAfter });
}

export function sweepRateLimits(): Promise<number> {
  return database().run(sql`delete from rate_limits where resets_at <= app_now()`);
}
