import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import { restoreDays } from './deletion-contract.ts';

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
    select id as user_id, email, deleted_at, deleted_at + ${restoreDays}::int * interval '1 day' as erased_from
      from users where id = ${userId} and deleted_at is not null and erased_at is null`);
}

export async function insertRestoreOffer(
  tx: Database,
  offer: { tokenHash: Buffer; userId: string; minutes: number },
): Promise<void> {
  await tx.run(sql`
    insert into restore_offers (token_hash, user_id, expires_at)
    values (${offer.tokenHash}, ${offer.userId}, app_now() + ${offer.minutes}::int * interval '1 minute')`);
}

export function accountOfRestoreOffer(db: Database, tokenHash: Buffer): Promise<DeletedAccount | null> {
  return db.row<DeletedAccount>(sql`
    select u.id as user_id, u.email, u.deleted_at, u.deleted_at + ${restoreDays}::int * interval '1 day' as erased_from
      from restore_offers o join users u on u.id = o.user_id
     where o.token_hash = ${tokenHash} and o.expires_at > app_now()
       and u.deleted_at > app_now() - ${restoreDays}::int * interval '1 day' and u.erased_at is null`);
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

/** Newest first, as `voidOpenSignIns` locks them. */
export async function lockSignIns(tx: Database, userId: string): Promise<void> {
  await tx.run(sql`
    select 1 from sign_ins s where s.email = (select email from users where id = ${userId})
     order by s.created_at desc, s.id desc for update`);
}

export async function dueForErasure(db: Database, limit: number, except: string[]): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    select id from users where deleted_at <= app_now() - ${restoreDays}::int * interval '1 day' and erased_at is null
       and id <> all(${except}::uuid[]) order by deleted_at, id limit ${limit}`);
  return rows.map(({ id }) => id);
}

export async function lockDue(tx: Database, userId: string): Promise<boolean> {
  const row = await tx.row(sql`
    select 1 from users where id = ${userId} and erased_at is null
       and deleted_at <= app_now() - ${restoreDays}::int * interval '1 day' for update`);
  return row !== null;
}

/** The row stays for the ledger, the welcome grant and calls. */
export async function erasePerson(tx: Database, userId: string): Promise<void> {
  // A sign-in since `lockSignIns` that is being used waits for this person; it begins a new account.
  await tx.run(sql`
    delete from sign_ins where id in (
      select s.id from sign_ins s join users u on u.email = s.email where u.id = ${userId} for update of s skip locked)`);
  await tx.run(sql`delete from sessions where user_id = ${userId}`);
  await tx.run(sql`delete from identities where user_id = ${userId}`);
  await tx.run(sql`delete from restore_offers where user_id = ${userId}`);
  await tx.run(sql`delete from avatars where user_id = ${userId}`);
  await tx.run(sql`
    update users set email = null, name = 'Deleted person', avatar_url = null, erased_at = app_now() where id = ${userId}`);
}
