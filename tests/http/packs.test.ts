import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { type BillingView, billingTexts, type InvoicePage } from '#features/billing/contract.ts';
import type { LedgerPage } from '#features/credits/ledger/ledger-contract.ts';
import { spawnStandIns } from '../../standins/spawn.ts';
import { downloadArchive, exportSchema } from '../support/archive.ts';
import { newChat, send, stop, uniqueWord, waitForText } from '../support/chat.ts';
import { expectConsistent, waitUntilIdle } from '../support/consistency.ts';
import { deliver, eventBody, sign, WEBHOOK_SECRET } from '../support/creem-events.ts';
import { runJob } from '../support/files.ts';
import { mailsTo } from '../support/mailbox.ts';
import { advanceClock, type BoughtPack, payments, postJson } from '../support/payments.ts';
import { createPerson, type Person } from '../support/people.ts';
import { eventually, startTestServer, type TestServer } from '../support/server.ts';
import { soak } from '../support/soak.ts';

let server: TestServer;
let shop: ReturnType<typeof payments>;
beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres') });
  shop = payments(server);
  await eventually(() => runJob(server, 'send-billing-mails').then(() => true));
});
afterAll(() => server.stop());
afterEach(() =>
  shop.creem({ api: null, webhooks: true, duplicate: 1, reorder: 0, lose: 0, refunds: 'succeeded' }),
);

const beginCheckout = (person: Pick<Person, 'send'>, pack = 'prod_credits_100') =>
  postJson<{ url: string }>(person, '/api/checkouts', { pack });

interface Entry {
  source: string;
  delta: number;
  cause: { code: string } | null;
}

/** Returns the ledger entries about packs, in order. */
async function entriesOf(person: Person): Promise<Entry[]> {
  const { rows } = await server.database.query<Entry>(
    `select source, delta, cause from credit_ledger where user_id = $1 and source like 'purchase%' order by id`,
    [person.id],
  );
  return rows;
}

const creditChanges = async (person: Person) =>
  (await entriesOf(person)).map(({ delta, cause }) => [cause?.code, delta]);

/** Spends `count` credits on as many messages. */
async function spend(person: Person, count: number): Promise<void> {
  const chatId = await newChat(person);
  for (let sent = 0; sent < count; sent++) {
    const { body } = await send(person, `${uniqueWord()} [[tps:0]] [[first:0]] [[tokens:2]]`, { chatId });
    await waitForText(person, body.generation.id, 0);
    await waitUntilIdle(server);
  }
}

const refund = (pack: BoughtPack, amount?: number) =>
  shop.creem({ refund: { transaction: pack.payment, ...(amount ? { amount } : {}) } });

async function reconcile(): Promise<void> {
  await runJob(server, 'reconcile-plans');
}

const invoices = async (person: Person) =>
  ((await (await person.get('/api/invoices')).json()) as InvoicePage).invoices;

/** Returns all stored billing data of a person as text, for comparison. */
async function billingData({ id }: Person): Promise<string> {
  const tables = ['payments', 'credit_ledger', 'checkouts', 'billing_mails'];
  const all = await Promise.all(
    tables.map(async (table) => {
      const order = table === 'billing_mails' ? 'key' : 'id';
      const { rows } = await server.database.query(
        `select * from ${table} where user_id = $1 order by ${order}`,
        [id],
      );
      return rows.map(({ reconciled_at, attempts, next_try_at, sent_at, ...row }) => row);
    }),
  );
  return JSON.stringify(all);
}

test('a pack is paid once at the provider, and its credits, receipt and records exist', async () => {
  const person = await createPerson(server);
  const { checkoutId, order, payment, returnUrl } = await shop.buyPack(person);
  expect([
    returnUrl.pathname,
    returnUrl.searchParams.get('payment'),
    returnUrl.searchParams.get('credits'),
  ]).toEqual(['/dashboard', 'success', '100']);
  expect(await person.credits()).toBe(110);
  expect(await entriesOf(person)).toEqual([
    {
      source: 'purchase',
      delta: 100,
      cause: { code: 'credits_paid', credits: 100, cents: 499, currency: 'USD' },
    },
  ]);
  const { rows } = await server.database.query(
    'select external_id from credit_ledger where user_id = $1 and source = $2',
    [person.id, 'purchase'],
  );
  expect(rows).toEqual([{ external_id: `creem:${order}` }]);
  expect(await shop.billing(person)).toMatchObject({
    plan: 'free',
    subscriptions: [],
    pendingCheckout: null,
    firstDaysOver: false,
    packs: [{ checkoutId, credits: 100 }],
  });
  expect(await invoices(person)).toMatchObject([
    { plan: null, credits: 100, amountCents: 499, currency: 'USD', state: 'paid', periodStart: null },
  ]);
  const [mail] = await eventually(async () => {
    const mails = await mailsTo(server, person.email);
    return mails.length > 0 && mails;
  });
  expect(mail?.subject).toMatch(/^Your credits from /);
  expect(mail?.text).toContain('100 credits were added to your balance');
  const { entries } = (await (await person.get('/api/me/ledger?entry=granted')).json()) as LedgerPage;
  expect(entries[0]).toMatchObject({
    entry: 'purchased',
    delta: 100,
    balance: 110,
    reason: '100 credits: $4.99 paid',
  });
  const { data } = await downloadArchive(person);
  expect(exportSchema.safeParse(data).error).toBeUndefined();
  expect(data.billing.payments).toMatchObject([{ credits: 100, plan: null, providerId: payment }]);
  expect(data.billing.checkouts).toMatchObject([{ credits: 100, state: 'completed' }]);
});

test('paid credits remain while Pro runs, and a pack is not a plan’s first payment', async () => {
  const person = await createPerson(server);
  await shop.buyPack(person);
  await server.database.query(
    `update payments set paid_at = paid_at - interval '30 days' where user_id = $1`,
    [person.id],
  );
  const plan = await shop.buy(person, 'monthly');
  expect(plan.moneyBackUntil).not.toBeNull();
  await spend(person, 1);
  expect(await person.credits()).toBe(110);
});

describe('a checkout', () => {
  test('is the same for two tabs, and a new one once it is paid', async () => {
    const person = await createPerson(server);
    const tabs = await Promise.all(Array.from({ length: 5 }, () => beginCheckout(person)));
    expect(new Set(tabs.map(({ status, data }) => `${status} ${data.url}`)).size).toBe(1);
    const url = tabs[0]?.data.url ?? '';
    await Promise.all([shop.press(url), shop.press(url)]);
    await eventually(async () => (await person.credits()) === 110);
    const next = await beginCheckout(person);
    expect(next.status).toBe(200);
    expect(next.data.url).not.toBe(url);
    expect((await beginCheckout(person, 'prod_credits_500')).data.url).not.toBe(next.data.url);
  });

  test('that was paid without a webhook is found by the next press', async () => {
    const person = await createPerson(server);
    await shop.creem({ webhooks: false });
    const first = await beginCheckout(person);
    await shop.press(first.data.url);
    expect((await beginCheckout(person)).data.url).not.toBe(first.data.url);
    expect(await person.credits()).toBe(110);
  });

  test('accepts only packs on sale, from a signed-in person', async () => {
    const person = await createPerson(server);
    for (const pack of ['prod_monthly', 'prod_none', "'; drop table users; --"])
      expect(await beginCheckout(person, pack)).toMatchObject({
        status: 503,
        data: { error: billingTexts.packNotOnSale(), code: 'unavailable' },
      });
    expect((await postJson(person, '/api/checkouts', { pack: '' })).status).toBe(400);
    expect((await fetch(`${server.url}/api/checkouts`, { method: 'POST' })).status).not.toBe(200);
  });

  test.each(['/v1/products', '/v1/checkouts'])(
    'without an answer from %s says so, and the next press works',
    async (path) => {
      const person = await createPerson(server);
      await shop.creem({ api: { fault: 'status500', path } });
      expect(await beginCheckout(person)).toMatchObject({
        status: 503,
        data: { error: billingTexts.packStartFailed(), code: 'unavailable' },
      });
      await shop.creem({ api: null });
      expect((await beginCheckout(person)).status).toBe(200);
    },
  );
});

describe('webhooks', () => {
  test('that are repeated, late, out of order or forged grant once', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => createPerson(server)));
    await shop.creem({ duplicate: 4, reorder: 12, forge: true, unknownEvent: true });
    const packs = await Promise.all(people.map((person) => shop.payPack(person)));
    for (const pack of packs.slice(3)) await refund(pack);
    for (const [index, person] of people.entries())
      await eventually(async () => (await person.credits()) === (index < 3 ? 110 : 10));
    await shop.creem({ resend: 'all', forge: false, unknownEvent: false });
    await waitForInbox();
    for (const [index, person] of people.entries()) {
      expect(await person.credits()).toBe(index < 3 ? 110 : 10);
      expect((await entriesOf(person)).map(({ delta }) => delta)).toEqual(index < 3 ? [100] : [100, -100]);
    }
  });

  test('that are lost are compensated when the person returns, and by the daily reconciliation', async () => {
    const [returning, absent] = [await createPerson(server), await createPerson(server)];
    await shop.creem({ webhooks: false });
    await shop.payPack(returning);
    const pack = await shop.payPack(absent);
    expect([await returning.credits(), await absent.credits()]).toEqual([10, 10]);
    const refreshed = await postJson<BillingView>(returning, '/api/subscription/refresh', {});
    expect(refreshed.data.packs).toMatchObject([{ credits: 100 }]);
    expect([await returning.credits(), await absent.credits()]).toEqual([110, 10]);
    await reconcile();
    expect(await absent.credits()).toBe(110);
    await refund(pack);
    await reconcile();
    expect(await absent.credits()).toBe(10);
    const before = await billingData(absent);
    await reconcile();
    expect(await billingData(absent)).toBe(before);
  });

  async function completeCheckout(
    person: Person,
    change: (object: Record<string, unknown>) => void,
  ): Promise<string> {
    await shop.creem({ webhooks: false });
    const { checkoutId, order } = await shop.payPack(person);
    const { rows } = await server.database.query<{ external_id: string }>(
      'select external_id from checkouts where id = $1',
      [checkoutId],
    );
    const object: Record<string, unknown> = {
      ...{
        id: rows[0]?.external_id,
        mode: 'test',
        object: 'checkout',
        status: 'completed',
        request_id: checkoutId,
      },
      product: { id: 'prod_credits_100', mode: 'test', price: 499, currency: 'USD', name: 'x' },
      order: {
        ...{
          id: order,
          mode: 'test',
          customer: 'cust_x',
          product: 'prod_credits_100',
          transaction: `tran_${order}`,
        },
        ...{ amount: 499, amount_paid: 499, currency: 'USD', status: 'paid', type: 'onetime' },
        created_at: new Date().toISOString(),
      },
      metadata: { userId: person.id, checkoutId },
    };
    change(object);
    const body = eventBody('checkout.completed', object);
    expect((await deliver(server, body, { 'creem-signature': sign(body) })).status).toBe(200);
    return eventually(async () => {
      const { rows } = await server.database.query<{ outcome: string; reason: string }>(
        'select outcome, reason from billing_events where event_id = $1',
        [(JSON.parse(body) as { id: string }).id],
      );
      return rows[0]?.outcome !== 'received' && `${rows[0]?.outcome} ${rows[0]?.reason}`;
    });
  }

  const orderOf = (object: Record<string, unknown>) => object.order as Record<string, unknown>;

  test.each<[string, string, (object: Record<string, unknown>) => void]>([
    [
      'another product',
      'product',
      (object) => void Object.assign(orderOf(object), { product: 'prod_credits_500' }),
    ],
    ['the other mode', 'mode', (object) => void Object.assign(orderOf(object), { mode: 'prod' })],
    [
      'an unknown checkout',
      'unmatched',
      (object) => void Object.assign(object, { request_id: randomUUID() }),
    ],
    ['a checkout of another id', 'unmatched', (object) => void Object.assign(object, { id: 'ch_other' })],
    [
      'no checkout of ours',
      'unmatched',
      (object) => void Object.assign(object, { request_id: "'; drop table users; --" }),
    ],
  ])('of %s grant nothing', async (_name, reason, change) => {
    const person = await createPerson(server);
    expect(await completeCheckout(person, change)).toBe(`ignored ${reason}`);
    expect([await person.credits(), await entriesOf(person)]).toEqual([10, []]);
  });

  test('without a payment, or with an unpaid one, make the site query the provider', async () => {
    for (const change of [
      (object: Record<string, unknown>) => void delete orderOf(object).transaction,
      (object: Record<string, unknown>) => void Object.assign(orderOf(object), { status: 'pending' }),
      (object: Record<string, unknown>) => void delete object.order,
    ]) {
      const person = await createPerson(server);
      expect(await completeCheckout(person, change)).toBe('applied ');
      expect(await person.credits()).toBe(110);
    }
  });
});

async function waitForInbox(): Promise<void> {
  await eventually(async () => {
    const state = (await (await fetch(`${server.standins}/creem/deliveries`)).json()) as { pending: number };
    const { rows } = await server.database.query<{ open: number }>(
      `select count(*)::int as open from billing_events where outcome = 'received'`,
    );
    return state.pending === 0 && rows[0]?.open === 0;
  }, 30_000);
}

/** Returns the event of the pack's refund again, one minute later and with a failed refund. */
async function cancelledRefund({ payment }: BoughtPack): Promise<string> {
  const state = (await (await fetch(`${server.standins}/creem/state?events=1`)).json()) as {
    events: { type: string; body: string }[];
  };
  const created = state.events.find(({ type, body }) => type === 'refund.created' && body.includes(payment));
  const event = JSON.parse(created?.body ?? '') as {
    id: string;
    created_at: number;
    object: { status: string };
  };
  event.id = `evt_${randomUUID()}`;
  event.created_at += 60_000;
  event.object.status = 'canceled';
  return JSON.stringify(event);
}

describe('a refund', () => {
  test('takes back the unused credits of the pack, which are spent after earlier ones', async () => {
    const person = await createPerson(server, { credits: 2 });
    const pack = await shop.buyPack(person);
    await spend(person, 5);
    expect(await person.credits()).toBe(97);
    await refund(pack);
    await eventually(async () => (await person.credits()) === 0);
    expect(await creditChanges(person)).toEqual([
      ['credits_paid', 100],
      ['credits_refunded', -97],
    ]);
    const mails = await eventually(async () => {
      const all = await mailsTo(server, person.email);
      return all.length === 2 && all;
    });
    const text = mails.find(({ subject }) => subject.startsWith('Your refund'))?.text;
    expect(text).toContain('The 97 unused credits were removed from your balance.');
    expect(await invoices(person)).toMatchObject([{ state: 'refunded', refundedCents: 499 }]);
    const { output } = await eventually(async () => ({ output: server.output() }));
    expect(output).toContain('refunded credits had already been used');
  });

  test('of one of two packs leaves the other one', async () => {
    const person = await createPerson(server, { credits: 0 });
    const first = await shop.buyPack(person);
    await shop.buyPack(person, 'prod_credits_500');
    await spend(person, 3);
    await refund(first);
    await eventually(async () => (await person.credits()) === 500);
  });

  test('of a part takes back that part, rounded down; a full one takes the rest', async () => {
    const person = await createPerson(server);
    const pack = await shop.buyPack(person);
    await refund(pack, 100);
    await eventually(async () => (await person.credits()) === 90);
    await refund(pack);
    await eventually(async () => (await person.credits()) === 10);
    expect(await creditChanges(person)).toEqual([
      ['credits_paid', 100],
      ['credits_partly_refunded', -20],
      ['credits_refunded', -80],
    ]);
  });

  test('that arrives before its payment waits for it, and none of it can be spent', async () => {
    const person = await createPerson(server);
    await shop.creem({ lose: ['checkout.completed'] });
    const pack = await shop.payPack(person);
    await refund(pack);
    await waitForInbox();
    expect(await person.credits()).toBe(10);
    await shop.creem({ lose: 0, resend: 'lost' });
    await eventually(async () => (await entriesOf(person)).length === 2);
    expect(await person.credits()).toBe(10);
    expect(await creditChanges(person)).toEqual([
      ['credits_paid', 100],
      ['credits_refunded', -100],
    ]);
    const { rows } = await server.database.query<{ outcome: string }>(
      `select outcome from billing_events where type = 'refund.created' and user_id = $1`,
      [person.id],
    );
    expect(rows).toEqual([{ outcome: 'applied' }]);
  });

  test('that the provider cancels, and a dispute that is won, return the credits', async () => {
    const person = await createPerson(server);
    const pack = await shop.buyPack(person);
    await refund(pack);
    await eventually(async () => (await person.credits()) === 10);
    await shop.creem({ keep: pack.payment });
    await deliver(server, await cancelledRefund(pack));
    await eventually(async () => (await person.credits()) === 110);
    await shop.creem({ dispute: pack.payment });
    await eventually(async () => (await person.credits()) === 10);
    expect((await invoices(person))[0]?.state).toBe('disputed');
    await shop.creem({ keep: pack.payment });
    await reconcile();
    expect(await person.credits()).toBe(110);
    expect(await creditChanges(person)).toEqual([
      ['credits_paid', 100],
      ['credits_refunded', -100],
      ['credits_returned', 100],
      ['credits_disputed', -100],
      ['credits_returned', 100],
    ]);
  });

  test('while a run holds its last credit takes that one once the run has failed', async () => {
    const person = await createPerson(server, { credits: 0 });
    const pack = await shop.buyPack(person);
    const running = await send(person, `${uniqueWord()} [[mode:hold]]`);
    expect(await person.credits()).toBe(99);
    await refund(pack);
    await eventually(async () => (await person.credits()) === 0);
    await stop(person, running.body.generation.id);
    await waitUntilIdle(server);
    expect(await person.credits()).toBe(1);
    await runJob(server, 'settle-refunds');
    expect(await person.credits()).toBe(0);
    expect(await creditChanges(person)).toEqual([
      ['credits_paid', 100],
      ['credits_refunded', -99],
      ['credits_refunded', -1],
    ]);
  });

  test('during parallel spending takes what is left, and never more', async () => {
    const person = await createPerson(server, { credits: 0 });
    const pack = await shop.buyPack(person);
    const chats = await Promise.all([newChat(person), newChat(person)]);
    const word = uniqueWord();
    const sends = Array.from({ length: 10 }, (_, index) =>
      send(person, `${word} [[tps:0]] [[first:0]] [[tokens:2]]`, { chatId: chats[index % 2] ?? '' }),
    );
    await Promise.all([...sends, refund(pack)]);
    await waitUntilIdle(server);
    await waitForInbox();
    await runJob(server, 'settle-refunds');
    expect(await person.credits()).toBe(0);
  });

  test('that is pending for days is settled by a reconciliation', async () => {
    const person = await createPerson(server);
    const pack = await shop.buyPack(person);
    await shop.creem({ refunds: 'pending' });
    await refund(pack);
    await waitForInbox();
    expect(await person.credits()).toBe(110);
    await advanceClock(server, 25 * 3_600_000);
    await reconcile();
    expect(await person.credits()).toBe(10);
  });
});

describe('kill -9 between the webhook and the grant', () => {
  test.runIf(soak)('leaves an event that the next start applies once', async () => {
    const env = {
      ...{ CREEM_WEBHOOK_SECRET: WEBHOOK_SECRET, CREEM_PRODUCT_MONTHLY: 'prod_monthly' },
      CREEM_PACKS: 'prod_credits_100=100',
    };
    const standIns = await spawnStandIns();
    const start = (databaseUrl?: string) =>
      startTestServer({ postgres: inject('postgres'), databaseUrl, standins: standIns.base, env });
    const first = await start();
    const ownShop = payments(first);
    const people = await Promise.all([createPerson(first), createPerson(first)]);
    await ownShop.creem({ webhooks: false });
    const [paid] = await Promise.all(people.map((person) => ownShop.payPack(person)));
    const state = (await (await fetch(`${first.standins}/creem/state?events=1`)).json()) as {
      events: { body: string }[];
    };
    // While another transaction locks the checkout, its events are stored but not applied.
    const client = await first.database.connect();
    await client.query('begin');
    await client.query('select 1 from checkouts for update');
    for (const { body } of state.events) expect((await deliver(first, body)).status).toBe(200);
    await first.kill();
    await client.query('rollback');
    client.release();
    const granted = async () =>
      (await second.database.query<{ credits: number }>('select credits from users order by id')).rows;
    const second = await start(first.databaseUrl);
    await eventually(async () => (await granted()).every(({ credits }) => credits === 110));
    for (const { body } of state.events) await deliver(second, body);
    await Promise.all([runJob(second, 'reconcile-plans'), runJob(second, 'reconcile-plans')]);
    expect(await granted()).toEqual([{ credits: 110 }, { credits: 110 }]);
    const { rows } = await second.database.query('select 1 from credit_ledger where external_id = $1', [
      `creem:${paid?.order}`,
    ]);
    expect(rows).toHaveLength(1);
    await expectConsistent(second);
    await second.stop();
    await first.stop();
    await standIns.remove();
  });
});

test('a pack that a deleted account pays for is refunded', async () => {
  const person = await createPerson(server);
  const { data } = await beginCheckout(person);
  expect((await person.send('DELETE', '/api/me', { confirm: person.email })).status).toBe(204);
  await shop.press(data.url);
  await eventually(async () => (await person.credits()) === 110);
  await runJob(server, 'settle-refunds');
  expect(await person.credits()).toBe(10);
  const { transactions } = await shop.providerState();
  expect(transactions.find(({ id }) => id === transactions.at(-1)?.id)?.status).toBe('refunded');
});

test('every invariant holds', () => expectConsistent(server));
