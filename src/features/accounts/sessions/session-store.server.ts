import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';

interface LiveSession {
  id: string;
  user_id: string;
  language: string | null;
  /** Its last use was recorded at least an hour ago. */
  stale: boolean;
}

/**
 * Keyed by the token hashes in hexadecimal. Each person is looked up by id: in a plain join, PostgreSQL reads all people of a
 * small site, or of one that it has not analyzed. One hash is not passed as a list: the plan for a list of unknown length
 * counts as costly, so PostgreSQL plans anew for each list, which takes ten times as long as the read.
 */
export async function liveSessions(db: Database, tokenHashes: Buffer[]): Promise<Map<string, LiveSession>> {
  const isGiven =
    tokenHashes.length === 1
      ? sql`s.token_hash = ${tokenHashes[0]}`
      : sql`s.token_hash = any(${tokenHashes}::bytea[])`;
  const rows = await db.rows<LiveSession & { hash: Buffer }>(sql`
    select s.token_hash as hash, s.id, s.user_id, u.language, s.last_seen_at <= app_now() - interval '1 hour' as stale
      from sessions s cross join lateral (
             select u.language from users u
              where u.id = s.user_id and u.deleted_at is null and u.banned_at is null offset 0) u
     where ${isGiven} and s.expires_at > app_now()`);
  return new Map(rows.map(({ hash, ...session }) => [hash.toString('hex'), session]));
}

export async function liveSessionIds(db: Database, ids: string[]): Promise<Set<string>> {
  const rows = await db.rows<{ id: string }>(sql`
    select s.id
      from sessions s cross join lateral (
             select from users u where u.id = s.user_id and u.deleted_at is null and u.banned_at is null offset 0) u
     where s.id = any(${ids}::uuid[]) and s.expires_at > app_now()`);
  return new Set(rows.map(({ id }) => id));
}

export async function isYoungerThan(db: Database, id: string, minutes: number): Promise<boolean> {
  const row = await db.row(sql`
    select 1 from sessions where id = ${id} and created_at > app_now() - ${minutes}::int * interval '1 minute'`);
  return row !== null;
}

export function findSessionOwner(
  db: Database,
  id: string,
): Promise<{ email: string; minutes: number } | null> {
  return db.row(sql`
    select u.email, floor(extract(epoch from app_now() - s.created_at) / 60)::int as minutes
      from sessions s join users u on u.id = s.user_id and u.deleted_at is null where s.id = ${id}`);
}

/** Writes at most once an hour; the session ends `most` days after its start at the latest. */
export function touchSession(db: Database, id: string, days: number, most: number): Promise<number> {
  return db.run(sql`
    update sessions set last_seen_at = app_now(),
           expires_at = least(app_now() + ${days}::int * interval '1 day', created_at + ${most}::int * interval '1 day')
     where id = ${id} and last_seen_at <= app_now() - interval '1 hour'`);
}

export async function wasJustExtended(db: Database, id: string): Promise<boolean> {
  const row = await db.row<{ moved: boolean }>(sql`
    select last_seen_at > app_now() - interval '1 minute' and last_seen_at > created_at as moved
      from sessions where id = ${id}`);
  return row?.moved ?? false;
}

interface NewSession {
  id: string;
  tokenHash: Buffer;
  userId: string;
  userAgent: string;
  days: number;
}

export async function insertSession(db: Database, session: NewSession): Promise<void> {
  await db.run(sql`
    insert into sessions (id, token_hash, user_id, user_agent, expires_at)
    values (${session.id}, ${session.tokenHash}, ${session.userId}, ${session.userAgent},
            app_now() + ${session.days}::int * interval '1 day')`);
}

interface StoredSession {
  id: string;
  created_at: Date;
  last_seen_at: Date;
  user_agent: string;
}

/** Most recently used first, at most 200. */
export function findSessions(db: Database, userId: string): Promise<StoredSession[]> {
  return db.rows<StoredSession>(sql`
    select id, created_at, last_seen_at, user_agent from sessions
     where user_id = ${userId} and expires_at > app_now() order by last_seen_at desc, id desc limit 200`);
}

export function deleteSession(db: Database, userId: string, id: string): Promise<number> {
  return db.run(sql`delete from sessions where user_id = ${userId} and id = ${id}`);
}

/** For any user: the token is the proof. */
export function deleteSessionOfToken(db: Database, tokenHash: Buffer): Promise<number> {
  return db.run(sql`delete from sessions where token_hash = ${tokenHash}`);
}

export function deleteOtherSessions(db: Database, userId: string, keptId: string): Promise<number> {
  return db.run(sql`delete from sessions where user_id = ${userId} and id <> ${keptId}`);
}

export function deleteSessionsOf(db: Database, userId: string): Promise<number> {
  return db.run(sql`delete from sessions where user_id = ${userId}`);
}

export function deleteExpiredSessions(db: Database): Promise<number> {
  return db.run(sql`delete from sessions where expires_at <= app_now()`);
}
