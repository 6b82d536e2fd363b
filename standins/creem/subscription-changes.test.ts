import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type RunningStandIns, spawnStandIns } from '../spawn.ts';
import { Shopper } from './buyer.fixture.ts';

let running: RunningStandIns;
let shop: Shopper;
beforeAll(async () => {
  running = await spawnStandIns();
  shop = new Shopper(running.base);
});
afterAll(() => running.remove());
afterEach(() => shop.control({ reset: true }));

const refused = (status: number, message: string) => ({
  status,
  body: expect.objectContaining({
    status,
    error: 'Bad Request',
    message: [expect.stringContaining(message)],
  }),
});

describe('a subscription', () => {
  const action = (id: string, name: string, body?: Record<string, unknown>) =>
    shop.call('POST', `/v1/subscriptions/${id}/${name}`, body);

  test('can be cancelled at its end, resumed, paused, resumed and cancelled immediately', async () => {
    const { subscription: id } = await shop.buy();
    const before = await shop.subscription(id);
    const scheduled = await action(id, 'cancel', { mode: 'scheduled', onExecute: 'cancel' });
    expect(scheduled.body).toMatchObject({ status: 'scheduled_cancel', canceled_at: null });
    expect(scheduled.body).not.toHaveProperty('next_transaction_date');
    expect((await action(id, 'resume')).body).toMatchObject({
      status: 'active',
      current_period_end_date: before.current_period_end_date,
    });
    expect((await action(id, 'pause')).body.status).toBe('paused');
    expect((await action(id, 'resume')).body.status).toBe('active');
    const ended = await action(id, 'cancel', { mode: 'immediate' });
    expect(ended.body).toMatchObject({ status: 'canceled', canceled_at: expect.any(String) });
    for (const name of ['cancel', 'resume', 'pause'])
      expect(await action(id, name)).toEqual(refused(400, 'that is canceled cannot be'));
    expect(await action(id, 'cancel', { mode: 'immediate', on_execute: 'cancel' })).toEqual(
      refused(400, 'property on_execute'),
    );
    const ownEvents = (await shop.state()).events.filter(({ subscriptionId }) => subscriptionId === id);
    expect(ownEvents.map(({ type }) => type.replace('subscription.', ''))).toEqual([
      ...[
        'checkout.completed',
        'active',
        'paid',
        'scheduled_cancel',
        'update',
        'paused',
        'update',
        'canceled',
      ],
    ]);
  });

  test('changes its plan today: the rest is credited, and what remains covers the next payments', async () => {
    const { subscription: id } = await shop.buy({ product_id: 'prod_yearly' });
    await shop.forward(100);
    const before = await shop.subscription(id);
    const { body } = await action(id, 'upgrade', { product_id: 'prod_monthly' });
    expect(body).toMatchObject({
      status: 'active',
      product: { id: 'prod_monthly' },
      items: [{ product_id: 'prod_monthly' }],
      last_transaction: { amount: 0, status: 'paid' },
    });
    const [from, to] = [before, body].map((state) =>
      Date.parse(state.current_period_start_date as string),
    ) as [number, number];
    const end = Date.parse(before.current_period_end_date as string);
    expect((to - from) / 86_400_000).toBeCloseTo(100, 3);
    await shop.forward(70);
    const { transactions } = await shop.state();
    const amounts = transactions
      .filter(({ subscription }) => subscription === id)
      .map(({ amount }) => amount);
    const credit = Math.round((6999 * (end - to)) / (end - from));
    expect(amounts).toEqual([6999, 0, 0, 3 * 1999 - credit]);
    expect(await action(id, 'upgrade', { product_id: 'prod_monthly' })).toEqual(
      refused(400, 'on this product already'),
    );
  });

  test.each([
    ['proration-charge', (share: number) => Math.round(12 * 1999 * share) - Math.round(6999 * share)],
    ['proration-none', () => 0],
  ])('%s changes the plan within its cycle; the next payment settles it', async (behavior, surcharge) => {
    const { subscription: id } = await shop.buy({ product_id: 'prod_yearly' });
    await shop.forward(200);
    const before = await shop.subscription(id);
    const change = { product_id: 'prod_monthly', update_behavior: behavior };
    const { body } = await action(id, 'upgrade', change);
    for (const field of ['current_period_start_date', 'current_period_end_date', 'last_transaction_id'])
      expect(body[field]).toBe(before[field]);
    const start = Date.parse(before.current_period_start_date as string);
    const end = Date.parse(before.current_period_end_date as string);
    const remaining = end - Date.parse(body.updated_at as string);
    await shop.control({ clock: { advanceMs: remaining } });
    expect(await shop.subscription(id)).toMatchObject({
      current_period_start_date: before.current_period_end_date,
      last_transaction: { amount: 1999 + surcharge(remaining / (end - start)) },
    });
  });

  test('keeps its plan when the card refuses the change', async () => {
    const { subscription: id } = await shop.buy({}, 'fails');
    const change = await action(id, 'upgrade', {
      product_id: 'prod_yearly',
      update_behavior: 'proration-charge-immediately',
    });
    expect(change).toEqual(refused(400, 'declined'));
    expect(await shop.subscription(id)).toMatchObject({ status: 'active', product: { id: 'prod_monthly' } });
  });
});

describe('a refund', () => {
  const lastTransactionOf = async (id: string) => (await shop.subscription(id)).last_transaction_id as string;

  test('is possible once in full by the API, in parts from the dashboard', async () => {
    const { subscription: id } = await shop.buy();
    const transaction = await lastTransactionOf(id);
    const part = await shop.control({ creem: { refund: { transaction, amount: 500 } } });
    expect(part.body['creem.refund']).toEqual({ id: expect.stringMatching(/^ref_/) });
    const read = () => shop.call('GET', `/v1/transactions?transaction_id=${transaction}`);
    expect((await read()).body).toMatchObject({ status: 'partialRefund', refunded_amount: 500 });
    expect(await shop.call('POST', '/v1/refunds', { transaction_id: transaction })).toEqual({
      status: 200,
      body: { status: 'succeeded' },
    });
    expect((await read()).body).toMatchObject({ status: 'refunded', refunded_amount: 1999 });
    expect(await shop.call('POST', '/v1/refunds', { transaction_id: transaction })).toEqual(
      refused(400, 'cannot be refunded'),
    );
    expect((await shop.control({ creem: { dispute: transaction } })).status).toBe(400);
    const refundEvents = (await shop.state()).events.filter((event) => event.type === 'refund.created');
    expect(refundEvents.slice(-2).map(({ body }) => JSON.parse(body).object)).toMatchObject([
      { refund_amount: 500, transaction: { status: 'partialRefund' }, subscription: { id } },
      { refund_amount: 1499, transaction: { status: 'refunded' }, order: { amount: 1999 } },
    ]);
  });

  test('that is pending settles after a day; one that fails leaves the payment unchanged', async () => {
    const { subscription: id } = await shop.buy();
    const transaction = await lastTransactionOf(id);
    const statusNow = async () =>
      (await shop.call('GET', `/v1/transactions?transaction_id=${transaction}`)).body.status;
    const requestRefund = () => shop.call('POST', '/v1/refunds', { transaction_id: transaction });
    await shop.control({ creem: { refunds: 'failed' } });
    expect([(await requestRefund()).body, await statusNow()]).toEqual([{ status: 'failed' }, 'paid']);
    await shop.control({ creem: { refunds: 'pending' } });
    expect([(await requestRefund()).body, await statusNow()]).toEqual([{ status: 'pending' }, 'paid']);
    expect((await requestRefund()).status).toBe(400);
    await shop.forward(1.01);
    expect(await statusNow()).toBe('refunded');
  });

  test('by a dispute of the bank marks the payment as charged back', async () => {
    const { subscription: id } = await shop.buy();
    const transaction = await lastTransactionOf(id);
    expect((await shop.control({ creem: { dispute: transaction } })).status).toBe(200);
    const { body } = await shop.call('GET', `/v1/transactions?transaction_id=${transaction}`);
    expect(body).toMatchObject({ status: 'chargedBack', refunded_amount: 1999 });
    const { events } = await shop.state();
    expect(JSON.parse(events.at(-1)?.body ?? '{}')).toMatchObject({
      eventType: 'dispute.created',
      object: { object: 'dispute', amount: 1999, transaction: { id: transaction, status: 'chargeback' } },
    });
  });
});
