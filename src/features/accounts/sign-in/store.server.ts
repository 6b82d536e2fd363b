import type { Database } from '../../../platform/database/database.server.ts';
import { raw, sql } from '../../../platform/database/sql.server.ts';

/** Not used, not voided, not run out. */
const open = raw('used_at is null and voided_at is null and expires_at > app_now()');

export interface NewSignIn {
  id: string;
  email: string;
  next: string | null;
  browserHash: Buffer;
  minutes: number;
}

/** Notes a wish to sign in; it has no secret yet. */
export async function insertSignIn(tx: Database, row: NewSignIn): Promise<void> {
  await tx.run(sql`
    insert into sign_ins (id, email, next, browser_hash, expires_at)
    values (${row.id}, ${row.email}, ${row.next}, ${row.browserHash}, app_now() + ${row.minutes}::int * interval '1 minute')`);
}

/**
 * Gives an open sign-in its secrets and voids the older ones of that address.
 * @returns the address and the minutes left; null when it is open no more.
 */
export function armSignIn(
  db: Database,
  row: { id: string; linkHash: Buffer; codeHash: Buffer },
): Promise<{ email: string; minutes: number } | null> {
  return db.row(sql`
    with mine as (
      update sign_ins set link_hash = ${row.linkHash}, code_hash = ${row.codeHash} where id = ${row.id} and ${open}
      returning id, email, created_at, expires_at),
    older as (
      update sign_ins s set voided_at = app_now() from mine
       where s.email = mine.email and (s.created_at, s.id) < (mine.created_at, mine.id)
         and s.used_at is null and s.voided_at is null)
    select email, ceil(extract(epoch from expires_at - app_now()) / 60)::int as minutes from mine`);
}

/** The open sign-in of a link. */
export function signInOfLink(
  db: Database,
  linkHash: Buffer,
): Promise<{ email: string; browser_hash: Buffer } | null> {
  return db.row(sql`select email, browser_hash from sign_ins where link_hash = ${linkHash} and ${open}`);
}

export interface UsedSignIn {
  email: string;
  next: string | null;
}

/** Uses up the sign-in of a link; of parallel calls one gets it. */
export function useLink(tx: Database, linkHash: Buffer): Promise<UsedSignIn | null> {
  return tx.row<UsedSignIn>(sql`
    update sign_ins set used_at = app_now() where link_hash = ${linkHash} and ${open} returning email, next`);
}

const newestCode = (email: string) =>
  sql`(select id from sign_ins where email = ${email} and code_hash is not null and ${open}
        order by created_at desc, id desc limit 1)`;

/** Whether the newest open code of an address was asked for by the browser of this mark. */
export async function isCodeOfBrowser(db: Database, email: string, mark: Buffer): Promise<boolean> {
  const row = await db.row(
    sql`select 1 from sign_ins where id = ${newestCode(email)} and browser_hash = ${mark}`,
  );
  return row !== null;
}

/**
 * Counts a try against the newest open code of an address, for the browser that asked (`mark`) apart from all others;
 * null when there is none with tries left.
 */
export function countTry(
  db: Database,
  email: string,
  { mark, maxTries }: { mark: Buffer | null; maxTries: number },
): Promise<{ id: string; code_hash: Buffer } | null> {
  const asked = sql`coalesce(browser_hash = ${mark}::bytea, false)`;
  return db.row(sql`
    update sign_ins set tries = tries + (${asked})::int, tries_elsewhere = tries_elsewhere + (not ${asked})::int
     where id = ${newestCode(email)} and case when ${asked} then tries else tries_elsewhere end < ${maxTries} and ${open}
    returning id, code_hash`);
}

/** Uses up a sign-in whose code was right. */
export function useCode(tx: Database, id: string): Promise<UsedSignIn | null> {
  return tx.row<UsedSignIn>(sql`
    update sign_ins set used_at = app_now() where id = ${id} and ${open} returning email, next`);
}

/** Voids the open sign-ins of an address, locked newest first as `armSignIn` does, so that neither waits for the other. */
export function voidOpen(tx: Database, email: string): Promise<number> {
  return tx.run(sql`
    with mine as materialized (
      select id from sign_ins where email = ${email} and ${open} order by created_at desc, id desc for update)
    update sign_ins s set voided_at = app_now() from mine where s.id = mine.id`);
}

/** Removes sign-ins that ran out more than a day ago. */
export function deleteOldSignIns(db: Database): Promise<number> {
  return db.run(sql`delete from sign_ins where expires_at < app_now() - interval '1 day'`);
}
