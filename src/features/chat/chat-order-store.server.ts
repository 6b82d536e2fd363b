import type { Database } from '#platform/database/database.server.ts';
import { restorable } from '#platform/database/soft-delete.server.ts';
import { raw, type Statement, sql } from '#platform/database/sql.server.ts';
import { chatLimits } from './contract.ts';
import { restorePeriod } from './store.server.ts';

/** Until the transaction ends, no other transaction changes which chats of this person are pinned. */
export async function lockPins(tx: Database, userId: string): Promise<void> {
  await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended(${`pins:${userId}`}, 0))`);
}

/** Returns which of these chats are the person's own and not deleted, and locks them until the transaction ends. */
export function lockChats(
  tx: Database,
  userId: string,
  ids: string[],
): Promise<{ id: string; temporary: boolean }[]> {
  return tx.rows(sql`
    select id, temporary from chat_sessions
     where id = any(${ids}::uuid[]) and user_id = ${userId} and deleted_at is null
     order by id for update`);
}

const isPinned = raw('s.pinned_at is not null and s.archived_at is null and s.deleted_at is null');

/** Counts the pinned chats other than these. */
export async function countPins(tx: Database, userId: string, except: string[]): Promise<number> {
  const row = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from chat_sessions s
     where s.user_id = ${userId} and ${isPinned} and s.id <> all(${except}::uuid[])`);
  return row?.count ?? 0;
}

/** Pins these chats with the first one on top; chats that are already pinned keep their place. */
export const pinChats = (tx: Database, ids: string[]) =>
  tx.run(sql`
    update chat_sessions s
       set archived_at = null,
           pinned_at = case when ${isPinned} then s.pinned_at
                            else app_now() - asked.place * interval '1 microsecond' end
      from unnest(${ids}::uuid[]) with ordinality as asked(id, place) where s.id = asked.id`);

export const unpinChats = (tx: Database, ids: string[]) =>
  tx.run(sql`update chat_sessions set pinned_at = null where id = any(${ids}::uuid[])`);

export const archiveChats = (tx: Database, ids: string[]) =>
  tx.run(sql`
    update chat_sessions set archived_at = app_now() where id = any(${ids}::uuid[]) and archived_at is null`);

/** Query for the pins of returning chats that still fit the limit, newest pin first. */
const pinsThatFit = (userId: string, returning: Statement) => sql`
  select s.id from chat_sessions s where ${returning} and s.pinned_at is not null
   order by s.pinned_at desc
   limit (select greatest(0, ${chatLimits.pinned}::int - count(*)) from chat_sessions s
           where s.user_id = ${userId} and ${isPinned})`;

/** Their content is purged later, and they still count for their day. */
export const deleteChats = (tx: Database, ids: string[]) =>
  tx.run(sql`update chat_sessions set deleted_at = app_now() where id = any(${ids}::uuid[])`);

export async function unfinishedRuns(db: Database, userId: string, ids: string[]): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    select g.id from generations g
     where g.user_id = ${userId} and g.state in ('queued', 'running')
       and (g.id in (select m.generation_id from chat_messages m where m.session_id = any(${ids}::uuid[]))
            or (g.feature = 'title' and g.input ->> 'sessionId' = any(${ids}::text[])))`);
  return rows.map((row) => row.id);
}

export function unarchiveChats(tx: Database, userId: string, ids: string[]): Promise<number> {
  const returning = sql`s.id = any(${ids}::uuid[]) and s.archived_at is not null`;
  return tx.run(sql`
    update chat_sessions s
       set archived_at = null,
           pinned_at = case when s.id in (${pinsThatFit(userId, returning)}) then s.pinned_at end
     where ${returning}`);
}

/** Restores these chats. Returns how many of them now exist, including those that were not deleted. */
export async function restoreDeleted(tx: Database, userId: string, ids: string[]): Promise<number> {
  const own = sql`s.id = any(${ids}::uuid[]) and s.user_id = ${userId} and not s.temporary`;
  const returning = sql`${own} and ${restorable('s', restorePeriod)}`;
  await tx.run(sql`
    update chat_sessions s
       set deleted_at = null,
           pinned_at = case when s.archived_at is not null or s.id in (${pinsThatFit(userId, sql`${returning} and s.archived_at is null`)})
                            then s.pinned_at end
     where ${returning}`);
  const row = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from chat_sessions s where ${own} and s.deleted_at is null`);
  return row?.count ?? 0;
}
