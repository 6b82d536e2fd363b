import { createHmac } from 'node:crypto';
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

const refusal = (status: number, message: string) => ({
  status,
  body: expect.objectContaining({
    status,
    error: 'Bad Request',
    message: [expect.stringContaining(message)],
  }),
});

describe('a checkout', () => {
  test('contains what it was created with, and later what it resulted in', async () => {
    const created = await shop.checkout({ product_id: 'prod_yearly' });
    expect(created).toMatchObject({
      id: expect.stringMatching(/^ch_\w{22}$/),
      mode: 'test',
      object: 'checkout',
      status: 'pending',
      request_id: 'order-1',
      product: 'prod_yearly',
      checkout_url: `${running.base}/creem/pay/${created.id}`,
      metadata: { userId: 'u1', checkoutId: 'order-1' },
    });
    expect(created).not.toHaveProperty('subscription');
    await shop.press(created.checkout_url, { action: 'pay' });
    const { body } = await shop.call('GET', `/v1/checkouts?checkout_id=${created.id}`);
    expect(body).toMatchObject({
      status: 'completed',
      product: { id: 'prod_yearly', price: 6999, currency: 'USD', billing_period: 'every-year' },
      order: { amount: 6999, status: 'paid', type: 'recurring' },
      subscription: { status: 'active', metadata: { userId: 'u1', checkoutId: 'order-1' } },
      customer: { object: 'customer', email: expect.stringContaining('buyer-') },
    });
  });

  test('for a one-time product creates an order without a subscription, and its payment can be refunded', async () => {
    const { id, checkout_url } = await shop.checkout({ product_id: 'prod_credits_100' });
    await shop.press(checkout_url, { action: 'pay' });
    const { body } = await shop.call('GET', `/v1/checkouts?checkout_id=${id}`);
    expect(body).toMatchObject({
      status: 'completed',
      product: { billing_type: 'onetime', billing_period: 'once', price: 499 },
      order: { amount: 499, status: 'paid', type: 'onetime', transaction: expect.any(String) },
    });
    expect(body).not.toHaveProperty('subscription');
    const order = body.order as { id: string; transaction: string };
    const state = async () => (await shop.call('GET', `/v1/transactions/search?order_id=${order.id}`)).body;
    const paid = { id: order.transaction, type: 'payment', status: 'paid', subscription: null };
    expect(await state()).toMatchObject({ items: [paid] });
    expect((await shop.state()).events.filter(({ body }) => body.includes(order.id))).toMatchObject([
      { type: 'checkout.completed', subscriptionId: null },
    ]);
    await shop.call('POST', '/v1/refunds', { transaction_id: order.transaction });
    expect(await state()).toMatchObject({ items: [{ status: 'refunded', refunded_amount: 499 }] });
    await shop.control({ creem: { keep: order.transaction } });
    expect(await state()).toMatchObject({ items: [{ status: 'paid', refunded_amount: null }] });
  });

  test.each([
    [{ product_id: undefined }, 400, 'product_id should not be empty'],
    [{ product_id: 'prod_none' }, 404, 'Product not found'],
    [{ customer: { id: 'cust_1', email: 'a@example.com' } }, 400, 'not both'],
    [{ customer: { email: 'nobody' } }, 400, 'customer.email'],
    [{ success_url: '/dashboard' }, 400, 'success_url'],
    [{ metadata: 'u1' }, 400, 'metadata'],
    [{ cancel_url: 'http://127.0.0.1/' }, 400, 'property cancel_url should not exist'],
    [{ discount_code: 'HALF' }, 400, 'discount_code'],
  ])('with %j is refused', async (fields, status, message) => {
    const body = { product_id: 'prod_monthly', ...fields };
    expect(await shop.call('POST', '/v1/checkouts', body)).toEqual(refusal(status, message));
  });

  test('expires after a day', async () => {
    const { id, checkout_url } = await shop.checkout();
    await shop.forward(1.01);
    expect((await shop.call('GET', `/v1/checkouts?checkout_id=${id}`)).body).toMatchObject({
      status: 'expired',
    });
    expect((await shop.press(checkout_url, { action: 'pay' })).status).toBe(410);
  });
});

describe('the hosted page', () => {
  test('redirects the buyer with six ids and a signature by the key, and does so again on repetition', async () => {
    const { id, checkout_url } = await shop.checkout();
    const first = await shop.press(checkout_url, { action: 'pay' });
    expect(first.status).toBe(303);
    const returnUrl = new URL(first.headers.get('location') ?? '');
    const { payment, plan, signature, ...ids } = Object.fromEntries(returnUrl.searchParams);
    expect([payment, plan, Object.keys(ids).sort()]).toEqual([
      'success',
      'monthly',
      ['checkout_id', 'customer_id', 'order_id', 'product_id', 'request_id', 'subscription_id'],
    ]);
    const signed = Object.keys(ids)
      .sort()
      .map((name) => `${name}=${ids[name]}`)
      .join('&');
    expect(signature).toBe(createHmac('sha256', 'creem_test_x').update(signed).digest('hex'));
    const again = await shop.press(checkout_url, { action: 'pay' });
    expect(again.headers.get('location')).toBe(returnUrl.href);
    const { subscriptions } = await shop.state();
    expect(subscriptions.filter(({ checkout }) => checkout === id)).toHaveLength(1);
  });

  test('stays open after a declined card, with a message and a declined payment', async () => {
    const { id, checkout_url } = await shop.checkout({ customer: { email: 'poor@example.com' } });
    const declined = await shop.press(checkout_url, { action: 'decline' });
    expect(declined.status).toBe(303);
    const page = await (await fetch(new URL(declined.headers.get('location') ?? '', running.base))).text();
    expect(page).toContain('Your card was declined. Nothing was charged.');
    expect((await shop.call('GET', `/v1/checkouts?checkout_id=${id}`)).body).toMatchObject({
      status: 'pending',
    });
    const { body } = await shop.call('GET', '/v1/customers?email=poor@example.com');
    expect(
      (await shop.call('GET', `/v1/transactions/search?customer_id=${body.id}`)).body.items,
    ).toMatchObject([{ status: 'declined', amount: 1999, amount_paid: 0, subscription: null }]);
  });

  test('asks for an email address if the shop gave none, and refuses forms of other sites', async () => {
    const { id, checkout_url } = await shop.checkout({ customer: undefined });
    expect(await (await shop.press(checkout_url, { action: 'pay' })).text()).toContain(
      'Enter an e-mail address.',
    );
    const foreign = await shop.press(
      checkout_url,
      { action: 'pay', email: 'a@example.com' },
      { 'sec-fetch-site': 'cross-site' },
    );
    expect(foreign.status).toBe(403);
    expect((await shop.press(checkout_url, { action: 'abandon' })).status).toBe(200);
    expect((await shop.call('GET', `/v1/checkouts?checkout_id=${id}`)).body.status).toBe('pending');
  });
});

describe('calls', () => {
  test('a bad key gets 403 without a message, an unknown id 404', async () => {
    const bad = await shop.call('GET', '/v1/subscriptions?subscription_id=sub_1', undefined, 'sk_1');
    expect(bad).toEqual({ status: 403, body: expect.not.objectContaining({ message: expect.anything() }) });
    expect(await shop.call('GET', '/v1/subscriptions?subscription_id=sub_1')).toEqual(
      refusal(404, 'Subscription not found'),
    );
    expect(await shop.call('POST', '/v1/refunds', { transaction_id: 'tran_1' })).toEqual(
      refusal(404, 'Transaction not found'),
    );
  });

  test('products and customers are found in both ways, and lists have pages', async () => {
    const one = await shop.call('GET', '/v1/products/prod_quarterly');
    expect(one.body).toMatchObject({ price: 3999, billing_period: 'every-three-months', status: 'active' });
    expect(await shop.call('GET', '/v1/products?product_id=prod_quarterly')).toEqual(one);
    const { customer, subscription } = await shop.buy();
    await shop.forward(100);
    const paged = await shop.call('GET', `/v1/transactions/search?customer_id=${customer}&page_size=3`);
    expect(paged.body.pagination).toEqual({
      total_records: 4,
      total_pages: 2,
      current_page: 1,
      next_page: 2,
      prev_page: null,
    });
    const remainder = await shop.call(
      'GET',
      `/v1/transactions/search?customer_id=${customer}&page_size=3&page_number=2`,
    );
    const all = [
      ...(paged.body.items as { created_at: number }[]),
      ...(remainder.body.items as { created_at: number }[]),
    ];
    expect(all.map(({ created_at }) => created_at)).toEqual(
      all.map(({ created_at }) => created_at).sort((a, b) => b - a),
    );
    const found = await shop.call('GET', `/v1/subscriptions/search?customer_id=${customer}`);
    expect(found.body.items).toMatchObject([{ id: subscription }]);
  });
});

describe('faults of the API', () => {
  const createCheckout = () =>
    shop.call('POST', '/v1/checkouts', { product_id: 'prod_monthly', request_id: 'lost-1' });

  test('apply to a path for a number of calls, then the API answers again', async () => {
    await shop.control({ creem: { api: { fault: 'status500', path: '/v1/checkouts', times: 2 } } });
    expect((await shop.call('GET', '/v1/products/prod_monthly')).status).toBe(200);
    expect([
      (await createCheckout()).status,
      (await createCheckout()).status,
      (await createCheckout()).status,
    ]).toEqual([500, 500, 200]);
  });

  test('down does nothing, lost acts without an answer, slow waits', async () => {
    const count = async () => (await shop.state()).checkouts.length;
    const before = await count();
    await shop.control({ creem: { api: 'down' } });
    await expect(createCheckout()).rejects.toThrow();
    expect(await count()).toBe(before);
    await shop.control({ creem: { api: 'lost' } });
    await expect(createCheckout()).rejects.toThrow();
    expect(await count()).toBe(before + 1);
    await shop.control({ creem: { api: { fault: 'slow', times: 1 } } });
    const pending = createCheckout();
    await expect
      .poll(async () => (await shop.control({ release: '/v1/checkouts' })).body.release)
      .toMatchObject({ released: 1 });
    expect((await pending).status).toBe(200);
  });

  test.each([
    [{ api: 'asleep' }, 'status500'],
    [{ lose: 2 }, 'creem.lose'],
    [{ siteUrl: 'http://shop.example' }, 'loopback'],
  ])('%j is refused', async (creem, errorPart) => {
    const { status, body } = await shop.control({ creem });
    expect([status, body.error]).toEqual([400, expect.stringContaining(errorPart)]);
  });
});

test('prices, payments and the status follow the switches', async () => {
  await shop.control({ creem: { taxPercent: 19, unknownStatus: true } });
  const { subscription: id } = await shop.buy();
  expect(await shop.subscription(id)).toMatchObject({
    status: 'under_review',
    last_transaction: { amount: 1999, tax_amount: 380, amount_paid: 2379 },
  });
});
