import type { Database } from '../../../platform/database/database.server.ts';
import { sql } from '../../../platform/database/sql.server.ts';
import type { ProviderName } from '../contract.ts';

export interface NewAttempt {
  stateHash: Buffer;
  provider: ProviderName;
  browserHash: Buffer;
  next: string | null;
  minutes: number;
}

/** Notes a journey to a provider. */
export async function insertAttempt(db: Database, row: NewAttempt): Promise<void> {
  await db.run(sql`
    insert into oauth_attempts (state_hash, provider, browser_hash, next, expires_at)
    values (${row.stateHash}, ${row.provider}, ${row.browserHash}, ${row.next},
            app_now() + ${row.minutes}::int * interval '1 minute')`);
}

export interface TakenAttempt {
  next: string | null;
  /** Seconds since 1970 by the clock that decides. */
  now: number;
}

/**
 * Uses up the open journey of this state, provider and browser; of parallel calls one gets it. A stranger's browser
 * uses nothing up.
 */
export function takeAttempt(
  db: Database,
  row: Pick<NewAttempt, 'stateHash' | 'provider' | 'browserHash'>,
): Promise<TakenAttempt | null> {
  return db.row<TakenAttempt>(sql`
    update oauth_attempts set used_at = app_now()
     where state_hash = ${row.stateHash} and provider = ${row.provider} and browser_hash = ${row.browserHash}
       and used_at is null and expires_at > app_now()
    returning next, extract(epoch from app_now())::float8 as now`);
}

/** Removes journeys that ran out more than a day ago. */
export function deleteOldAttempts(db: Database): Promise<number> {
  return db.run(sql`delete from oauth_attempts where expires_at < app_now() - interval '1 day'`);
}

/** Lets one sign-in at a time handle an account at a provider, until the transaction ends. */
export async function lockIdentity(tx: Database, provider: ProviderName, subject: string): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`identity:${provider}:${subject}`}, 0))`);
}

/**
 * The person of an account at a provider, held until the transaction ends, so that they are not deleted beside a
 * sign-in; null for none or an erased one.
 */
export function userOfIdentity(
  tx: Database,
  provider: ProviderName,
  subject: string,
): Promise<{ id: string; deleted: boolean } | null> {
  return tx.row(sql`
    select u.id, u.deleted_at is not null as deleted from identities i join users u on u.id = i.user_id
     where i.provider = ${provider} and i.subject = ${subject} and u.erased_at is null for share of u`);
}

/** Notes that an account at a provider is this person's, and used now. */
export async function noteIdentity(
  tx: Database,
  row: { provider: ProviderName; subject: string; userId: string },
): Promise<void> {
  await tx.run(sql`
    insert into identities (provider, subject, user_id) values (${row.provider}, ${row.subject}, ${row.userId})
    on conflict (provider, subject) do update set user_id = excluded.user_id, last_used_at = app_now()`);
}
