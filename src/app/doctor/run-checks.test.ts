import dns from 'node:dns';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { databasePool } from '#platform/database/database.server.ts';
import { type LoopbackServer, startLoopbackServer } from '#platform/outbound/loopback-server.fixture.ts';
import { useTestDatabase } from '#tests/support/database.ts';
import { type DnsServer, startDnsServer } from '#tests/support/dns-server.ts';
import { sampleOf } from '#tests/support/soak.ts';
import { checkNode } from './check-machine.server.ts';
import type { Finding } from './finding.ts';
import { PROBE_UPLOAD_BYTES } from './probe-token.server.ts';
import { runChecks } from './run-checks.server.ts';

const secrets = {
  AUTH_SECRET: 'Zr8vQ2mKx5Lw9TnB4yHc7JpD1sGf6VaE',
  LLM_API_KEY: 'sk-gateway-7Hq2',
  CREEM_API_KEY: 'creem_live_9Xw4',
  CREEM_WEBHOOK_SECRET: 'whsec_5Tb8mN3kQz6R',
  smtp: 'mail-word-3Vd',
};

type Answer =
  | number
  | { status?: number; json?: unknown; text?: string; date?: string; hang?: true; location?: string };

const dataDir = mkdtempSync(join(tmpdir(), 'site-doctor-'));
const products: Record<string, object> = {
  prod_m: { price: 1999, billing_period: 'every-month' },
  prod_q: { price: 3999, billing_period: 'every-three-months' },
  prod_y: { price: 6999, billing_period: 'every-year' },
  prod_p: { price: 499, billing_type: 'onetime', billing_period: 'once' },
};
const packWith = (changes: object): Record<string, Answer> => ({
  '/creem/v1/products/prod_p': {
    json: { id: 'prod_p', name: 'x', currency: 'USD', mode: 'prod', ...products.prod_p, ...changes },
  },
});
let answers: Record<string, Answer> = {};
let services: LoopbackServer;
let names: DnsServer;
let smtp: SMTPServer;
let mails: string[] = [];
let base: Record<string, string>;
let databaseUrl = '';
let dropDatabase: () => Promise<void>;

/** Answers of a correct site at PUBLIC_URL. */
const siteAnswers: Record<string, Answer> = {
  '/version': { json: { name: 'ai-tools-site', version: '0.1.0' } },
  '/api/doctor/request': { json: { peer: '127.0.0.1', forwardedFor: '192.0.2.7, 127.0.0.1', trusted: true } },
  '/api/doctor/upload': { json: { bytes: PROBE_UPLOAD_BYTES } },
};

function correctAnswer(path: string, request: IncomingMessage): Answer {
  const product = products[path.split('/').at(-1) ?? ''];
  if (path.startsWith('/creem/') && request.headers['x-api-key'] !== secrets.CREEM_API_KEY) return 403;
  if (product)
    return { json: { id: path.split('/').at(-1), name: 'Pro', currency: 'USD', mode: 'prod', ...product } };
  if (path.startsWith('/creem/')) return 404;
  const site = siteAnswers[path];
  if (site) return site;
  if (request.headers.authorization !== `Bearer ${secrets.LLM_API_KEY}`) return 401;
  if (path === '/v1/models') return { json: { data: [{ id: 'maker/text-2' }, { id: 'maker/picture-1' }] } };
  if (path === '/v1/key') return { json: { data: { limit_remaining: 4.2 } } };
  if (path === '/v1/chat/completions') return { json: { choices: [{ message: { content: 'Yes' } }] } };
  return 404;
}

beforeAll(async () => {
  names = await startDnsServer({
    'tools.test': ['v=spf1 mx ~all'],
    'key1._domainkey.tools.test': ['v=DKIM1; p=MIIB'],
    '_dmarc.tools.test': ['v=DMARC1; p=none'],
  });
  dns.setServers([names.address]);
  dropDatabase = await useTestDatabase(inject('postgres'));
  databaseUrl = databasePool().options.connectionString ?? '';
  services = await startLoopbackServer((request, response) => {
    const path = new URL(request.url ?? '', 'http://world').pathname;
    request.resume();
    if (path === '/api/doctor/stream') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
      return void setTimeout(() => response.end('data: 2\n\n'), 1_000);
    }
    const answer = answers[path] ?? correctAnswer(path, request);
    const {
      status = 200,
      json,
      text = '',
      date,
      hang,
      location,
    } = typeof answer === 'number' ? { status: answer } : answer;
    if (hang) return void response.socket?.destroy();
    if (date) response.setHeader('date', date);
    if (location) response.setHeader('location', location);
    // Some services repeat the key in their errors.
    const body = JSON.stringify(json ?? { error: { message: `bad ${secrets.LLM_API_KEY}` } });
    response.writeHead(status, { 'content-type': 'application/json' }).end(text || body);
  });
  smtp = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    onAuth: ({ password }, _, callback) =>
      callback(password === secrets.smtp ? null : new Error(`no ${password}`), { user: 'u' }),
    onRcptTo: ({ address }, _, callback) =>
      address.startsWith('nobody')
        ? callback(Object.assign(new Error('no such person'), { responseCode: 550 }))
        : callback(),
    onData(stream, session, callback) {
      mails.push(session.envelope.rcptTo.map(({ address }) => address).join());
      stream.resume().on('end', () => callback());
    },
  });
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
  const { port } = smtp.server.address() as { port: number };
  base = {
    ...secrets,
    smtp: '',
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    // On this machine, so that http is allowed. Certificate and proxy: tests/http/doctor-findings.test.ts.
    PUBLIC_URL: services.origin,
    SANDBOX: 'false',
    TRUSTED_PROXIES: '127.0.0.1',
    LLM_BASE_URL: `${services.origin}/v1`,
    LLM_MODEL: 'maker/text-2',
    IMAGE_MODEL: 'maker/picture-1',
    IMAGE_PROTOCOL: 'openrouter',
    SMTP_URL: `smtp://u:${secrets.smtp}@127.0.0.1:${port}?allowInsecureAuth=true`,
    MAIL_FROM: 'Tools <hello@tools.test>',
    CREEM_BASE_URL: `${services.origin}/creem`,
    CREEM_PRODUCT_MONTHLY: 'prod_m',
    CREEM_PRODUCT_QUARTERLY: 'prod_q',
    CREEM_PRODUCT_YEARLY: 'prod_y',
    CREEM_PACKS: 'prod_p=100',
    GOOGLE_CLIENT_ID: '1234567890-abc123.apps.googleusercontent.com',
    GOOGLE_CLIENT_SECRET: 'GOCSPX-0123456789abcdefghij',
    GITHUB_CLIENT_ID: 'Ov23liABCDEFGHIJKLMN',
    GITHUB_CLIENT_SECRET: '0123456789abcdef0123456789abcdef01234567',
  };
});
afterAll(async () => {
  await names.stop();
  await services.close();
  await new Promise<void>((resolve) => smtp.close(resolve));
  await dropDatabase();
  rmSync(dataDir, { recursive: true });
});
beforeEach(() => {
  answers = {};
  mails = [];
});

async function check(
  env: Record<string, string> = {},
  options: { testMailTo?: string; spend?: boolean } = {},
) {
  const all = { ...base, ...env };
  const findings = await runChecks({ testMailTo: options.testMailTo, spend: options.spend ?? false }, all);
  const output = JSON.stringify(findings);
  const password = new URL(all.DATABASE_URL || 'postgres://x').password;
  for (const secret of [...Object.values(secrets), all.GOOGLE_CLIENT_SECRET ?? '', password])
    if (secret) expect(output).not.toContain(secret);
  return findings;
}

const problems = (findings: Finding[]) =>
  findings.filter(({ state }) => state === 'wrong').map(({ about, text }) => `${about}: ${text}`);

test('finds nothing wrong with a well-configured site and does not change it', async () => {
  const findings = await check();
  expect(problems(findings)).toEqual([]);
  const texts = findings.map(({ state, about, text }) => `${state} ${about}: ${text}`).join('\n');
  for (const line of [
    /^ok Address: http:\/\/127\.0\.0\.1:\d+\. Links/m,
    /^ok Database: Connected to PostgreSQL \d+/m,
    /^ok Schema: All \d+ migrations are applied\.$/m,
    /^ok Models: 127\.0\.0\.1:\d+ responds and has maker\/text-2\.$/m,
    /^ok Key: \$4\.20 /m,
    /^ok Images: .* maker\/picture-1\.$/m,
    /^ok Mail: Connected to 127\.0\.0\.1:\d+\.$/m,
    /^ok Google: .*http:\/\/127\.0\.0\.1:\d+\/api\/auth\/google\/callback/m,
    /^ok GitHub: .*http:\/\/127\.0\.0\.1:\d+\/api\/auth\/github\/callback/m,
    /^ok Payments: yearly is on sale at \$69\.99\.$/m,
    /^ok Payments: 100 credits are on sale at 4\.99 USD\.$/m,
    /^ok Clock: Within \d+ s of the database and the gateway/m,
    /^not set Backup: /m,
  ])
    expect(texts).toMatch(line);
  expect(services.requests.some(({ url }) => url?.includes('/chat/completions'))).toBe(false);
  expect(mails).toEqual([]);
  expect(readdirSync(dataDir)).toEqual([]);
});

test('finds nothing wrong with an empty environment, where stand-ins answer', async () => {
  const empty = Object.fromEntries(Object.keys(base).map((name) => [name, '']));
  const findings = await check({ ...empty, DATA_DIR: dataDir });
  expect(problems(findings)).toEqual([]);
  const unset = findings.filter(({ state }) => state === 'not set').map(({ about }) => about);
  expect(unset).toEqual(
    expect.arrayContaining(['Address', 'Models', 'Mail', 'Google', 'GitHub', 'Payments', 'Spending']),
  );
  rmSync(join(dataDir, 'secrets'), { recursive: true });
});

test('sends a test email and makes a one-token call on request', async () => {
  const findings = await check({}, { testMailTo: 'Ada@Example.com', spend: true });
  expect(problems(findings)).toEqual([]);
  expect(mails).toEqual(['ada@example.com']);
  expect(findings).toContainEqual(
    expect.objectContaining({
      state: 'ok',
      about: 'Answer',
      text: 'maker/text-2 answered a one-token request.',
    }),
  );
  const refused = await check({}, { testMailTo: 'nobody@example.com' });
  expect(problems(refused)).toEqual([expect.stringMatching(/^Test email: Not sent: .* \(550\)$/)]);
  expect(problems(await check({}, { testMailTo: 'a@b.com, c@d.com' }))).toEqual([
    'Test email: The address after --mail is not a valid email address.',
  ]);
});

async function unusedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const changeUrl = (url: string, change: (url: URL) => void) => {
  const changed = new URL(url);
  change(changed);
  return changed.href;
};

test.each(
  sampleOf<[string, () => Record<string, string> | Promise<Record<string, string>>, RegExp]>([
    ['an invalid setting', () => ({ PORT: 'http' }), /^PORT: must be a number$/],
    [
      'a public address without TLS',
      () => ({ PUBLIC_URL: 'http://tools.test' }),
      /^PUBLIC_URL: must be https/,
    ],
    [
      'a default secret',
      () => ({ AUTH_SECRET: 'change-me-0123456789-abcdefghijkl' }),
      /^AUTH_SECRET: must be/,
    ],
    ['an incomplete provider', () => ({ GITHUB_CLIENT_SECRET: '' }), /^GITHUB_CLIENT_SECRET: required with/],
    [
      'a misspelt name',
      () => ({ SMTP_ULR: 'x' }),
      /^Setting: Unknown variable SMTP_ULR; did you mean SMTP_URL\?$/,
    ],
    ['a folder that is not writable', () => ({ DATA_DIR: '/proc/site' }), /^Storage: Can't write to \/proc/],
    [
      'a missing database',
      () => ({ DATABASE_URL: changeUrl(databaseUrl, (url) => (url.pathname = '/nothing')) }),
      /^Database: The database in DATABASE_URL does not exist/,
    ],
    [
      'a database that does not listen',
      async () => ({ DATABASE_URL: `postgres://user:word-of-base@127.0.0.1:${await unusedPort()}/x` }),
      /^Database: Nothing is listening at DATABASE_URL/,
    ],
    [
      'a gateway that does not listen',
      async () => ({ LLM_BASE_URL: `http://127.0.0.1:${await unusedPort()}/v1` }),
      /^Models: Can't connect to LLM_BASE_URL \(ECONNREFUSED\)/,
    ],
    ['a wrong gateway path', () => ({ LLM_BASE_URL: services.origin }), /^Models: There is no model list/],
    ['a wrong gateway key', () => ({ LLM_API_KEY: 'other' }), /^Models: The gateway rejected LLM_API_KEY/],
    [
      'a misspelt model',
      () => ({ LLM_MODEL: 'maker/txt-2' }),
      /^Models: .* maker\/txt-2 is not among .* such as maker\/text-2\.$/,
    ],
    [
      'a mail server that does not listen',
      async () => ({ SMTP_URL: `smtp://127.0.0.1:${await unusedPort()}` }),
      /^Mail: SMTP_URL: .*Fix the host and port/,
    ],
    [
      'a wrong mail password',
      () => ({ SMTP_URL: changeUrl(base.SMTP_URL ?? '', (url) => (url.password = 'no')) }),
      /^Mail: SMTP_URL: the server rejected the username or password\. Fix them\. \(535\)$/,
    ],
    [
      'TLS that the mail server does not support',
      () => ({ SMTP_URL: (base.SMTP_URL ?? '').replace('smtp:', 'smtps:') }),
      /^Mail: SMTP_URL: the connection .*smtps:\/\/ for port 465/,
    ],
    [
      'a sender without an address',
      () => ({ MAIL_FROM: 'Tools' }),
      /^Sender: MAIL_FROM has no email address/,
    ],
    [
      'an example address as the sender',
      () => ({ MAIL_FROM: 'a@example.com' }),
      /^Sender: MAIL_FROM is still a placeholder/,
    ],
    [
      'an ID that is not from Google',
      () => ({ GOOGLE_CLIENT_ID: 'me@gmail.com' }),
      /^Google: GOOGLE_CLIENT_ID does not/,
    ],
    [
      'a secret that is not from GitHub',
      () => ({ GITHUB_CLIENT_SECRET: 'Ov23' }),
      /^GitHub: GITHUB_CLIENT_SECRET does not/,
    ],
    [
      'a wrong Creem key',
      () => ({ CREEM_API_KEY: 'creem_other' }),
      /^Payments: Creem rejected CREEM_API_KEY/,
    ],
    [
      'an unknown product',
      () => ({ CREEM_PRODUCT_YEARLY: 'prod_z' }),
      /^Payments: Creem has no product .*_YEARLY/,
    ],
    [
      'a product with another duration',
      () => ({ CREEM_PRODUCT_YEARLY: 'prod_x' }),
      /^Payments: The product in CREEM_PRODUCT_YEARLY renews every-month, not every-year/,
    ],
  ]),
)('reports %s and how to fix it', async (_, change, expected) => {
  products.prod_x = { price: 6999, billing_period: 'every-month' };
  expect(problems(await check(await change()))).toEqual([expect.stringMatching(expected)]);
});

const models = '/v1/models';
test.each(
  sampleOf<[string, Record<string, Answer>, RegExp]>([
    [
      'a page instead of a list',
      { [models]: { text: '<html>' } },
      /^Models: LLM_BASE_URL returned a web page/,
    ],
    [
      'another JSON format',
      { [models]: { json: { models: [] } } },
      /^Models: LLM_BASE_URL did not return a list/,
    ],
    [
      'a redirect',
      { [models]: { status: 301, location: 'https://elsewhere.test/v1/models' } },
      /^Models: LLM_BASE_URL redirects elsewhere/,
    ],
    ['a failing gateway', { [models]: 503 }, /^Models: The gateway is having problems \(status 503\)/],
    [
      'a gateway that hangs up',
      { [models]: { hang: true } },
      /^Models: LLM_BASE_URL does not respond like a gateway/,
    ],
    ['a key that can only list models', { '/v1/key': 401 }, /^Key: The gateway rejected LLM_API_KEY/],
    [
      'a used-up limit',
      { '/v1/key': { json: { data: { limit_remaining: 0 } } } },
      /^Key: LLM_API_KEY has reached its limit/,
    ],
    [
      'an account without funds',
      { '/v1/chat/completions': 402 },
      /^Answer: The account of LLM_API_KEY is out of funds/,
    ],
    [
      'a model that does not answer',
      { '/v1/chat/completions': 404 },
      /^Answer: The gateway can't answer with maker/,
    ],
    [
      'an answer without text',
      { '/v1/chat/completions': { json: {} } },
      /^Answer: The gateway answered without any text/,
    ],
    [
      'a clock that is off',
      { [models]: { json: { data: [] }, date: new Date(Date.now() - 3_600_000).toUTCString() } },
      /^Clock: This machine's clock is 3[56]\d\d s ahead of the gateway/,
    ],
    [
      'another price',
      {
        '/creem/v1/products/prod_m': {
          json: {
            id: 'prod_m',
            name: 'Pro',
            price: 1899,
            currency: 'USD',
            billing_period: 'every-month',
            mode: 'prod',
          },
        },
      },
      /^Payments: The product in CREEM_PRODUCT_MONTHLY costs 18\.99 USD, but the price table says \$19\.99/,
    ],
    [
      'a product in test mode',
      {
        '/creem/v1/products/prod_m': {
          json: {
            id: 'prod_m',
            name: 'Pro',
            price: 1999,
            currency: 'USD',
            billing_period: 'every-month',
            mode: 'test',
          },
        },
      },
      /^Payments: The product in CREEM_PRODUCT_MONTHLY is in a different mode/,
    ],
    [
      'an unknown pack',
      { '/creem/v1/products/prod_p': 404 },
      /^Payments: Creem has no product prod_p from CREEM_PACKS \(live mode\)/,
    ],
    [
      'a pack that renews',
      packWith({ billing_type: 'recurring', billing_period: 'every-month' }),
      /prod_p .* renews every-month\. Use one/,
    ],
    ['a pack without a price', packWith({ price: 0 }), /prod_p in CREEM_PACKS has no price/],
    ['a pack in test mode', packWith({ mode: 'test' }), /prod_p in CREEM_PACKS is in a different mode/],
    [
      'an unavailable Creem',
      { '/creem/v1/products/prod_m': 502 },
      /^Payments: Creem does not respond \(status 502\)/,
    ],
    [
      'another service instead of Creem',
      { '/creem/v1/products/prod_m': { text: 'hello' } },
      /^Payments: CREEM_BASE_URL does not respond like Creem/,
    ],
  ]),
)('recognizes %s', async (_, faults, expected) => {
  answers = faults;
  expect(problems(await check({}, { spend: true }))).toEqual([expect.stringMatching(expected)]);
});

test('reports a newer schema and a moved clock, but not pending migrations', async () => {
  const pool = databasePool();
  await pool.query(`insert into schema_migrations (version, name, hash) values (9999, 'later', '')`);
  await pool.query('update app_clock set offset_ms = 5');
  expect(problems(await check())).toEqual([
    expect.stringMatching(/^Schema: The database has schema 9999/),
    expect.stringMatching(/^Database: The clock of this database was moved/),
  ]);
  await pool.query('delete from schema_migrations where version in (9999, 11)');
  await pool.query('update app_clock set offset_ms = 0');
  const findings = await check();
  expect(problems(findings)).toEqual([]);
  expect(findings).toContainEqual(
    expect.objectContaining({
      about: 'Schema',
      text: expect.stringContaining(', 1 will run at the next start.'),
    }),
  );
});

test('requires known model prices for a daily cap', async () => {
  const spending = async (env: Record<string, string>) =>
    (await check({ SPEND_CAP_DAY: '25', ...env })).filter(({ about }) => about === 'Spending');
  const pricing = { prompt: '0.0000003', completion: '0.0000012' };
  const unknown = expect.stringMatching(/the price of maker\/picture-1 is unknown\. Set it in LLM_PRICES/);
  answers = { [models]: { json: { data: [{ id: 'maker/text-2', pricing }, { id: 'maker/picture-1' }] } } };
  expect(await spending({})).toEqual([{ state: 'wrong', about: 'Spending', text: unknown }]);
  for (const LLM_PRICES of ['maker/picture-1=0.04', '*=0'])
    expect(await spending({ LLM_PRICES })).toMatchObject([{ state: 'ok' }]);
  expect(await spending({ SPEND_CAP_DAY: '' })).toMatchObject([{ state: 'not set' }]);
});

test('reports an old Node', () => {
  expect(checkNode('20.11.1')).toMatchObject({ state: 'wrong' });
  expect(checkNode('24.0.0')).toMatchObject({ state: 'ok' });
});

const searxng = (path = '') => ({ WEB_SEARCH: 'searxng', WEB_SEARCH_URL: `${services.origin}${path}` });
const brave = () => ({
  WEB_SEARCH: 'brave',
  WEB_SEARCH_URL: `${services.origin}/brave`,
  WEB_SEARCH_KEY: 'BSA-search-4Tq9',
});
const results = [{ url: 'https://example.org/', title: 'x' }];

test.each(
  sampleOf<[string, () => Record<string, string>, Answer, RegExp]>([
    [
      'that is not set',
      () => ({}),
      404,
      /^not set Web search: Web search is off\. To offer it, set WEB_SEARCH/,
    ],
    [
      'through a gateway other than OpenRouter',
      () => ({ WEB_SEARCH: 'gateway' }),
      404,
      /^note Web search: .*plugin/,
    ],
    ['with SearXNG', searxng, { json: { results } }, /^ok Web search: 127\.0\.0\.1:\d+ returns results\.$/],
    ['with Brave', brave, { json: { type: 'search', web: { results } } }, /^ok Web search: /],
    ['without an address', () => ({ WEB_SEARCH: 'searxng' }), 404, /^wrong WEB_SEARCH_URL: required with/],
    ['without a key', () => ({ WEB_SEARCH: 'brave' }), 404, /^wrong WEB_SEARCH_KEY: required with/],
    [
      'without a service',
      () => ({ WEB_SEARCH_KEY: 'x' }),
      404,
      /^wrong WEB_SEARCH: required with WEB_SEARCH_KEY/,
    ],
    [
      'that returns no JSON',
      searxng,
      403,
      /^wrong Web search: SearXNG returns no JSON \(status 403\)\. Add json/,
    ],
    ['that limits requests', searxng, 429, /^wrong Web search: SearXNG treats this server as a bot/],
    [
      'at a wrong address',
      () => searxng('/nothing'),
      404,
      /^wrong Web search: There is no search at WEB_SEARCH_URL/,
    ],
    [
      'that answers with a page',
      searxng,
      { text: '<p>' },
      /^wrong Web search: WEB_SEARCH_URL did not return/,
    ],
    [
      'that finds nothing',
      searxng,
      { json: { results: [] } },
      /^wrong Web search: .* found nothing for “weather”/,
    ],
    [
      'that redirects',
      searxng,
      { status: 302, location: '/x' },
      /^wrong Web search: WEB_SEARCH_URL redirects/,
    ],
    [
      'with a wrong key',
      brave,
      422,
      /^wrong Web search: Brave rejected WEB_SEARCH_KEY \(status 422\)\. Check the key/,
    ],
    ['whose plan is used up', brave, 429, /^wrong Web search: Brave accepts no more searches now/],
  ]),
)('reports the state of a web search %s', async (_, env, answer, finding) => {
  answers = { '/search': answer, '/nothing/search': answer, '/brave/res/v1/web/search': answer };
  const findings = await check(env());
  const texts = findings.map(({ state, about, text }) => `${state} ${about}: ${text}`);
  expect(texts).toContainEqual(expect.stringMatching(finding));
  expect(texts.join()).not.toContain('BSA-search-4Tq9');
});

const whisper = { TRANSCRIPTION_MODEL: 'maker/whisper' };

test.each(
  sampleOf<[string, () => Record<string, string>, boolean, Answer, RegExp]>([
    [
      'that is not set',
      () => ({}),
      true,
      404,
      /^not set Dictation: Dictation is off\. To offer it, set TRANSCRIPTION_MODEL/,
    ],
    [
      'without permission to spend',
      () => whisper,
      false,
      404,
      /^note Dictation: maker\/whisper was not tested/,
    ],
    [
      'that works',
      () => whisper,
      true,
      { json: { text: '' } },
      /^ok Dictation: maker\/whisper accepted a second/,
    ],
    [
      'with a wrong key',
      () => whisper,
      true,
      401,
      /^wrong Dictation: The gateway rejected LLM_API_KEY\. Check/,
    ],
    [
      'through a gateway without it',
      () => whisper,
      true,
      404,
      /^wrong Dictation: The gateway can't transcribe with/,
    ],
    [
      'that fails',
      () => whisper,
      true,
      500,
      /^wrong Dictation: The gateway is having problems \(status 500\)/,
    ],
    [
      'that answers with a page',
      () => whisper,
      true,
      { text: '<p>' },
      /^wrong Dictation: LLM_BASE_URL does not respond/,
    ],
  ]),
)('reports the state of dictation %s', async (_, env, spend, answer, finding) => {
  answers = { '/v1/audio/transcriptions': answer };
  const texts = (await check(env(), { spend })).map(({ state, about, text }) => `${state} ${about}: ${text}`);
  expect(texts).toContainEqual(expect.stringMatching(finding));
});
