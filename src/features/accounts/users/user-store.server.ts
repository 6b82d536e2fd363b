import type { Plan } from '#features/credits/contract.ts';
import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import type { ProviderName } from '../contract.ts';
import { isInstructed } from '../instructions/instructions-store.server.ts';

export async function insertUser(
  db: Database,
  user: { id: string; email: string; name: string; provider: 'email' | ProviderName; language: string },
): Promise<boolean> {
  const added = await db.run(sql`
    insert into users (id, email, name, plan, credits, subscription_status, provider, language)
    values (${user.id}, ${user.email}, ${user.name}, 'free', 0, 'active', ${user.provider}, ${user.language})
    on conflict (email) do nothing`);
  return added > 0;
}

/** Locks the user until the transaction ends, so that the account is not deleted during a sign-in. */
export function findUserByEmail(
  db: Database,
  email: string,
): Promise<{ id: string; deleted: boolean; banned: boolean } | null> {
  return db.row(sql`
    select id, deleted_at is not null as deleted, banned_at is not null as banned from users
     where email = ${email} for share`);
}

export async function hasAccountOf(db: Database, email: string): Promise<boolean> {
  return (await db.row(sql`select 1 from users where email = ${email}`)) !== null;
}

export function addressesAfter(
  db: Database,
  id: string | null,
): Promise<Array<{ id: string; email: string }>> {
  return db.rows(sql`
    select id, email from users where email is not null and (${id}::uuid is null or id > ${id}::uuid)
     order by id limit 2000`);
}

export async function insertIdentityHashes(
  db: Database,
  rows: Array<{ key: Buffer; userId: string }>,
): Promise<void> {
  if (rows.length === 0) return;
  const [keys, userIds] = [rows.map(({ key }) => key), rows.map(({ userId }) => userId)];
  await db.run(sql`
    insert into welcome_grants (identity_key, user_id)
    select * from unnest(${keys}::bytea[], ${userIds}::uuid[])
    on conflict (identity_key) do nothing`);
}

/** @returns false if this identity got the welcome credits before, under any account. */
export async function claimWelcome(db: Database, identityKey: Buffer, userId: string): Promise<boolean> {
  const added = await db.run(sql`
    insert into welcome_grants (identity_key, user_id) values (${identityKey}, ${userId})
    on conflict (identity_key) do nothing`);
  return added > 0;
}

interface Profile {
  id: string;
  email: string;
  name: string;
  avatar_url: string | null;
  plan: Plan;
  credits: number;
  /** Chats started since midnight UTC, including deleted ones, without imported ones. */
  chats_today: number;
  welcomed: boolean;
  instructed: boolean;
  chat_model: string | null;
}

export function findProfile(db: Database, userId: string): Promise<Profile | null> {
  return db.row<Profile>(sql`
    select u.id, u.email, u.name, u.avatar_url, e.plan, u.credits, u.chat_model,
           (select count(*) from chat_sessions c where c.user_id = u.id and c.created_at >= app_day() and not c.imported) as chats_today,
           exists (select 1 from credit_ledger l where l.source = 'welcome' and l.external_id = u.id::text) as welcomed,
           ${isInstructed} as instructed
      from users u join entitlements e on e.user_id = u.id
     where u.id = ${userId} and u.deleted_at is null`);
}
