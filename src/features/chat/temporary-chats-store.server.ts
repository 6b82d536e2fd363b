import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import { deleteUnreferenced } from './attachments/attachment-store.server.ts';
import { defaultTitle } from './contract.ts';

/** Marks temporary chats as left if they got no message for this many hours. */
export const markOldChatsLeft = (db: Database, hours: number) =>
  db.run(sql`
    update chat_sessions set deleted_at = app_now()
     where temporary and deleted_at is null and updated_at < app_now() - ${hours}::int * interval '1 hour'`);

/** Locks left chats until the transaction ends. Skips chats with an open run, which still needs its rows. */
export async function lockLeftChats(tx: Database, id: string | null, limit: number): Promise<string[]> {
  const rows = await tx.rows<{ id: string }>(sql`
    select s.id from chat_sessions s
     where s.temporary and s.deleted_at is not null and (${id}::uuid is null or s.id = ${id}::uuid)
       and exists (select 1 from chat_messages m where m.session_id = s.id)
       and not exists (select 1 from chat_messages m join generations g on g.id = m.generation_id
                        where m.session_id = s.id and g.finished_at is null)
     order by s.created_at limit ${limit} for update of s skip locked`);
  return rows.map((row) => row.id);
}

/** @returns the keys of their files */
export async function eraseContent(tx: Database, chats: string[]): Promise<string[]> {
  await tx.run(sql`
    update generations g set text = '' from chat_messages m
     where m.generation_id = g.id and m.session_id = any(${chats}::uuid[])`);
  await tx.run(sql`
    delete from thinking t using chat_messages m
     where m.generation_id = t.generation_id and m.session_id = any(${chats}::uuid[])`);
  await tx.run(sql`
    delete from web_searches w using chat_messages m
     where m.generation_id = w.generation_id and m.session_id = any(${chats}::uuid[])`);
  const files = await tx.rows<{ id: string }>(sql`
    select id from attachments
     where id in (select f.attachment_id from message_attachments f join chat_messages m on m.id = f.message_id
                   where m.session_id = any(${chats}::uuid[]))
     order by id for update`);
  await tx.run(sql`delete from chat_messages where session_id = any(${chats}::uuid[])`);
  await tx.run(
    sql`update chat_sessions set title = ${defaultTitle}, tip_id = null where id = any(${chats}::uuid[])`,
  );
  return deleteUnreferenced(
    tx,
    files.map(({ id }) => id),
  );
}
