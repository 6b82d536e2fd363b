import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import type { ProviderName } from '../contract.ts';

export async function lockIdentity(tx: Database, provider: ProviderName, subject: string): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`identity:${provider}:${subject}`}, 0))`);
}

/** Locks the user until the transaction ends, so that the account is not deleted during a sign-in. */
export function findUserByIdentity(
  tx: Database,
  provider: ProviderName,
  subject: string,
): Promise<{ id: string; email: string; deleted: boolean; banned: boolean } | null> {
  return tx.row(sql`
    select u.id, u.email, u.deleted_at is not null as deleted, u.banned_at is not null as banned
      from identities i join users u on u.id = i.user_id
     where i.provider = ${provider} and i.subject = ${subject} and u.erased_at is null for share of u`);
}

export async function hasIdentity(tx: Database, provider: ProviderName, userId: string): Promise<boolean> {
  const row = await tx.row(
    sql`select 1 from identities where provider = ${provider} and user_id = ${userId}`,
  );
  return row !== null;
}

export async function addIdentity(
  tx: Database,
  row: { provider: ProviderName; subject: string; userId: string },
): Promise<boolean> {
  const added = await tx.run(sql`
    insert into identities (provider, subject, user_id) values (${row.provider}, ${row.subject}, ${row.userId})
    on conflict do nothing`);
  return added > 0;
}

export async function touchIdentity(tx: Database, provider: ProviderName, subject: string): Promise<void> {
  await tx.run(sql`
    update identities set last_used_at = app_now() where provider = ${provider} and subject = ${subject}`);
}

export function deleteIdentity(db: Database, userId: string, provider: string): Promise<number> {
  return db.run(sql`delete from identities where user_id = ${userId} and provider = ${provider}`);
}

export async function findUserEmail(db: Database, userId: string): Promise<string | null> {
  const row = await db.row<{ email: string }>(
    sql`select email from users where id = ${userId} and deleted_at is null`,
  );
  return row?.email ?? null;
}
