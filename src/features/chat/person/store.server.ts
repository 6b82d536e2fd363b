import type { Database } from '../../../platform/database/database.server.ts';
import { sql } from '../../../platform/database/sql.server.ts';
import type { MessageRow } from '../tree/store.server.ts';

/** Erases all chats of a person with their messages. @returns the number of chats. */
export function deleteChatsOf(tx: Database, userId: string): Promise<number> {
  return tx.run(sql`delete from chat_sessions where user_id = ${userId}`);
}

export interface WholeChatRow {
  id: string;
  title: string;
  created_at: Date;
  updated_at: Date;
  deleted_at: Date | null;
  /** Place in the order of this listing. */
  cursor: string;
}

/** Chats of a person, those in the bin too, oldest first, after a place of that order. */
export function chatsAfter(
  db: Database,
  userId: string,
  after: { cursor: string; id: string } | null,
  limit: number,
): Promise<WholeChatRow[]> {
  return db.rows<WholeChatRow>(sql`
    select id, title, created_at, updated_at, deleted_at, created_at::text as cursor from chat_sessions
     where user_id = ${userId}
       and (${after?.cursor ?? null}::text is null
            or (created_at, id) > (${after?.cursor ?? null}::timestamptz, ${after?.id ?? null}::uuid))
     order by created_at, id limit ${limit}`);
}

/** A message as it is downloaded: its versions are its siblings. */
export type WrittenRow = Omit<MessageRow, 'model' | 'versions' | 'attachment'> & {
  attachment_id: string | null;
  position: number;
};

/** Messages of all branches of a chat in the order of their writing, after a position. */
export function messagesAfter(
  db: Database,
  sessionId: string,
  after: number,
  limit: number,
): Promise<WrittenRow[]> {
  return db.rows(sql`
    select m.id, m.parent_id, m.role, m.content, m.created_at, m.generation_id, m.attachment_id, m.position,
           m.taken_over, m.left_out, g.state, g.finish_reason, g.error_message, g.credits_charged
      from chat_messages m left join generations g on g.id = m.generation_id
     where m.session_id = ${sessionId} and m.position > ${after} order by m.position limit ${limit}`);
}

/** Ids of the newest branch of a chat, oldest first. */
export async function shownIds(db: Database, sessionId: string): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    with recursive up as (
      (select m.id, m.parent_id, 1 as depth from chat_messages m where m.session_id = ${sessionId}
        order by m.position desc limit 1)
      union all
      select p.id, p.parent_id, up.depth + 1 from chat_messages p join up on p.id = up.parent_id)
    select id from up order by depth desc`);
  return rows.map(({ id }) => id);
}

/** What some messages say, in the order of their ids here. */
export function said(
  db: Database,
  ids: string[],
): Promise<Array<Pick<MessageRow, 'role' | 'content' | 'created_at'>>> {
  return db.rows(sql`
    select m.role, m.content, m.created_at
      from unnest(${ids}::uuid[]) with ordinality as asked(id, place) join chat_messages m on m.id = asked.id
     order by asked.place`);
}
