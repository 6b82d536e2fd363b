import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { type BillingView, billingTexts } from '#features/billing/contract.ts';
import { expectConsistent } from '../support/consistency.ts';
import { deliver, eventBody, sign } from '../support/creem-events.ts';
import { runJob } from '../support/files.ts';
import { otherUser, signInRequests } from '../support/journeys.ts';
import { mailTo } from '../support/mailbox.ts';
import { advanceClock, extendSessions, payments, postJson } from '../support/payments.ts';
import { client, createPerson, type Person } from '../support/people.ts';
import { eventually, startTestServer, type TestServer } from '../support/server.ts';
import { soak } from '../support/soak.ts';
import { newAddress, sessionCookie, visitor } from '../support/visitor.ts';

let server: TestServer;
let shop: ReturnType<typeof payments>;
let visit: ReturnType<typeof visitor>;
beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres'), env: { TRUSTED_PROXIES: '127.0.0.1' } });
  shop = payments(server);
  visit = visitor(server);
});
afterAll(() => server.stop());
afterEach(() => shop.creem({ api: null, webhooks: true }));

const rows = async (person: Pick<Person, 'id'>) =>
  (
    await server.database.query(
      'select id, plan, state, external_id, url from checkouts where user_id = $1 order by created_at',
      [person.id],
    )
  ).rows as { id: string; plan: string; state: string; external_id: string | null; url: string | null }[];

const planOf = async ({ id }: Pick<Person, 'id'>) =>
  (await server.database.query('select plan from users where id = $1', [id])).rows[0]?.plan as string;

/** Returns where the checkout's return page leads; its script and its link must agree. */
async function nextUrl(cookie: string, path: string): Promise<string> {
  const page = await (await client(server, cookie).get(path)).text();
  const to = /data-go="([^"]*)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';
  expect(page.replaceAll('&amp;', '&')).toContain(`href="${to}"`);
  return to;
}

test('a checkout is created by the server for this person and plan, and reused for half an hour', async () => {
  const person = await createPerson(server);
  const { status, data } = await shop.begin(person, 'yearly');
  expect([status, new URL(data.url).origin]).toEqual([200, server.standins]);
  const [row] = await rows(person);
  expect(row).toMatchObject({ plan: 'yearly', state: 'open', url: data.url });
  const { checkouts } = await shop.providerState();
  expect(checkouts.find(({ id }) => id === row?.external_id)).toMatchObject({
    requestId: row?.id,
    productId: 'prod_yearly',
    email: person.email,
  });
  expect((await shop.begin(person, 'yearly')).data.url).toBe(data.url);
  expect((await shop.begin(person, 'monthly')).data.url).not.toBe(data.url);
  await server.database.query(
    `update checkouts set created_at = created_at - interval '31 minutes' where user_id = $1`,
    [person.id],
  );
  expect((await shop.begin(person, 'yearly')).data.url).not.toBe(data.url);
  expect(await planOf(person)).toBe('free');
});

test('simultaneous presses create one checkout', async () => {
  const person = await createPerson(server);
  const answers = await Promise.all(Array.from({ length: 6 }, () => shop.begin(person, 'quarterly')));
  expect(new Set(answers.map(({ status, data }) => `${status} ${data.url}`)).size).toBe(1);
  const [row, ...others] = await rows(person);
  expect(others).toEqual([]);
  expect(
    (await shop.providerState()).checkouts.filter(({ requestId }) => requestId === row?.id),
  ).toHaveLength(1);
});

test('a guest, an unknown plan and a flood are refused', async () => {
  expect((await shop.begin(client(server), 'yearly')).status).toBe(401);
  const person = await createPerson(server);
  expect((await postJson(person, '/api/checkouts', { plan: 'forever' })).status).toBe(400);
  const statuses = [];
  for (let press = 0; press < 21; press++) statuses.push((await shop.begin(person, 'monthly')).status);
  expect(statuses).toEqual([...Array(20).fill(200), 429]);
});

test.each(['down', 'status500', 'status429', 'html', 'malformed'])(
  'the provider is %s: the error is that of the specification, and the next press works',
  async (fault) => {
    const person = await createPerson(server);
    await shop.creem({ api: { fault, path: '/v1/checkouts' } });
    expect(await shop.begin(person, 'monthly')).toMatchObject({
      status: 503,
      data: { error: billingTexts.startFailed(), code: 'unavailable' },
    });
    expect(await nextUrl(person.cookie, '/auth/callback?subscribe=true&plan=yearly')).toBe(
      '/dashboard?subscribe=true&plan=yearly',
    );
    await shop.creem({ api: null });
    expect((await shop.begin(person, 'monthly')).status).toBe(200);
    expect((await rows(person)).map(({ state }) => state)).toEqual(['failed', 'failed', 'open']);
  },
);

test.runIf(soak)(
  'a sign-in does not wait long for a slow provider, whose checkout is ready for the next press',
  async () => {
    const person = await createPerson(server);
    await shop.creem({ api: { fault: 'slow', path: '/v1/checkouts', times: 1 } });
    expect(await nextUrl(person.cookie, '/auth/callback?subscribe=true&plan=yearly')).toBe(
      '/dashboard?subscribe=true&plan=yearly',
    );
    const press = shop.begin(person, 'yearly');
    await shop.control({ release: '/v1/checkouts' });
    const { status, data } = await press;
    expect([status, (await rows(person)).map(({ url }) => url)]).toEqual([200, [data.url]]);
  },
);

test('a person on Pro cannot buy a second plan, and after a cancellation is asked to resume', async () => {
  const person = await createPerson(server);
  const { id } = await shop.buy(person, 'monthly');
  expect(await shop.begin(person, 'yearly')).toMatchObject({
    status: 409,
    data: { error: billingTexts.alreadyPro(), code: 'conflict' },
  });
  expect(await nextUrl(person.cookie, '/auth/callback?subscribe=true&plan=yearly')).toBe('/dashboard');
  await postJson(person, '/api/subscription/cancel', { id });
  expect(await shop.begin(person, 'yearly')).toMatchObject({
    status: 409,
    data: { error: billingTexts.resumeInstead() },
  });
  expect(await rows(person)).toHaveLength(1);
});

test.each([
  'plan=yearly&plan=x',
  'plan=x&plan=yearly',
  'plan=yearly&plan=yearly',
  'plan=yearly&subscribe=no',
])('the return of a sign-in with a repeated parameter starts no checkout: %s', async (query) => {
  const person = await createPerson(server);
  expect(await nextUrl(person.cookie, `/auth/callback?subscribe=true&${query}`)).toBe('/?success=login');
  expect(await rows(person)).toEqual([]);
});

test('M-A21: neither the address nor the plan in the query decides who gets what', async () => {
  const [payer, other] = [await createPerson(server), await createPerson(server)];
  const { data } = await shop.begin(payer, 'monthly');
  const changedUrl = `${data.url}?email=${encodeURIComponent(other.email)}&plan=yearly&product_id=prod_yearly`;
  const returnUrl = await shop.press(changedUrl, { email: other.email, plan: 'yearly' });
  expect(new URL(returnUrl).searchParams.get('plan')).toBe('monthly');
  const view = await eventually(async () => {
    const current = await shop.billing(payer);
    return current.plan === 'pro' && current;
  });
  expect(view.subscriptions).toMatchObject([{ plan: 'monthly', state: 'active' }]);
  expect([await planOf(other), (await shop.billing(other)).subscriptions]).toEqual(['free', []]);
});

test('M-A9: every sign-in method leads to the checkout of its own person, and changes no plan', async () => {
  const next = '/auth/callback?subscribe=true&plan=yearly';
  const travel = signInRequests(server);
  const methods: Record<string, () => Promise<{ email: string; cookie: string; to: string }>> = {
    async link() {
      const email = newAddress();
      await visit.ask(email, { next });
      const { token } = await mailTo(server, email);
      const pressed = await visit.press(token);
      return { email, cookie: sessionCookie(pressed), to: pressed.headers.get('location') ?? '' };
    },
    async code() {
      const email = newAddress();
      await visit.ask(email, { next });
      const { code } = await mailTo(server, email);
      // The page itself navigates to the `next` that it was opened with.
      return {
        email,
        cookie: sessionCookie(await visit.post('/api/sign-in/code', { email, code })),
        to: next,
      };
    },
    async google() {
      const email = newAddress();
      const response = await travel.signIn('google', otherUser(email), { next });
      return { email, cookie: sessionCookie(response), to: response.headers.get('location') ?? '' };
    },
    async github() {
      const email = newAddress();
      const response = await travel.signIn('github', otherUser(email), { next });
      return { email, cookie: sessionCookie(response), to: response.headers.get('location') ?? '' };
    },
  };
  for (const [name, signIn] of Object.entries(methods)) {
    const { email, cookie, to } = await signIn();
    const url = new URL(await nextUrl(cookie, new URL(to, server.url).href.slice(server.url.length)));
    expect([name, to, url.origin]).toEqual([name, next, server.standins]);
    const { checkouts } = await shop.providerState();
    expect(checkouts.find(({ id }) => url.pathname.endsWith(id))).toMatchObject({
      email,
      productId: 'prod_yearly',
    });
    expect(await (await client(server, cookie).get('/api/me')).json()).toMatchObject({ plan: 'free' });
  }
});

test('a person who paid before any webhook arrived does not pay again', async () => {
  const person = await createPerson(server);
  await shop.creem({ webhooks: false });
  await shop.press((await shop.begin(person, 'monthly')).data.url);
  expect(await planOf(person)).toBe('free');
  expect(await shop.begin(person, 'yearly')).toMatchObject({
    status: 409,
    data: { error: billingTexts.alreadyPro() },
  });
  expect((await rows(person)).map(({ state }) => state)).toEqual(['completed', 'failed']);
  expect(await planOf(person)).toBe('pro');
});

const twoPlanMails = async ({ id }: Pick<Person, 'id'>) =>
  (
    await server.database.query(`select facts from billing_mails where user_id = $1 and kind = 'two_plans'`, [
      id,
    ])
  ).rows as { facts: { plans: { plan: string; backUntil: string | null }[] } }[];

test('two plans in two tabs: each return names its checkout, and both are reported immediately', async () => {
  const person = await createPerson(server);
  const [first, second, third] = [
    await shop.begin(person, 'monthly'),
    await shop.begin(person, 'yearly'),
    await shop.begin(person, 'quarterly'),
  ];
  const storedRows = await rows(person);
  const checkoutOf = (plan: string) => storedRows.find((row) => row.plan === plan)?.id ?? '';
  const payAndReturn = async (url: string, plan: string) => {
    const returnUrl = new URL(await shop.press(url));
    expect(returnUrl.searchParams.get('checkout')).toBe(checkoutOf(plan));
    return eventually(async () => {
      const view = await shop.billing(person);
      return view.subscriptions.some(({ checkoutId }) => checkoutId === checkoutOf(plan)) && view;
    });
  };
  await payAndReturn(first.data.url, 'monthly');
  // The other two are never offered again, but the site still looks them up.
  const checkouts = await server.database.query(
    `select plan, state, retired_at is not null as retired from checkouts where user_id = $1 order by plan`,
    [person.id],
  );
  expect(checkouts.rows).toEqual([
    { plan: 'monthly', state: 'completed', retired: false },
    { plan: 'quarterly', state: 'open', retired: true },
    { plan: 'yearly', state: 'open', retired: true },
  ]);
  expect(await twoPlanMails(person)).toEqual([]);
  // If one of them is paid and no webhook arrives, the page after the payment finds it.
  await shop.creem({ webhooks: false });
  await shop.press(second.data.url);
  const { data } = await postJson<BillingView>(person, '/api/subscription/refresh', {});
  await shop.creem({ webhooks: true });
  expect(data.subscriptions.map(({ plan, checkoutId }) => [plan, checkoutId])).toEqual([
    ['yearly', checkoutOf('yearly')],
    ['monthly', checkoutOf('monthly')],
  ]);
  expect((await twoPlanMails(person)).map(({ facts }) => facts.plans.map(({ plan }) => plan))).toEqual([
    ['monthly', 'yearly'],
  ]);
  const log = () =>
    server
      .output()
      .split('\n')
      .filter((line) => line.includes('pays for two plans'));
  expect(log().filter((line) => line.includes(person.id))).toHaveLength(1);

  // A late payment makes another pair of plans and sends another mail.
  await shop.press(third.data.url);
  await eventually(async () => (await twoPlanMails(person)).length === 2);
});

test('either of two plans can be refunded by one press, once, even after the first days of the person', async () => {
  const person = await createPerson(server);
  const { id } = await shop.buy(person, 'monthly');
  await postJson(person, '/api/subscription/cancel', { id });
  await extendSessions(server, person.email);
  await advanceClock(server, 40 * 24 * 3600_000);
  await extendSessions(server, person.email);
  const started = [await shop.begin(person, 'monthly'), await shop.begin(person, 'yearly')];
  for (const { data } of started) await shop.press(data.url);
  const active = await eventually(async () => {
    const { subscriptions } = await shop.billing(person);
    const both = subscriptions.filter(({ state }) => state === 'active');
    return both.length === 2 && both;
  });
  expect(active.map(({ moneyBackUntil }) => moneyBackUntil)).toEqual([
    expect.any(String),
    expect.any(String),
  ]);
  // If both are refunded at once, one stays, because it is then the only plan.
  const presses = await Promise.all(
    [...active, ...active].map((each) => postJson(person, '/api/subscription/refund', { id: each.id })),
  );
  expect(presses.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409]);
  const { plan, subscriptions } = await shop.billing(person);
  expect([plan, subscriptions.map(({ state }) => state).sort()]).toEqual([
    'pro',
    ['active', 'expired', 'refunded'],
  ]);
  expect(subscriptions.find(({ state }) => state === 'active')?.moneyBackUntil).toBeNull();
});

test('a checkout that is created while another tab pays is not returned', async () => {
  const person = await createPerson(server);
  const { data } = await shop.begin(person, 'monthly');
  await shop.creem({ api: { fault: 'slow', path: '/v1/checkouts', times: 1 } });
  const late = shop.begin(person, 'yearly');
  await eventually(async () => (await rows(person)).length === 2);
  await shop.press(data.url);
  await eventually(async () => (await planOf(person)) === 'pro');
  await shop.control({ release: '/v1/checkouts' });
  expect(await late).toMatchObject({ status: 409, data: { error: billingTexts.alreadyPro() } });
});

test('a person whose Pro ended by a cancellation without a webhook can buy again', async () => {
  const person = await createPerson(server);
  await shop.buy(person, 'monthly');
  await shop.creem({ webhooks: false });
  const { subscriptions } = await shop.providerState();
  const ownSubscription = subscriptions.find(({ metadata }) => metadata.userId === person.id);
  await fetch(`${server.standins}/creem/v1/subscriptions/${ownSubscription?.id}/cancel`, {
    method: 'POST',
    headers: { 'x-api-key': 'creem_test_1', 'content-type': 'application/json' },
    body: JSON.stringify({ mode: 'scheduled', onExecute: 'cancel' }),
  });
  // In two steps, because a session ends 30 days after its last use.
  for (const days of [20, 20]) {
    await shop.control({ clock: { advanceMs: days * 24 * 3600_000 } });
    await eventually(async () => {
      const { rows: clock } = await server.database.query('select app_now() as now');
      return Math.abs(clock[0]?.now - (await shop.providerState()).now) < 60_000;
    });
    expect((await person.get('/api/me')).status).toBe(200);
  }
  expect(await shop.billing(person)).toMatchObject({ plan: 'free', subscriptions: [{ state: 'expired' }] });
  expect((await shop.begin(person, 'monthly')).status).toBe(200);
});

test('an unpaid checkout is closed by the job', async () => {
  const person = await createPerson(server);
  await shop.begin(person, 'monthly');
  await shop.control({ clock: { advanceMs: 25 * 3600_000 } });
  await eventually(async () => {
    await runJob(server, 'close-checkouts');
    return (await rows(person))[0]?.state === 'expired';
  });
});

test('a checkout with invalid answers from the provider does not keep others open', async () => {
  const [one, other] = [await createPerson(server), await createPerson(server)];
  for (const person of [one, other]) await shop.begin(person, 'monthly');
  await advanceClock(server, 25 * 3600_000);
  // It does not matter which of the two is looked up first.
  const states = async () => [(await rows(one))[0]?.state, (await rows(other))[0]?.state].sort();
  for (const [fault, expected] of [
    ['status500', ['expired', 'open']],
    ['malformed', ['expired', 'open']],
    [null, ['expired', 'expired']],
  ] as const) {
    await shop.creem({ api: fault && { fault, path: '/v1/checkouts', times: 1 } });
    await runJob(server, 'close-checkouts');
    expect(await states()).toEqual(expected);
  }
});

test('of many open checkouts only the newest are checked for a person, and the daily job checks all', async () => {
  const person = await createPerson(server);
  await server.database.query(
    `insert into checkouts (id, user_id, plan, product_id, provider, external_id, created_at)
     select gen_random_uuid(), $1, 'monthly', 'prod_monthly', 'creem', 'ch_many' || n, app_now() - n * interval '1 minute'
       from generate_series(1, 105) n`,
    [person.id],
  );
  const checkedIds = async () => {
    const answer = await fetch(`${server.standins}/log?path=${encodeURIComponent('/creem/v1/checkouts')}`);
    const calls = (await answer.json()) as { detail: { query?: { checkout_id?: string } } }[];
    return calls
      .map(({ detail }) => detail.query?.checkout_id ?? '')
      .filter((id) => id.startsWith('ch_many'));
  };
  await postJson(person, '/api/subscription/refresh', {});
  expect(await checkedIds()).toEqual(Array.from({ length: 10 }, (_, index) => `ch_many${index + 1}`));
  await runJob(server, 'reconcile-plans');
  expect(new Set(await checkedIds()).size).toBe(105);
});

test('every invariant holds', async () => {
  await runJob(server, 'refresh-plans');
  await expectConsistent(server);
});

test('M-A5: without products and a secret nothing is sold, and no event is accepted', async () => {
  const withoutSecret = await startTestServer({
    postgres: inject('postgres'),
    standins: server.standins,
    // webhooks.test.ts tests a site where this is not set at all.
    env: { CREEM_WEBHOOK_SECRET: '' },
  });
  try {
    const person = await createPerson(withoutSecret);
    expect(await payments(withoutSecret).begin(person, 'yearly')).toMatchObject({
      status: 503,
      data: { error: billingTexts.notOnSale() },
    });
    const body = eventBody('subscription.paid', {});
    for (const signature of [sign(body, ''), '0'.repeat(64)])
      expect((await deliver(withoutSecret, body, { 'creem-signature': signature })).status).toBe(503);
    expect((await withoutSecret.database.query('select 1 from billing_events')).rowCount).toBe(0);
  } finally {
    await withoutSecret.stop();
  }
});
