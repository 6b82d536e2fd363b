import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import { restoreDays } from './deletion-contract.ts';

/** Expression on table `u`: when the account is erased. */
const erasedFrom = sql`coalesce(u.erase_from, u.deleted_at + ${restoreDays}::int * interval '1 day')`;

export function markDeleted(tx: Database, userId: string): Promise<number> {
  return tx.run(sql`update users set deleted_at = app_now() where id = ${userId} and deleted_at is null`);
}

export interface DeletedAccount {
  user_id: string;
  email: string;
  deleted_at: Date;
  erased_from: Date;
}

export function deletedAccount(db: Database, userId: string): Promise<DeletedAccount | null> {
  return db.row<DeletedAccount>(sql`
    select u.id as user_id, u.email, u.deleted_at, ${erasedFrom} as erased_from
      from users u where u.id = ${userId} and u.deleted_at is not null and u.erase_from is null and u.erased_at is null`);
}

export function eraseSoon(tx: Database, userId: string): Promise<number> {
  return tx.run(sql`
    update users set erase_from = app_now() where id = ${userId} and deleted_at is not null and erased_at is null`);
}

export async function insertRestoreOffer(
  tx: Database,
  offer: { tokenHash: Buffer; userId: string; minutes: number },
): Promise<void> {
  await tx.run(sql`
    insert into restore_offers (token_hash, user_id, expires_at)
    values (${offer.tokenHash}, ${offer.userId}, app_now() + ${offer.minutes}::int * interval '1 minute')`);
}

export function findAccountByRestoreOffer(db: Database, tokenHash: Buffer): Promise<DeletedAccount | null> {
  return db.row<DeletedAccount>(sql`
    select u.id as user_id, u.email, u.deleted_at, ${erasedFrom} as erased_from
      from restore_offers o join users u on u.id = o.user_id
     where o.token_hash = ${tokenHash} and o.expires_at > app_now()
       and ${erasedFrom} > app_now() and u.banned_at is null and u.erased_at is null`);
}

export async function deleteRestoreOffers(tx: Database, userId: string): Promise<void> {
  await tx.run(sql`delete from restore_offers where user_id = ${userId}`);
}

export function deleteExpiredRestoreOffers(db: Database): Promise<number> {
  return db.run(sql`delete from restore_offers where expires_at <= app_now()`);
}

export async function lockUser(tx: Database, userId: string): Promise<void> {
  await tx.run(sql`select 1 from users where id = ${userId} for update`);
}

export async function restoreUser(tx: Database, userId: string): Promise<void> {
  await tx.run(sql`update users set deleted_at = null where id = ${userId}`);
}

/** Locks newest first, like `voidOpenSignIns`. */
export async function lockSignIns(tx: Database, userId: string): Promise<void> {
  await tx.run(sql`
    select 1 from sign_ins s where s.email = (select email from users where id = ${userId})
     order by s.created_at desc, s.id desc for update`);
}

export async function dueForErasure(db: Database, limit: number, except: string[]): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    select u.id from users u where u.deleted_at is not null and ${erasedFrom} <= app_now() and u.erased_at is null
       and u.id <> all(${except}::uuid[]) order by u.deleted_at, u.id limit ${limit}`);
  return rows.map(({ id }) => id);
}

export async function lockDue(tx: Database, userId: string): Promise<boolean> {
  const row = await tx.row(sql`
    select 1 from users u where u.id = ${userId} and u.erased_at is null and u.deleted_at is not null
       and ${erasedFrom} <= app_now() for update`);
  return row !== null;
}

/** The row stays, because the ledger, the welcome grant and model calls refer to it. */
export async function erasePerson(tx: Database, userId: string): Promise<void> {
  // Skips a sign-in newer than `lockSignIns` that is in use: it waits for this user, and then creates a new account.
  await tx.run(sql`
    delete from sign_ins where id in (
      select s.id from sign_ins s join users u on u.email = s.email where u.id = ${userId} for update of s skip locked)`);
  await tx.run(sql`delete from sessions where user_id = ${userId}`);
  await tx.run(sql`delete from identities where user_id = ${userId}`);
  await tx.run(sql`delete from restore_offers where user_id = ${userId}`);
  await tx.run(sql`delete from avatars where user_id = ${userId}`);
  await tx.run(sql`
    update users set email = null, name = 'Deleted person', avatar_url = null, chat_model = null, erased_at = app_now() where id = ${userId}`);
}
