import { describe, expect, test } from 'vitest';
import { readCreemEvent, readCreemFacts } from './creem-events.server.ts';
import { UnreadableEvent } from './payment-provider.ts';

/** Shapes follow Creem's documentation (code/webhooks.mdx); ids and amounts are our own. */
const product = {
  id: 'prod_1',
  name: 'Pro',
  image_url: null,
  price: 1999,
  currency: 'usd',
  billing_period: 'every-month',
  mode: 'test',
};
const subscription = {
  id: 'sub_1',
  object: 'subscription',
  product,
  customer: { id: 'cust_1', email: 'a@example.com' },
  status: 'active',
  last_transaction_id: 'tran_1',
  last_transaction_date: '2026-10-12T11:58:47.109Z',
  next_transaction_date: '2026-11-12T11:58:38.000Z',
  current_period_start_date: '2026-10-12T11:58:38.000Z',
  current_period_end_date: '2026-11-12T11:58:38.000Z',
  canceled_at: null,
  updated_at: '2026-10-12T11:58:45.425Z',
  metadata: { userId: 'u1', checkoutId: 'c1' },
  mode: 'test',
};
const transaction = {
  id: 'tran_1',
  amount: 1999,
  amount_paid: 2419,
  tax_amount: 420,
  currency: 'USD',
  status: 'refunded',
  refunded_amount: 2419,
  subscription: 'sub_1',
  customer: null,
  period_start: 1_791_806_318_000,
  period_end: 1_794_484_718_000,
  created_at: 1_791_806_327_109,
  mode: 'test',
};
const occurredAt = new Date(1_791_806_351_631);
const event = (eventType: string, object: unknown) => ({
  id: 'evt_1',
  eventType,
  created_at: occurredAt.getTime(),
  object,
});
const facts = (eventType: string, object: unknown) => readCreemFacts(event(eventType, object), true);
const bytes = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));

const expectedSubscription = {
  id: 'sub_1',
  status: 'active',
  productId: 'prod_1',
  price: { cents: 1999, currency: 'USD' },
  customerId: 'cust_1',
  checkoutId: 'c1',
  userId: 'u1',
  periodStart: new Date('2026-10-12T11:58:38.000Z'),
  periodEnd: new Date('2026-11-12T11:58:38.000Z'),
  canceledAt: null,
  lastPaymentId: 'tran_1',
  lastPaymentAt: new Date('2026-10-12T11:58:47.109Z'),
  updatedAt: new Date('2026-10-12T11:58:45.425Z'),
  live: false,
};

describe('an event', () => {
  test('is read with its ID, type and time, in either spelling', () => {
    const payload = event('subscription.paid', subscription);
    expect(readCreemEvent(bytes(payload))).toEqual({
      id: 'evt_1',
      type: 'subscription.paid',
      occurredAt: new Date(1_791_806_351_631),
      payload,
    });
    const standard = { id: 'evt_2', type: 'refund.created', timestamp: '2026-10-12T12:00:00Z', data: {} };
    expect(readCreemEvent(bytes(standard))).toMatchObject({
      type: 'refund.created',
      occurredAt: new Date('2026-10-12T12:00:00Z'),
    });
  });

  test.each([
    'no json',
    '[]',
    'null',
    '7',
    '{}',
    { eventType: 'x', created_at: 1 },
    { id: 'evt_1', created_at: 1 },
    { id: 'evt_1', eventType: 'x' },
    { id: '', eventType: 'x', created_at: 1 },
    { id: 'evt_1', eventType: 'x', created_at: 'soon' },
    { id: 'evt_1', eventType: 'x', created_at: 1e300 },
    { id: 'e'.repeat(201), eventType: 'x', created_at: 1 },
  ])('%j is not one', (value) => expect(readCreemEvent(bytes(value))).toBeNull());

  test('bytes that are not text are not one', () => {
    expect(readCreemEvent(Buffer.from([0x22, 0xff, 0x22]))).toBeNull();
  });
});

describe('facts', () => {
  test('of a payment: the subscription as paid, from both spellings of an event', () => {
    const expected = [{ kind: 'subscription', subscription: expectedSubscription, paid: true }];
    expect(facts('subscription.paid', subscription)).toEqual(expected);
    const standard = { id: 'e', type: 'subscription.paid', created_at: 1, data: subscription };
    expect(readCreemFacts(standard, true)).toEqual(expected);
  });

  test.each([
    ['subscription.active', 'active'],
    ['subscription.trialing', 'trialing'],
    ['subscription.update', 'active'],
    ['subscription.scheduled_cancel', 'scheduled_cancel'],
    ['subscription.canceled', 'canceled'],
    ['subscription.past_due', 'past_due'],
    ['subscription.expired', 'active'],
    ['subscription.paused', 'paused'],
    ['subscription.update', 'a word of tomorrow'],
  ])('of %s: the state %s and no payment', (type, status) => {
    expect(facts(type, { ...subscription, status })).toEqual([
      { kind: 'subscription', subscription: { ...expectedSubscription, status }, paid: false },
    ]);
  });

  test('accept IDs in place of objects, and missing fields are null', () => {
    const minimal = { id: 'sub_1', product: 'prod_1', customer: 'cust_1', status: 'unpaid', metadata: null };
    expect(facts('subscription.unpaid', minimal)).toEqual([
      {
        kind: 'subscription',
        paid: false,
        subscription: {
          ...expectedSubscription,
          ...{
            status: 'unpaid',
            price: null,
            checkoutId: null,
            userId: null,
            periodStart: null,
            periodEnd: null,
          },
          ...{ lastPaymentId: null, lastPaymentAt: null },
          updatedAt: new Date(1_791_806_351_631),
          live: true,
        },
      },
    ]);
  });

  test('take no IDs from metadata of another shape', () => {
    const [fact] = facts('subscription.paid', {
      ...subscription,
      metadata: { userId: 7, checkoutId: ['c'] },
    });
    expect(fact).toMatchObject({ subscription: { userId: null, checkoutId: null } });
  });

  test('of a completed checkout: the checkout, and its subscription with our IDs from the checkout', () => {
    const checkout = {
      id: 'ch_1',
      status: 'completed',
      request_id: 'c1',
      product,
      customer: { id: 'cust_1' },
      subscription: { ...subscription, product: 'prod_1', customer: 'cust_1', metadata: {} },
      metadata: { userId: 'u1', checkoutId: 'c1' },
    };
    const checkoutFact = {
      kind: 'checkout',
      checkout: {
        id: 'ch_1',
        url: null,
        state: 'completed',
        requestId: 'c1',
        subscriptionId: 'sub_1',
        customerId: 'cust_1',
        order: null,
      },
    };
    expect(facts('checkout.completed', checkout)).toEqual([
      checkoutFact,
      { kind: 'subscription', paid: false, subscription: { ...expectedSubscription, price: null } },
    ]);
    expect(facts('checkout.completed', { ...checkout, subscription: 'sub_1' })).toEqual([checkoutFact]);
  });

  test('of a completed one-time checkout: its order, if the shape is known', () => {
    const order = {
      ...{ id: 'ord_1', customer: 'cust_1', product: 'prod_1', transaction: 'tran_1', discount: null },
      ...{ amount: 499, tax_amount: 95, amount_paid: 594, currency: 'eur', status: 'paid', type: 'onetime' },
      created_at: '2026-10-12T11:58:38.000Z',
    };
    const checkout = { id: 'ch_1', status: 'completed', request_id: 'c1', order, metadata: {} };
    const orderOf = (object: object) =>
      facts('checkout.completed', object).map((fact) => fact.kind === 'checkout' && fact.checkout.order);
    const expectedOrder = {
      ...{ id: 'ord_1', productId: 'prod_1', paymentId: 'tran_1', amountCents: 594, currency: 'EUR' },
      ...{ isPaid: true, createdAt: new Date(order.created_at), live: true },
    };
    expect(orderOf(checkout)).toEqual([expectedOrder]);
    const { transaction: _, created_at: __, ...minimal } = { ...order, status: 'pending', mode: 'test' };
    expect(orderOf({ ...checkout, order: minimal })).toEqual([
      { ...expectedOrder, paymentId: null, isPaid: false, createdAt: occurredAt, live: false },
    ]);
    for (const malformed of ['ord_1', null, undefined, {}, { ...order, amount: '4.99' }])
      expect(orderOf({ ...checkout, order: malformed })).toEqual([null]);
  });

  test('of a refund: subscription, payment with taxes, and the refund', () => {
    const refund = {
      id: 'ref_1',
      status: 'succeeded',
      refund_amount: 2419,
      refund_currency: 'USD',
      transaction,
      subscription: { ...subscription, status: 'canceled' },
    };
    expect(facts('refund.created', refund)).toEqual([
      { kind: 'subscription', paid: false, subscription: { ...expectedSubscription, status: 'canceled' } },
      {
        kind: 'payment',
        payment: {
          id: 'tran_1',
          subscriptionId: 'sub_1',
          orderId: null,
          customerId: null,
          amountCents: 2419,
          discountCents: 0,
          refundedCents: 2419,
          currency: 'USD',
          state: 'refunded',
          periodStart: new Date(1_791_806_318_000),
          periodEnd: new Date(1_794_484_718_000),
          createdAt: new Date(1_791_806_327_109),
          live: false,
        },
      },
      {
        kind: 'refund',
        id: 'ref_1',
        paymentId: 'tran_1',
        amountCents: 2419,
        state: 'succeeded',
        occurredAt,
      },
    ]);
    for (const [status, state] of [
      ['pending', 'pending'],
      ['requiresAction', 'pending'],
      ['failed', 'failed'],
      ['canceled', 'failed'],
    ])
      expect(
        facts('refund.created', { ...refund, status, transaction: 'tran_1', subscription: null }),
      ).toEqual([{ kind: 'refund', id: 'ref_1', paymentId: 'tran_1', amountCents: 2419, state, occurredAt }]);
  });

  test.each([
    ['chargeback', 'disputed'],
    ['chargedBack', 'disputed'],
    ['partialRefund', 'partially_refunded'],
    ['a word of tomorrow', 'pending'],
  ])('of a dispute whose payment is %s: the state %s', (status, state) => {
    const dispute = { id: 'disp_1', amount: 2419, transaction: { ...transaction, status } };
    expect(facts('dispute.created', dispute)).toMatchObject([
      { kind: 'payment', payment: { state } },
      { kind: 'dispute', id: 'disp_1', paymentId: 'tran_1' },
    ]);
  });

  test('are empty for unknown types', () => {
    for (const type of ['credits.granted', 'subscription.frozen', '__proto__'])
      expect(facts(type, { anything: 1 })).toEqual([]);
  });

  test.each([
    ['subscription.paid', null],
    ['subscription.paid', { ...subscription, status: 7 }],
    ['subscription.paid', { ...subscription, id: undefined }],
    ['subscription.paid', { ...subscription, current_period_end_date: 'soon' }],
    ['subscription.paid', { ...subscription, current_period_end_date: '+275760-09-13T00:00:00.000Z' }],
    ['subscription.paid', { ...subscription, updated_at: -8.64e15 }],
    ['subscription.paid', { ...subscription, last_transaction: { ...transaction, amount_paid: 2 ** 31 } }],
    ['checkout.completed', 'ch_1'],
    ['refund.created', { id: 'ref_1', status: 'succeeded', refund_amount: 1.5, transaction }],
    ['refund.created', { id: 'ref_1', status: 'succeeded', refund_amount: 5 }],
    ['refund.created', { id: 'ref_1', status: 'succeeded', refund_amount: 2 ** 31, transaction }],
    ['dispute.created', { id: 'disp_1', transaction: { id: 'tran_1' } }],
  ])('%s of an unknown shape is unreadable: %#', (type, object) => {
    expect(() => facts(type, object)).toThrow(UnreadableEvent);
  });

  test('use the mode of the object or, without one, that of our key', () => {
    const liveOf = (mode: unknown, key: boolean) => {
      const [fact] = readCreemFacts(event('subscription.paid', { ...subscription, mode }), key);
      return fact?.kind === 'subscription' && fact.subscription.live;
    };
    expect([
      liveOf('prod', false),
      liveOf('local', true),
      liveOf(undefined, true),
      liveOf(null, false),
    ]).toEqual([true, false, true, false]);
  });
});
