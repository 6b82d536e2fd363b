import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { type BillingView, billingTexts } from '#features/billing/contract.ts';
import { setting } from '#shared/settings.ts';
import { expectConsistent } from '../support/consistency.ts';
import { runJob } from '../support/files.ts';
import { visibleText } from '../support/html.ts';
import { mailsTo } from '../support/mailbox.ts';
import { advanceClock, extendSessions, payments, postJson } from '../support/payments.ts';
import { client, createPerson, type Person } from '../support/people.ts';
import { eventually, runEntry, startTestServer, type TestServer } from '../support/server.ts';
import { changeSetting } from '../support/settings.ts';

const DAY = 24 * 3600_000;

let server: TestServer;
let shop: ReturnType<typeof payments>;
beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres') });
  shop = payments(server);
});
afterAll(() => server.stop());
afterEach(() => shop.creem({ api: null, refunds: 'succeeded', webhooks: true }));

type Verb = 'cancel' | 'resume' | 'change' | 'refund';
const changePlan = (person: Pick<Person, 'send'>, verb: Verb, body: object) =>
  postJson<BillingView>(person, `/api/subscription/${verb}`, body);

/** Returns the provider's record of a person's only subscription, with its payments and refunds. */
async function providerStateOf({ id }: Pick<Person, 'id'>) {
  const { subscriptions, transactions, refunds } = await shop.providerState();
  const [one, ...more] = subscriptions.filter(({ metadata }) => metadata.userId === id);
  if (!one || more.length > 0) throw new Error(`The provider knows ${more.length + Number(!!one)} of them.`);
  const paid = transactions.filter(({ subscription }) => subscription === one.id);
  const ownRefunds = refunds.filter(({ transactionId }) =>
    paid.some((payment) => payment.id === transactionId),
  );
  return { ...one, paid, ownRefunds };
}

async function subscriber(plan: 'monthly' | 'quarterly' | 'yearly' = 'monthly') {
  const person = await createPerson(server);
  return { person, bought: await shop.buy(person, plan) };
}

/** Returns how many API calls under a path the stand-in has received. */
async function calls(path: string): Promise<number> {
  const answer = await fetch(`${server.standins}/log?path=${encodeURIComponent(path)}`);
  return ((await answer.json()) as unknown[]).length;
}

const refundRows = async ({ id }: Pick<Person, 'id'>) =>
  (
    await server.database.query(
      `select r.state, r.asked_by from refunds r join payments p on p.id = r.payment_id where p.user_id = $1`,
      [id],
    )
  ).rows;

/** Kinds of the billing mails that were written for a person, sorted. */
const mailKinds = async ({ id }: Pick<Person, 'id'>): Promise<string[]> =>
  (
    await server.database.query(`select kind from billing_mails where user_id = $1 order by kind`, [id])
  ).rows.map(({ kind }) => kind);

/** Moves the time at which a person's refunds were requested back by this many minutes. */
const backdateRefunds = ({ id }: Pick<Person, 'id'>, minutes: number) =>
  server.database.query(
    `update refunds r set created_at = app_now() - $2::int * interval '1 minute'
       from payments p where p.id = r.payment_id and p.user_id = $1`,
    [id, minutes],
  );

test('cancel ends the plan with its period and resume undoes that; repeating either changes nothing', async () => {
  const { person, bought } = await subscriber();
  const { id, periodEnd } = bought;
  expect(bought).toMatchObject({ plan: 'monthly', state: 'active', canCancel: true, canResume: false });
  for (let press = 0; press < 2; press++) {
    const { status, data } = await changePlan(person, 'cancel', { id });
    expect([status, data.plan]).toEqual([200, 'pro']);
    expect(data.subscriptions).toMatchObject([{ state: 'cancelled', endsAt: periodEnd, canResume: true }]);
  }
  expect((await providerStateOf(person)).status).toBe('scheduled_cancel');
  for (let press = 0; press < 2; press++) {
    const { status, data } = await changePlan(person, 'resume', { id });
    expect([status, data.subscriptions[0]?.state]).toEqual([200, 'active']);
  }
  expect((await providerStateOf(person)).status).toBe('active');
  const presses = await Promise.all([1, 2, 3].map(() => changePlan(person, 'cancel', { id })));
  expect(presses.map(({ status, data }) => [status, data.subscriptions[0]?.state])).toEqual(
    Array(3).fill([200, 'cancelled']),
  );
  // One mail per event, although the provider also sends a webhook for each.
  expect(await mailKinds(person)).toEqual(['cancelled', 'cancelled', 'receipt', 'resumed']);
});

test('a change is only to a longer duration, and is charged immediately and once', async () => {
  const { person, bought } = await subscriber('quarterly');
  const { id } = bought;
  expect(bought.changes).toEqual(['yearly']);
  expect(await changePlan(person, 'change', { id, plan: 'monthly' })).toMatchObject({
    status: 409,
    data: { error: billingTexts.notNow() },
  });
  const presses = await Promise.all([1, 2].map(() => changePlan(person, 'change', { id, plan: 'yearly' })));
  for (const { status, data } of presses)
    expect([status, data.subscriptions]).toMatchObject([
      200,
      [{ plan: 'yearly', state: 'active', changes: [] }],
    ]);
  const providerState = await providerStateOf(person);
  expect([providerState.product.id, providerState.paid.length]).toEqual(['prod_yearly', 2]);
  const { rows } = await server.database.query(
    'select plan from payments where user_id = $1 order by paid_at',
    [person.id],
  );
  expect(rows.map(({ plan }) => plan)).toEqual(['quarterly', 'yearly']);
});

/** Amounts in cents of a person's receipts and invoices, ascending. */
async function amountsOf({ id }: Pick<Person, 'id'>) {
  const amounts = async (text: string): Promise<number[]> =>
    (await server.database.query(`${text} where user_id = $1 order by 1`, [id])).rows.map(
      ({ cents }) => cents,
    );
  return {
    receipts: await amounts(
      `select (facts->>'amountCents')::int as cents from (select * from billing_mails where kind = 'receipt') m`,
    ),
    invoices: await amounts('select amount_cents as cents from payments'),
  };
}

test('successive changes: each payment and receipt has the amount that was paid', async () => {
  const { person, bought } = await subscriber('monthly');
  for (const plan of ['quarterly', 'yearly'] as const) {
    const { status, data } = await changePlan(person, 'change', { id: bought.id, plan });
    expect([status, data.subscriptions]).toMatchObject([200, [{ plan, state: 'active' }]]);
  }
  const paid = (await providerStateOf(person)).paid.map(({ amount }) => amount).toSorted((a, b) => a - b);
  expect(paid).toEqual([1999, 2000, 3000]);
  await eventually(async () => (await amountsOf(person)).receipts.length === 3);
  expect(await amountsOf(person)).toEqual({ receipts: paid, invoices: paid });
});

test('a payment known only by its id gives Pro at once, and its receipt waits for the amount', async () => {
  const person = await createPerson(server);
  const { data } = await shop.begin(person, 'monthly');
  await shop.creem({ taxPercent: 19, api: 'down' });
  await shop.press(data.url);
  const failed = () =>
    server.database.query(
      `update billing_events set next_try_at = app_now() where user_id is null and outcome = 'failed' returning type`,
    );
  await eventually(async () => (await failed()).rows.some(({ type }) => type === 'subscription.paid'));
  expect((await shop.billing(person)).plan).toBe('pro');
  expect(await amountsOf(person)).toEqual({ receipts: [], invoices: [1999] });
  await shop.creem({ taxPercent: 0, api: null });
  await runJob(server, 'apply-events');
  expect(await amountsOf(person)).toEqual({ receipts: [2379], invoices: [2379] });
});

test('nobody changes or sees the plan of another person', async () => {
  const { person, bought } = await subscriber();
  const otherPerson = await createPerson(server);
  for (const verb of ['cancel', 'resume', 'refund', 'change'] as const) {
    const body = { id: bought.id, plan: 'yearly' };
    expect([verb, (await changePlan(otherPerson, verb, body)).status]).toEqual([verb, 404]);
    expect([verb, (await changePlan(client(server), verb, body)).status]).toEqual([verb, 401]);
    expect([verb, (await changePlan(person, verb, { id: 'sub_1', plan: 'yearly' })).status]).toEqual([
      verb,
      400,
    ]);
  }
  expect((await postJson(otherPerson, '/api/billing-portal')).status).toBe(409);
  expect((await postJson(client(server), '/api/billing-portal')).status).toBe(401);
  const portal = await postJson<{ url: string }>(person, '/api/billing-portal');
  expect([portal.status, new URL(portal.data.url).origin]).toEqual([200, server.standins]);
  expect(await (await fetch(portal.data.url)).text()).toContain((await providerStateOf(person)).id);
  expect(await providerStateOf(person)).toMatchObject({ status: 'active', ownRefunds: [] });
});

test('the provider’s portal opens only for the address of the account', async () => {
  const { person: owner } = await subscriber('yearly');
  const imposter = await createPerson(server);
  await shop.press((await shop.begin(imposter, 'monthly')).data.url, { email: owner.email });
  await eventually(async () => (await shop.billing(imposter)).plan === 'pro');
  const other = await createPerson(server);
  await shop.press((await shop.begin(other, 'monthly')).data.url, { email: `other-${other.email}` });
  await eventually(async () => (await shop.billing(other)).plan === 'pro');
  const before = await calls('/creem/v1/customers/billing');
  for (const person of [imposter, other])
    expect(await postJson(person, '/api/billing-portal')).toMatchObject({
      status: 409,
      data: { error: billingTexts.portalByMail() },
    });
  expect((await calls('/creem/v1/customers/billing')) - before).toBe(0);
  expect([(await shop.billing(imposter)).portal, (await shop.billing(owner)).portal]).toEqual([false, false]);
  expect((await postJson(owner, '/api/billing-portal')).status).toBe(409);
});

test('a refund is for the full amount, happens once however often it is pressed, and ends Pro at once', async () => {
  const { person, bought } = await subscriber('yearly');
  expect(Date.parse(bought.moneyBackUntil ?? '') - Date.parse(bought.periodStart ?? '')).toBe(7 * DAY);
  const presses = await Promise.all([1, 2, 3].map(() => changePlan(person, 'refund', { id: bought.id })));
  for (const { status, data } of presses) {
    expect([status, data.plan]).toEqual([200, 'free']);
    expect(data.subscriptions).toMatchObject([{ state: 'refunded', moneyBackUntil: null, canCancel: false }]);
  }
  expect(await providerStateOf(person)).toMatchObject({
    status: 'canceled',
    paid: [{ status: 'refunded' }],
    ownRefunds: [{ amount: 6999, status: 'succeeded' }],
  });
  await eventually(async () => (await refundRows(person)).every(({ state }) => state === 'succeeded'));
  expect(await refundRows(person)).toEqual([{ state: 'succeeded', asked_by: 'person' }]);
  // After a refund a person may buy again, but gets no second money-back period.
  const again = await shop.buy(person, 'monthly');
  expect(again.moneyBackUntil).toBeNull();
  expect(await changePlan(person, 'refund', { id: again.id })).toMatchObject({
    status: 409,
    data: { error: billingTexts.noMoneyBack() },
  });
});

test('a person who paid two checkouts may have both refunded, and the operator is notified', async () => {
  const person = await createPerson(server);
  const opened = [await shop.begin(person, 'monthly'), await shop.begin(person, 'yearly')];
  for (const { data } of opened) await shop.press(data.url);
  const two = await eventually(async () => {
    const { subscriptions } = await shop.billing(person);
    return subscriptions.filter(({ moneyBackUntil }) => moneyBackUntil).length === 2 && subscriptions;
  });
  await eventually(async () =>
    server
      .output()
      .split('\n')
      .some((line) => line.includes(person.id) && line.includes('pays for two plans')),
  );
  const { output } = await runEntry('billing', server);
  expect(output).toMatch(
    new RegExp(`${person.id}  duplicate subscriptions: sub_\\S+ (monthly|yearly), sub_`),
  );
  for (const { id } of two) expect((await changePlan(person, 'refund', { id })).status).toBe(200);
  expect(await refundRows(person)).toHaveLength(2);
  const third = await shop.buy(person, 'monthly');
  expect(third.moneyBackUntil).toBeNull();
});

test('a refund after a change of plan refunds both payments', async () => {
  const { person, bought } = await subscriber('monthly');
  await changePlan(person, 'change', { id: bought.id, plan: 'yearly' });
  const { status, data } = await changePlan(person, 'refund', { id: bought.id });
  expect([status, data.plan]).toEqual([200, 'free']);
  const { paid, ownRefunds } = await providerStateOf(person);
  expect(paid.map((payment) => payment.status)).toEqual(['refunded', 'refunded']);
  expect(ownRefunds).toHaveLength(2);
});

test('a refund after an unnoticed partial refund adds up to the payment and not more', async () => {
  const { person, bought } = await subscriber();
  const { paid } = await providerStateOf(person);
  const transaction = paid[0]?.id ?? '';
  await shop.creem({ webhooks: false, refund: { transaction, amount: 500 } });
  expect((await changePlan(person, 'refund', { id: bought.id })).data.plan).toBe('free');
  expect((await providerStateOf(person)).ownRefunds.map(({ amount }) => amount)).toEqual([500, 1499]);
  const rows = async () =>
    (
      await server.database.query(
        `select r.amount_cents, r.asked_by, r.state, r.external_id is not null as named from refunds r
           join payments p on p.id = r.payment_id where p.user_id = $1 order by r.amount_cents`,
        [person.id],
      )
    ).rows;
  expect(await rows()).toEqual([
    { amount_cents: 1499, asked_by: 'person', state: 'succeeded', named: false },
  ]);
  await shop.creem({ webhooks: true, resend: 'lost' });
  await eventually(async () => (await rows()).every(({ named }) => named) && (await rows()).length === 2);
  expect(await rows()).toMatchObject([
    { amount_cents: 500, asked_by: 'provider', state: 'succeeded' },
    { amount_cents: 1499, asked_by: 'person', state: 'succeeded' },
  ]);
});

test('a lost response is looked up: the refund is known, and not requested twice', async () => {
  const { person, bought } = await subscriber();
  await shop.creem({ api: { fault: 'lost', path: '/v1/refunds', times: 1 } });
  const { status, data } = await changePlan(person, 'refund', { id: bought.id });
  expect([status, data.plan]).toEqual([200, 'free']);
  const { ownRefunds, ...providerState } = await providerStateOf(person);
  expect([providerState.status, ownRefunds.length]).toEqual(['canceled', 1]);
  expect(await refundRows(person)).toEqual([{ state: 'succeeded', asked_by: 'person' }]);
});

test('a refund with an unknown outcome is not requested again; after a while it counts as failed', async () => {
  const { person, bought } = await subscriber();
  const before = await calls('/creem/v1/refunds');
  const unread = { status: 503, data: { error: billingTexts.providerDown() } };
  await shop.creem({ api: 'down' });
  expect(await changePlan(person, 'refund', { id: bought.id })).toMatchObject(unread);
  expect(await refundRows(person)).toEqual([]);
  await shop.creem({ api: { fault: 'down', path: '/v1/refunds', times: 1 } });
  const open = [{ state: 'asked', asked_by: 'person' }];
  for (let press = 0; press < 2; press++) {
    expect(await changePlan(person, 'refund', { id: bought.id })).toMatchObject({
      status: 503,
      data: { error: billingTexts.moneyBackUnconfirmed() },
    });
    expect([(await shop.billing(person)).plan, await refundRows(person)]).toEqual(['pro', open]);
  }
  expect((await calls('/creem/v1/refunds')) - before).toBe(1);
  await backdateRefunds(person, 2);
  await runJob(server, 'settle-refunds');
  expect([(await providerStateOf(person)).ownRefunds, await refundRows(person)]).toEqual([[], open]);
  await backdateRefunds(person, 16);
  await runJob(server, 'settle-refunds');
  expect(await refundRows(person)).toEqual([{ state: 'failed', asked_by: 'person' }]);
  expect((await changePlan(person, 'refund', { id: bought.id })).data.plan).toBe('free');
});

test('a plan that could not be ended with its refund is ended by the job, so that it never renews', async () => {
  const { person, bought } = await subscriber();
  await shop.creem({ api: { fault: 'down', path: '/v1/subscriptions/' } });
  expect((await changePlan(person, 'refund', { id: bought.id })).status).toBe(200);
  expect(await providerStateOf(person)).toMatchObject({ status: 'active', paid: [{ status: 'refunded' }] });
  await shop.creem({ api: null });
  await runJob(server, 'settle-refunds');
  expect((await providerStateOf(person)).status).toBe('canceled');
  expect(await shop.billing(person)).toMatchObject({ plan: 'free', subscriptions: [{ state: 'refunded' }] });
});

test('a payment after the account was deleted is refunded once, and its plan ends', async () => {
  const { person } = await subscriber();
  const deletedPerson = await createPerson(server);
  const { data } = await shop.begin(deletedPerson, 'yearly');
  await server.database.query('update users set deleted_at = app_now() where id = any($1)', [
    [person.id, deletedPerson.id],
  ]);
  await shop.press(data.url);
  await eventually(async () => {
    await runJob(server, 'settle-refunds');
    return (await refundRows(deletedPerson)).length > 0;
  });
  await runJob(server, 'settle-refunds');
  expect(await refundRows(deletedPerson)).toEqual([{ state: 'succeeded', asked_by: 'operator' }]);
  expect(await providerStateOf(deletedPerson)).toMatchObject({
    status: 'canceled',
    paid: [{ status: 'refunded' }],
  });
  expect(await providerStateOf(person)).toMatchObject({ paid: [{ status: 'paid' }], ownRefunds: [] });
  await eventually(async () => /"level":50.*a deleted account made a payment/.test(server.output()));
});

/** Creates a person whose refund the provider has accepted but not made yet. */
async function pendingRefund() {
  const { person, bought } = await subscriber();
  await shop.creem({ refunds: 'pending' });
  const { status, data } = await changePlan(person, 'refund', { id: bought.id });
  expect([status, data.subscriptions]).toMatchObject([
    200,
    [{ state: 'cancelled', moneyBackUntil: null, refundPending: true }],
  ]);
  const providerState = await providerStateOf(person);
  expect(providerState).toMatchObject({ status: 'canceled', ownRefunds: [{ status: 'pending' }] });
  await shop.creem({ refunds: 'succeeded' });
  return {
    person,
    bought,
    settle: (to: string) => shop.creem({ settle: { refund: providerState.ownRefunds[0]?.id, status: to } }),
  };
}

test('pending refunds are settled: one that succeeded ends Pro, one that failed may be requested again', async () => {
  const [succeeding, failing] = [await pendingRefund(), await pendingRefund()];
  await succeeding.settle('succeeded');
  await failing.settle('failed');
  await backdateRefunds(failing.person, 9 * 24 * 60);
  // Part of this person's payment was refunded before, and the provider does not answer the new refund request.
  const silent = await subscriber();
  const { paid } = await providerStateOf(silent.person);
  await shop.creem({ refund: { transaction: paid[0]?.id, amount: 500 } });
  await eventually(async () => (await refundRows(silent.person)).length === 1);
  await shop.creem({ api: { fault: 'down', path: '/v1/refunds', times: 1 } });
  expect((await changePlan(silent.person, 'refund', { id: silent.bought.id })).status).toBe(503);
  await backdateRefunds(silent.person, 16);

  await runJob(server, 'settle-refunds');
  expect((await shop.billing(succeeding.person)).plan).toBe('free');
  expect(await refundRows(succeeding.person)).toEqual([{ state: 'succeeded', asked_by: 'person' }]);
  expect(await refundRows(failing.person)).toEqual([{ state: 'pending', asked_by: 'person' }]);
  const failed = { state: 'failed', asked_by: 'person' };
  expect(await refundRows(silent.person)).toContainEqual(failed);

  await backdateRefunds(failing.person, 11 * 24 * 60);
  await server.database.query(
    `update subscriptions set reconciled_at = app_now() - interval '2 hours' where user_id = $1`,
    [failing.person.id],
  );
  await runJob(server, 'settle-refunds');
  expect(await refundRows(failing.person)).toEqual([failed]);
  await eventually(
    async () => server.output().split('a refund failed; it can be requested again').length > 2,
  );
  for (const { person, bought } of [failing, silent])
    expect((await changePlan(person, 'refund', { id: bought.id })).data.plan).toBe('free');
});

test('a refund that the provider rejects changes nothing, and may be tried again', async () => {
  const { person, bought } = await subscriber();
  await shop.creem({ refunds: 'failed' });
  expect(await changePlan(person, 'refund', { id: bought.id })).toMatchObject({
    status: 409,
    data: { error: billingTexts.refundRefused(setting('contact.email')) },
  });
  expect(await providerStateOf(person)).toMatchObject({ status: 'active', paid: [{ status: 'paid' }] });
  await shop.creem({ refunds: 'succeeded' });
  expect((await changePlan(person, 'refund', { id: bought.id })).data.plan).toBe('free');
});

test('a plan whose payment the shop refunded or a bank disputes is not charged again', async () => {
  const people = [await subscriber(), await subscriber(), await subscriber()];
  for (const [index, { person }] of people.entries()) {
    const { paid } = await providerStateOf(person);
    const transaction = paid[0]?.id ?? '';
    await shop.creem(index === 1 ? { dispute: transaction } : { refund: { transaction } });
    await eventually(async () => (await shop.billing(person)).plan === 'free');
    expect(await postJson(person, '/api/checkouts', { plan: 'yearly' })).toMatchObject({
      status: 409,
      data: { error: billingTexts.previousPlanActive() },
    });
    expect((await providerStateOf(person)).status).toBe('active');
  }
  const [first, ...others] = people;
  if (!first) throw new Error('Nobody.');
  const kinds = await Promise.all(people.map(({ person }) => mailKinds(person)));
  expect(kinds).toEqual([
    ['receipt', 'refund'],
    ['disputed', 'receipt'],
    ['receipt', 'refund'],
  ]);
  const { id } = first.bought;
  for (let press = 0; press < 2; press++)
    expect(await changePlan(first.person, 'cancel', { id })).toMatchObject({
      status: 200,
      data: { plan: 'free', subscriptions: [{ state: 'refunded', canCancel: false }] },
    });
  expect((await providerStateOf(first.person)).status).toBe('scheduled_cancel');
  await runJob(server, 'settle-refunds');
  for (const { person } of others) {
    expect((await providerStateOf(person)).status).toBe('canceled');
    expect((await postJson(person, '/api/checkouts', { plan: 'yearly' })).status).toBe(200);
  }
});

test('when the provider is down nothing changes and an error says so; when its response is lost the real state is shown', async () => {
  const { person, bought } = await subscriber();
  const { id } = bought;
  await shop.creem({ api: 'down' });
  for (const [verb, body] of [
    ['cancel', { id }],
    ['change', { id, plan: 'yearly' }],
  ] as const)
    expect(await changePlan(person, verb, body)).toMatchObject({
      status: 503,
      data: { error: billingTexts.providerDown(), code: 'unavailable' },
    });
  expect((await postJson(person, '/api/billing-portal')).status).toBe(503);
  expect((await providerStateOf(person)).status).toBe('active');
  await shop.creem({ api: { fault: 'lost', path: '/v1/subscriptions/', times: 1 }, webhooks: false });
  const { status, data } = await changePlan(person, 'cancel', { id });
  expect([status, data.subscriptions[0]?.state]).toEqual([200, 'cancelled']);
});

test('a plan that changed at the provider meanwhile is shown with the provider’s state', async () => {
  const { person, bought } = await subscriber();
  await shop.creem({ webhooks: false });
  const { id: externalId } = await providerStateOf(person);
  await fetch(`${server.standins}/creem/v1/subscriptions/${externalId}/cancel`, {
    method: 'POST',
    headers: { 'x-api-key': 'creem_test_1', 'content-type': 'application/json' },
    body: JSON.stringify({ mode: 'immediate', onExecute: 'cancel' }),
  });
  expect(await changePlan(person, 'change', { id: bought.id, plan: 'yearly' })).toMatchObject({
    status: 409,
    data: { error: billingTexts.notNow() },
  });
  expect((await shop.billing(person)).subscriptions).toMatchObject([
    { state: 'cancelled', canResume: false },
  ]);
});

/** Pauses a person's plan in the provider's dashboard and returns what the person then sees. */
async function pauseAtProvider(person: Person) {
  const { id } = await providerStateOf(person);
  await fetch(`${server.standins}/creem/v1/subscriptions/${id}/pause`, {
    method: 'POST',
    headers: { 'x-api-key': 'creem_test_1', 'content-type': 'application/json' },
    body: '{}',
  });
  return eventually(async () => {
    const [view] = (await shop.billing(person)).subscriptions;
    return view?.state === 'paused' && view;
  });
}

test('a paused plan resumes for free within its period, and after it only for the agreed price', async () => {
  const { person, bought } = await subscriber();
  const { id } = bought;
  expect(await pauseAtProvider(person)).toMatchObject({ canResume: true, resumeCents: null });
  expect((await changePlan(person, 'resume', { id })).data.subscriptions).toMatchObject([
    { state: 'active' },
  ]);
  expect((await providerStateOf(person)).paid).toHaveLength(1);
  await pauseAtProvider(person);
  await extendSessions(server, person.email);
  await advanceClock(server, 32 * DAY);
  expect((await shop.billing(person)).subscriptions).toMatchObject([{ canResume: true, resumeCents: 1999 }]);
  for (const body of [{ id }, { id, cents: 1 }])
    expect(await changePlan(person, 'resume', body)).toMatchObject({
      status: 409,
      data: { error: billingTexts.resumeCharges() },
    });
  expect((await providerStateOf(person)).paid).toHaveLength(1);
  const { status, data } = await changePlan(person, 'resume', { id, cents: 1999 });
  expect([status, data.subscriptions]).toMatchObject([200, [{ state: 'active', resumeCents: null }]]);
  expect((await providerStateOf(person)).paid).toHaveLength(2);
});

/** Returns the distinct dollar amounts in `text`. */
const amountsIn = (text: string) => [...new Set(text.match(/\$\d+\.\d\d/g))];

test('a person who bought at another price sees that price, pays it, and finds it in mails', async () => {
  const { person, bought } = await subscriber('yearly');
  const { id } = bought;
  const { person: monthly } = await subscriber();
  await changeSetting([server], ['set', 'plan.yearly.cents', '11999']);
  await changeSetting([server], ['set', 'plan.monthly.cents', '2999']);
  const shown = async (at: Person) => (await shop.billing(at)).subscriptions;
  const pageOf = async (path: string) => visibleText(await (await person.get(path)).text());
  expect(await shown(person)).toMatchObject([{ priceCents: 6999 }]);
  expect(await pageOf('/dashboard')).toMatch(/Next renewal[^$]{0,40}\$69\.99/);
  expect(await pageOf('/pricing')).toMatch(/Your plan \$69\.99 .*Next payment: \$69\.99/);
  await changePlan(person, 'cancel', { id });
  await changePlan(person, 'resume', { id });
  const resumed = await eventually(async () =>
    (await mailsTo(server, person.email)).find(
      ({ text }) => text.includes('$69.99') && !/receipt/i.test(text),
    ),
  );
  expect(amountsIn(resumed.text)).toEqual(['$69.99']);
  const { rows } = await server.database.query(
    `select facts->'priceCents' as cents from billing_mails where user_id = $1 and kind = 'resumed'`,
    [person.id],
  );
  expect(rows).toEqual([{ cents: 6999 }]);

  const paused = await pauseAtProvider(monthly);
  await extendSessions(server, monthly.email);
  await advanceClock(server, 32 * DAY);
  expect(await shown(monthly)).toMatchObject([{ priceCents: 1999, resumeCents: 1999 }]);
  expect((await changePlan(monthly, 'resume', { id: paused.id, cents: 2999 })).status).toBe(409);
  expect((await changePlan(monthly, 'resume', { id: paused.id, cents: 1999 })).status).toBe(200);

  // Rows of the previous build have no price; the migration takes it from their events.
  const migration = readFileSync(
    resolve(import.meta.dirname, '../../migrations/0091-renewal-prices.sql'),
    'utf8',
  );
  await server.database.query(
    'update subscriptions set price_cents = null, priced_product_id = null where user_id = any($1)',
    [[person.id, monthly.id]],
  );
  expect(await shown(monthly)).toMatchObject([{ priceCents: 2999 }]);
  await server.database.query(migration.slice(migration.indexOf('update subscriptions')));
  expect(await shown(monthly)).toMatchObject([{ priceCents: 1999 }]);
  await changeSetting([server], ['unset', 'plan.yearly.cents', 'plan.monthly.cents']);
});

test('an expiry is mailed once, with its cause, and not after a refund mail', async () => {
  const [cancelled, failing, refunded] = [await subscriber(), await createPerson(server), await subscriber()];
  const { periodEnd } = await shop.buy(failing, 'monthly', 'fails');
  await changePlan(cancelled.person, 'cancel', { id: cancelled.bought.id });
  await changePlan(refunded.person, 'refund', { id: refunded.bought.id });
  // Not a fixed number of days: months differ in length, and the grace period must not be over yet.
  await advanceClock(server, Date.parse(periodEnd ?? '') - (await shop.providerState()).now + DAY);
  const ends = async ({ id }: Pick<Person, 'id'>) =>
    (
      await server.database.query(`select facts from billing_mails where user_id = $1 and kind = 'ended'`, [
        id,
      ])
    ).rows.map(({ facts }) => facts);
  await eventually(async () => (await mailKinds(failing)).includes('payment_failed'));
  await advanceClock(server, 2.5 * DAY);
  for (let run = 0; run < 3; run++) await runJob(server, 'apply-events');
  expect(await ends(cancelled.person)).toEqual([]);
  expect(await ends(failing)).toEqual([
    { plan: 'monthly', endedAt: expect.any(String), cancelled: false, mayCharge: true },
  ]);
  expect(await ends(refunded.person)).toEqual([]);
  // An end that is several days old is no longer mailed; one of yesterday is.
  await server.database.query(
    `update subscriptions set access_until = app_now() - interval '1 day' where user_id = $1`,
    [cancelled.person.id],
  );
  for (let run = 0; run < 2; run++) await runJob(server, 'apply-events');
  expect(await ends(cancelled.person)).toMatchObject([{ cancelled: true, mayCharge: false }]);
});

test('a paused plan of a deleted account is ended, and none is reported as still running', async () => {
  const { person } = await subscriber();
  await pauseAtProvider(person);
  const { id } = await providerStateOf(person);
  await server.database.query('update users set deleted_at = app_now() where id = $1', [person.id]);
  await runJob(server, 'cancel-deleted');
  expect((await providerStateOf(person)).status).toBe('canceled');
  expect(server.output()).not.toMatch(new RegExp(`${id}.*runs on`));
});

test('after seven days there is no refund, and the page says so', async () => {
  const { person, bought } = await subscriber('yearly');
  await shop.control({ clock: { advanceMs: 7 * DAY + 1000 } });
  await eventually(async () => (await shop.billing(person)).subscriptions[0]?.moneyBackUntil === null);
  expect(await changePlan(person, 'refund', { id: bought.id })).toMatchObject({
    status: 409,
    data: { error: billingTexts.noMoneyBack() },
  });
  expect((await providerStateOf(person)).ownRefunds).toEqual([]);
});

test('every invariant holds', async () => {
  await runJob(server, 'refresh-plans');
  await expectConsistent(server);
});
