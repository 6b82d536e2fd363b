import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createOperator, type Operator, operatorEnv } from '../support/admin.ts';
import { send, stop, uniqueWord, waitForEnd, waitForText } from '../support/chat.ts';
import { expectConsistent } from '../support/consistency.ts';
import { runJob } from '../support/files.ts';
import { untilWaiting } from '../support/gate.ts';
import { payments } from '../support/payments.ts';
import { createPerson, type Person } from '../support/people.ts';
import { eventually, startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let operator: Operator;
let shop: ReturnType<typeof payments>;
beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres'), env: operatorEnv });
  operator = await createOperator(server);
  shop = payments(server);
});
afterAll(async () => {
  await expectConsistent(server);
  await server.stop();
});

const textOf = (html: string) => html.replace(/<[^>]+>/g, '|').replace(/\|+/g, '|');

test('payments appear in the chart’s table, the sums and the list, and an event can be replayed', async () => {
  const person = await createPerson(server);
  await shop.buy(person, 'yearly');
  const { rows } = await server.database.query(
    'select amount_cents, external_id from payments where user_id = $1',
    [person.id],
  );
  const amount = (rows[0].amount_cents / 100).toFixed(2);
  const money = textOf(await operator.page('/admin/money?days=7'));
  expect(money).toContain(`|USD|1|${amount}|0.00|${amount}|`);
  expect(money).toContain('Nothing needs your attention');
  const list = textOf(await operator.page(`/admin/payments?q=${rows[0].external_id}`));
  expect(list).toContain(`|${person.email}|yearly|${amount} USD|`);
  const csv = await (await operator.submit('/admin/payments.csv')).text();
  expect(csv.split('\r\n')[1]).toContain(
    `${person.email},yearly,${amount},0,USD,paid,${rows[0].external_id}`,
  );

  // A copy of the event with a new id, so that no job is processing it.
  const event = await eventually(async () => {
    const failed = await server.database.query(
      `insert into billing_events (provider, event_id, type, occurred_at, payload, outcome, reason)
       select provider, event_id || '_later', type, occurred_at, payload, 'failed', 'Error'
         from billing_events where user_id = $1 and outcome = 'applied' limit 1 returning event_id`,
      [person.id],
    );
    return failed.rows[0]?.event_id as string | undefined;
  });
  expect(textOf(await operator.page('/admin/events?outcome=failed'))).toContain('failed (Error)');
  const press = { press: randomUUID(), event: event ?? '' };
  for (let times = 0; times < 2; times++)
    expect((await operator.submit('/admin/events/replay', press)).status).toBe(303);
  expect(textOf(await operator.page(`/admin/events?done=${press.press}`))).toContain(
    'Replayed events: 1 applied, 0 failed.',
  );
  const { rows: actions } = await server.database.query(
    `select 1 from operator_actions where action = 'replay'`,
  );
  expect(actions).toHaveLength(1);
  expect((await operator.submit('/admin/events/replay', { event: 'evt_nobody' })).status).toBe(400);
});

test('what the provider has but the database lacks is corrected and reported', async () => {
  const person = await createPerson(server);
  await shop.buy(person);
  await server.database.query(
    `update subscriptions set access_until = null, version_at = version_at where user_id = $1`,
    [person.id],
  );
  const press = randomUUID();
  expect((await operator.submit('/admin/money/reconcile', { press })).status).toBe(303);
  expect(await operator.page(`/admin/money?done=${press}`)).toMatch(/Checked \d+: \d+ fixed/);
  const { rows } = await server.database.query('select access_until from subscriptions where user_id = $1', [
    person.id,
  ]);
  expect(rows[0].access_until).not.toBeNull();
});

test('a failed run is listed with its reason; the margin page shows what each run cost', async () => {
  const person = await createPerson(server);
  const broken = await send(person, `${uniqueWord()} [[mode:status500]] [[first:0]]`);
  await waitForEnd(person, broken.body.generation.id);
  const succeeded = await send(person, `${uniqueWord()} [[tps:0]] [[first:0]] [[tokens:30]]`);
  await waitForEnd(person, succeeded.body.generation.id);
  const failed = textOf(await operator.page('/admin/runs'));
  expect(failed).toContain(`|${person.email}|`);
  expect(failed).toMatch(/\|chat\|failed\|[^|]+\|/);
  expect(textOf(await operator.page('/admin/runs?state='))).toContain('|done|');
  const { rows } = await server.database.query(
    `select g.feature, count(distinct g.id)::int as runs, count(c.id)::int as calls, sum(c.cost_micros)::int as micros
       from generations g join gateway_calls c on c.generation_id = g.id where g.feature = 'chat' group by 1`,
  );
  const margin = textOf(await operator.page('/admin/margin'));
  const [{ runs, calls, micros }] = rows;
  expect(margin).toMatch(
    new RegExp(`\\|chat\\|${runs}\\|${calls}\\|\\d+\\|\\d+\\|1\\|${(micros / 1e6).toFixed(4)}\\|`),
  );
  // Another call of the run, to a different model: the run's credits stay with the first one.
  const { rows: before } = await server.database.query<{ runs: number; credits: number }>(
    `select count(*)::int as runs, sum(credits_charged)::int as credits from generations`,
  );
  await server.database.query(
    `insert into gateway_calls (id, generation_id, purpose, model, outcome, prompt_tokens, completion_tokens, cost_micros, cost_estimated)
     select gen_random_uuid(), $1, 'chat', 'other/model', 'stop', n, 7, 2000000, n = 1 from generate_series(1, 2) n`,
    [succeeded.body.generation.id],
  );
  const twice = textOf(await operator.page('/admin/margin?days=7'));
  expect(twice).toContain('|other/model|1|2|3|14|0|4.0000|2.0000|0|');
  expect(twice).toMatch(
    new RegExp(
      `\\|chat\\|${runs}\\|${calls + 2}\\|\\d+\\|\\d+\\|1\\|${((micros + 4e6) / 1e6).toFixed(4)}\\|`,
    ),
  );
  const plans = [...twice.matchAll(/\|(?:free|pro)\|(\d+)\|\d+\|\d+\|\d+\|(\d+)\|/g)];
  const sum = (at: number) => plans.reduce((all, plan) => all + Number(plan[at]), 0);
  expect([sum(1), sum(2)]).toEqual([before[0]?.runs, before[0]?.credits]);
  await server.database.query(`delete from gateway_calls where model = 'other/model'`);
  const people = textOf(await operator.page('/admin/margin/people?days=7'));
  expect(people).toContain(`|${person.email}|Free|`);
  expect((await operator.submit('/admin/margin/people.csv?days=7')).status).toBe(200);
});

test('past days are summed once; the margin is the same before and after', async () => {
  const [person, other] = [await createPerson(server), await createPerson(server, { plan: 'pro' })];
  const backdate = async (id: string, days: number) => {
    const { database } = server;
    await database.query(
      `update generations set created_at = created_at - $2 * interval '1 day', finished_at = finished_at - $2 * interval '1 day' where id = $1`,
      [id, days],
    );
    await database.query(
      `update gateway_calls set started_at = started_at - $2 * interval '1 day' where generation_id = $1`,
      [id, days],
    );
  };
  const run = async (user: Person, directives: string, days: number) => {
    const { body } = await send(user, `${uniqueWord()} [[tps:0]] [[first:0]] ${directives}`);
    await waitForEnd(user, body.generation.id);
    await backdate(body.generation.id, days);
    return body.generation.id;
  };
  const twoModels = await run(person, '', 12);
  await server.database.query(
    `insert into gateway_calls (id, generation_id, purpose, model, outcome, prompt_tokens, completion_tokens, cost_micros, cost_estimated, started_at)
     select gen_random_uuid(), id, 'chat', 'other/model', 'stop', 5, 7, 3000000, true, created_at from generations where id = $1`,
    [twoModels],
  );
  const noCall = await run(person, '', 12);
  const later = await run(other, '', 11);
  await server.database.query('update gateway_calls set generation_id = $2 where generation_id = $1', [
    noCall,
    later,
  ]);
  await run(person, '[[mode:status500]]', 9);
  await run(other, '', 1);
  // In earlier months, one or two of which lie within ninety days.
  for (const days of [40, 65, 65]) await run(other, '', days);
  const openRun = (await send(other, `${uniqueWord()} [[first:0]] [[tps:0]] [[mode:hold]] [[holdAfter:3]]`))
    .body.generation.id;
  await waitForText(other, openRun);
  // The cost of an open call is stored with the log, after its text is shown.
  await eventually(async () => {
    const { rowCount } = await server.database.query(
      'select 1 from gateway_calls where generation_id = $1 and cost_micros is not null',
      [openRun],
    );
    return rowCount === 1;
  });
  await backdate(openRun, 5);
  // Chat titles are runs too.
  await eventually(async () => {
    const { rowCount } = await server.database.query('select 1 from generations where finished_at is null');
    return rowCount === 1;
  });

  const marginPages = async () => [
    textOf(await operator.page('/admin/margin?days=30')),
    textOf(await operator.page('/admin/margin/people?days=30')),
    textOf(await operator.page('/admin/margin/people?days=')),
    textOf(await operator.page('/admin/margin?days=90')),
    textOf(await operator.page('/admin/margin/people?days=90')),
    // The last seven days start within the days that are already summed.
    textOf(await operator.page('/admin/margin?days=7')),
  ];
  const storedSums = async () => {
    const { rows } = await server.database.query<{
      until: number;
      runs: number;
      people: number;
      months: number;
    }>(
      `select (app_now() at time zone 'UTC')::date - value::date as until,
              (select sum(first_runs)::int from cost_days) as runs, (select sum(runs)::int from person_cost_days) as people,
              (select count(*)::int from person_cost_months) as months
         from instance_values where key = 'costs-summed-until'`,
    );
    return rows[0];
  };
  const pagesBefore = await marginPages();
  expect(pagesBefore[0]).toContain('|other/model|1|1|5|7|0|3.0000|3.0000|0|');
  expect(pagesBefore[0]).toContain('|without a call|');
  await Promise.all([runJob(server, 'sum-costs'), runJob(server, 'sum-costs')]);
  // A day with an open run is not summed.
  const once = await storedSums();
  expect(once).toMatchObject({ until: 5, runs: 7, people: 7 });
  expect(once?.months).toBeGreaterThan(0);
  expect(await marginPages()).toEqual(pagesBefore);

  // A job that waits for another to store the day before (which had no runs) does not sum the day with an open run.
  const otherJob = await server.database.connect();
  const store = (change: string) =>
    otherJob.query(
      `update instance_values set value = (value::date ${change})::text where key = 'costs-summed-until'`,
    );
  try {
    await store('- 1');
    await otherJob.query('begin');
    await otherJob.query(`select 1 from instance_values where key = 'costs-summed-until' for update`);
    const waiting = runJob(server, 'sum-costs');
    await untilWaiting(server, 1, 'instance_values');
    await store('+ 1');
    await otherJob.query('commit');
    await waiting;
  } finally {
    otherJob.release();
  }
  expect(await storedSums()).toEqual(once);

  expect((await stop(other, openRun)).status).toBeLessThan(300);
  await waitForEnd(other, openRun);
  const pagesAfterStop = await marginPages();
  await runJob(server, 'sum-costs');
  await runJob(server, 'sum-costs');
  expect(await storedSums()).toMatchObject({ until: 2, runs: 8, people: 8 });
  expect(await marginPages()).toEqual(pagesAfterStop);
  await server.database.query(`delete from gateway_calls where model = 'other/model'`);
});

test('an invalid query shows the first page', async () => {
  const person = await createPerson(server);
  for (const query of [
    'sort=password',
    'sort=-created%27;drop table users',
    'after=xyz',
    `after=${Buffer.from('["x","y"]').toString('base64url')}`,
    `after=${Buffer.from('["2026-01-01 00:00:00+00","1 or 1=1"]').toString('base64url')}`,
    'plan=%27',
    `q=${'x'.repeat(500)}%00`,
  ])
    expect((await operator.get(`/admin/people?${query}`)).status, query).toBe(200);
  expect(await operator.page('/admin/people?after=xyz')).toContain(person.email);
});
