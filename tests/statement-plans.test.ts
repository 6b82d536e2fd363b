import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { liveSessions } from '#features/accounts/sessions/session-store.server.ts';
import { appendChunks } from '#features/generations/store.server.ts';
import { writeThinking } from '#features/generations/thinking-store.server.ts';
import type { Database } from '#platform/database/database.server.ts';
import type { Statement } from '#platform/database/sql.server.ts';
import { makeDatabase } from './support/postgres.ts';

// Rows that statements read while many runs are open on a site that PostgreSQL analyzed when none was, which is usual.

const OPEN_RUNS = 1_000;

let client: pg.Client;
let people: string[];
let open: string[];
let hashes: Buffer[];

/** Prepares each statement under its end, which differs among those used here. */
const query = (statement: Statement) =>
  client.query({ name: statement.text.slice(-60), text: statement.text, values: statement.values });
const database: Database = {
  rows: async <Row>(statement: Statement) => (await query(statement)).rows as Row[],
  row: async <Row>(statement: Statement) => ((await query(statement)).rows[0] as Row | undefined) ?? null,
  run: async (statement) => (await query(statement)).rowCount ?? 0,
};

/** Returns how many rows of `table` the work reads, by an index or not. */
async function rowsRead(table: string, work: () => Promise<unknown>): Promise<number> {
  const count = async () => {
    const { rows } = await client.query<{ read: number }>(
      `select (seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_user_tables where relname = $1`,
      [table],
    );
    return rows[0]?.read ?? 0;
  };
  await client.query('begin');
  const before = await count();
  await work();
  const read = (await count()) - before;
  await client.query('commit');
  return read;
}

const insertRuns = async (owners: string[], state: 'running' | 'done') => {
  const ids = owners.map(() => randomUUID());
  await client.query(
    `insert into generations (id, user_id, feature, state, counted, idempotency_key, request_hash, price, owner, finished_at)
     select id, owner, 'chat', $3, true, id::text, '', 0, 'tests', case when $3 = 'done' then now() end
       from unnest($1::uuid[], $2::uuid[]) as run (id, owner)`,
    [ids, owners, state],
  );
  return ids;
};

beforeAll(async () => {
  client = new pg.Client({ connectionString: await makeDatabase(inject('postgres')) });
  await client.connect();
  people = Array.from({ length: OPEN_RUNS }, () => randomUUID());
  hashes = people.map(() => randomBytes(32));
  await client.query(
    `insert into users (id, email, name) select id, id || '@example.com', 'Person' from unnest($1::uuid[]) id`,
    [people],
  );
  await client.query(
    `insert into sessions (id, token_hash, user_id, user_agent, expires_at)
     select owner, hash, owner, '', now() + interval '1 day' from unnest($1::uuid[], $2::bytea[]) as s (owner, hash)`,
    [people, hashes],
  );
  await insertRuns(people, 'done');
  await client.query('analyze');
  open = await insertRuns(people, 'running');
});
afterAll(() => client.end());

test('an admission reads the open runs of its person alone', async () => {
  const admit = () =>
    client.query(
      `select verdict from admit_generation($1, $2, 'chat', 0, 1, $3, '', '{}', true, true, false, 3, 5, 100, 20, 60, 'tests', null, null)`,
      [randomUUID(), people[0], randomUUID()],
    );
  expect(await rowsRead('generations', admit)).toBeLessThan(20);
});

test('the end of a run reads that run alone', async () => {
  const close = () =>
    client.query(`select * from close_generation($1, 1, 'done', 1, '', null, 'stop', null, null, false)`, [
      open[1],
    ]);
  expect(await rowsRead('generations', close)).toBeLessThan(20);
});

test('the log reads each of its runs once', async () => {
  const some = open.slice(100, 150);
  const chunks = some.map((id) => ({ id, epoch: 1, from: 0, to: 4, text: 'text' }));
  expect(await rowsRead('generations', () => appendChunks(database, chunks))).toBeLessThan(4 * some.length);
  const thoughts = some.map((id) => ({ id, epoch: 1, text: 'text', ms: 1 }));
  expect(await rowsRead('generations', () => writeThinking(database, thoughts))).toBeLessThan(
    4 * some.length,
  );
});

test('a session is read with its person alone, and its statement is planned for good', async () => {
  const read = (at: number) => liveSessions(database, [hashes[at]!]);
  expect(await rowsRead('users', () => read(0))).toBeLessThan(5);
  for (let at = 1; at < 12; at++) expect((await read(at)).size).toBe(1);
  const { rows } = await client.query(
    `select generic_plans::int as generic from pg_prepared_statements where statement like '%token_hash%'`,
  );
  expect(rows).toEqual([{ generic: 7 }]);
});
