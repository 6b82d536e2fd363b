import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { makeDatabase } from './support/postgres.ts';

let database: pg.Client;
beforeAll(async () => {
  database = new pg.Client({ connectionString: await makeDatabase(inject('postgres')) });
  await database.connect();
});
afterAll(() => database.end());

const long = 'x'.repeat(201);

/** For each table whose rows a function checks: arguments that it accepts, and changes of one that it refuses. */
const tables: Record<string, { accepted: Record<string, unknown>; refused: [string, ...unknown[]][] }> = {
  users: {
    accepted: { credits: 0, plan: 'free', name: 'Ada', language: 'de', chat_model: null },
    refused: [
      ['credits', -1],
      ['plan', 'gold'],
      ['name', long],
      ['language', 'd', 'x'.repeat(36)],
      ['chat_model', long],
    ],
  },
  generations: {
    accepted: {
      state: 'running',
      finished_at: null,
      price: 4,
      units: 2,
      credits_charged: null,
      finish_reason: null,
      idempotency_key: 'key',
    },
    refused: [
      ['state', 'paused', 'done'],
      ['finished_at', new Date(0)],
      ['price', -2, 3],
      ['units', 0, -2],
      ['credits_charged', -1],
      ['finish_reason', 'bored'],
      ['idempotency_key', long],
    ],
  },
  credit_ledger: {
    accepted: { kind: 'hold', delta: -1, generation_id: crypto.randomUUID(), grant_id: null },
    refused: [
      ['kind', 'gift', 'settle', 'grant', 'release', 'refund'],
      ['delta', 1],
      ['generation_id', null],
      ['grant_id', 1],
    ],
  },
  gateway_calls: {
    accepted: { prompt_tokens: 0, completion_tokens: null, cost_micros: 0, answered_by: 'model' },
    refused: [
      ['prompt_tokens', -1],
      ['completion_tokens', -1],
      ['cost_micros', -1],
      ['answered_by', long],
    ],
  },
  chat_sessions: {
    accepted: { title: 'Honey', title_source: 'model', model: null, compared_model: null },
    refused: [
      ['title', long],
      ['title_source', 'guess'],
      ['model', long],
      ['compared_model', long],
    ],
  },
  chat_messages: {
    accepted: { role: 'user', copied: false, generation_id: null, left_out: null, taken_over: 0 },
    refused: [
      ['role', 'system', 'assistant'],
      ['generation_id', crypto.randomUUID()],
      ['left_out', -1],
      ['taken_over', -1],
    ],
  },
};

it.each(Object.entries(tables))('rows of %s are checked', async (table, { accepted, refused }) => {
  const { rows } = await database.query<{ call: string }>(
    `select substring(pg_get_constraintdef(oid) from 'CHECK \\((.*)\\) NOT VALID') as call from pg_constraint
      where conrelid = $1::regclass and contype = 'c'`,
    [table],
  );
  expect(rows).toHaveLength(1);
  const columns = Object.keys(accepted);
  expect(rows[0]?.call).toMatch(new RegExp(`^is_valid_\\w+\\(${columns.join(', ')}\\)$`));
  const [name] = rows[0]?.call.split('(') ?? [];
  const isAccepted = async (values: Record<string, unknown>) => {
    const places = columns.map((_, index) => `$${index + 1}`).join(', ');
    const answer = await database.query(
      `select ${name}(${places}) is not false as yes`,
      Object.values(values),
    );
    return answer.rows[0].yes;
  };
  expect(await isAccepted(accepted)).toBe(true);
  for (const [column, ...values] of refused)
    for (const value of values)
      expect(await isAccepted({ ...accepted, [column]: value }), `${column}: ${value}`).toBe(false);
});
