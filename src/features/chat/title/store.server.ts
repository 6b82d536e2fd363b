import type { Database } from '../../../platform/database/database.server.ts';
import { type Statement, sql } from '../../../platform/database/sql.server.ts';

/** The start of the first question of a chat that was replied to and of its newest reply; null before there is one. */
export function firstExchange(
  db: Database,
  sessionId: string,
  length: number,
): Promise<{ question: string; reply: string } | null> {
  return db.row(sql`
    select left(q.content, ${length}::int) as question, left(r.content, ${length}::int) as reply
      from chat_messages q join chat_messages r on r.parent_id = q.id
     where q.session_id = ${sessionId} and q.role = 'user' and r.content <> ''
     order by r.depth, r.position desc limit 1`);
}

/** The closing of a title's run, and the title where nobody gave one; null leaves the words that it has. */
export function titleStatement(closing: Statement, sessionId: string, title: string | null): Statement {
  return sql`
    with c as materialized (${closing}), w as (
      update chat_sessions set title = coalesce(${title}, chat_sessions.title), title_source = 'model' from c
       where id = ${sessionId} and title_source = 'default')
    select * from c`;
}
