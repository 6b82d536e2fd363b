import type { Database } from '#platform/database/database.server.ts';
import { raw, sql } from '#platform/database/sql.server.ts';

const isOpen = raw('used_at is null and voided_at is null and expires_at > app_now()');

interface NewSignIn {
  id: string;
  email: string;
  next: string | null;
  browserHash: Buffer;
  minutes: number;
}

export async function insertSignIn(tx: Database, row: NewSignIn): Promise<void> {
  await tx.run(sql`
    insert into sign_ins (id, email, next, browser_hash, expires_at)
    values (${row.id}, ${row.email}, ${row.next}, ${row.browserHash}, app_now() + ${row.minutes}::int * interval '1 minute')`);
}

/**
 * Maximum of open sign-ins per address. Other browsers get fewer mails than this within the lifetime of a code, so that
 * their requests do not void the sign-in of this one.
 */
const MAX_OPEN = 10;

/**
 * Stores the secrets, and voids older sign-ins of the same browser and the oldest above the maximum. @returns the email
 * address and the minutes left; null if the sign-in is no longer open.
 */
export function issueSignInSecrets(
  db: Database,
  row: { id: string; linkHash: Buffer; codeHash: Buffer },
): Promise<{ email: string; minutes: number } | null> {
  return db.row(sql`
    with mine as (
      update sign_ins set link_hash = ${row.linkHash}, code_hash = ${row.codeHash} where id = ${row.id} and ${isOpen}
      returning id, email, browser_hash, created_at, expires_at),
    older as materialized (
      select s.id, s.created_at, coalesce(s.browser_hash = mine.browser_hash, false) as same
        from sign_ins s join mine on s.email = mine.email
       where (s.created_at, s.id) < (mine.created_at, mine.id) and s.used_at is null and s.voided_at is null
         and s.expires_at > app_now()
       order by s.created_at desc, s.id desc for update of s),
    ranked as (select id, same, row_number() over (partition by same order by created_at desc, id desc) as nth from older),
    voided as (
      update sign_ins s set voided_at = app_now() from ranked r
       where s.id = r.id and (r.same or r.nth >= ${MAX_OPEN}::int))
    select email, ceil(extract(epoch from expires_at - app_now()) / 60)::int as minutes from mine`);
}

export function findSignInByLink(
  db: Database,
  linkHash: Buffer,
): Promise<{ email: string; browser_hash: Buffer } | null> {
  return db.row(sql`select email, browser_hash from sign_ins where link_hash = ${linkHash} and ${isOpen}`);
}

export interface UsedSignIn {
  email: string;
  next: string | null;
}

export function consumeLink(tx: Database, linkHash: Buffer): Promise<UsedSignIn | null> {
  return tx.row<UsedSignIn>(sql`
    update sign_ins set used_at = app_now() where link_hash = ${linkHash} and ${isOpen} returning email, next`);
}

const openCodes = (email: string) =>
  sql`select id from sign_ins where email = ${email} and code_hash is not null and ${isOpen}`;

export async function isCodeOfBrowser(db: Database, email: string, browserHash: Buffer): Promise<boolean> {
  return (await db.row(sql`${openCodes(email)} and browser_hash = ${browserHash} limit 1`)) !== null;
}

/**
 * Counts a try against the code that this browser requested and against the newest one of the address; the requesting
 * browser and all others are counted separately. Locks newest first, like `issueSignInSecrets`. @returns codes that had
 * tries left.
 */
export function countAttempt(
  db: Database,
  email: string,
  { browserHash, maxTries }: { browserHash: Buffer | null; maxTries: number },
): Promise<{ id: string; code_hash: Buffer }[]> {
  const isOwnCode = sql`coalesce(s.browser_hash = ${browserHash}::bytea, false)`;
  return db.rows(sql`
    with tried as materialized (
      ${openCodes(email)}
         and (browser_hash = ${browserHash}::bytea or id = (${openCodes(email)} order by created_at desc, id desc limit 1))
       order by created_at desc, id desc for update)
    update sign_ins s set tries = tries + (${isOwnCode})::int, tries_elsewhere = tries_elsewhere + (not ${isOwnCode})::int
      from tried where s.id = tried.id and case when ${isOwnCode} then tries else tries_elsewhere end < ${maxTries}::int
    returning s.id, s.code_hash`);
}

export function consumeCode(tx: Database, id: string): Promise<UsedSignIn | null> {
  return tx.row<UsedSignIn>(sql`
    update sign_ins set used_at = app_now() where id = ${id} and ${isOpen} returning email, next`);
}

/** Locks newest first, like `issueSignInSecrets`, so that the two cannot deadlock. */
export function voidOpenSignIns(tx: Database, email: string): Promise<number> {
  return tx.run(sql`
    with mine as materialized (
      select id from sign_ins where email = ${email} and ${isOpen} order by created_at desc, id desc for update)
    update sign_ins s set voided_at = app_now() from mine where s.id = mine.id`);
}

export function deleteOldSignIns(db: Database): Promise<number> {
  return db.run(sql`delete from sign_ins where expires_at < app_now() - interval '1 day'`);
}
