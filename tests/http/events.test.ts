import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { consentVersion } from '#shared/consent.ts';
import { runJob } from '../support/files.ts';
import { createPerson } from '../support/people.ts';
import { eventually, startTestServer, type TestServer } from '../support/server.ts';
import { network, visitor } from '../support/visitor.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres'), env: { TRUSTED_PROXIES: '127.0.0.1' } });
});
afterAll(() => server.stop());
beforeEach(() => server.database.query('truncate page_counts, rate_limits'));

const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0' };

/** Sends a page view as a consenting visitor's browser does; `body` and `headers` override its fields. */
async function view(body: object, headers: Record<string, string> = {}, from = network()): Promise<number> {
  const fields = { consent: consentVersion, path: '/', width: 'wide', ...body };
  const response = await visitor(server).post('/api/events', fields, {
    from,
    headers: { ...browser, 'accept-language': '', ...headers },
  });
  await response.arrayBuffer();
  return response.status;
}

async function countsOf(fact: string): Promise<Record<string, number>> {
  const { rows } = await server.database.query<{ value: string; views: number }>(
    'select value, views::int from page_counts where fact = $1 order by value',
    [fact],
  );
  return Object.fromEntries(rows.map(({ value, views }) => [value, views]));
}

/** Returns all rows that could contain data of a view, as text. */
async function stored(): Promise<string> {
  const tables = ['page_counts', 'rate_limits', 'sessions', 'users'];
  const all = await Promise.all(
    tables.map((table) => server.database.query(`select t::text from ${table} t`)),
  );
  return JSON.stringify(all.flatMap(({ rows }) => rows));
}

test('a page view increments each count of today', async () => {
  const from = { referrer: 'www.News.example.org:8080' };
  expect(await view({ path: '/pricing', ...from }, { 'accept-language': 'de-AT,en;q=0.7' })).toBe(204);
  expect(await view({ path: '/pricing', width: 'narrow' }, { 'accept-language': 'xx-YY' })).toBe(204);
  expect(await countsOf('page')).toEqual({ '/pricing': 2 });
  expect(await countsOf('referrer')).toEqual({ 'news.example.org': 1 });
  expect(await countsOf('language')).toEqual({ de: 1 });
  expect(await countsOf('width')).toEqual({ narrow: 1, wide: 1 });
  const { rows } = await server.database.query(
    `select distinct day::text as day, app_day()::date::text as today from page_counts`,
  );
  expect(rows).toEqual([{ day: rows[0]?.today, today: rows[0]?.today }]);
});

test('views without consent, with an objection, from bots or of unknown pages are not counted', async () => {
  const ignored: Array<[object, Record<string, string>?]> = [
    [{ consent: undefined }],
    [{ consent: true }],
    [{ consent: consentVersion - 1 }],
    [{}, { 'sec-gpc': '1' }],
    [{}, { 'sec-purpose': 'prefetch;prerender' }],
    [{}, { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' }],
    [{ path: '/nothing' }],
    [{ path: '/blog/nothing' }],
    [{ path: '/api/me' }],
    [{ path: 'javascript:alert(1)' }],
    [{ path: '/%' }],
    [{ path: '' }],
    [{ path: '//pricing' }],
  ];
  for (const [body, headers] of ignored) expect(await view(body, headers)).toBe(204);
  expect((await server.database.query('select 1 from page_counts')).rowCount).toBe(0);
  await server.database.query('truncate rate_limits');
  for (const [body, headers] of ignored.slice(0, 6)) await view(body, headers);
  expect((await server.database.query('select 1 from rate_limits')).rowCount).toBe(0);
});

test('only our pages may report a view, as JSON of limited size and shape', async () => {
  expect(await view({}, { origin: 'https://evil.example' })).toBe(403);
  expect(await view({ referrer: 'a'.repeat(5000) })).toBe(413);
  for (const body of [{ path: 5 }, { width: '1317' }, { path: 'a'.repeat(600) }, { referrer: {} }])
    expect(await view(body), JSON.stringify(body)).toBe(400);
  expect(await view({}, { 'content-type': 'text/plain' })).toBe(415);
  expect((await server.database.query('select 1 from page_counts')).rowCount).toBe(0);
});

test('ids, queries, addresses and browser names are stored nowhere', async () => {
  const person = await createPerson(server);
  const [id, from] = [randomUUID(), network()];
  const secrets = [id, 'token-of-mine', 'ada@example.com', from, 'Firefox/145', 'path-elsewhere'];
  const headers = { cookie: person.cookie };
  for (const path of [`/chat/${id}`, `/tools/pdf/${id}`, `/tools/prompts/${id}`, '/chat', '/tools/image'])
    expect(await view({ path }, headers, from)).toBe(204);
  expect(await view({ path: `/sign-in/confirm?token=${id}`, referrer: 'x' }, headers, from)).toBe(204);
  const referrers = [
    'ada@example.com',
    'example.com/path-elsewhere?token-of-mine',
    `127.0.0.1`,
    '[::1]',
    'localhost',
    'Ünïcode.example',
    '-begins.example',
    'ends-.example',
    '_x_.example',
    `${'x'.repeat(64)}.example`,
    '',
  ];
  for (const referrer of referrers) expect(await view({ referrer }, {}, from)).toBe(204);
  expect(await countsOf('page')).toMatchObject({
    '/': referrers.length,
    '/chat': 1,
    '/chat/:id': 1,
    '/tools/image': 1,
    '/tools/pdf/:id': 1,
    '/tools/prompts/:slug': 1,
  });
  expect(await countsOf('referrer')).toEqual({ 'example.com': 2, 'xn--ncode-cta3g.example': 1 });
  const rows = await stored();
  for (const secret of secrets) expect(rows, secret).not.toContain(secret);
  expect(server.output()).not.toContain(id);
});

test('simultaneous views are all counted, and a network has a limit', async () => {
  const paths = ['/', '/pricing', '/chat', '/blog'];
  await Promise.all(
    Array.from({ length: 200 }, (_, at) =>
      view(
        { path: paths[at % 4], referrer: at % 2 ? 'a.example' : 'b.example' },
        { 'accept-language': 'en' },
      ),
    ),
  );
  expect(await countsOf('page')).toEqual({ '/': 50, '/blog': 50, '/chat': 50, '/pricing': 50 });
  expect(await countsOf('referrer')).toEqual({ 'a.example': 100, 'b.example': 100 });
  expect(await countsOf('language')).toEqual({ en: 200 });
  const from = network();
  expect(await view({}, {}, from)).toBe(204);
  await server.database.query(`update rate_limits set count = 600`);
  expect(await view({}, {}, from)).toBe(429);
  expect((await countsOf('page'))['/']).toBe(51);
});

test('one customer can add twenty new hosts a day; hosts reported by others still count', async () => {
  for (const from of ['198.51.100.7', '2001:db8:7:1::1']) {
    await server.database.query('truncate page_counts');
    await view({ referrer: 'known.example' });
    for (let at = 0; at < 24; at++)
      await view({ referrer: `made-up${at}.example` }, {}, from.replace(':1::', `:${at}::`));
    await view({ referrer: 'known.example' }, {}, from);
    await view({ referrer: 'honest.example' });
    const hosts = await countsOf('referrer');
    expect(Object.keys(hosts)).toHaveLength(22);
    expect(hosts).toMatchObject({ 'known.example': 2, 'honest.example': 1, 'made-up19.example': 1 });
    expect((await countsOf('page'))['/']).toBe(27);
  }
  expect(await stored()).not.toMatch(/198\.51\.100\.7|2001:db8:7/);
});

test('a flood of invented hosts is counted in one row', async () => {
  await server.database.query(
    `insert into page_counts select app_day()::date, 'referrer', 'host' || n || '.example', 1 from generate_series(1, 300) n`,
  );
  for (const referrer of ['new.example', 'other.example', 'host7.example']) await view({ referrer });
  const hosts = await countsOf('referrer');
  expect(Object.keys(hosts)).toHaveLength(301);
  expect(hosts).toMatchObject({ '(others)': 2, 'host7.example': 2 });
});

test('counts are deleted after 25 months', async () => {
  await server.database.query(
    `insert into page_counts select (app_day() - n * interval '1 month')::date, 'page', '/', 1 from generate_series(0, 30) n`,
  );
  await eventually(() => runJob(server, 'forget-page-counts').then(() => true));
  const { rows } = await server.database.query<{ count: number }>(
    'select count(*)::int as count from page_counts',
  );
  expect(rows[0]?.count).toBe(26);
});
