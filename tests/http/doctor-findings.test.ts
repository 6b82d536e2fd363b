import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type DnsServer, startDnsServer } from '../support/dns-server.ts';
import {
  type Answer,
  type OutsideServices,
  serviceKeys,
  startOutsideServices,
} from '../support/outside-services.ts';
import { makeDatabase, withDatabase } from '../support/postgres.ts';
import { freePort } from '../support/raw.ts';
import { runEntry, startTestServer, type TestServer } from '../support/server.ts';
import { soak } from '../support/soak.ts';
import {
  type Certificate,
  certificates,
  type ProxyFaults,
  startTlsProxy,
  type TlsProxy,
} from '../support/tls-proxy.ts';

const AUTH_SECRET = 'Zr8vQ2mKx5Lw9TnB4yHc7JpD1sGf6VaE';

/** TXT records that the stand-in name server returns, by domain. */
const mailRecords = {
  'tools.test': ['v=spf1 include:mail.test ~all', 'site-verification=1'],
  'key1._domainkey.tools.test': ['v=DKIM1; k=rsa; p=MIIB'],
  '_dmarc.tools.test': ['v=DMARC1; p=none'],
  'no-spf.test': ['site-verification=1'],
  'key1._domainkey.no-spf.test': ['v=DKIM1; p=MIIB'],
  '_dmarc.no-spf.test': ['v=DMARC1; p=none'],
  'two-spf.test': ['v=spf1 mx ~all', 'v=spf1 a ~all'],
  'key1._domainkey.two-spf.test': ['v=DKIM1; p=MIIB'],
  '_dmarc.two-spf.test': ['v=DMARC1; p=none'],
  'open-spf.test': ['v=spf1 +all'],
  'key1._domainkey.open-spf.test': ['v=DKIM1; p=MIIB'],
  '_dmarc.open-spf.test': ['v=DMARC1; p=none'],
  'no-dkim.test': ['v=spf1 mx -all'],
  '_dmarc.no-dkim.test': ['v=DMARC1; p=none'],
  'no-dmarc.test': ['v=spf1 mx -all'],
  'key1._domainkey.no-dmarc.test': ['v=DKIM1; p=MIIB'],
};

const folder = mkdtempSync(join(tmpdir(), 'site-doctor-'));
let services: OutsideServices;
let dns: DnsServer;
let site: TestServer;
let base: Record<string, string>;
let proxy: TlsProxy;
let sitePort: number;
let authorityOf: Awaited<ReturnType<typeof certificates>>;
let validCertificate: Certificate;
const proxies: TlsProxy[] = [];

async function throughProxy(faults: ProxyFaults, certificate = validCertificate): Promise<TlsProxy> {
  const started = await startTlsProxy(() => ({ port: sitePort, publicUrl: proxy.url }), certificate, faults);
  proxies.push(started);
  return started;
}

beforeAll(async () => {
  services = await startOutsideServices();
  dns = await startDnsServer(mailRecords);
  authorityOf = await certificates();
  validCertificate = await authorityOf.make('localhost', { since: 1, left: 80 });
  writeFileSync(join(folder, 'authority.pem'), authorityOf.authority);
  // Makes Node query this name server instead of the machine's.
  const setServers = `data:text/javascript,import dns from 'node:dns';dns.setServers(['${dns.address}'])`;
  sitePort = await freePort();
  proxy = await throughProxy({});
  base = {
    ...services.env(),
    AUTH_SECRET,
    PORT: String(sitePort),
    SANDBOX: 'false',
    PUBLIC_URL: proxy.url,
    TRUSTED_PROXIES: '127.0.0.1',
  };
  site = await startTestServer({
    postgres: inject('postgres'),
    standins: 'http://127.0.0.1:1',
    env: base,
  });
  base.NODE_EXTRA_CA_CERTS = join(folder, 'authority.pem');
  base.NODE_OPTIONS = `--import="${setServers}"`;
});
afterAll(async () => {
  await site?.stop();
  for (const each of proxies) each.stop();
  await services.stop();
  await dns.stop();
  rmSync(folder, { recursive: true });
});

interface Setup {
  env?: Record<string, string>;
  faults?: Record<string, Answer>;
  databaseUrl?: string;
  dataDir?: string;
}

/** Runs the command as the operator does. @returns its findings as `About: text` */
async function findings({ env, faults, databaseUrl, dataDir }: Setup): Promise<string[]> {
  const place = { databaseUrl: databaseUrl ?? site.databaseUrl, dataDir: dataDir ?? site.dataDir };
  const { code, output } = await runEntry('doctor', place, [], {
    ...base,
    ...(faults ? services.env(faults) : {}),
    ...env,
  });
  for (const secret of [AUTH_SECRET, ...Object.values(serviceKeys)]) expect(output).not.toContain(secret);
  const found = [...output.matchAll(/^wrong {4}(\S+) +(.*)$/gm)].map(
    ([, about, text]) => `${about}: ${text}`,
  );
  expect(code, output).toBe(found.length > 0 ? 1 : 0);
  return found;
}

const changedUrl = (url: string, change: (url: URL) => void) => {
  const changed = new URL(url);
  change(changed);
  return changed.href;
};

/** Returns the URL of a new database on which no site runs. */
async function databaseWith(sql: string): Promise<string> {
  const url = await makeDatabase(inject('postgres'));
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql);
  await client.end();
  return url;
}

const withSender = (domain: string) => ({ env: { MAIL_FROM: `Tools <hello@${domain}>` } });
const behindProxy = async (faults: ProxyFaults, certificate?: Certificate) => ({
  env: { PUBLIC_URL: (await throughProxy(faults, certificate)).url },
});
const certificateFor = (host: string, left: number) => authorityOf.make(host, { since: 100, left });

/** What is set up wrong, how, the expected finding, and a pattern for findings that may come with it. */
const cases: Array<[string, () => Setup | Promise<Setup>, RegExp, RegExp?]> = [
  // Settings
  ['an invalid setting', () => ({ env: { PORT: 'http' } }), /^PORT: must be a number$/],
  [
    'a public address without TLS',
    () => ({ env: { PUBLIC_URL: 'http://tools.test' } }),
    /^PUBLIC_URL: must be https/,
  ],
  [
    'a default secret',
    () => ({ env: { AUTH_SECRET: 'change-me-0123456789-abcdefghijkl' } }),
    /^AUTH_SECRET: must be at least/,
  ],
  ['half a provider', () => ({ env: { GITHUB_CLIENT_SECRET: '' } }), /^GITHUB_CLIENT_SECRET: required with/],
  ['a misspelt name', () => ({ env: { SMTP_ULR: 'x' } }), /^Setting: .* did you mean SMTP_URL\?$/],
  [
    'a folder without write access',
    () => ({ dataDir: '/proc/site' }),
    /^Storage: Can't write to \/proc/,
    /^Processes: .*DATA_DIR/,
  ],
  [
    'trusted proxies that include every address',
    () => ({ env: { TRUSTED_PROXIES: '0.0.0.0/0' } }),
    /^Proxy: TRUSTED_PROXIES trusts 0\.0\.0\.0\/0, .*\. Set it to the address of your proxy only\.$/,
  ],
  [
    'trusted proxies that include all of IPv6',
    () => ({ env: { TRUSTED_PROXIES: '127.0.0.1, ::/0' } }),
    /^Proxy: TRUSTED_PROXIES trusts ::\/0/,
  ],
  [
    'an invalid Google client id',
    () => ({ env: { GOOGLE_CLIENT_ID: 'me@gmail.com' } }),
    /^Google: GOOGLE_CLIENT_ID does not/,
  ],
  // Database and processes
  [
    'a missing database',
    () => ({ databaseUrl: withDatabase(site.databaseUrl, 'nothing') }),
    /^Database: The database in DATABASE_URL does not exist/,
  ],
  [
    'a database that is not running',
    async () => ({ databaseUrl: `postgres://user:word@127.0.0.1:${await freePort()}/x` }),
    /^Database: Nothing is listening at DATABASE_URL/,
  ],
  [
    'processes with two secrets',
    () => ({ env: { AUTH_SECRET: 'Yq3nT7cWk2Zs5Rb8Lm1Hx6Vp4Jd9Gf0E' } }),
    /^Processes: .* a different AUTH_SECRET, .*\. Give all of them the same one\.$/,
    /^Proxy: .* a different AUTH_SECRET/,
  ],
  [
    'processes with two folders',
    () => ({ dataDir: folder }),
    /^Processes: .* different files, .*\. Give all of them the same DATA_DIR/,
  ],
  [
    'a schema of a newer build',
    async () => ({
      databaseUrl: await databaseWith(
        `insert into schema_migrations (version, name, hash) values (9999, 'later', '')`,
      ),
    }),
    /^Schema: The database has schema 9999/,
  ],
  [
    'a clock changed in a sandbox',
    async () => ({ databaseUrl: await databaseWith('update app_clock set offset_ms = 5') }),
    /^Database: The clock of this database was moved/,
  ],
  [
    'backups that have stopped',
    async () => ({
      env: { BACKUP_DIR: folder },
      databaseUrl: await databaseWith(
        `insert into instance_values (key, value) values ('last-backup', '{"address":"/b/one.tar.zst","madeAt":"2026-01-01T03:15:00Z"}')`,
      ),
    }),
    /^Backup: The last backup is \d+ days old/,
  ],
  // Models
  [
    'a gateway that is not running',
    async () => ({ env: { LLM_BASE_URL: `http://127.0.0.1:${await freePort()}/v1` } }),
    /^Models: Can't connect to LLM_BASE_URL/,
  ],
  [
    'a wrong gateway path',
    () => ({ env: { LLM_BASE_URL: changedUrl(base.LLM_BASE_URL ?? '', (url) => (url.pathname = '/0')) } }),
    /^Models: There is no model list/,
  ],
  [
    'a wrong key',
    () => ({ env: { LLM_API_KEY: 'other' } }),
    /^Models: The gateway rejected LLM_API_KEY\. Check the key\.$/,
  ],
  [
    'a wrong key with a public model list, without spending',
    () => ({ faults: { '/v1/key': 404, '/v1/chat/completions': 401 } }),
    /^Key: The gateway rejected LLM_API_KEY\. Check the key\.$/,
  ],
  [
    'a key that has reached its limit',
    () => ({ faults: { '/v1/key': { json: { data: { limit_remaining: 0 } } } } }),
    /^Key: LLM_API_KEY has reached its limit/,
  ],
  ['a misspelt model', () => ({ env: { LLM_MODEL: 'maker/txt-2' } }), /^Models: .* such as maker\/text-2\.$/],
  [
    'a spending cap without a price',
    () => ({ env: { SPEND_CAP_DAY: '25' } }),
    /^Spending: SPEND_CAP_DAY counts an assumed price/,
  ],
  [
    'a context larger than the model supports',
    () => ({
      faults: {
        '/v1/models': {
          json: { data: [{ id: 'maker/text-2', context_length: 8192 }, { id: 'maker/picture-1' }] },
        },
      },
    }),
    /^Context: CONTEXT_TOKENS is 16000, but maker\/text-2 has room for only 8192, .*\. Set it to 6100/,
  ],
  [
    'a wrong clock',
    () => ({
      faults: { '/v1/models': { json: { data: [] }, date: new Date(Date.now() - 3_600_000).toUTCString() } },
    }),
    /^Clock: This machine's clock is 3[56]\d\d s ahead of the gateway/,
  ],
  // Mail
  [
    'a mail server that is not running',
    async () => ({ env: { SMTP_URL: `smtp://127.0.0.1:${await freePort()}` } }),
    /^Mail: SMTP_URL: .*Fix the host and port/,
  ],
  [
    'a wrong mail password',
    () => ({ env: { SMTP_URL: changedUrl(base.SMTP_URL ?? '', (url) => (url.password = 'no')) } }),
    /^Mail: SMTP_URL: the server rejected the username or password/,
  ],
  [
    'TLS with a server that has none',
    () => ({ env: { SMTP_URL: (base.SMTP_URL ?? '').replace('smtp:', 'smtps:') } }),
    /^Mail: SMTP_URL: the connection .*smtps:\/\/ for port 465/,
  ],
  ['a placeholder as sender', () => withSender('example.com'), /^Sender: MAIL_FROM is still a placeholder/],
  [
    'a domain without SPF',
    () => withSender('no-spf.test'),
    /^Sender: no-spf\.test has no SPF record, .*\. Add the TXT record/,
  ],
  ['two SPF records', () => withSender('two-spf.test'), /^Sender: two-spf\.test has two SPF records/],
  [
    'an SPF record that allows everybody',
    () => withSender('open-spf.test'),
    /^Sender: The SPF record of open-spf\.test lets anyone/,
  ],
  [
    'a domain without DKIM',
    () => withSender('no-dkim.test'),
    /^Sender: no-dkim\.test has no DKIM key\. Add the records below _domainkey\.no-dkim\.test/,
  ],
  [
    'a domain without DMARC',
    () => withSender('no-dmarc.test'),
    /^Sender: no-dmarc\.test has no DMARC record, .*\. Add TXT _dmarc\.no-dmarc\.test/,
  ],
  // Payments
  [
    'a wrong Creem key',
    () => ({ env: { CREEM_API_KEY: 'creem_other' } }),
    /^Payments: Creem rejected CREEM_API_KEY/,
  ],
  [
    'an unknown product',
    () => ({ env: { CREEM_PRODUCT_YEARLY: 'prod_z' } }),
    /^Payments: Creem has no product .*_YEARLY/,
  ],
  [
    'a product with another price',
    () => ({
      faults: {
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
    }),
    /^Payments: The product in CREEM_PRODUCT_MONTHLY costs 18\.99 USD/,
  ],
  // Traces
  [
    'a trace collector that is not running',
    async () => ({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}` } }),
    /^Traces: Can't connect to OTEL_EXPORTER_OTLP_ENDPOINT \(ECONNREFUSED\)\. Start the server there/,
  ],
  [
    'a collector that rejects its key',
    () => ({
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: changedUrl(base.LLM_BASE_URL ?? '', (url) => (url.pathname = '/0')),
      },
    }),
    /^Traces: The collector rejected OTEL_EXPORTER_OTLP_HEADERS \(status 401\)\. Check/,
  ],
  // The address, its certificate and the proxy
  [
    'an expired certificate',
    async () => behindProxy({}, await certificateFor('localhost', -2)),
    /^Certificate: The certificate of PUBLIC_URL has expired\. Find out why/,
  ],
  [
    'a certificate of another host',
    async () => behindProxy({}, await certificateFor('other.test', 60)),
    /^Certificate: The certificate of PUBLIC_URL is for a different host/,
  ],
  [
    'a certificate that expires soon',
    async () => behindProxy({}, await certificateFor('localhost', 5.5)),
    /^Certificate: The certificate of PUBLIC_URL expires in 5 days/,
  ],
  [
    'a certificate of an unknown authority',
    async () =>
      behindProxy({}, await (await certificates('Another')).make('localhost', { since: 1, left: 80 })),
    /^Certificate: The certificate of PUBLIC_URL (is signed by an authority|is missing its intermediate)/,
  ],
  [
    'an address without TLS',
    () => ({ env: { PUBLIC_URL: `https://localhost:${sitePort}` } }),
    /^Address: PUBLIC_URL does not speak TLS/,
  ],
  [
    'an address where nothing listens',
    async () => ({ env: { PUBLIC_URL: `https://localhost:${await freePort()}` } }),
    /^Address: PUBLIC_URL refused the connection\. Start the proxy/,
  ],
  [
    'an address that serves another site',
    () => behindProxy({ answers: { status: 200, text: 'Welcome to nginx!' } }),
    /^Address: PUBLIC_URL responds, but not with this site/,
  ],
  [
    'a proxy that does not reach the site',
    () => behindProxy({ answers: { status: 502, text: 'Bad Gateway' } }),
    /^Address: The proxy at PUBLIC_URL can't reach the site \(status 502\)/,
  ],
  [
    'a proxy that sends no visitor addresses',
    () => behindProxy({ forwardedFor: 'drop' }),
    /^Proxy: The proxy does not send visitors' addresses/,
  ],
  [
    'a proxy that trusts addresses from visitors',
    () => behindProxy({ forwardedFor: 'pass' }),
    /^Proxy: The proxy forwards X-Forwarded-For as visitors send it/,
  ],
  [
    'a proxy that is not trusted',
    () => behindProxy({ from: '127.0.0.2' }),
    /^Proxy: The proxy at 127\.0\.0\.2 is not in TRUSTED_PROXIES\. Add it/,
  ],
  [
    'a proxy that changes the host',
    () => behindProxy({ host: 'inside.test' }),
    /^Proxy: The proxy sends a Host other than/,
  ],
  [
    'a proxy that buffers streams',
    () => behindProxy({ buffers: true }),
    /^Streams: The proxy holds replies back .*proxy_buffering off/,
  ],
  [
    'a proxy that refuses 10 MB',
    () => behindProxy({ maxBody: 1024 * 1024 }),
    /^Uploads: The proxy rejects 10 MB files, .*client_max_body_size 12m/,
  ],
];

// run-checks.server.ts has a test for each check. This one runs the whole command; the soak tries every case.
const selected = soak ? cases : cases.filter((_, changedUrl) => changedUrl % 20 === 0);

describe('npm run doctor', () => {
  test('finds no problems in a correct setup', async () => {
    expect(await findings({})).toEqual([]);
  });

  test.concurrent.each(selected)('reports %s, with a remedy', async (_, setup, expected, alsoAllowed) => {
    const found = await findings(await setup());
    expect(found).toContainEqual(expect.stringMatching(expected));
    for (const finding of found) {
      if (alsoAllowed?.test(finding)) continue;
      expect(finding).toMatch(expected);
      // A finding is one sentence with what is wrong, a colon and what to do; or a setting and what it must be.
      expect(finding).toMatch(/: \S.*[.?]( \(\d+\))?$|^[A-Z_]+: /);
    }
  });
});
