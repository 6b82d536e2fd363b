import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import type { ReplyRating } from '../contract.ts';

interface RatedReply {
  userId: string;
  messageId: string;
}

/** Returns the person's finished reply, made here or imported; null for any other message. */
export const findRatable = (db: Database, { userId, messageId }: RatedReply) =>
  db.row<{ id: string }>(sql`
    select m.id from chat_messages m join chat_sessions s on s.id = m.session_id
      left join generations g on g.id = m.generation_id
     where m.id = ${messageId} and s.user_id = ${userId} and s.deleted_at is null and m.role = 'assistant'
       and (g.finished_at is not null or (m.copied and s.imported))`);

export async function saveRating(
  db: Database,
  { userId, messageId, good, reason }: RatedReply & ReplyRating,
): Promise<void> {
  await db.run(sql`
    insert into reply_ratings (message_id, user_id, good, reason)
    values (${messageId}, ${userId}, ${good}, ${reason})
    on conflict (message_id) do update set good = excluded.good, reason = excluded.reason, created_at = app_now()`);
}

export async function deleteRating(db: Database, { userId, messageId }: RatedReply): Promise<void> {
  await db.run(sql`delete from reply_ratings where message_id = ${messageId} and user_id = ${userId}`);
}
