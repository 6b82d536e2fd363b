import { randomUUID } from 'node:crypto';
import type { Person } from './people.ts';
import type { TestServer } from './server.ts';

/**
 * Inserts chats without messages, created two days earlier so that they do not count towards the daily limit. @returns
 * their ids.
 */
export async function seedChats(
  server: TestServer,
  person: Person,
  chats: Array<{ title: string; updatedAt: Date }>,
): Promise<string[]> {
  const rows = chats.map(({ title, updatedAt }) => ({
    id: randomUUID(),
    title,
    at: updatedAt.toISOString(),
  }));
  await server.database.query(
    `insert into chat_sessions (id, user_id, title, title_source, created_at, updated_at)
     select r.id, $1, r.title, 'user', r.at - interval '2 days', r.at
       from jsonb_to_recordset($2) as r (id uuid, title text, at timestamptz)`,
    [person.id, JSON.stringify(rows)],
  );
  return rows.map(({ id }) => id);
}
