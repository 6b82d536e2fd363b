import { randomUUID } from 'node:crypto';
import pg from 'pg';

export interface GrowthSize {
  /** Chats of ten messages: of the person, and of a thousand others. */
  chats: number;
  otherChats: number;
  /** Messages of the person's long chat. */
  messages: number;
  /** Runs of the person in the last 30 days, besides the replies of the chats. */
  runs: number;
}

/** Sentences that every text consists of: 10 words each, out of some 4,000. */
export const POOL = `create table pool as
  select n, string_agg('w' || substr(md5((n * 10 + k)::text), 1, 3), ' ') || '.' as words
    from generate_series(0, 4095) n, generate_series(1, 10) k group by n`;

/**
 * Drops foreign keys, and indexes other than those of constraints, during `work`, and recreates them afterwards, which
 * is faster than checking row by row.
 */
export async function withoutIndexesAndKeys(
  db: pg.Client,
  tables: string[],
  work: () => Promise<void>,
): Promise<void> {
  const { rows } = await db.query<{ name: string; made: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as made from pg_index i
      where i.indrelid = any($1::regclass[]) and not i.indisunique and i.indpred is null`,
    [tables],
  );
  const { rows: keys } = await db.query<{ place: string; name: string; made: string }>(
    `select conrelid::regclass::text as place, conname as name, pg_get_constraintdef(oid) as made from pg_constraint
      where contype = 'f' and conrelid = any($1::regclass[])`,
    [tables],
  );
  for (const { name } of rows) await db.query(`drop index ${name}`);
  for (const { place, name } of keys) await db.query(`alter table ${place} drop constraint ${name}`);
  await db.query(`set maintenance_work_mem = '1GB'`);
  await work();
  for (const { made } of rows) await db.query(made);
  for (const { place, name, made } of keys)
    await db.query(`alter table ${place} add constraint ${name} ${made}`);
}

/** Inserts finished runs with hold and settle, from a query that returns `id`, `user_id`, `created_at` and `text`. */
export async function seedRuns(db: pg.Client, runs: string, feature = 'chat'): Promise<void> {
  await db.query(`
    with run as (
      insert into generations (id, user_id, feature, state, counted, idempotency_key, request_hash, price, owner, text,
                               finish_reason, created_at, started_at, finished_at)
      select id, user_id, '${feature}', 'done', true, id::text, '', 0, 'seed', text, 'stop', created_at, created_at, created_at
        from (${runs}) r returning id, user_id, created_at)
    insert into credit_ledger (user_id, delta, kind, generation_id, source, external_id, created_at)
    select user_id, 0, kind, id, kind, id::text, created_at from run, unnest('{hold,settle}'::text[]) kind order by run.created_at, run.id, kind`);
}

/**
 * Inserts chats of alternate questions and replies, newest first; the SQL expression `owner` gives the owner of chat
 * `n`.
 */
export async function seedChats(
  db: pg.Client,
  {
    chats,
    messages,
    owner,
    id = 'gen_random_uuid()',
  }: Record<'chats' | 'messages', number> & { owner: string; id?: string },
): Promise<void> {
  await db.query(`create table chat as
    select n, ${id} as id, ${owner} as user_id, app_now() - interval '31 days' - n * interval '1 minute' as at
      from generate_series(1, ${chats}) n`);
  await db.query(`
    insert into chat_sessions (id, user_id, title, title_source, created_at, updated_at)
    select id, user_id, 'Chat about ' || n, 'model', at, at from chat`);
  await db.query(`create table message as
    select c.id as chat, c.user_id, c.at, c.n, k, gen_random_uuid() as id, gen_random_uuid() as run,
           a.words || ' ' || b.words || ' ' || d.words as text
      from chat c cross join generate_series(1, ${messages}) k
      join pool a on a.n = (c.n * 31 + k * 7) % 4096 join pool b on b.n = (c.n * 17 + k * 101) % 4096
      join pool d on d.n = (c.n * 5 + k * 1009) % 4096`);
  await seedRuns(db, `select run as id, user_id, at as created_at, text from message where k % 2 = 0`);
  await db.query(`
    insert into chat_messages (id, session_id, user_id, parent_id, role, content, generation_id, created_at, depth)
    select id, chat, user_id, lag(id) over (partition by chat order by k), case when k % 2 = 1 then 'user' else 'assistant' end,
           text, case when k % 2 = 0 then run end, at, k
      from message order by n desc, k`);
  await db.query('drop table message, chat');
}

/** Inserts chats, messages and runs of a person and a thousand others directly. @returns the long chat's id. */
export async function seedGrowth(databaseUrl: string, userId: string, size: GrowthSize): Promise<string> {
  const db = new pg.Client({ connectionString: databaseUrl });
  await db.connect();
  const longChat = randomUUID();
  const person = `'${userId}'::uuid`;
  await db.query(POOL);
  await db.query(
    `insert into users (id, email, name) select gen_random_uuid(), n || '@grown.example', 'Grown' from generate_series(1, 1000) n`,
  );
  await withoutIndexesAndKeys(
    db,
    ['chat_messages', 'chat_sessions', 'generations', 'credit_ledger'],
    async () => {
      await db.query('alter table chat_messages disable trigger user');
      await db.query('alter table generations disable trigger user');
      const owner = `(select id from users where email = (1 + n % 1000) || '@grown.example')`;
      await seedChats(db, { chats: size.otherChats, messages: 10, owner });
      await seedChats(db, { chats: size.chats, messages: 10, owner: person });
      await seedChats(db, { chats: 1, messages: size.messages, owner: person, id: `'${longChat}'::uuid` });
      await seedRuns(
        db,
        `select gen_random_uuid() as id, ${person} as user_id, '' as text,
              app_now() - (r % 30) * interval '1 day' - interval '1 second' as created_at
         from generate_series(1, ${size.runs}) r`,
      );
    },
  );
  await db.query('alter table chat_messages enable trigger user');
  await db.query('alter table generations enable trigger user');
  await db.query(`
    insert into usage_days (user_id, day, feature, runs, credits)
    select user_id, (created_at at time zone 'UTC')::date, feature, count(*), sum(credits_charged) from generations group by 1, 2, 3`);
  await db.query('drop table pool');
  await db.query('vacuum analyze');
  await db.end();
  return longChat;
}
