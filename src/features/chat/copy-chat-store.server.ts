import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';

/** Protects the title: neither the first words nor the model replace it. @returns false if the id exists */
export async function insertCopy(
  tx: Database,
  { id, userId, title }: { id: string; userId: string; title: string },
): Promise<boolean> {
  const added = await tx.run(sql`
    insert into chat_sessions (id, user_id, title, title_source) values (${id}, ${userId}, ${title}, 'user')
    on conflict (id) do nothing`);
  return added > 0;
}

/** Each message follows the one before. */
export async function insertCopiedMessages(
  tx: Database,
  sessionId: string,
  messages: readonly { id: string; role: 'user' | 'assistant'; text: string }[],
): Promise<void> {
  const ids = messages.map(({ id }) => id);
  await tx.run(sql`
    insert into chat_messages (id, session_id, parent_id, role, content, copied)
    select id, ${sessionId}::uuid, lag(id) over (order by at), role, text, true
      from unnest(${ids}::uuid[], ${messages.map(({ role }) => role)}::text[], ${messages.map(({ text }) => text)}::text[])
           with ordinality as t (id, role, text, at)
     order by at`);
}
