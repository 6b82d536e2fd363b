import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { LedgerPage } from '#features/credits/ledger/ledger-contract.ts';
import { expectConsistent } from '../support/consistency.ts';
import {
  days,
  deliver,
  eventBody,
  type Purchase,
  purchase,
  refundEvent,
  sign,
  subscriptionEvent,
  subscriptionObject,
  WEBHOOK_SECRET,
} from '../support/creem-events.ts';
import { untilWaiting } from '../support/gate.ts';
import { createPerson, type Person } from '../support/people.ts';
import { eventually, startTestServer, type TestServer } from '../support/server.ts';
import { moveClock } from '../support/visitor.ts';

let server: TestServer;
let bought: Purchase;
beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres') });
});
afterAll(() => server.stop());

interface EventRow {
  event_id: string;
  outcome: string;
  reason: string;
  payload: object | null;
}

async function rowsOf(eventId: string): Promise<EventRow[]> {
  const { rows } = await server.database.query<EventRow>(
    'select event_id, outcome, reason, payload from billing_events where event_id = $1 order by id',
    [eventId],
  );
  return rows;
}

const idOf = (body: string) => (JSON.parse(body) as { id: string }).id;

/** Delivers a signed event, waits until it is processed and returns its row. */
async function deliverAndWait(body: string): Promise<EventRow> {
  expect((await deliver(server, body)).status).toBe(200);
  return eventually(async () => {
    const [row] = await rowsOf(idOf(body));
    return row && row.outcome !== 'received' && row;
  });
}

/** Returns all stored billing data as text, for comparison. */
async function billingData(): Promise<string> {
  const tables = [
    'subscriptions',
    'payments',
    'refunds',
    'plan_changes',
    'credit_ledger',
    'users',
    'checkouts',
  ];
  const all = await Promise.all(
    tables.map(async (table) => (await server.database.query(`select * from ${table} order by id`)).rows),
  );
  return JSON.stringify(all);
}

const planOf = async (person: Person) =>
  ((await (await person.get('/api/me')).json()) as { plan: string }).plan;

async function count(sql: string, ...values: unknown[]): Promise<number> {
  const { rows } = await server.database.query<{ count: number }>(`select count(*)::int from ${sql}`, values);
  return rows[0]?.count ?? Number.NaN;
}

/** Creates a person with a paid plan. The payment's id is the subscription's with `tran` in place of `sub`. */
async function payer(start = Date.now()): Promise<Purchase & { payment: string; start: number }> {
  const purchased = await purchase(server, await createPerson(server));
  const payment = purchased.subscription.replace('sub', 'tran');
  const row = await deliverAndWait(subscriptionEvent('paid', purchased, { at: start, start, payment }));
  expect(row).toMatchObject({ outcome: 'applied' });
  expect(await planOf(purchased.person)).toBe('pro');
  return { ...purchased, payment, start };
}

describe('a delivery', () => {
  beforeAll(async () => {
    bought = await purchase(server, await createPerson(server));
  });

  it('without the signature of its own body changes nothing (M-A4)', async () => {
    const body = subscriptionEvent('paid', bought, { at: Date.now(), payment: 'tran_forged' });
    const validSignature = sign(body);
    const two = new Headers({ 'creem-signature': validSignature });
    two.append('creem-signature', validSignature);
    const forged: HeadersInit[] = [
      {},
      ...[
        '',
        '00',
        validSignature.slice(1),
        `${validSignature}0`,
        'z'.repeat(64),
        sign(`${body} `),
        sign(body, ''),
      ].map((signature) => ({ 'creem-signature': signature })),
      two,
      {
        'webhook-id': 'x',
        'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
        'webhook-signature': 'v1,AAAA',
      },
    ];
    const before = await billingData();
    for (const headers of forged) expect((await deliver(server, body, headers)).status).toBe(401);
    expect(await rowsOf(idOf(body))).toEqual([]);
    expect(await billingData()).toBe(before);
  });

  it('needs no origin and no session, and its body’s errors are reported', async () => {
    const big = JSON.stringify({
      id: 'evt_big',
      eventType: 'x',
      created_at: 1,
      object: 'x'.repeat(1024 * 1024),
    });
    const wrong: Array<[string, number]> = [
      ['{', 400],
      ['[]', 400],
      ['{"id":"evt_1"}', 400],
      // Characters that PostgreSQL cannot store are removed; these ids and this type are empty then.
      [eventBody('credits.granted', {}, '\u0000'), 400],
      [eventBody('credits.granted', {}, ' \u0000 '), 400],
      [eventBody('\u0000', {}), 400],
      [big, 413],
    ];
    for (const [body, status] of wrong) expect((await deliver(server, body)).status).toBe(status);
    const body = eventBody('credits.granted', { name: 'a\u0000b\ud800' });
    const answer = await deliver(server, body, {
      'creem-signature': sign(body).toUpperCase(),
      origin: 'https://elsewhere.example',
    });
    expect([answer.status, await answer.json()]).toEqual([200, { ok: true }]);
    expect(await deliverAndWait(body)).toMatchObject({ outcome: 'ignored', reason: 'unknown type' });
  });

  it('is processed once, however often it arrives (M-A6)', async () => {
    const { person } = bought;
    const body = subscriptionEvent('paid', bought, { at: Date.now(), payment: 'tran_once' });
    const deliverRepeatedly = () =>
      Promise.all(Array.from({ length: 20 }, async () => (await deliver(server, body)).status));
    expect(new Set(await deliverRepeatedly())).toEqual(new Set([200]));
    await eventually(async () => (await planOf(person)) === 'pro');
    await moveClock(server, 3_600_000);
    expect(new Set(await deliverRepeatedly())).toEqual(new Set([200]));
    await moveClock(server, 0);
    // The outcome is written after the event's effects are visible.
    const [first, ...duplicates] = await eventually(async () => {
      const rows = await rowsOf(idOf(body));
      return rows[0]?.outcome !== 'received' && rows;
    });
    expect(first).toMatchObject({ outcome: 'applied', reason: '' });
    expect(duplicates.map(({ outcome, reason, payload }) => [outcome, reason, payload])).toEqual(
      Array.from({ length: 39 }, () => ['ignored', 'duplicate', null]),
    );
    expect(await count('payments where user_id = $1', person.id)).toBe(1);
    expect(await count("credit_ledger where user_id = $1 and source = 'payment'", person.id)).toBe(1);
    expect(await count('plan_changes where user_id = $1', person.id)).toBe(1);
    expect(await count('billing_mails where user_id = $1', person.id)).toBe(1);
    expect(await person.credits()).toBe(10);
  });
});

describe('ignored events (M-A19)', () => {
  const at = Date.now();
  type Make = (purchased: Purchase, other: Purchase) => Parameters<typeof subscriptionEvent>[2];
  it.each<[string, string, Make]>([
    ['an unknown product', 'product', () => ({ at, payment: 'x', product: 'prod_mug' })],
    ['another currency', 'currency', () => ({ at, payment: 'x', currency: 'EUR' })],
    ['less than the price', 'price', () => ({ at, payment: 'x', price: 199 })],
    ['the other mode', 'mode', () => ({ at, payment: 'x', mode: 'prod' })],
    ['nobody', 'unmatched', () => ({ at, payment: 'x', metadata: {} })],
    [
      'only a mail',
      'unmatched',
      ({ person }) => ({ at, payment: 'x', metadata: { email: person.email, userId: person.id } }),
    ],
    [
      'an unknown checkout',
      'unmatched',
      ({ person }) => ({ at, payment: 'x', metadata: { userId: person.id, checkoutId: randomUUID() } }),
    ],
    [
      'an invalid id',
      'unmatched',
      ({ person }) => ({
        at,
        payment: 'x',
        metadata: { userId: person.id, checkoutId: "'; drop table users; --" },
      }),
    ],
    [
      'a checkout of another person',
      'unmatched',
      ({ person }, other) => ({
        at,
        payment: 'x',
        metadata: { userId: person.id, checkoutId: other.checkoutId },
      }),
    ],
  ])('%s', async (_name, reason, makeState) => {
    const purchased = await purchase(server, await createPerson(server));
    const other = await purchase(server, await createPerson(server));
    const before = await billingData();
    const body = subscriptionEvent('paid', purchased, makeState(purchased, other));
    expect(await deliverAndWait(body)).toMatchObject({ outcome: 'ignored', reason });
    expect(await billingData()).toBe(before);
    expect(await planOf(purchased.person)).toBe('free');
    await eventually(async () =>
      server
        .output()
        .split('\n')
        .some(
          (line) => line.includes(idOf(body)) && line.includes('grants nothing') && line.includes(reason),
        ),
    );
  });

  it('a refund of an unknown payment', async () => {
    const body = refundEvent(bought, { payment: 'tran_unknown' });
    const withoutTransaction = JSON.parse(body) as { object: { transaction: unknown } };
    withoutTransaction.object.transaction = 'tran_unknown';
    expect(await deliverAndWait(JSON.stringify(withoutTransaction))).toMatchObject({
      outcome: 'ignored',
      reason: 'unmatched',
    });
  });
});

/** A refund or dispute whose object has only the payment's id. */
const eventBeforePayment = (type: 'refund' | 'dispute', payment: string): string =>
  eventBody(`${type}.created`, {
    id: `${type}_${payment}`,
    mode: 'test',
    ...(type === 'refund' ? { status: 'succeeded', refund_amount: 1999 } : { amount: 1999 }),
    transaction: payment,
  });

describe('an event before its payment', () => {
  it.each(['refund', 'dispute'] as const)('a %s waits for it, and Pro is never given', async (type) => {
    const purchased = await purchase(server, await createPerson(server));
    const payment = purchased.subscription.replace('sub', 'tran');
    const body = eventBeforePayment(type, payment);
    expect(await deliverAndWait(body)).toMatchObject({ outcome: 'ignored', reason: 'unmatched' });
    const at = Date.now();
    expect(await deliverAndWait(subscriptionEvent('paid', purchased, { at, payment }))).toMatchObject({
      outcome: 'applied',
    });
    expect((await rowsOf(idOf(body)))[0]).toMatchObject({ outcome: 'applied', reason: '' });
    expect(await planOf(purchased.person)).toBe('free');
    expect(await count('plan_changes where user_id = $1', purchased.person.id)).toBe(0);
    expect(await (await purchased.person.get('/api/invoices')).json()).toMatchObject({
      invoices: [{ state: type === 'refund' ? 'refunded' : 'disputed' }],
    });
    const before = await billingData();
    for (const repeated of [body, subscriptionEvent('paid', purchased, { at, payment })])
      await deliver(server, repeated);
    await deliverAndWait(subscriptionEvent('active', purchased, { at, payment }));
    expect(await billingData()).toBe(before);
  });

  it('has the same result at the same moment, in any order', async () => {
    const buyers = await Promise.all(
      Array.from({ length: 12 }, async () => purchase(server, await createPerson(server))),
    );
    const bodies = buyers.flatMap((purchased) => {
      const payment = purchased.subscription.replace('sub', 'tran');
      return [
        eventBeforePayment('refund', payment),
        subscriptionEvent('paid', purchased, { at: Date.now(), payment }),
      ];
    });
    await Promise.all(bodies.map((body) => deliver(server, body)));
    await eventually(async () => {
      const rows = await Promise.all(bodies.map(async (body) => (await rowsOf(idOf(body)))[0]?.outcome));
      return rows.every((outcome) => outcome === 'applied');
    });
    for (const { person } of buyers) expect(await planOf(person)).toBe('free');
  });
});

describe('a subscription', () => {
  it('does not live on the payment of another one', async () => {
    const purchased = await payer();
    const other = await purchase(server, await createPerson(server));
    const start = purchased.start + days(3);
    const withOtherPayment = subscriptionEvent('paid', other, {
      at: start,
      start,
      payment: purchased.payment,
    });
    expect(await deliverAndWait(withOtherPayment)).toMatchObject({ reason: 'unmatched' });
    const edited = JSON.parse(withOtherPayment) as { id: string; object: { last_transaction: object } };
    edited.id = `evt_${randomUUID()}`;
    for (const subscription of [purchased.subscription, other.subscription]) {
      edited.object.last_transaction = {
        id: subscription === purchased.subscription ? 'tran_other' : purchased.payment,
        amount: 1999,
        currency: 'USD',
        status: 'paid',
        subscription,
        created_at: start,
      };
      edited.id += 'x';
      expect(await deliverAndWait(JSON.stringify(edited))).toMatchObject({ reason: 'unmatched' });
    }
    expect([await planOf(purchased.person), await planOf(other.person)]).toEqual(['pro', 'free']);
    expect(
      await count(
        'payments where user_id = $1 and period_start = $2',
        purchased.person.id,
        new Date(purchased.start),
      ),
    ).toBe(1);
    expect(await count('payments where user_id = $1', other.person.id)).toBe(0);
  });

  it('that was cancelled stays so when an older state arrives late (M-A7)', async () => {
    const purchased = await payer();
    const cancelled = {
      at: purchased.start + 2_000,
      start: purchased.start,
      status: 'canceled',
      payment: purchased.payment,
    };
    expect(await deliverAndWait(subscriptionEvent('canceled', purchased, cancelled))).toMatchObject({
      outcome: 'applied',
    });
    const before = await billingData();
    const late = subscriptionEvent('active', purchased, {
      at: purchased.start + 1_000,
      start: purchased.start,
      payment: purchased.payment,
    });
    expect(await deliverAndWait(late)).toMatchObject({ outcome: 'ignored', reason: 'stale' });
    expect(await billingData()).toBe(before);
    expect(await (await purchased.person.get('/api/subscription')).json()).toMatchObject({
      plan: 'pro',
      subscriptions: [
        { state: 'cancelled', renewsAt: null, endsAt: new Date(purchased.start + days(30)).toISOString() },
      ],
    });
  });

  it('ends at once with a full refund, and not with a partial one (M-A10)', async () => {
    const purchased = await payer();
    const part = await deliverAndWait(refundEvent(purchased, { payment: purchased.payment, amount: 500 }));
    expect(part).toMatchObject({ outcome: 'applied' });
    expect(await planOf(purchased.person)).toBe('pro');
    const rest = refundEvent(purchased, { payment: purchased.payment });
    const remainder = JSON.parse(rest) as { object: { refund_amount: number } };
    remainder.object.refund_amount = 1499;
    expect(await deliverAndWait(JSON.stringify(remainder))).toMatchObject({ outcome: 'applied' });
    expect(await planOf(purchased.person)).toBe('free');
    const scene = { scene: 'Two people wait for a bus.', style: 'drama' };
    const later = await purchased.person.send('POST', '/api/scripts', scene, {
      'idempotency-key': randomUUID(),
    });
    expect(later.status).toBe(403);
    expect(await purchased.person.credits()).toBe(10);
    const { rows } = await server.database.query(
      `select l.source, l.delta, l.cause from credit_ledger l where l.user_id = $1 and l.source like 'payment%' order by l.id`,
      [purchased.person.id],
    );
    expect(rows).toMatchObject([
      { source: 'payment', delta: 0, cause: { code: 'paid', plan: 'monthly' } },
      { source: 'payment_refund', delta: 0, cause: { code: 'partly_refunded', cents: 500, ofCents: 1999 } },
      { source: 'payment_refund', delta: 0, cause: { code: 'refunded', cents: 1499, currency: 'USD' } },
    ]);
    const { entries } = (await (
      await purchased.person.get('/api/me/ledger?entry=plan')
    ).json()) as LedgerPage;
    expect(entries.map(({ reason }) => reason)).toEqual([
      'Pro, 1 month: $14.99 refunded',
      'Pro, 1 month: $5.00 of $19.99 refunded',
      expect.stringMatching(/^Pro, 1 month: paid until /),
    ]);
    const invoices = await (await purchased.person.get('/api/invoices')).json();
    expect(invoices).toMatchObject({
      invoices: [{ state: 'refunded', amountCents: 1999, refundedCents: 1999 }],
      next: null,
    });
    expect(await (await purchased.person.get('/api/subscription')).json()).toMatchObject({
      plan: 'free',
      subscriptions: [
        { state: 'refunded', canCancel: true, moneyBackUntil: null, endedAt: expect.any(String) },
      ],
    });
  });

  it('gets Pro again when the provider cancels a refund that was made', async () => {
    const purchased = await payer();
    const body = refundEvent(purchased, { payment: purchased.payment });
    expect(await deliverAndWait(body)).toMatchObject({ outcome: 'applied' });
    expect(await planOf(purchased.person)).toBe('free');
    const later = JSON.parse(body) as { id: string; created_at: number; object: { status: string } };
    later.id = `evt_${randomUUID()}`;
    later.created_at += 60_000;
    later.object.status = 'canceled';
    expect(await deliverAndWait(JSON.stringify(later))).toMatchObject({ outcome: 'applied' });
    expect(await planOf(purchased.person)).toBe('pro');
    const before = await billingData();
    for (const repeated of [body, JSON.stringify(later)]) {
      const copy = { ...(JSON.parse(repeated) as object), id: `evt_${randomUUID()}` };
      expect(await deliverAndWait(JSON.stringify(copy))).toMatchObject({ outcome: 'applied' });
    }
    expect(await billingData()).toBe(before);
  });

  it('that is cancelled lasts until the second in which its period ends (M-A11)', async () => {
    const start = Date.now() - days(1);
    const purchased = await payer(start);
    const end = start + days(30);
    const cancelled = {
      at: start + 1_000,
      start,
      end,
      status: 'scheduled_cancel',
      payment: purchased.payment,
    };
    await deliverAndWait(subscriptionEvent('scheduled_cancel', purchased, cancelled));
    const call = async () => {
      const scene = { scene: 'Two people wait for a bus. [[tps:0]]', style: 'drama' };
      const key = { 'idempotency-key': randomUUID() };
      return (await purchased.person.send('POST', '/api/scripts', scene, key)).status;
    };
    try {
      await moveClock(server, end - Date.now() - 1_500);
      expect(await call()).toBe(202);
      await moveClock(server, end - Date.now() + 1_000);
      expect(await call()).toBe(403);
      expect(await (await purchased.person.get('/api/subscription')).json()).toMatchObject({
        plan: 'free',
        subscriptions: [
          { state: 'expired', canCancel: false, canResume: false, endedAt: new Date(end).toISOString() },
        ],
      });
    } finally {
      await moveClock(server, 0);
    }
  });

  it('that renews gets 72 hours when the payment fails, and one mail', async () => {
    const start = Date.now() - days(31);
    const purchased = await payer(start);
    for (const at of [start + days(30), start + days(31)])
      await deliverAndWait(
        subscriptionEvent('past_due', purchased, {
          at,
          start,
          status: 'past_due',
          payment: purchased.payment,
        }),
      );
    expect(await (await purchased.person.get('/api/subscription')).json()).toMatchObject({
      plan: 'pro',
      subscriptions: [{ state: 'past_due', endsAt: new Date(start + days(33)).toISOString() }],
    });
    expect(
      await count("billing_mails where user_id = $1 and kind = 'payment_failed'", purchased.person.id),
    ).toBe(1);
    const dispute = {
      id: 'disp_1',
      object: 'dispute',
      mode: 'test',
      amount: 1999,
      currency: 'USD',
      transaction: purchased.payment,
      subscription: purchased.subscription,
    };
    await deliverAndWait(eventBody('dispute.created', dispute));
    expect(await planOf(purchased.person)).toBe('free');
    const { rows } = await server.database.query('select subscription_status from users where id = $1', [
      purchased.person.id,
    ]);
    expect(rows).toEqual([{ subscription_status: 'disputed' }]);
  });

  it('is not created by an address that claims it (M-A8)', async () => {
    const person = await createPerson(server);
    await person.get('/dashboard?payment=success&plan=yearly&subscription_id=sub_x');
    const refreshed = await person.send('POST', '/api/subscription/refresh');
    expect(await refreshed.json()).toMatchObject({ plan: 'free', subscriptions: [], pendingCheckout: null });
    const waits = await purchase(server, person, 'yearly');
    expect(await (await person.get('/api/subscription')).json()).toMatchObject({
      plan: 'free',
      pendingCheckout: { plan: 'yearly' },
    });
    const year = { at: Date.now(), end: Date.now() + days(365), payment: 'tran_year' };
    await deliverAndWait(subscriptionEvent('paid', waits, year));
    expect(await (await person.get('/api/subscription')).json()).toMatchObject({
      plan: 'pro',
      pendingCheckout: null,
    });
  });

  it('is recognized by its ids alone, and an unknown status changes nothing', async () => {
    const purchased = await payer();
    const odd = {
      at: purchased.start + 5_000,
      start: purchased.start,
      status: 'dormant',
      payment: purchased.payment,
    };
    const minimal = {
      ...subscriptionObject(purchased, odd),
      metadata: undefined,
      product: purchased.product,
      customer: purchased.customer,
    };
    expect(await deliverAndWait(eventBody('subscription.past_due', minimal))).toMatchObject({
      outcome: 'applied',
    });
    expect(await planOf(purchased.person)).toBe('pro');
  });
});

it('a refusing database answers 5xx, and the event is applied when it is sent again', async () => {
  const purchased = await purchase(server, await createPerson(server));
  const body = subscriptionEvent('paid', purchased, { at: Date.now(), payment: purchased.subscription });
  const admin = new pg.Client({ connectionString: inject('postgres') });
  await admin.connect();
  const name = new URL(server.databaseUrl).pathname.slice(1);
  const allow = (yes: boolean) => admin.query(`alter database ${name} with allow_connections ${yes}`);
  await allow(false);
  try {
    await admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name like 'site%'`,
      [name],
    );
    // 503 if the connection was cut, 500 if a new one is refused; the provider retries after both.
    expect([500, 503]).toContain((await deliver(server, body)).status);
  } finally {
    await allow(true);
    await admin.end();
  }
  expect(await rowsOf(idOf(body))).toEqual([]);
  await eventually(async () => (await deliver(server, body)).status === 200);
  await eventually(async () => (await planOf(purchased.person)) === 'pro');
});

it('an internal error answers 500, and the provider may try again', async () => {
  const body = eventBody('subscription.celebrated', {});
  await server.database.query('alter table billing_events rename to billing_events_away');
  try {
    expect((await deliver(server, body)).status).toBe(500);
  } finally {
    await server.database.query('alter table billing_events_away rename to billing_events');
  }
  expect(await deliverAndWait(body)).toMatchObject({ reason: 'unknown type' });
});

it('every invariant holds', () => expectConsistent(server));

describe('a process that is killed', () => {
  it('between storing an event and applying it loses nothing', async () => {
    const first = await startTestServer({ postgres: inject('postgres') });
    const purchased = await purchase(first, await createPerson(first));
    const holder = await first.database.connect();
    await holder.query('begin');
    // The user's row is locked, so the event is stored but cannot be applied yet.
    await holder.query('select 1 from users where id = $1 for update', [purchased.person.id]);
    const body = subscriptionEvent('paid', purchased, { at: Date.now(), payment: 'tran_crash' });
    expect((await deliver(first, body)).status).toBe(200);
    await untilWaiting(first, 1);
    await first.kill();
    await holder.query('rollback');
    holder.release();
    const state = await first.database.query('select outcome from billing_events');
    expect(state.rows).toEqual([{ outcome: 'received' }]);
    const second = await startTestServer({
      postgres: inject('postgres'),
      databaseUrl: first.databaseUrl,
      dataDir: first.dataDir,
    });
    try {
      await eventually(async () => {
        const { rows } = await second.database.query('select outcome from billing_events');
        return rows.length === 1 && rows[0]?.outcome === 'applied';
      });
      const { rows } = await second.database.query('select plan from users where id = $1', [
        purchased.person.id,
      ]);
      expect(rows).toEqual([{ plan: 'pro' }]);
      await expectConsistent(second);
    } finally {
      await second.stop();
      await first.stop();
    }
  });
});

// checkout.test.ts covers a site whose secret is an empty string.
it('a site without a secret accepts nothing (M-A5)', async () => {
  const withoutSecret = await startTestServer({ postgres: inject('postgres'), standins: server.standins });
  try {
    const body = eventBody('subscription.paid', {});
    expect((await deliver(withoutSecret, body, { 'creem-signature': sign(body, '') })).status).toBe(503);
    expect(
      (await deliver(withoutSecret, body, { 'creem-signature': sign(body, WEBHOOK_SECRET) })).status,
    ).toBe(503);
  } finally {
    await withoutSecret.stop();
  }
});
