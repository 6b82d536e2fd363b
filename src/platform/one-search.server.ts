import { m } from '#messages';
import { CostlyReadError, costlyRead, type Database } from './database/database.server.ts';
import { sql } from './database/sql.server.ts';
import { Problem } from './http/problem.server.ts';
import { enforceLimit, undoHit } from './http/rate-limit.server.ts';

const LIMIT = { max: 60, seconds: 60 };

const busy = () => new Problem('rate_limited', m.chat_search_running(), { retryAfter: 1 });

/** Returns false while another search of the user runs, in whichever process. Holds until the transaction ends. */
async function isOnlySearch(tx: Database, userId: string): Promise<boolean> {
  const row = await tx.row<{ got: boolean }>(sql`
    select pg_try_advisory_xact_lock(hashtextextended(${`search:${userId}`}, 0)) as got`);
  return row?.got === true;
}

function toSearchProblem(error: unknown): unknown {
  if (!(error instanceof CostlyReadError)) return error;
  return new Problem('unavailable', error.timedOut ? m.chat_search_too_slow() : m.chat_search_full(), {
    cause: error,
  });
}

/**
 * Runs one search per person at a time, on one connection. A search that is rejected for this reason does not count
 * toward the rate limit, because the page sends it again.
 * @throws Problem rate_limited, unavailable
 */
export async function oneSearch<T>(userId: string, work: (tx: Database) => Promise<T>): Promise<T> {
  const key = `search:${userId}`;
  await enforceLimit(key, LIMIT, m.chat_search_too_often());
  let isConcurrent = false;
  try {
    return await costlyRead(async (tx) => {
      isConcurrent = !(await isOnlySearch(tx, userId));
      if (isConcurrent) throw busy();
      return work(tx);
    });
  } catch (error) {
    if (isConcurrent) await undoHit(key);
    throw toSearchProblem(error);
  }
}
