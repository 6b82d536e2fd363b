import type { Plan } from '#features/credits/contract.ts';
import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';

export function setName(db: Database, userId: string, name: string): Promise<number> {
  return db.run(sql`update users set name = ${name} where id = ${userId} and deleted_at is null`);
}

export async function setLanguage(db: Database, userId: string, language: string): Promise<void> {
  await db.run(sql`update users set language = ${language} where id = ${userId} and deleted_at is null`);
}

export interface Picture {
  version: string;
  bytes: Buffer;
}

export function upsertAvatar(
  db: Database,
  userId: string,
  { version, bytes, url }: Picture & { url: string },
): Promise<number> {
  return db.run(sql`
    with mine as (update users set avatar_url = ${url} where id = ${userId} and deleted_at is null returning id)
    insert into avatars (user_id, version, bytes) select id, ${version}, ${bytes}::bytea from mine
    on conflict (user_id) do update set version = excluded.version, bytes = excluded.bytes, created_at = app_now()`);
}

export function findAvatar(db: Database, userId: string): Promise<Picture | null> {
  return db.row<Picture>(sql`select version, bytes from avatars where user_id = ${userId}`);
}

export async function deleteAvatar(db: Database, userId: string): Promise<void> {
  await db.run(sql`
    with gone as (delete from avatars where user_id = ${userId})
    update users set avatar_url = null where id = ${userId} and avatar_url is not null`);
}

export interface AccountRow {
  id: string;
  email: string;
  name: string;
  plan: Plan;
  credits: number;
  created_at: Date;
  chat_model: string | null;
  providers: string[];
}

export function findAccount(db: Database, userId: string): Promise<AccountRow | null> {
  return db.row<AccountRow>(sql`
    select u.id, u.email, u.name, e.plan, u.credits, u.created_at, u.chat_model,
           array(select distinct i.provider from identities i where i.user_id = u.id order by 1) as providers
      from users u join entitlements e on e.user_id = u.id where u.id = ${userId} and u.deleted_at is null`);
}
