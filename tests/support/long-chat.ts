import { randomUUID } from 'node:crypto';
import type { Person } from './people.ts';
import type { TestServer } from './server.ts';

export interface LongChat {
  id: string;
  /** Ids of its messages, oldest first: questions at even indexes, replies at odd ones. */
  messages: string[];
}

/** Returns an ordinary message: a numbered heading, a paragraph, a list and code. */
export const usualText = (at: number) =>
  `## Part ${at}\n\nA paragraph of a usual length that says **something** and then a little more of it.\n\n- one\n- two\n\n\`\`\`ts\nconst x = ${at};\n\`\`\`\n`;

/**
 * Inserts a chat of finished messages directly. It started three days ago, so that it counts towards no daily limit.
 * `textOf` receives each message's index.
 */
export async function writeChat(
  server: Pick<TestServer, 'database'>,
  person: Pick<Person, 'id'>,
  count: number,
  textOf: (at: number) => string = usualText,
): Promise<LongChat> {
  const id = randomUUID();
  const messages = Array.from({ length: count }, () => randomUUID());
  const texts = messages.map((_, at) => textOf(at));
  const runs = messages.map((_, at) => (at % 2 === 1 ? randomUUID() : null));
  const parents = messages.map((_, at) => messages[at - 1] ?? null);
  const { database } = server;
  await database.query(
    `insert into chat_sessions (id, user_id, title, created_at) values ($1, $2, $3, now() - interval '3 days')`,
    [id, person.id, `Chat of ${count}`],
  );
  await database.query(
    `with runs as (
       insert into generations (id, user_id, feature, state, counted, idempotency_key, request_hash, price, owner, text, finish_reason, created_at, finished_at)
       select run, $1, 'chat', 'done', true, run::text, '', 0, 'tests', text, 'stop', now() - interval '3 days', now() - interval '3 days'
         from unnest($2::uuid[], $3::text[]) as t (run, text) where run is not null)
     insert into credit_ledger (user_id, delta, kind, generation_id, source, external_id)
     select $1, 0, kind, run, kind, run::text
       from unnest($2::uuid[]) run, unnest(array['hold', 'settle']) kind where run is not null`,
    [person.id, runs, texts],
  );
  await database.query(
    `insert into chat_messages (id, session_id, parent_id, role, content, generation_id, depth)
     select message, $1, parent, case when run is null then 'user' else 'assistant' end, text, run, at
       from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[]) with ordinality as t (message, parent, run, text, at)
      order by at`,
    [id, messages, parents, runs, texts],
  );
  return { id, messages };
}
