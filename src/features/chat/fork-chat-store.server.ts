import { v7 as uuid } from 'uuid';
import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';

/** Protects the title: neither the first words nor the model replace it. @returns false if the id exists */
export async function insertFork(
  tx: Database,
  { id, from, title }: { id: string; from: string; title: string },
): Promise<boolean> {
  const added = await tx.run(sql`
    insert into chat_sessions (id, user_id, title, title_source, assistant, own_assistant_id, model, compared_model, project_id)
    select ${id}::uuid, user_id, ${title}, 'user', assistant, own_assistant_id, model, compared_model, project_id from chat_sessions where id = ${from}
    on conflict (id) do nothing`);
  return added > 0;
}

export const chatOfMessage = (tx: Database, userId: string, messageId: string) =>
  tx.row<{ id: string; title: string; temporary: boolean }>(sql`
    select s.id, s.title, s.temporary from chat_messages m join chat_sessions s on s.id = m.session_id
     where m.id = ${messageId} and s.user_id = ${userId} and s.deleted_at is null`);

/** Returns the bytes of these messages' texts, and whether one of them is still being written. */
export async function messagesSize(
  tx: Database,
  ids: string[],
): Promise<{ bytes: number; running: boolean }> {
  const row = await tx.row<{ bytes: number; running: boolean }>(sql`
    select coalesce(sum(octet_length(m.content)), 0)::float8 as bytes,
           coalesce(bool_or(g.state in ('queued', 'running')), false) as running
      from chat_messages m left join generations g on g.id = m.generation_id where m.id = any(${ids}::uuid[])`);
  return row ?? { bytes: 0, running: false };
}

/** Copies the messages of a branch, in its order, into a chat without messages; each follows the one before. */
export async function copyMessages(tx: Database, { to, ids }: { to: string; ids: string[] }): Promise<void> {
  const copies = ids.map(() => uuid());
  const idPairs = sql`unnest(${ids}::uuid[], ${copies}::uuid[]) with ordinality as asked(id, copy, place)`;
  await tx.run(sql`
    insert into chat_messages (id, session_id, parent_id, role, content, attachment_id, created_at, copied, drawn_by)
    select asked.copy, ${to}::uuid, lag(asked.copy) over (order by asked.place), m.role, m.content, m.attachment_id,
           m.created_at, true, coalesce(m.drawn_by, g.id)
      from ${idPairs} join chat_messages m on m.id = asked.id
      left join generations g on g.id = m.generation_id and g.feature = 'image' order by asked.place`);
  await tx.run(sql`
    insert into further_attachments (message_id, position, attachment_id, user_id)
    select asked.copy, f.position, f.attachment_id, f.user_id
      from ${idPairs} join further_attachments f on f.message_id = asked.id`);
}
