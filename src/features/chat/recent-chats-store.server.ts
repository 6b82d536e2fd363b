import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';

export interface RecentRow {
  id: string;
  title: string;
  updated_at: Date;
  tip_id: string | null;
  running: boolean;
}

/** Returns the `limit` newest chats and those of `opened` that exist; no temporary ones. */
export const recentSessions = (
  db: Database,
  { userId, opened, limit }: { userId: string; opened: string[]; limit: number },
) =>
  db.rows<RecentRow>(sql`
    with newest as (
      select id from chat_sessions
       where user_id = ${userId} and deleted_at is null and archived_at is null and not temporary
       order by updated_at desc, id desc limit ${limit})
    select s.id, s.title, s.updated_at, s.tip_id,
           exists (select 1 from generations g join chat_messages m on m.generation_id = g.id
                    where g.user_id = s.user_id and g.state in ('queued', 'running') and m.session_id = s.id) as running
      from chat_sessions s
     where s.user_id = ${userId} and s.deleted_at is null and not s.temporary
       and (s.id = any(${opened}::uuid[]) or s.id in (select id from newest))
     order by s.updated_at desc, s.id desc`);
