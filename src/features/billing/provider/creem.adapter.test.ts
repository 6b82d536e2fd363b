import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type LoopbackServer, startLoopbackServer } from '#platform/outbound/loopback-server.fixture.ts';
import { configureOutbound } from '#platform/outbound/outbound.server.ts';
import { creem } from './creem.adapter.server.ts';
import { ProviderError } from './payment-provider.ts';

let server: LoopbackServer;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
const requests: { method?: string; url?: string; key?: string | string[]; body: unknown }[] = [];

beforeAll(async () => {
  server = await startLoopbackServer(async (request, response) => {
    let text = '';
    for await (const part of request) text += part;
    const { method, url, headers } = request;
    requests.push({ method, url, key: headers['x-api-key'], body: text ? JSON.parse(text) : null });
    answer(request, response);
  });
  configureOutbound([server.origin]);
});
afterAll(async () => {
  configureOutbound([]);
  await server.close();
});
beforeEach(() => {
  requests.length = 0;
});

const json = (value: unknown, status = 200) => {
  answer = (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
};
const port = () =>
  creem({ baseUrl: `${server.origin}/creem/`, apiKey: 'creem_test_1', webhookSecret: undefined });
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => {
      if (error instanceof ProviderError) return [error.kind, error.status] as const;
      throw error;
    },
  );

/** Addresses that are not pages of Creem. */
const foreignUrls = [
  'https://pay.example.com/ch_1',
  'https://notcreem.io/ch_1',
  'https://checkout.creem.io.example.com/ch_1',
  'https://checkout.creem.io@example.com/ch_1',
  'http://checkout.creem.io/ch_1',
];

const subscription = {
  id: 'sub/1',
  product: 'prod_1',
  customer: 'cust_1',
  status: 'active',
  updated_at: '2026-10-12T11:58:45.425Z',
  mode: 'test',
};
const transaction = (id: string, created_at: number) => ({
  id,
  amount: 1999,
  currency: 'USD',
  status: 'paid',
  created_at,
});

describe('requests', () => {
  test('a checkout carries its user and product, and its URL must be a page of Creem', async () => {
    json({ id: 'ch_1', status: 'pending', checkout_url: 'https://checkout.creem.io/ch_1', request_id: 'c1' });
    const input = {
      id: 'c1',
      userId: 'u1',
      email: 'a@example.com',
      productId: 'prod_1',
      successUrl: 'https://s/d',
    };
    expect(await port().createCheckout(input)).toMatchObject({
      id: 'ch_1',
      url: 'https://checkout.creem.io/ch_1',
      state: 'open',
    });
    expect(requests).toEqual([
      {
        method: 'POST',
        url: '/creem/v1/checkouts',
        key: 'creem_test_1',
        body: {
          product_id: 'prod_1',
          request_id: 'c1',
          units: 1,
          customer: { email: 'a@example.com' },
          success_url: 'https://s/d',
          metadata: { userId: 'u1', checkoutId: 'c1' },
        },
      },
    ]);
    json({ id: 'ch_1', checkout_url: `${server.origin}/pay/ch_1` });
    expect((await port().createCheckout(input)).url).toBe(`${server.origin}/pay/ch_1`);
    for (const checkout_url of ['javascript:alert(1)', ...foreignUrls]) {
      json({ id: 'ch_1', checkout_url });
      expect(await failure(port().createCheckout(input)), checkout_url).toEqual(['unreadable', null]);
    }
  });

  test('changes of a subscription send their mode, and IDs are escaped in the path', async () => {
    json(subscription);
    await port().cancel('sub/1', 'period_end');
    await port().cancel('sub/1', 'now');
    await port().resume('sub/1');
    await port().change('sub/1', 'prod_2');
    expect(requests.map(({ url, body }) => [url, body])).toEqual([
      ['/creem/v1/subscriptions/sub%2F1/cancel', { mode: 'scheduled', onExecute: 'cancel' }],
      ['/creem/v1/subscriptions/sub%2F1/cancel', { mode: 'immediate', onExecute: 'cancel' }],
      ['/creem/v1/subscriptions/sub%2F1/resume', {}],
      [
        '/creem/v1/subscriptions/sub%2F1/upgrade',
        { product_id: 'prod_2', update_behavior: 'proration-charge-immediately' },
      ],
    ]);
  });

  test('payments are read page by page and returned newest first', async () => {
    const pages = [
      { items: [transaction('t1', 1), transaction('t3', 3)], pagination: { next_page: 2, total_pages: 2 } },
      { items: [transaction('t2', 2)], pagination: { next_page: null } },
    ];
    answer = (_, response) => response.end(JSON.stringify(pages[requests.length - 1]));
    expect((await port().payments('cust&1')).map(({ id }) => id)).toEqual(['t3', 't2', 't1']);
    expect(requests[1]?.url).toBe(
      '/creem/v1/transactions/search?customer_id=cust%261&page_number=2&page_size=50',
    );
    answer = (_, response) => response.end(JSON.stringify(pages[0]));
    expect(await failure(port().payments('cust_1'))).toEqual(['unreadable', null]);
  });

  test('a portal link must be a page of Creem, and a refund has one of three states', async () => {
    json({ customer_portal_link: 'https://creem.io/my/1' });
    expect(await port().portal('cust_1')).toBe('https://creem.io/my/1');
    for (const customer_portal_link of ['creem.io', ...foreignUrls]) {
      json({ customer_portal_link });
      expect(await failure(port().portal('cust_1')), customer_portal_link).toEqual(['unreadable', null]);
    }
    for (const [status, expected] of [
      ['succeeded', 'succeeded'],
      ['pending', 'pending'],
      ['requiresAction', 'pending'],
      ['canceled', 'failed'],
      ['failed', 'failed'],
    ]) {
      json({ status });
      expect(await port().refund('tran_1')).toBe(expected);
    }
    expect(requests.at(-1)).toMatchObject({ url: '/creem/v1/refunds', body: { transaction_id: 'tran_1' } });
  });

  test('a customer is looked up by ID', async () => {
    json({ id: 'cust_1', email: 'a@example.com' });
    expect(await port().customerEmail('cust&1')).toBe('a@example.com');
    expect(requests[0]).toMatchObject({ method: 'GET', url: '/creem/v1/customers?customer_id=cust%261' });
  });

  test('a product is looked up in the path, then in the query', async () => {
    const product = {
      id: 'prod_1',
      name: 'Pro',
      price: 1999,
      currency: 'usd',
      billing_period: 'every-month',
    };
    answer = (request, response) =>
      request.url?.includes('?') ? response.end(JSON.stringify(product)) : response.writeHead(404).end('{}');
    expect(await port().product('prod_1')).toEqual({
      id: 'prod_1',
      name: 'Pro',
      priceCents: 1999,
      currency: 'USD',
      period: 'every-month',
      isPaidOnce: false,
      live: false,
    });
    for (const paid of [{ billing_type: 'onetime' }, { billing_type: null, billing_period: 'once' }]) {
      json({ ...product, ...paid });
      expect(await port().product('prod_1')).toMatchObject({ isPaidOnce: true });
    }
  });

  test('the payments of an order are searched by its ID', async () => {
    json({ items: [{ ...transaction('tran_1', 1), order: 'ord_1' }] });
    expect(await port().paymentsOfOrder('ord&1')).toMatchObject([{ id: 'tran_1', orderId: 'ord_1' }]);
    expect(requests[0]?.url).toBe(
      '/creem/v1/transactions/search?order_id=ord%261&page_number=1&page_size=50',
    );
  });
});

describe('failures', () => {
  test.each([
    [400, 'refused'],
    [401, 'refused'],
    [403, 'refused'],
    [422, 'refused'],
    [429, 'refused'],
    [408, 'unreachable'],
    [500, 'unreachable'],
    [503, 'unreachable'],
  ])('status %i is %s', async (status, kind) => {
    json({ status, message: ['No such thing'] }, status);
    expect(await failure(port().cancel('sub_1', 'now'))).toEqual([kind, status]);
  });

  test('a missing object is null for a read and a refusal for a change', async () => {
    json({ status: 404, error: 'Bad Request' }, 404);
    const { subscription, checkout, payment, product, customerEmail, resume } = port();
    const reads = [subscription('x'), checkout('x'), payment('x'), product('x'), customerEmail('x')];
    expect(await Promise.all(reads)).toEqual(reads.map(() => null));
    expect(await failure(resume('x'))).toEqual(['refused', 404]);
  });

  test.each([
    ['<html>'],
    ['[]'],
    ['{"id":"sub_1"}'],
    [JSON.stringify({ ...subscription, updated_at: null })],
  ])('answer %#, which is not a subscription, is unreadable', async (text) => {
    answer = (_, response) => response.end(text);
    expect((await failure(port().subscription('sub_1')))?.[0]).toBe('unreadable');
  });

  test('a refused or broken connection, a redirect and a response that is too large count as unreachable', async () => {
    answer = (_, response) => response.destroy();
    expect(await failure(port().subscription('x'))).toEqual(['unreachable', null]);
    answer = (_, response) => response.writeHead(302, { location: '/elsewhere' }).end();
    expect(await failure(port().subscription('x'))).toEqual(['unreachable', null]);
    answer = (_, response) => response.end('x'.repeat(1024 * 1024 + 1));
    expect(await failure(port().subscription('x'))).toEqual(['unreachable', null]);
    const unreachable = creem({ baseUrl: 'http://127.0.0.1:1', apiKey: 'k', webhookSecret: undefined });
    expect(await failure(unreachable.subscription('x'))).toEqual(['unreachable', null]);
  });
});
