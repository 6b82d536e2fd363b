import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningStandIns, spawnStandIns } from '../spawn.ts';
import { Shopper } from './buyer.fixture.ts';
import { monthsAfter } from './products.ts';

const DAY = 86_400_000;

let running: RunningStandIns;
let shop: Shopper;
beforeAll(async () => {
  running = await spawnStandIns();
  shop = new Shopper(running.base);
});
afterAll(() => running.remove());

/** Returns a subscription's events after its purchase: type without prefix, and days since the purchase. */
async function eventTimeline(id: string): Promise<[string, number][]> {
  const { events } = await shop.state();
  const own = events.filter(({ subscriptionId }) => subscriptionId === id);
  const start = own[0]?.createdAt ?? 0;
  return own
    .slice(3)
    .map(({ type, createdAt }) => [type.replace('subscription.', ''), (createdAt - start) / DAY]);
}

const time = (value: unknown) => Date.parse(String(value));
const lengthOf = (start: unknown, months: number) => (monthsAfter(time(start), months) - time(start)) / DAY;

test.each([
  ['2026-01-31T10:00:00Z', 1, '2026-02-28T10:00:00Z'],
  ['2026-01-31T10:00:00Z', 2, '2026-03-31T10:00:00Z'],
  ['2028-02-29T10:00:00Z', 12, '2029-02-28T10:00:00Z'],
  ['2026-11-30T23:59:59Z', 3, '2027-02-28T23:59:59Z'],
])('%s and %i months: %s', (from, months, to) => {
  expect(monthsAfter(Date.parse(from), months)).toBe(Date.parse(to));
});

test('a jump of a year covers twelve renewals, each at its own time', async () => {
  const { subscription: id } = await shop.buy();
  const { created_at } = await shop.subscription(id);
  await shop.forward(367);
  const expected = [...Array(12).keys()].map((n) => ['paid', lengthOf(created_at, n + 1)]);
  expect(await eventTimeline(id)).toEqual(expected);
  const { transactions, events } = await shop.state();
  const payments = transactions.filter(({ subscription }) => subscription === id);
  expect(payments.map(({ period_start }) => period_start)).toEqual(
    [...Array(13).keys()].map((n) => monthsAfter(time(created_at), n)),
  );
  expect(payments.slice(1).map(({ period_end }) => period_end)).toEqual(
    [...Array(12).keys()].map((n) => monthsAfter(time(created_at), n + 2)),
  );
  const renewalEvents = events.filter((event) => event.subscriptionId === id).slice(3);
  for (const { body, createdAt } of renewalEvents)
    expect(time(JSON.parse(body).object.updated_at)).toBe(createdAt);
  expect(new Set(payments.map((payment) => payment.id)).size).toBe(13);
});

describe('a card that fails', () => {
  test('once: past due, and paid a day later for the period that had started', async () => {
    const { subscription: id } = await shop.buy({}, 'fails-once');
    const { created_at } = await shop.subscription(id);
    const month = lengthOf(created_at, 1);
    await shop.forward(month + 0.5);
    expect(await shop.subscription(id)).toMatchObject({ status: 'past_due' });
    await shop.forward(1);
    expect(await eventTimeline(id)).toEqual([
      ['past_due', month],
      ['paid', month + 1],
    ]);
    expect(await shop.subscription(id)).toMatchObject({
      status: 'active',
      current_period_start_date: new Date(monthsAfter(time(created_at), 1)).toISOString(),
      current_period_end_date: new Date(monthsAfter(time(created_at), 2)).toISOString(),
    });
  });

  test('always: retried after 1, 3 and 5 days, then cancelled, with four declined payments', async () => {
    const { subscription: id } = await shop.buy({}, 'fails');
    const { created_at } = await shop.subscription(id);
    const month = lengthOf(created_at, 1);
    await shop.forward(400);
    expect(await eventTimeline(id)).toEqual([
      ['past_due', month],
      ['expired', month + 1],
      ['canceled', month + 5],
    ]);
    const { transactions } = await shop.state();
    expect(transactions.filter((t) => t.subscription === id).map((t) => t.status)).toEqual([
      ...['paid', 'declined', 'declined', 'declined', 'declined'],
    ]);
  });

  test('and is replaced in the portal pays immediately; the switch makes a card fail later', async () => {
    const { subscription: id, customer } = await shop.buy();
    await shop.control({ creem: { card: { subscription: id, plan: 'fails' } } });
    await shop.forward(lengthOf((await shop.subscription(id)).created_at, 1) + 2);
    expect(await shop.subscription(id)).toMatchObject({ status: 'past_due' });
    const link = await shop.call('POST', '/v1/customers/billing', { customer_id: customer });
    const portal = String(link.body.customer_portal_link);
    expect((await shop.press(portal, { subscription: id, action: 'card' })).status).toBe(303);
    expect(await shop.subscription(id)).toMatchObject({ status: 'active' });
    const { subscription: other } = await shop.buy();
    const foreign = await shop.press(portal, { subscription: other, action: 'now' });
    expect([foreign.status, (await shop.subscription(other)).status]).toEqual([400, 'active']);
  });
});

test('a scheduled cancel ends or pauses at the end of the period; a paused subscription pays nothing until it resumes', async () => {
  const { subscription: ending } = await shop.buy();
  const { subscription: pausing } = await shop.buy();
  const { created_at } = await shop.subscription(pausing);
  const month = lengthOf(created_at, 1);
  await shop.call('POST', `/v1/subscriptions/${ending}/cancel`, { mode: 'scheduled', onExecute: 'cancel' });
  await shop.call('POST', `/v1/subscriptions/${pausing}/cancel`, { mode: 'scheduled', onExecute: 'pause' });
  await shop.forward(100);
  expect((await eventTimeline(ending)).at(-1)).toEqual([
    'canceled',
    lengthOf((await shop.subscription(ending)).created_at, 1),
  ]);
  expect((await eventTimeline(pausing)).at(-1)).toEqual(['paused', month]);
  await shop.call('POST', `/v1/subscriptions/${pausing}/resume`);
  expect((await eventTimeline(pausing)).slice(-2).map(([type]) => type)).toEqual(['paid', 'update']);
  const resumed = await shop.subscription(pausing);
  expect((time(resumed.current_period_start_date) - time(created_at)) / DAY).toBeCloseTo(100, 3);
});

test('the dashboard moves the clock to the end of a period, and makes a card fail', async () => {
  const { subscription: id } = await shop.buy();
  const page = `${running.base}/creem`;
  expect((await shop.press(page, { subscription: id, action: 'fails' })).status).toBe(303);
  expect((await shop.press(page, { subscription: id, action: 'forward' })).status).toBe(303);
  expect(await shop.subscription(id)).toMatchObject({ status: 'past_due' });
  await shop.press(page, { subscription: id, action: 'good' });
  await shop.press(page, { subscription: id, action: 'forward' });
  expect(await shop.subscription(id)).toMatchObject({ status: 'active' });
  expect((await eventTimeline(id)).map(([type]) => type)).toEqual(['past_due', 'paid']);
});

test('all state survives a restart', async () => {
  const first = await spawnStandIns();
  const before = new Shopper(first.base);
  const { subscription: id } = await before.buy({ product_id: 'prod_quarterly' });
  const { events, ...records } = await before.state();
  await first.stop();
  const second = await spawnStandIns({ dir: first.dir });
  const after = new Shopper(second.base);
  const again = await after.state();
  expect(again.subscriptions).toEqual(records.subscriptions);
  expect(again.transactions).toEqual(records.transactions);
  expect(again.events.map(({ body }) => body)).toEqual(events.map(({ body }) => body));
  await after.forward(95);
  expect((await after.state()).events.at(-1)).toMatchObject({
    type: 'subscription.paid',
    subscriptionId: id,
  });
  await second.remove();
});
