import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { priceTable } from '#features/credits/contract.ts';
import { createPerson } from '../support/people.ts';
import { seedPlan } from '../support/seed-plan.ts';
import { runEntry, startTestServer, type TestServer } from '../support/server.ts';
import { soak } from '../support/soak.ts';

// Each command starts a process, which is slow on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres') });
});
afterAll(() => server.stop());

const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);

/** Returns the CSV's lines as `table name figure -> value`. */
async function figures(...args: string[]): Promise<Map<string, string>> {
  const { code, output } = await runEntry('stats', server, ['--csv', ...args]);
  expect(code).toBe(0);
  const [head, ...lines] = output.trimEnd().split('\r\n');
  expect(head).toBe('table,name,figure,value');
  return new Map(
    lines.map((line) => {
      const [table, name, figure, ...value] = line.split(',');
      return [`${table} ${name} ${figure}`, value.join(',')];
    }),
  );
}

async function run(userId: string, feature: string, state: string, credits: number, ago = 0) {
  const { rows } = await server.database.query<{ id: string }>(
    `insert into generations (id, user_id, feature, state, counted, idempotency_key, request_hash, price, credits_charged, owner, created_at, finished_at)
     values ($1, $2, $3, $4, $5, $1::uuid::text, '', 5, $6, 'test', app_now() - $7 * interval '1 day', app_now()) returning id`,
    [randomUUID(), userId, feature, state, feature !== 'title', credits, ago],
  );
  await server.database.query(
    `insert into gateway_calls (id, generation_id, purpose, model, cost_micros, cost_estimated)
     values (gen_random_uuid(), $1, $2, 'm', $3, $4)`,
    [rows[0]?.id, feature, state === 'interrupted' ? null : 1500, state !== 'done'],
  );
}

test('the figures match the tables, for the requested days', async () => {
  const person = await createPerson(server);
  const other = await createPerson(server);
  await server.database.query(`update users set created_at = app_now() - interval '2 days' where id = $1`, [
    other.id,
  ]);
  await run(person.id, 'image', 'done', 5);
  await run(person.id, 'image', 'failed', 0);
  await run(person.id, 'chat', 'interrupted', 0, 1);
  await run(person.id, 'chat', 'stopped', 1, 40);
  await run(person.id, 'title', 'done', 0);
  await seedPlan(server, person, { plan: 'monthly', refunded: 500 });
  await server.database.query(
    `insert into page_counts select app_day()::date - v.ago, v.fact, v.value, v.views from (values
       (0, 'page', '/', 7), (1, 'page', '/', 2), (1, 'page', '/pricing', 4), (5, 'page', '/', 100),
       (0, 'referrer', 'news.example', 3), (0, 'width', 'wide', 9), (0, 'language', 'de', 2)) as v(ago, fact, value, views)`,
  );
  const few = await figures('--days', '2');
  const expected: Record<string, string> = {
    [`Day ${day(0)} views`]: '7',
    [`Day ${day(1)} views`]: '6',
    [`Day ${day(0)} accounts`]: '1',
    [`Day ${day(0)} runs`]: '2',
    [`Day ${day(1)} runs`]: '1',
    [`Day ${day(0)} credits`]: '5',
    [`Day ${day(0)} plans started`]: '1',
    [`Day ${day(0)} plans ended`]: '0',
    [`Day ${day(0)} paid`]: `${priceTable.monthly.priceCents / 100} USD`,
    'Page / views': '9',
    'Page /pricing views': '4',
    'Referrer news.example views': '3',
    'Width wide views': '9',
    'Language de views': '2',
    'Tool Image Generator runs': '2',
    'Tool Image Generator done': '1',
    'Tool Image Generator failed': '1',
    'Tool Image Generator credits': '5',
    'Tool Image Generator gateway USD': '0.0030',
    'Tool Image Generator estimated USD': '0.0015',
    'Tool Image Generator calls unpriced': '0',
    'Tool AI chat calls unpriced': '1',
    'Tool AI chat runs': '1',
    'Revenue USD payments': '1',
    'Revenue USD refunded': '5.00',
    'Revenue USD net': '14.99',
  };
  for (const [name, value] of Object.entries(expected)) expect(few.get(name), name).toBe(value);
  expect(few.has(`Day ${day(2)} views`)).toBe(false);

  const many = await figures();
  expect(many.get('Page / views')).toBe('109');
  expect(many.get(`Day ${day(2)} accounts`)).toBe('1');
  expect([...many.keys()].filter((key) => key.endsWith(' runs') && key.startsWith('Day'))).toHaveLength(30);

  const text = await runEntry('stats', server, ['--days', '2']);
  expect(text.code).toBe(0);
  expect(text.output).toMatch(/^Day +views +accounts +runs +credits +plans started +plans ended +paid\n/);
  expect(text.output).toMatch(
    /\nTool +runs +done +failed +credits +gateway USD +estimated USD +calls unpriced\nImage Generator +2 +1 +1 +5 +0\.0030 +0\.0015 +0\n/,
  );
});

test.runIf(soak)('a wrong option is explained', async () => {
  for (const args of [['--days', '0'], ['--days', '801'], ['--days', 'x'], ['--weeks'], ['--days']]) {
    const { code, output } = await runEntry('stats', server, args);
    expect(code, args.join(' ')).toBe(1);
    expect(output).not.toMatch(/ at .*\.js:/);
  }
});
