import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type RunningStandIns, spawnStandIns } from '../spawn.ts';
import { type Received, Shopper, type WebhookSite, webhookSite } from './buyer.fixture.ts';

const SECRET = 'whsec_c3RhbmQtaW4tb2YtdGhlLXBheW1lbnQtcHJvdmlkZXI=';

let running: RunningStandIns;
let shop: Shopper;
let site: WebhookSite;
beforeAll(async () => {
  site = await webhookSite();
  running = await spawnStandIns({
    env: { STANDINS_SITE_URL: site.url, STANDINS_WEBHOOK_SECRET: SECRET },
  });
  shop = new Shopper(running.base);
});
afterAll(async () => {
  await running.remove();
  site.close();
});
afterEach(async () => {
  await settled();
  await shop.control({ reset: true });
  site.answer = () => 200;
  site.received.length = 0;
});

/** Waits until no delivery is pending. */
const settled = () => expect.poll(() => shop.pending(), { timeout: 8_000 }).toBe(0);

const types = () => site.received.map(({ event }) => event.eventType);
const PURCHASE = ['checkout.completed', 'subscription.active', 'subscription.paid'];

const hex = (body: string) => createHmac('sha256', SECRET).update(body).digest('hex');
const isSigned = ({ headers, body }: Received) => headers['creem-signature'] === hex(body);

test('a purchase sends three events in the form of the samples, signed with the full secret', async () => {
  const { subscription, checkout } = await shop.buy();
  await settled();
  expect(types()).toEqual(PURCHASE);
  expect(site.received.every(isSigned)).toBe(true);
  const [completed, active, paid] = site.received.map(({ event }) => event);
  const metadata = { userId: 'u1', checkoutId: 'order-1' };
  expect(completed).toMatchObject({
    id: expect.stringMatching(/^evt_\w{22}$/),
    created_at: expect.any(Number),
    object: {
      id: checkout,
      object: 'checkout',
      request_id: 'order-1',
      status: 'completed',
      mode: 'test',
      metadata,
      order: { amount: 1999 },
      product: { id: 'prod_monthly' },
      customer: { object: 'customer' },
      subscription: { id: subscription, product: 'prod_monthly', status: 'active', metadata },
    },
  });
  expect(active?.object).not.toHaveProperty('current_period_end_date');
  expect(paid?.object).toMatchObject({
    id: subscription,
    product: { price: 1999, currency: 'USD' },
    last_transaction_id: expect.stringMatching(/^tran_/),
    current_period_end_date: expect.stringMatching(/^\d{4}-.*Z$/),
    next_transaction_date: expect.any(String),
    canceled_at: null,
    metadata,
  });
});

test('Standard Webhooks sign the id, the time and the body', async () => {
  await shop.control({ creem: { signatureForm: 'standard' } });
  await shop.buy();
  await settled();
  const key = Buffer.from(SECRET.slice(6), 'base64');
  for (const { headers, body, event } of site.received) {
    const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = headers;
    expect([id, Math.abs(Number(at) - Date.now() / 1000) < 60]).toEqual([event.id, true]);
    const expected = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64');
    expect(signature).toBe(`v1,${expected}`);
    expect(headers).not.toHaveProperty('creem-signature');
  }
});

describe('a delivery that the site refuses', () => {
  test('is sent again with the same bytes until it is accepted', async () => {
    await shop.control({ creem: { retryScale: 300 } });
    const refusals = new Map<string, number>();
    site.answer = ({ event }) => {
      const count = (refusals.get(event.id) ?? 0) + 1;
      refusals.set(event.id, count);
      return count < 3 ? 500 : 204;
    };
    await shop.buy();
    await settled();
    expect([...refusals.values()]).toEqual([3, 3, 3]);
    expect(new Set(site.received.map(({ body }) => body)).size).toBe(3);
    const { events } = await shop.state();
    expect(events.at(-1)?.deliveries).toMatchObject([
      { state: 'delivered', attempts: [{ status: 500 }, { status: 500 }, { status: 204 }] },
    ]);
  });

  test('fails after five attempts; the dashboard sends it again', async () => {
    await shop.control({ creem: { retryScale: 1e6 } });
    site.answer = () => 503;
    await shop.buy();
    await settled();
    const { events } = await shop.state();
    const last = events.at(-1);
    expect(last?.deliveries[0]?.state).toBe('failed');
    expect(last?.deliveries[0]?.attempts).toHaveLength(5);
    site.answer = () => 200;
    const resent = await shop.control({ creem: { resend: last?.id } });
    expect(resent.body['creem.resend']).toEqual({ sent: 1 });
    await settled();
    expect(site.received.at(-1)).toMatchObject({ body: last?.body });
    expect((await shop.control({ creem: { resend: 'lost' } })).body['creem.resend']).toEqual({ sent: 2 });
  });

  test('also follows the clock: moving it by half a minute makes the retry due', async () => {
    await shop.control({ creem: { retryScale: 1 } });
    site.answer = ({ event }) =>
      site.received.filter((r) => r.event.id === event.id).length < 2 ? 500 : 200;
    await shop.buy();
    await expect.poll(() => site.received.length).toBe(3);
    expect(await shop.pending()).toBe(3);
    await shop.control({ clock: { advanceMs: 31_000 } });
    await settled();
    expect(site.received).toHaveLength(6);
  });
});

describe('faults', () => {
  test('duplicate and shuffle deliver everything, in another order', async () => {
    await shop.control({ creem: { duplicate: 2, reorder: 50, seed: 7 } });
    const { subscription } = await shop.buy();
    await shop.forward(200);
    await settled();
    const { events } = await shop.state();
    const own = events.filter(({ subscriptionId }) => subscriptionId === subscription);
    const ownIds = new Set(own.map(({ id }) => id));
    const ids = site.received.map(({ event }) => event.id).filter((id) => ownIds.has(id));
    expect(ids.toSorted()).toEqual(own.flatMap(({ id }) => [id, id]).toSorted());
    expect(ids).not.toEqual(own.flatMap(({ id }) => [id, id]));
    expect(own.length).toBeGreaterThan(8);
  });

  test('lose drops a type or all events, and resend sends them', async () => {
    await shop.control({ creem: { lose: ['subscription.paid'] } });
    await shop.buy();
    await settled();
    expect(types()).toEqual(PURCHASE.slice(0, 2));
    const lost = (await shop.state()).events.at(-1);
    expect(lost).toMatchObject({ type: 'subscription.paid', deliveries: [{ state: 'lost', attempts: [] }] });
    await shop.control({ creem: { lose: 1 } });
    await shop.buy();
    await shop.control({ creem: { webhooks: false, lose: 0 } });
    await shop.buy();
    expect(site.received).toHaveLength(2);
    await shop.control({ reset: true, creem: { resend: lost?.id } });
    await settled();
    expect(site.received.at(-1)?.body).toBe(lost?.body);
  });

  test('forge sends an altered copy with a false signature, once', async () => {
    await shop.control({ creem: { forge: true, lose: 1, retryScale: 1e6 } });
    site.answer = () => 401;
    await shop.buy();
    await settled();
    expect(site.received).toHaveLength(3);
    expect(site.received.filter(isSigned)).toEqual([]);
    const known = (await shop.state()).events.map(({ id }) => id);
    for (const { event } of site.received) expect(known).not.toContain(event.id);
  });

  test('unknown events and statuses, delayed, sent to another address', async () => {
    const other = await webhookSite();
    await shop.control({
      creem: { unknownEvent: true, unknownStatus: true, delay: 300, siteUrl: other.url },
    });
    await shop.buy();
    expect(other.received).toEqual([]);
    await settled();
    expect(site.received).toEqual([]);
    expect(
      other.received.map(({ event }) => event.eventType).filter((type) => !PURCHASE.includes(type)),
    ).toEqual(Array(3).fill('subscription.celebrated'));
    expect(other.received.every(isSigned)).toBe(true);
    expect(other.received.at(-1)?.event.object.status).toBe('under_review');
    other.close();
  });
});
