import type { Database } from '#platform/database/database.server.ts';
import { raw, sql } from '#platform/database/sql.server.ts';
import type { KeyScope } from './api-keys-contract.ts';

export interface KeyRow {
  id: string;
  name: string;
  last_four: string;
  scopes: KeyScope[];
  ceiling: number | null;
  ends_on: string | null;
  ended: boolean;
  created_at: Date;
  used_at: Date | null;
  revoked_at: Date | null;
  runs: number;
  credits: number;
}

const today = raw(`(app_day() at time zone 'UTC')::date`);

const columns =
  raw(`k.id, k.name, k.last_four, k.scopes, k.ceiling, to_char(k.ends_on, 'YYYY-MM-DD') as ends_on,
  coalesce(k.ends_on < (app_day() at time zone 'UTC')::date, false) as ended, k.created_at, k.used_at, k.revoked_at,
  s.runs, s.credits`);

const monthUsage = raw(`lateral (
  select count(*)::int as runs, coalesce(sum(u.credits), 0)::int as credits from api_key_usage u
   where u.api_key_id = k.id and u.created_at >= date_trunc('month', app_now(), 'UTC')) s`);

export const findKeys = (db: Database, userId: string, { revoked = false } = {}) =>
  db.rows<KeyRow>(sql`
    select ${columns} from api_keys k cross join ${monthUsage}
     where k.user_id = ${userId} and (${revoked}::boolean or k.revoked_at is null)
     order by k.created_at desc, k.id desc`);

export const ownKey = (db: Database, userId: string, id: string) =>
  db.row<KeyRow>(sql`
    select ${columns} from api_keys k cross join ${monthUsage}
     where k.id = ${id} and k.user_id = ${userId} and k.revoked_at is null`);

export interface NewKey {
  id: string;
  userId: string;
  name: string;
  hash: Buffer;
  lastFour: string;
  scopes: readonly KeyScope[];
  ceiling: number | null;
  endsOn: string | null;
}

/** Locks the user's row first, so that concurrent keys are counted. @returns false if there are `most` already. */
export async function insertKey(tx: Database, key: NewKey, most: number): Promise<boolean> {
  await tx.run(sql`select 1 from users where id = ${key.userId} for update`);
  const added = await tx.run(sql`
    insert into api_keys (id, user_id, name, hash, last_four, scopes, ceiling, ends_on)
    select ${key.id}, u.id, ${key.name}, ${key.hash}, ${key.lastFour}, ${[...key.scopes]}::text[], ${key.ceiling},
           ${key.endsOn}::date
      from users u where u.id = ${key.userId} and u.deleted_at is null and u.banned_at is null
       and (select count(*) from api_keys k where k.user_id = u.id and k.revoked_at is null) < ${most}::int`);
  return added > 0;
}

/** Locks the row, so that concurrent changes keep each other's values. */
export async function lockKey(tx: Database, userId: string, id: string): Promise<KeyRow | null> {
  await tx.run(sql`select 1 from api_keys where id = ${id} and user_id = ${userId} for update`);
  return ownKey(tx, userId, id);
}

export const updateKey = (
  tx: Database,
  { id, name, scopes, ceiling, endsOn }: Omit<NewKey, 'userId' | 'hash' | 'lastFour'>,
) =>
  tx.run(sql`
    update api_keys set name = ${name}, scopes = ${[...scopes]}::text[], ceiling = ${ceiling}, ends_on = ${endsOn}::date
     where id = ${id}`);

export const isPast = async (db: Database, day: string): Promise<boolean> =>
  (await db.row<{ past: boolean }>(sql`select ${day}::date < ${today} as past`))?.past ?? true;

export const revokeKeyRow = (db: Database, userId: string, id: string) =>
  db.run(sql`
    update api_keys set revoked_at = app_now() where id = ${id} and user_id = ${userId} and revoked_at is null`);

export const revokeKeysOf = (tx: Database, userId: string) =>
  tx.run(sql`update api_keys set revoked_at = app_now() where user_id = ${userId} and revoked_at is null`);

export const findKeyHolder = (db: Database, hash: Buffer) =>
  db.row<{ id: string; user_id: string; scopes: KeyScope[] }>(sql`
    select k.id, k.user_id, k.scopes from api_keys k join users u on u.id = k.user_id
     where k.hash = ${hash} and k.revoked_at is null and (k.ends_on is null or k.ends_on >= ${today})
       and u.deleted_at is null and u.banned_at is null`);

export async function deleteKeysOf(tx: Database, userId: string): Promise<void> {
  await tx.run(sql`
    delete from api_key_runs r using api_keys k where k.id = r.api_key_id and k.user_id = ${userId}`);
  await tx.run(sql`delete from api_keys where user_id = ${userId}`);
}
