import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';

interface ModelSelection {
  userId: string;
  model: string | null;
}

export async function chooseForNextChat(db: Database, { userId, model }: ModelSelection): Promise<void> {
  await db.run(sql`update users set chat_model = ${model} where id = ${userId} and deleted_at is null`);
}

/** Returns null if the chat is not the person's own. */
export const chooseForChat = (db: Database, { userId, model, chatId }: ModelSelection & { chatId: string }) =>
  db.row(sql`
    with chat as (
      update chat_sessions set model = ${model}
       where id = ${chatId} and user_id = ${userId} and deleted_at is null returning user_id)
    update users u set chat_model = ${model} from chat
     where u.id = chat.user_id and u.deleted_at is null returning u.id`);

/** Returns null if the chat is not the person's own. */
export const chooseCompared = (
  db: Database,
  { userId, compare, chatId }: { userId: string; compare: string | null; chatId: string },
) =>
  db.row(sql`
    update chat_sessions set compared_model = ${compare}
     where id = ${chatId} and user_id = ${userId} and deleted_at is null returning id`);

export async function sendsImage(
  db: Database,
  { userId, messageId, attachmentIds }: { userId: string; messageId: string | null; attachmentIds: string[] },
): Promise<boolean> {
  const row = await db.row(sql`
    select 1 from attachments a
     where a.kind = 'image' and a.user_id = ${userId}
       and (a.id = any(${attachmentIds}::uuid[])
            or a.id in (select f.attachment_id from message_attachments f where f.message_id = ${messageId}))
     limit 1`);
  return row !== null;
}
