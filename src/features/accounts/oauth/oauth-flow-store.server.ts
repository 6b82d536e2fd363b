import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import type { ProviderName } from '../contract.ts';

interface NewAttempt {
  stateHash: Buffer;
  provider: ProviderName;
  browserHash: Buffer;
  next: string | null;
  minutes: number;
}

export async function insertAttempt(db: Database, row: NewAttempt): Promise<void> {
  await db.run(sql`
    insert into oauth_attempts (state_hash, provider, browser_hash, next, expires_at)
    values (${row.stateHash}, ${row.provider}, ${row.browserHash}, ${row.next},
            app_now() + ${row.minutes}::int * interval '1 minute')`);
}

/** `now` in seconds since 1970, by the database's clock. */
export function takeAttempt(
  db: Database,
  row: Pick<NewAttempt, 'stateHash' | 'provider' | 'browserHash'>,
): Promise<{ next: string | null; now: number } | null> {
  return db.row(sql`
    update oauth_attempts set used_at = app_now()
     where state_hash = ${row.stateHash} and provider = ${row.provider} and browser_hash = ${row.browserHash}
       and used_at is null and expires_at > app_now()
    returning next, extract(epoch from app_now())::float8 as now`);
}

export function deleteOldAttempts(db: Database): Promise<number> {
  return db.run(sql`delete from oauth_attempts where expires_at < app_now() - interval '1 day'`);
}
