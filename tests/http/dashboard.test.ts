import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { CreditsView } from '#features/credits/contract.ts';
import type { LedgerPage, UsageView } from '#features/credits/ledger/ledger-contract.ts';
import { noDelay, send, waitForEnd } from '../support/chat.ts';
import { visibleText } from '../support/html.ts';
import { createPerson, type Person } from '../support/people.ts';
import { seedPlan } from '../support/seed-plan.ts';
import { eventually, startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres') });
});
afterAll(() => server.stop());

async function read<T>(person: Person, path: string): Promise<T> {
  const response = await person.get(path);
  expect(response.status, path).toBe(200);
  return (await response.json()) as T;
}

/** Reads all pages of a ledger through the API. */
async function allEntries(person: Person, query = '') {
  const entries: LedgerPage['entries'] = [];
  for (let before: number | null = null; ; ) {
    const separator = query ? '&' : '?';
    const cursor = before ? `${separator}before=${before}` : '';
    const page: LedgerPage = await read(person, `/api/me/ledger${query}${cursor}`);
    entries.push(...page.entries);
    before = page.next;
    if (before === null) return entries;
  }
}

/** Splits a CSV line (RFC 4180) into its cells. */
function cells(line: string): string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
  );
}

/** Inserts a run that ended `daysAgo` days ago, with the ledger entries that admission and settling would write. */
async function seedRun(
  person: Person,
  run: { feature: string; price: number; charged: number; daysAgo?: number },
): Promise<string> {
  const id = randomUUID();
  const { feature, price, charged, daysAgo = 0 } = run;
  await server.database.query(
    `insert into generations (id, user_id, feature, state, counted, idempotency_key, request_hash, price, credits_charged, owner, created_at, finished_at, text)
     values ($1::uuid, $2, $3, $4, true, $1::text, '', $5, $6, 'seed', app_now() - $7::int * interval '1 day', app_now(), '')`,
    [id, person.id, feature, charged > 0 ? 'done' : 'failed', price, charged, daysAgo],
  );
  await server.database.query(
    `insert into credit_ledger (user_id, delta, kind, generation_id, source, external_id, reason)
     values ($1, $2, 'hold', $3::uuid, 'hold', $3::text, ''), ($1, $4, $5, $3::uuid, $5, $3::text, '')`,
    [person.id, -price, id, price - charged, charged > 0 ? 'settle' : 'release'],
  );
  await server.database.query('update users set credits = credits - $2 where id = $1', [person.id, charged]);
  return id;
}

test('dictation and the API are filters of the ledger for people who have used them', async () => {
  const person = await createPerson(server, { credits: 40 });
  const choices = async () => {
    const page = await (await person.get('/dashboard')).text();
    return [...page.matchAll(/<option value="([a-z]+)"/g)].map(([, value]) => value);
  };
  await seedRun(person, { feature: 'image', price: 5, charged: 5 });
  expect(await choices()).toContain('writer');
  for (const unused of ['dictation', 'completion']) expect(await choices()).not.toContain(unused);
  await seedRun(person, { feature: 'dictation', price: 1, charged: 1 });
  expect(await choices()).toContain('dictation');
});

test('the credits, the ledger and the usage of a person agree', async () => {
  const person = await createPerson(server, { credits: 40 });
  const { chatId, body } = await send(person, `=1+1 what is that? ${noDelay}`);
  await waitForEnd(person, body.generation.id);
  // The title is made after the reply by a free run that the ledger does not show.
  await eventually(async () => {
    const { rows } = await server.database.query(
      `select 1 from generations where user_id = $1 and feature = 'title' and finished_at is not null`,
      [person.id],
    );
    return rows.length === 1;
  });
  await server.database.query(
    `update chat_sessions set title = '=HYPERLINK("http://x.test"), "1"' where id = $1`,
    [chatId],
  );
  await seedRun(person, { feature: 'image', price: 20, charged: 10 });
  await seedRun(person, { feature: 'writer', price: 1, charged: 0, daysAgo: 29 });
  await seedRun(person, { feature: 'pdf', price: 3, charged: 3, daysAgo: 31 });
  for (let n = 0; n < 20; n += 1)
    await seedRun(person, { feature: 'chat', price: 0, charged: 0, daysAgo: 1 });
  await seedPlan(server, person, { plan: 'monthly' });
  const { currentCredits, plan } = await read<CreditsView>(person, '/api/credits');
  expect({ currentCredits, plan }).toEqual({ currentCredits: 26, plan: 'pro' });

  const entries = await allEntries(person);
  expect(entries.map(({ id }) => id)).toEqual(entries.map(({ id }) => id).toSorted((a, b) => b - a));
  expect(entries.reduce((sum, { delta }) => sum + delta, 0)).toBe(currentCredits);
  expect(entries[0]?.balance).toBe(currentCredits);
  for (const [index, { balance, delta }] of entries.entries())
    expect(balance - delta).toBe(entries[index + 1]?.balance ?? 0);
  expect(entries.map(({ feature }) => feature)).not.toContain('title');
  const entriesNamed = (name: string) => entries.filter(({ entry }) => entry === name);
  expect(entriesNamed('plan')).toMatchObject([{ delta: 0, reason: 'Pro, 1 Month: paid' }]);
  expect(entriesNamed('granted')).toMatchObject([{ delta: 40, balance: 40 }]);
  expect(entriesNamed('refunded').map(({ delta, feature }) => [feature, delta])).toEqual([
    ['writer', 1],
    ['image', 10],
  ]);
  expect(entriesNamed('included')).toHaveLength(20);
  const chatEntry = entriesNamed('used').find(({ feature }) => feature === 'chat');
  expect(chatEntry?.item).toEqual({
    kind: 'chat',
    title: '=HYPERLINK("http://x.test"), "1"',
    path: `/chat/${chatId}`,
  });

  const { from, to, tools } = await read<UsageView>(person, '/api/me/usage');
  expect((Date.parse(to) - Date.parse(from)) / 86_400_000).toBe(29);
  const usageOf = (feature: string) => tools.find((tool) => tool.feature === feature);
  expect(usageOf('chat')).toMatchObject({ runs: 21, credits: 1 });
  expect([usageOf('chat')?.days.at(-1), usageOf('chat')?.days.at(-2), usageOf('writer')?.days[0]]).toEqual([
    1, 20, 1,
  ]);
  expect(usageOf('image')).toMatchObject({ runs: 1, credits: 10 });
  expect(usageOf('pdf')).toMatchObject({ runs: 0, credits: 0 });
  // Debits of the ledger for runs in the window, minus refunds.
  const { rows } = await server.database.query<{ taken: number }>(
    `select -sum(l.delta)::int as taken from credit_ledger l join generations g on g.id = l.generation_id
      where g.user_id = $1 and g.created_at >= app_day() - interval '29 days'`,
    [person.id],
  );
  expect(tools.reduce((sum, { credits }) => sum + credits, 0)).toBe(rows[0]?.taken);
});

test('the ledger is filtered by kind of entry and by tool, and its balances remain correct', async () => {
  const person = await createPerson(server, { credits: 100 });
  for (let n = 0; n < 18; n += 1) {
    await seedRun(person, { feature: 'chat', price: 1, charged: 1 });
    await seedRun(person, { feature: 'question', price: 1, charged: n % 2 });
  }
  const all = await allEntries(person);
  const balances = new Map(all.map(({ id, balance }) => [id, balance]));
  for (const [query, matches] of [
    ['?entry=refunded', (entry: string) => entry === 'refunded'],
    ['?tool=pdf', (_: string, feature: string | null) => feature === 'question'],
    [
      '?entry=used&tool=chat',
      (entry: string, feature: string | null) => entry === 'used' && feature === 'chat',
    ],
    ['?entry=granted', (entry: string) => entry === 'granted'],
    // Unknown values are ignored.
    ['?entry=constructor&tool=title', () => true],
  ] as const) {
    const found = await allEntries(person, query);
    expect(
      found.map(({ id }) => id),
      query,
    ).toEqual(all.filter(({ entry, feature }) => matches(entry, feature)).map(({ id }) => id));
    for (const { id, balance } of found) expect(balance, query).toBe(balances.get(id));
  }
  const [newest] = await allEntries(person, '?entry=used');
  await server.database.query(
    `update generations set state = 'running', finished_at = null where id = (
    select generation_id from credit_ledger where id = $1)`,
    [newest?.id],
  );
  expect((await allEntries(person, '?entry=used'))[0]?.entry).toBe('pending');
  await server.database.query(`update generations set state = 'done', finished_at = app_now()
    where finished_at is null and user_id = '${person.id}'`);
});

test('the CSV file of the ledger is complete, and formulas open as text', async () => {
  const person = await createPerson(server, { credits: 10 });
  const first = await send(person, `hello ${noDelay}`);
  await waitForEnd(person, first.body.generation.id);
  await server.database.query(
    `update chat_sessions set title = '=HYPERLINK("http://x.test"), "1"', title_source = 'user' where id = $1`,
    [first.chatId],
  );
  await server.database.query(
    `insert into credit_ledger (user_id, delta, kind, source, external_id, reason)
     select $1::uuid, 0, 'grant', 'test', $1::text || n, '@sum' || n from generate_series(1, 1200) n`,
    [person.id],
  );
  const response = await person.get('/api/me/ledger.csv');
  expect(response.headers.get('content-type')).toContain('text/csv');
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="credits-[\d-]+\.csv"/);
  const bytes = Buffer.from(await response.arrayBuffer()).toString();
  expect(bytes.startsWith('\ufeffDate (UTC),Type,Tool,Item,Change,Balance after,Link\r\n')).toBe(true);
  const lines = bytes.trimEnd().split('\r\n').slice(1).map(cells);
  expect(lines).toHaveLength(1202);
  expect(lines.every((line) => line.length === 7)).toBe(true);
  expect(lines.filter(([, , , item]) => /^[=+\-@\t\r]/.test(item ?? ''))).toEqual([]);
  const used = lines.find(([, entry]) => entry === 'Used');
  expect(used?.slice(1)).toEqual([
    'Used',
    'AI chat',
    `'=HYPERLINK("http://x.test"), "1"`,
    '-1',
    '9',
    `${server.url}/chat/${first.chatId}`,
  ]);
  expect(lines.at(-1)?.slice(1, 6)).toEqual(['Granted', '', 'test', '10', '10']);
  const filtered = await (await person.get('/api/me/ledger.csv?entry=used')).text();
  expect(filtered.trimEnd().split('\r\n')).toHaveLength(2);
});

test('other people and guests see nothing, and a URL cannot make anyone Pro', async () => {
  const [owner, other] = [await createPerson(server), await createPerson(server, { credits: 7 })];
  await seedRun(owner, { feature: 'chat', price: 1, charged: 1 });
  const highest = Number.MAX_SAFE_INTEGER;
  expect(await allEntries(other, `?before=${highest}`)).toMatchObject([{ delta: 7, balance: 7 }]);
  expect((await read<UsageView>(other, '/api/me/usage')).tools.every(({ runs }) => runs === 0)).toBe(true);
  for (const path of ['/api/credits', '/api/me/ledger', '/api/me/ledger.csv', '/api/me/usage'])
    expect((await fetch(server.url + path)).status, path).toBe(401);

  const guest = await (await fetch(`${server.url}/dashboard`)).text();
  expect(guest).toContain('Please sign in to access your dashboard');
  const page = await (await other.get('/dashboard?payment=success&plan=yearly')).text();
  expect(page).toContain('Confirming your payment');
  expect(page).not.toContain('Payment Successful!');
  expect(await (await other.get('/dashboard?payment=success&plan=lifetime')).text()).not.toContain(
    'Confirming your payment',
  );
  expect((await read<CreditsView>(other, '/api/credits')).plan).toBe('free');
});

/** Stored plan data, and the heading, words and buttons that the page shows for it. */
const states = [
  [[], 'Free', ['Pro gives you every tool without credits'], ['See plans']],
  [[{ from: -20, to: 345 }], 'Pro, 1 Year Active', ['Next renewal', '$69.99', 'support@'], ['Cancel plan']],
  [
    [{ plan: 'quarterly', status: 'past_due', from: -92, to: -1, until: 2 }],
    'Pro, 3 Months Payment failed',
    ['72 hours', 'Pro ends if unpaid'],
    ['Manage payment and invoices', 'Cancel plan'],
  ],
  [
    [{ plan: 'monthly', from: -31, to: -1, until: 2 }],
    'Pro, 1 Month Renewal due',
    ['Your renewal is due. We’re waiting for Creem', 'Pro ends if unpaid'],
    ['Cancel plan'],
  ],
  [
    [{ plan: 'monthly', status: 'canceled', to: 31, until: 31, refundState: 'pending' }],
    'Pro, 1 Month Refund in progress',
    ['Your refund is in progress'],
    ['Manage payment and invoices'],
  ],
  [
    [
      { until: null, status: 'canceled', refunded: 6999, refundState: 'succeeded' },
      { plan: 'monthly', to: 31, until: 34 },
    ],
    'Pro, 1 Month Active',
    ['You can get a refund here once'],
    [],
  ],
  [
    [{ plan: 'monthly', status: 'past_due', from: -36, to: -5, until: -2 }],
    'Free Ended',
    ['Pro has ended, but Creem may still try to charge your card'],
    ['Cancel plan'],
  ],
  [
    [{ status: 'scheduled_cancel', from: -20, to: 345, until: 345 }],
    'Pro, 1 Year Canceled',
    ['Pro stays on until the end of the period you paid for', 'Pro ends'],
    ['Resume'],
  ],
  [[{ status: 'paused', until: null }], 'Free Paused', ['until you resume'], ['Resume']],
  [
    [{ plan: 'monthly', status: 'canceled', from: -60, to: -30, until: -30 }],
    'Free Ended',
    ['Pro ended'],
    ['See plans'],
  ],
  [
    [{ until: null, status: 'canceled', refunded: 6999 }],
    'Free Refunded',
    ['refunded in full'],
    ['See plans'],
  ],
  [[{ until: null, disputed: true }], 'Free Disputed', ['Your bank disputed'], []],
  [
    [
      { plan: 'monthly', from: -20, to: 10, until: 13 },
      { from: -10, to: 355, until: 358 },
    ],
    'Pro, 1 Year Active',
    ['You’re paying for 2 plans', 'Other plans'],
    ['Cancel plan: Pro, 1 Month'],
  ],
] as const;

test.each(states)('%j is shown as %s', async (seeds, heading, sentences, actions) => {
  const person = await createPerson(server);
  for (const seed of seeds) await seedPlan(server, person, seed);
  const page = visibleText(await (await person.get('/dashboard')).text()).replaceAll(' ', '');
  for (const text of [heading, ...sentences, ...actions]) expect(page).toContain(text.replaceAll(' ', ''));
});
