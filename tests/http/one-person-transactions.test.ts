import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { send, stop, uniqueWord, waitForEnd, waitForText } from '../support/chat.ts';
import { waitUntilIdle } from '../support/consistency.ts';
import { createPeople, type Person } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { write } from '../support/writer.ts';

/**
 * Conditions for splitting the database by person (docs/scale.md): each table that grows with the number of people has
 * the person's id in each row, and frequent transactions touch one person's rows. Exceptions are listed here.
 */

/** Tables whose rows belong to a person through another table. To split the database, they need a user_id. */
const BY_ANOTHER_ROW: Record<string, string> = {
  api_key_runs: 'api_keys',
  document_pages: 'documents',
  document_runs: 'documents',
  gateway_calls: 'generations',
  generation_chunks: 'generations',
  image_pictures: 'image_jobs',
  push_subscriptions: 'sessions',
  refunds: 'payments',
  thinking: 'generations',
  web_searches: 'generations',
  work_proposals: 'works',
};

/** Tables of the site, of visitors or of addresses. They are not split: they stay on one node or are copied to all. */
const OF_NO_PERSON = [
  'app_clock',
  'brand_files',
  'contact_mails',
  'cost_days',
  'engine_leases',
  'instance_values',
  'newsletter_deliveries',
  'newsletter_issues',
  'newsletter_requests',
  'newsletter_subscribers',
  'oauth_attempts',
  'page_counts',
  'prompt_decisions',
  'rate_limits',
  'schema_migrations',
  'setting_changes',
  'sign_ins',
  'users',
];

/** Written for all runs of a process in one statement every half second; once split, one statement per node. */
const MANY_PEOPLE_AT_ONCE = ['gateway_calls', 'generation_chunks', 'thinking'];

/** One row holds shown text of all runs of a process for half a second; it is joined to nothing. */
const ROWS_OF_MANY_PEOPLE = ['shown_pieces'];

let server: TestServer;
let people: Person[];
beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres') });
  people = [...(await createPeople(server, 3, { plan: 'pro' })), ...(await createPeople(server, 2))];
});
afterAll(() => server.stop());

test('each table names its person, except those that are listed', async () => {
  const { rows } = await server.database.query<{ name: string }>(`
    select t.table_name as name from information_schema.tables t
     where t.table_schema = 'public' and t.table_type = 'BASE TABLE'
       and not exists (select 1 from information_schema.columns c
                        where c.table_schema = 'public' and c.table_name = t.table_name and c.column_name = 'user_id')
     order by 1`);
  const listed = [...Object.keys(BY_ANOTHER_ROW), ...OF_NO_PERSON, ...ROWS_OF_MANY_PEOPLE].sort();
  expect(
    rows.map(({ name }) => name),
    'a new table has a user_id, or its reason here',
  ).toEqual(listed);
});

/** Installs triggers that record, for each written row, its person and transaction. */
async function watchWrites(): Promise<void> {
  await server.database.query(`
    create table touched (tx bigint not null, user_id uuid, name text not null);
    create function touch() returns trigger language plpgsql as $$
    begin
      insert into touched values (txid_current(), new.user_id, tg_table_name);
      return null;
    end $$;
    create function touch_of_run() returns trigger language plpgsql as $$
    begin
      insert into touched select txid_current(), g.user_id, tg_table_name from generations g where g.id = new.generation_id;
      return null;
    end $$;
    create function touch_user() returns trigger language plpgsql as $$
    begin
      insert into touched values (txid_current(), new.id, tg_table_name);
      return null;
    end $$;
    do $$
    declare t text;
    begin
      for t in select c.table_name from information_schema.columns c join information_schema.tables i using (table_schema, table_name)
                where c.table_schema = 'public' and c.column_name = 'user_id' and i.table_type = 'BASE TABLE' and c.table_name <> 'touched'
      loop
        execute format('create trigger touch after insert or update on %I for each row execute function touch()', t);
      end loop;
      foreach t in array array['gateway_calls', 'generation_chunks', 'thinking', 'web_searches'] loop
        execute format('create trigger touch after insert or update on %I for each row execute function touch_of_run()', t);
      end loop;
      execute 'create trigger touch after insert or update on users for each row execute function touch_user()';
    end $$`);
}

test('no transaction of a message, a text, a stop or their ends writes rows of two people', async () => {
  await watchWrites();
  // Each person's runs are sequential, because a free plan allows one at a time.
  const work = people.map((person) => [
    async () => {
      const sent = await send(person, `${uniqueWord()} [[tokens:200]] [[tps:200]]`);
      return waitForEnd(person, sent.body.generation.id);
    },
    async () => {
      const sent = await send(person, `${uniqueWord()} [[tokens:500]] [[tps:50]]`);
      await waitForText(person, sent.body.generation.id);
      await stop(person, sent.body.generation.id);
      return waitForEnd(person, sent.body.generation.id);
    },
    async () => {
      const prompt = `Write about ${uniqueWord()}. [[tps:0]] [[first:0]]`;
      expect((await write(person, { prompt, length: 'short' })).status).toBe(200);
    },
  ]);
  await Promise.all(
    work.map(async (steps) => {
      for (const step of steps) await step();
    }),
  );
  await waitUntilIdle(server);
  const { rows: all } = await server.database.query<{ name: string }>(
    'select distinct name from touched order by 1',
  );
  expect(all.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'chat_sessions',
      'credit_ledger',
      'gateway_calls',
      'generations',
      'users',
      'works',
    ]),
  );
  const { rows: crossing } = await server.database.query<{ name: string }>(`
    select distinct name from touched t
     where tx in (select tx from touched group by tx having count(distinct user_id) > 1)
     order by 1`);
  expect(crossing.map(({ name }) => name).filter((name) => !MANY_PEOPLE_AT_ONCE.includes(name))).toEqual([]);
});
