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
import { node } from './check-machine.server.ts';
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
const packThat = (is: object): Record<string, Answer> => ({
  '/creem/v1/products/prod_p': {
    json: { id: 'prod_p', name: 'x', currency: 'USD', mode: 'prod', ...products.prod_p, ...is },
  },
});
let answers: Record<string, Answer> = {};
let world: LoopbackServer;
let names: DnsServer;
let smtp: SMTPServer;
let mails: string[] = [];
let base: Record<string, string>;
let databaseUrl = '';
let dropDatabase: () => Promise<void>;

/** Answers of a correct site at PUBLIC_URL. */
const ofTheSite: Record<string, Answer> = {
  '/version': { json: { name: 'ai-tools-site', version: '0.1.0' } },
  '/api/doctor/request': { json: { peer: '127.0.0.1', forwardedFor: '192.0.2.7, 127.0.0.1', trusted: true } },
  '/api/doctor/upload': { json: { bytes: PROBE_UPLOAD_BYTES } },
};

function wellAnswer(path: string, request: IncomingMessage): Answer {
  const product = products[path.split('/').at(-1) ?? ''];
  if (path.startsWith('/creem/') && request.headers['x-api-key'] !== secrets.CREEM_API_KEY) return 403;
  if (product)
    return { json: { id: path.split('/').at(-1), name: 'Pro', currency: 'USD', mode: 'prod', ...product } };
  if (path.startsWith('/creem/')) return 404;
  const site = ofTheSite[path];
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
  world = await startLoopbackServer((request, response) => {
    const path = new URL(request.url ?? '', 'http://world').pathname;
    request.resume();
    if (path === '/api/doctor/stream') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
      return void setTimeout(() => response.end('data: 2\n\n'), 1_000);
    }
    const found = answers[path] ?? wellAnswer(path, request);
    const {
      status = 200,
      json,
      text = '',
      date,
      hang,
      location,
    } = typeof found === 'number' ? { status: found } : found;
    if (hang) return void response.socket?.destroy();
    if (date) response.setHeader('date', date);
    if (location) response.setHeader('location', location);
    // Some services repeat the key in their errors.
    const told = JSON.stringify(json ?? { error: { message: `bad ${secrets.LLM_API_KEY}` } });
    response.writeHead(status, { 'content-type': 'application/json' }).end(text || told);
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
    PUBLIC_URL: world.origin,
    SANDBOX: 'false',
    TRUSTED_PROXIES: '127.0.0.1',
    LLM_BASE_URL: `${world.origin}/v1`,
    LLM_MODEL: 'maker/text-2',
    IMAGE_MODEL: 'maker/picture-1',
    IMAGE_PROTOCOL: 'openrouter',
    SMTP_URL: `smtp://u:${secrets.smtp}@127.0.0.1:${port}?allowInsecureAuth=true`,
    MAIL_FROM: 'Tools <hello@tools.test>',
    CREEM_BASE_URL: `${world.origin}/creem`,
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
  await world.close();
  await new Promise<void>((resolve) => smtp.close(resolve));
  await dropDatabase();
  rmSync(dataDir, { recursive: true });
});
beforeEach(() => {
  answers = {};
  mails = [];
});

async function look(
  env: Record<string, string> = {},
  options: { testMailTo?: string; spend?: boolean } = {},
) {
  const all = { ...base, ...env };
  const findings = await runChecks({ testMailTo: options.testMailTo, spend: options.spend ?? false }, all);
  const said = JSON.stringify(findings);
  const words = new URL(all.DATABASE_URL || 'postgres://x').password;
  for (const secret of [...Object.values(secrets), all.GOOGLE_CLIENT_SECRET ?? '', words])
    if (secret) expect(said).not.toContain(secret);
  return findings;
}

const wrongs = (findings: Finding[]) =>
  findings.filter(({ state }) => state === 'wrong').map(({ about, text }) => `${about}: ${text}`);

test('a site that is set up well has nothing wrong, and is not touched', async () => {
  const findings = await look();
  expect(wrongs(findings)).toEqual([]);
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
  expect(world.requests.some(({ url }) => url?.includes('/chat/completions'))).toBe(false);
  expect(mails).toEqual([]);
  expect(readdirSync(dataDir)).toEqual([]);
});

test('an empty environment has nothing wrong: stand-ins answer for what is not set', async () => {
  const empty = Object.fromEntries(Object.keys(base).map((name) => [name, '']));
  const findings = await look({ ...empty, DATA_DIR: dataDir });
  expect(wrongs(findings)).toEqual([]);
  const unset = findings.filter(({ state }) => state === 'not set').map(({ about }) => about);
  expect(unset).toEqual(
    expect.arrayContaining(['Address', 'Models', 'Mail', 'Google', 'GitHub', 'Payments', 'Spending']),
  );
  rmSync(join(dataDir, 'secrets'), { recursive: true });
});

test('a letter and a call of one token go out when they are asked for', async () => {
  const findings = await look({}, { testMailTo: 'Ada@Example.com', spend: true });
  expect(wrongs(findings)).toEqual([]);
  expect(mails).toEqual(['ada@example.com']);
  expect(findings).toContainEqual(
    expect.objectContaining({
      state: 'ok',
      about: 'Answer',
      text: 'maker/text-2 answered a one-token request.',
    }),
  );
  const refused = await look({}, { testMailTo: 'nobody@example.com' });
  expect(wrongs(refused)).toEqual([expect.stringMatching(/^Test email: Not sent: .* \(550\)$/)]);
  expect(wrongs(await look({}, { testMailTo: 'a@b.com, c@d.com' }))).toEqual([
    'Test email: The address after --mail is not a valid email address.',
  ]);
});

async function deadPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const at = (url: string, change: (url: URL) => void) => {
  const made = new URL(url);
  change(made);
  return made.href;
};

test.each(
  sampleOf<[string, () => Record<string, string> | Promise<Record<string, string>>, RegExp]>([
    ['a setting that cannot be read', () => ({ PORT: 'http' }), /^PORT: must be a number$/],
    [
      'a public address in the clear',
      () => ({ PUBLIC_URL: 'http://tools.test' }),
      /^PUBLIC_URL: must be https/,
    ],
    [
      'a default secret',
      () => ({ AUTH_SECRET: 'change-me-0123456789-abcdefghijkl' }),
      /^AUTH_SECRET: must be/,
    ],
    ['half a provider', () => ({ GITHUB_CLIENT_SECRET: '' }), /^GITHUB_CLIENT_SECRET: required with/],
    [
      'a misspelt name',
      () => ({ SMTP_ULR: 'x' }),
      /^Setting: Unknown variable SMTP_ULR; did you mean SMTP_URL\?$/,
    ],
    ['a folder that takes nothing', () => ({ DATA_DIR: '/proc/site' }), /^Storage: Can't write to \/proc/],
    [
      'a database that is not there',
      () => ({ DATABASE_URL: at(databaseUrl, (url) => (url.pathname = '/nothing')) }),
      /^Database: The database in DATABASE_URL does not exist/,
    ],
    [
      'a database that does not listen',
      async () => ({ DATABASE_URL: `postgres://user:word-of-base@127.0.0.1:${await deadPort()}/x` }),
      /^Database: Nothing is listening at DATABASE_URL/,
    ],
    [
      'a gateway that does not listen',
      async () => ({ LLM_BASE_URL: `http://127.0.0.1:${await deadPort()}/v1` }),
      /^Models: Can't connect to LLM_BASE_URL \(ECONNREFUSED\)/,
    ],
    [
      'a wrong path of the gateway',
      () => ({ LLM_BASE_URL: world.origin }),
      /^Models: There is no model list/,
    ],
    [
      'a wrong key of the gateway',
      () => ({ LLM_API_KEY: 'other' }),
      /^Models: The gateway rejected LLM_API_KEY/,
    ],
    [
      'a misspelt model',
      () => ({ LLM_MODEL: 'maker/txt-2' }),
      /^Models: .* maker\/txt-2 is not among .* such as maker\/text-2\.$/,
    ],
    [
      'a mail server that does not listen',
      async () => ({ SMTP_URL: `smtp://127.0.0.1:${await deadPort()}` }),
      /^Mail: SMTP_URL: .*Fix the host and port/,
    ],
    [
      'a wrong password of the mail server',
      () => ({ SMTP_URL: at(base.SMTP_URL ?? '', (url) => (url.password = 'no')) }),
      /^Mail: SMTP_URL: the server rejected the username or password\. Fix them\. \(535\)$/,
    ],
    [
      'TLS where there is none',
      () => ({ SMTP_URL: (base.SMTP_URL ?? '').replace('smtp:', 'smtps:') }),
      /^Mail: SMTP_URL: the connection .*smtps:\/\/ for port 465/,
    ],
    ['a sender without address', () => ({ MAIL_FROM: 'Tools' }), /^Sender: MAIL_FROM has no email address/],
    [
      'an example as sender',
      () => ({ MAIL_FROM: 'a@example.com' }),
      /^Sender: MAIL_FROM is still a placeholder/,
    ],
    [
      'an id that is none of Google',
      () => ({ GOOGLE_CLIENT_ID: 'me@gmail.com' }),
      /^Google: GOOGLE_CLIENT_ID does not/,
    ],
    [
      'a secret that is none of GitHub',
      () => ({ GITHUB_CLIENT_SECRET: 'Ov23' }),
      /^GitHub: GITHUB_CLIENT_SECRET does not/,
    ],
    [
      'a wrong key of Creem',
      () => ({ CREEM_API_KEY: 'creem_other' }),
      /^Payments: Creem rejected CREEM_API_KEY/,
    ],
    [
      'an unknown product',
      () => ({ CREEM_PRODUCT_YEARLY: 'prod_z' }),
      /^Payments: Creem has no product .*_YEARLY/,
    ],
    [
      'a product of another duration',
      () => ({ CREEM_PRODUCT_YEARLY: 'prod_x' }),
      /^Payments: The product in CREEM_PRODUCT_YEARLY renews every-month, not every-year/,
    ],
  ]),
)('%s is named, with what mends it', async (_, change, expected) => {
  products.prod_x = { price: 6999, billing_period: 'every-month' };
  expect(wrongs(await look(await change()))).toEqual([expect.stringMatching(expected)]);
});

const models = '/v1/models';
test.each(
  sampleOf<[string, Record<string, Answer>, RegExp]>([
    [
      'a page in place of a list',
      { [models]: { text: '<html>' } },
      /^Models: LLM_BASE_URL returned a web page/,
    ],
    ['another form', { [models]: { json: { models: [] } } }, /^Models: LLM_BASE_URL did not return a list/],
    [
      'a redirect',
      { [models]: { status: 301, location: 'https://elsewhere.test/v1/models' } },
      /^Models: LLM_BASE_URL redirects elsewhere/,
    ],
    [
      'a gateway that is not well',
      { [models]: 503 },
      /^Models: The gateway is having problems \(status 503\)/,
    ],
    [
      'a gateway that hangs up',
      { [models]: { hang: true } },
      /^Models: LLM_BASE_URL does not respond like a gateway/,
    ],
    ['a key of the list alone', { '/v1/key': 401 }, /^Key: The gateway rejected LLM_API_KEY/],
    [
      'an empty limit',
      { '/v1/key': { json: { data: { limit_remaining: 0 } } } },
      /^Key: LLM_API_KEY has reached its limit/,
    ],
    [
      'an empty account',
      { '/v1/chat/completions': 402 },
      /^Answer: The account of LLM_API_KEY is out of funds/,
    ],
    [
      'a model that does not answer',
      { '/v1/chat/completions': 404 },
      /^Answer: The gateway can't answer with maker/,
    ],
    [
      'an answer without a text',
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
      'a product of the test mode',
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
      packThat({ billing_type: 'recurring', billing_period: 'every-month' }),
      /prod_p .* renews every-month\. Use one/,
    ],
    ['a pack without a price', packThat({ price: 0 }), /prod_p in CREEM_PACKS has no price/],
    ['a pack of the test mode', packThat({ mode: 'test' }), /prod_p in CREEM_PACKS is in a different mode/],
    ['Creem away', { '/creem/v1/products/prod_m': 502 }, /^Payments: Creem does not respond \(status 502\)/],
    [
      'not Creem',
      { '/creem/v1/products/prod_m': { text: 'hello' } },
      /^Payments: CREEM_BASE_URL does not respond like Creem/,
    ],
  ]),
)('%s is told apart', async (_, faults, expected) => {
  answers = faults;
  expect(wrongs(await look({}, { spend: true }))).toEqual([expect.stringMatching(expected)]);
});

test('a schema of a newer build and a clock that was moved are wrong, what waits is not', async () => {
  const pool = databasePool();
  await pool.query(`insert into schema_migrations (version, name, hash) values (9999, 'later', '')`);
  await pool.query('update app_clock set offset_ms = 5');
  expect(wrongs(await look())).toEqual([
    expect.stringMatching(/^Schema: The database has schema 9999/),
    expect.stringMatching(/^Database: The clock of this database was moved/),
  ]);
  await pool.query('delete from schema_migrations where version in (9999, 11)');
  await pool.query('update app_clock set offset_ms = 0');
  const findings = await look();
  expect(wrongs(findings)).toEqual([]);
  expect(findings).toContainEqual(
    expect.objectContaining({
      about: 'Schema',
      text: expect.stringContaining(', 1 will run at the next start.'),
    }),
  );
});

test('a cap of the day needs the prices of the models', async () => {
  const spending = async (env: Record<string, string>) =>
    (await look({ SPEND_CAP_DAY: '25', ...env })).filter(({ about }) => about === 'Spending');
  const pricing = { prompt: '0.0000003', completion: '0.0000012' };
  const unknown = expect.stringMatching(/the price of maker\/picture-1 is unknown\. Set it in LLM_PRICES/);
  answers = { [models]: { json: { data: [{ id: 'maker/text-2', pricing }, { id: 'maker/picture-1' }] } } };
  expect(await spending({})).toEqual([{ state: 'wrong', about: 'Spending', text: unknown }]);
  for (const LLM_PRICES of ['maker/picture-1=0.04', '*=0'])
    expect(await spending({ LLM_PRICES })).toMatchObject([{ state: 'ok' }]);
  expect(await spending({ SPEND_CAP_DAY: '' })).toMatchObject([{ state: 'not set' }]);
});

test('an old Node is told', () => {
  expect(node('20.11.1')).toMatchObject({ state: 'wrong' });
  expect(node('24.0.0')).toMatchObject({ state: 'ok' });
});

const searxng = (path = '') => ({ WEB_SEARCH: 'searxng', WEB_SEARCH_URL: `${world.origin}${path}` });
const brave = () => ({
  WEB_SEARCH: 'brave',
  WEB_SEARCH_URL: `${world.origin}/brave`,
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
      'of a gateway that is not OpenRouter',
      () => ({ WEB_SEARCH: 'gateway' }),
      404,
      /^note Web search: .*plugin/,
    ],
    ['of SearXNG', searxng, { json: { results } }, /^ok Web search: 127\.0\.0\.1:\d+ returns results\.$/],
    ['of Brave', brave, { json: { type: 'search', web: { results } } }, /^ok Web search: /],
    ['without an address', () => ({ WEB_SEARCH: 'searxng' }), 404, /^wrong WEB_SEARCH_URL: required with/],
    ['without a key', () => ({ WEB_SEARCH: 'brave' }), 404, /^wrong WEB_SEARCH_KEY: required with/],
    ['of nobody', () => ({ WEB_SEARCH_KEY: 'x' }), 404, /^wrong WEB_SEARCH: required with WEB_SEARCH_KEY/],
    [
      'that gives no JSON',
      searxng,
      403,
      /^wrong Web search: SearXNG returns no JSON \(status 403\)\. Add json/,
    ],
    ['that limits us', searxng, 429, /^wrong Web search: SearXNG treats this server as a bot/],
    [
      'at another address',
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
      'that sends us elsewhere',
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
)('says of a web search %s what it is', async (_, env, answer, finding) => {
  answers = { '/search': answer, '/nothing/search': answer, '/brave/res/v1/web/search': answer };
  const findings = await look(env());
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
    ['that may not spend', () => whisper, false, 404, /^note Dictation: maker\/whisper was not tested/],
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
      'of a gateway without it',
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
)('says of dictation %s what it is', async (_, env, spend, answer, finding) => {
  answers = { '/v1/audio/transcriptions': answer };
  const texts = (await look(env(), { spend })).map(({ state, about, text }) => `${state} ${about}: ${text}`);
  expect(texts).toContainEqual(expect.stringMatching(finding));
});
