import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import type { LedgerPage } from '#features/credits/ledger/ledger-contract.ts';
import { downloadArchive, exportSchema } from '../support/archive.ts';
import { expectConsistent } from '../support/consistency.ts';
import { runErasure } from '../support/erasure.ts';
import { runJob } from '../support/files.ts';
import { mailsTo } from '../support/mailbox.ts';
import { payments } from '../support/payments.ts';
import { createPerson, type Person } from '../support/people.ts';
import { eventually, runEntry, startTestServer, type TestServer } from '../support/server.ts';

// Each command starts a process, which is slow on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres') });
  // Until the jobs have started, a mail waits up to a minute.
  await eventually(() => runJob(server, 'send-billing-mails').then(() => true));
});
afterAll(() => server.stop());

const tables = [
  'checkouts',
  'subscriptions',
  'payments',
  'refunds',
  'billing_events',
  'billing_mails',
  'plan_changes',
];

/** Returns all rows of the billing tables as text. */
async function everyRow(): Promise<string> {
  const { rows } = await server.database.query<{ text: string }>(
    tables
      .map((table) => `select coalesce(string_agg(t::text, ' '), '') as text from ${table} t`)
      .join(' union all '),
  );
  return rows.map(({ text }) => text).join(' ');
}

async function buyPlan(person: Person): Promise<void> {
  await payments(server).buy(person, 'quarterly');
  await eventually(async () => (await mailsTo(server, person.email)).length === 1);
  await eventually(async () => {
    const { rows } = await server.database.query<{ open: number }>(
      `select count(*)::int as open from billing_events where outcome = 'received'`,
    );
    return rows[0]?.open === 0;
  });
}

test('the archive of a person contains plans, payments, mails and the provider’s events', async () => {
  const [person, other] = [await createPerson(server), await createPerson(server)];
  await buyPlan(person);
  await buyPlan(other);
  await runEntry('billing', server, ['grant', person.id, '5', '--reason', 'a good question']);
  const { data, text } = await downloadArchive(person);
  expect(exportSchema.safeParse(data).error).toBeUndefined();
  const { subscriptions, payments, checkouts, events, mails, planChanges, operatorActions, refunds } =
    data.billing;
  expect(subscriptions).toMatchObject([{ plan: 'quarterly', status: 'active', provider: 'creem' }]);
  expect(payments).toMatchObject([
    { amountCents: 3999, currency: 'USD', refundedCents: 0, subscriptionId: subscriptions[0]?.id },
  ]);
  expect(checkouts).toMatchObject([{ plan: 'quarterly', state: 'completed' }]);
  expect(events.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['subscription.paid', 'checkout.completed']),
  );
  expect(JSON.stringify(events)).toContain(person.email);
  expect(mails).toMatchObject([{ kind: 'receipt', facts: { amountCents: 3999 } }]);
  expect(planChanges).toMatchObject([{ from: 'free', to: 'pro', cause: 'event' }]);
  expect(operatorActions).toMatchObject([{ action: 'grant', reason: 'a good question' }]);
  expect(refunds).toEqual([]);
  for (const foreignText of [other.id, other.email]) expect(text('export.json')).not.toContain(foreignText);
});

test('reasons for balance changes and refunds are in the language of the reader', async () => {
  const person = await createPerson(server);
  await buyPlan(person);
  const [plan] = (await payments(server).billing(person)).subscriptions;
  expect((await person.send('POST', '/api/subscription/refund', { id: plan?.id })).status).toBe(200);
  await eventually(async () => (await payments(server).billing(person)).plan === 'free');
  // More rows than one batch reads. The oldest have a reason as text, from before there were codes.
  await server.database.query(
    `insert into credit_ledger (user_id, delta, kind, source, external_id, reason)
     select $1::uuid, 0, 'grant', 'test', $1::text || n, 'As stored'
       from generate_series(1, 700) n`,
    [person.id],
  );
  await server.database.query(`update users set language = 'de' where id = $1`, [person.id]);
  const paid = expect.stringMatching(/^Pro, 3 Monate: bezahlt bis \d+\. \p{L}+ \d{4}$/u);
  const refunded = expect.stringMatching(/^Pro, 3 Monate: 39,99\s\$ erstattet$/);
  const { entries } = (await (await person.get('/api/me/ledger?entry=plan')).json()) as LedgerPage;
  expect(entries.map(({ reason }) => reason)).toEqual([refunded, paid]);
  const table = await (await person.get('/api/me/ledger.csv')).text();
  const lineFromEnd = (line: number) => table.trimEnd().split('\r\n').at(line) ?? '';
  expect(lineFromEnd(-2)).toMatch(/,"Pro, 3 Monate: bezahlt bis /);
  expect(lineFromEnd(-5)).toContain(',As stored,');
  const { data, text } = await downloadArchive(person);
  expect(data.billing.refunds).toMatchObject([{ reason: 'Erstattung der ersten Zahlung' }]);
  const reasons = data.ledger.map(({ reason }) => reason);
  expect(reasons).toEqual(expect.arrayContaining([paid, refunded, 'As stored']));
  expect(text('ledger.csv')).toContain('Pro, 3 Monate: bezahlt bis ');
});

test('a refused mail is retried, sent once, and given up in the end', async () => {
  const person = await createPerson(server);
  await payments(server).control({ mail: { mode: 'defer', to: person.email } });
  const facts = { plan: 'monthly', accessUntil: null };
  const insert = (key: string, attempts: number) =>
    server.database.query(
      `insert into billing_mails (key, user_id, kind, facts, attempts) values ($1, $2, 'payment_failed', $3, $4)`,
      [`${key}:${person.id}`, person.id, facts, attempts],
    );
  const state = async () =>
    (
      await server.database.query(
        `select split_part(key, ':', 1) as key, attempts, sent_at is not null as sent, next_try_at > app_now() as later
           from billing_mails where user_id = $1 order by key`,
        [person.id],
      )
    ).rows;
  await insert('first', 0);
  await insert('last', 7);
  await runJob(server, 'send-billing-mails');
  const pending = { sent: false, later: true };
  expect(await state()).toEqual([
    { key: 'first', attempts: 1, ...pending },
    { key: 'last', attempts: 8, ...pending },
  ]);
  await eventually(async () =>
    server.output().includes('a billing email could not be sent and will not be retried'),
  );
  expect(server.output()).not.toContain(person.email);
  expect((await runEntry('billing', server)).output).toContain(`email last:${person.id} not sent`);
  await payments(server).control({ mail: { mode: 'ok', to: null } });
  await server.database.query('update billing_mails set next_try_at = app_now() where user_id = $1', [
    person.id,
  ]);
  await Promise.all([1, 2, 3].map(() => runJob(server, 'send-billing-mails')));
  expect((await mailsTo(server, person.email)).map(({ subject }) => subject)).toEqual([
    expect.stringMatching(/^Your payment for .* didn’t go through$/),
  ]);
  expect((await state()).map(({ sent }) => sent)).toEqual([true, false]);
});

test('a deleted person is not charged again; after erasure no row names them, and the sums remain', async () => {
  const person = await createPerson(server);
  await buyPlan(person);
  expect(await everyRow()).toContain(person.email);
  // Payments after the deletion are refunded: plan-changes.test.ts.
  await server.database.query(
    `update payments set paid_at = paid_at - interval '40 days' where user_id = $1`,
    [person.id],
  );
  const setDeletedDaysAgo = (days: number) =>
    server.database.query(`update users set deleted_at = app_now() - $2 * interval '1 day' where id = $1`, [
      person.id,
      days,
    ]);
  await setDeletedDaysAgo(1);
  await runJob(server, 'cancel-deleted');
  const status = async () =>
    (await server.database.query('select status from subscriptions where user_id = $1', [person.id])).rows[0]
      ?.status;
  expect(await status()).toBe('scheduled_cancel');
  // After the deletion no more mail is sent to that address.
  await runJob(server, 'send-billing-mails');
  expect((await mailsTo(server, person.email)).length).toBe(1);

  await setDeletedDaysAgo(31);
  await runErasure(server);
  const retained = await server.database.query(
    `select p.amount_cents, u.email, e.payload, m.facts from payments p join users u on u.id = p.user_id
       join billing_events e on e.user_id = u.id join billing_mails m on m.user_id = u.id where u.id = $1`,
    [person.id],
  );
  expect(retained.rows.length).toBeGreaterThan(0);
  for (const row of retained.rows)
    expect(row).toEqual({ amount_cents: 3999, email: null, payload: null, facts: {} });
  expect(await everyRow()).not.toContain(person.email);

  // Later events of the provider are applied, and then their payload is deleted.
  const before = (await server.database.query('select 1 from billing_events where user_id = $1', [person.id]))
    .rowCount;
  const { rows } = await server.database.query<{ external_id: string }>(
    'select external_id from subscriptions where user_id = $1',
    [person.id],
  );
  const key = { 'x-api-key': 'creem_test_stand-in', 'content-type': 'application/json' };
  const cancelled = await fetch(`${server.standins}/creem/v1/subscriptions/${rows[0]?.external_id}/cancel`, {
    method: 'POST',
    headers: key,
    body: JSON.stringify({ mode: 'immediate', onExecute: 'cancel' }),
  });
  expect(cancelled.status).toBe(200);
  await eventually(async () => (await status()) === 'canceled');
  await eventually(async () => {
    const { rowCount } = await server.database.query(
      `select 1 from billing_events where user_id = $1 and outcome in ('applied', 'ignored')`,
      [person.id],
    );
    return (rowCount ?? 0) > (before ?? 0);
  });
  await runJob(server, 'erase-late-billing-events');
  expect(await everyRow()).not.toContain(person.email);
  expect((await runEntry('billing', server, ['show', person.id])).output).toContain('(no address)');
  expect(await runEntry('billing', server, ['grant', person.id, '5', '--reason', 'x'])).toMatchObject({
    code: 1,
    output: 'This account was erased.\n',
  });
});

test('every invariant holds', () => expectConsistent(server));
