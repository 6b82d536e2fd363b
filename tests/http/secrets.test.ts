import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text as textOfStream } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type RunningStandIns, spawnStandIns } from '../../standins/spawn.ts';
import { gatewayLog, readEvents, type Sent, send, uniqueWord, waitForEnd } from '../support/chat.ts';
import { deliver, eventBody, sign } from '../support/creem-events.ts';
import { netTargets } from '../support/net-targets.ts';
import { client } from '../support/people.ts';
import { AUTH_SECRET, eventually, startTestServer, type TestServer } from '../support/server.ts';

const clientFolder = resolve(import.meta.dirname, '../../build/client');
const randomSecret = (name: string) => `${name}-${randomBytes(12).toString('hex')}`;

/** Secrets that must never leak, by name. */
const secrets: Record<string, string> = {
  'model key': `sk-${randomBytes(16).toString('hex')}`,
  'mail password': randomSecret('mail'),
  'metrics token': randomSecret('metrics-token'),
  'webhook secret': `whsec_${randomBytes(24).toString('base64')}`,
  'payment key': `creem_test_${randomBytes(16).toString('hex')}`,
  AUTH_SECRET,
};
/** Received mails, newest last. */
const mails: string[] = [];
const refused = `refused-${randomUUID()}@example.com`;

let folder: string;
let standins: RunningStandIns;
let smtp: SMTPServer;
let server: TestServer;

/** Starts a mail server that wants a password and refuses one recipient in words that repeat the address. */
async function startMailServer(): Promise<number> {
  smtp = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    logger: false,
    onAuth: ({ username, password }, _session, done) =>
      password === secrets['mail password']
        ? done(null, { user: username })
        : done(new Error('wrong password')),
    onRcptTo: ({ address }, _session, done) =>
      address === refused ? done(new Error(`no mailbox <${address}> here`)) : done(),
    onData: (stream, _session, done) => {
      textOfStream(stream).then((mail) => {
        mails.push(mail.replace(/=\r\n/g, '').replace(/=3D/g, '='));
        done();
      }, done);
    },
  });
  await new Promise<void>((done) => smtp.listen(0, '127.0.0.1', () => done()));
  return (smtp.server.address() as { port: number }).port;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'site-net-'));
  standins = await spawnStandIns();
  const port = await startMailServer();
  const preload = new URL('../support/net-record.ts', import.meta.url).href;
  server = await startTestServer({
    postgres: inject('postgres'),
    standins: standins.base,
    smtp: `smtp://mailer:${secrets['mail password']}@127.0.0.1:${port}`,
    env: {
      LLM_API_KEY: secrets['model key'] ?? '',
      METRICS_TOKEN: secrets['metrics token'] ?? '',
      CREEM_API_KEY: secrets['payment key'] ?? '',
      CREEM_WEBHOOK_SECRET: secrets['webhook secret'] ?? '',
      LOG_LEVEL: 'debug',
      NET_RECORD: join(folder, 'net'),
      NODE_OPTIONS: `--import=${preload}`,
    },
  });
  secrets['database password'] = new URL(server.databaseUrl.replace(/@[^/]*\//, '@x/')).password;
});
afterAll(async () => {
  await server.stop();
  await new Promise<void>((done) => smtp.close(() => done()));
  await standins.remove();
  rmSync(folder, { recursive: true, force: true });
});

const json = async (response: Response) => (await response.json()) as Record<string, unknown>;
/** Adds every cookie value that a response sets to `secrets`; returns the cookies. */
function rememberCookies(response: Response): string {
  const pairs = response.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
  for (const pair of pairs) secrets[`cookie ${pair.slice(0, 16)}`] = pair.slice(pair.indexOf('=') + 1);
  return pairs.join('; ');
}

async function mailFor(email: string): Promise<{ token: string; code: string }> {
  const mail = await eventually(async () => mails.findLast((one) => one.includes(email)));
  const token = /token=([\w-]{43})/.exec(mail)?.[1] ?? '';
  const code = /^(\d{6})\r?$/m.exec(mail)?.[1] ?? '';
  Object.assign(secrets, { [`link of ${email}`]: token, [`code of ${email}`]: code, [email]: email });
  return { token, code };
}

function press(token: string, cookie: string) {
  return fetch(`${server.url}/sign-in/confirm`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: server.url, cookie },
    body: new URLSearchParams({ token }),
  });
}

/** Makes a whole visit: sign-in by link and by code, wrong tries, a chat with failures, sign-out. */
async function visit(): Promise<{ cookie: string; chat: string }> {
  const [byLink, byCode] = [`link-${randomUUID()}@example.com`, `code-${randomUUID()}@example.com`];
  const guest = client(server);
  for (const email of [byLink, byCode, refused]) {
    rememberCookies(await guest.send('POST', '/api/sign-in/email', { email, next: '/chat' }));
  }
  const { token } = await mailFor(byLink);
  await (await fetch(`${server.url}/sign-in/confirm?token=${token}`)).text();
  const cookie = rememberCookies(await press(token, ''));
  await press(token, cookie);
  const { code } = await mailFor(byCode);
  await guest.send('POST', '/api/sign-in/code', { email: byCode, code: '000000' });
  const other = rememberCookies(await guest.send('POST', '/api/sign-in/code', { email: byCode, code }));
  secrets[refused] = refused;
  const person = client(server, cookie);
  const words = `private-${uniqueWord()}`;
  secrets['words of a message'] = words;
  const chat = randomUUID();
  for (const mode of ['ok', '500', 'miderror', 'html', 'badjson', 'reset']) {
    const sent = await talk(person, chat, `${words} [[mode:${mode}]] [[tps:0]] [[first:0]]`);
    await waitForEnd(person as never, sent.generation.id);
    await readEvents(await person.get(`/api/generations/${sent.generation.id}/events`));
  }
  await person.send('PATCH', `/api/chats/${chat}`, { title: `${words} as a title` });
  await person.send('PATCH', `/api/chats/${chat}`, { title: 5 });
  for (const path of ['/', '/chat', `/chat/${chat}`, '/api/me', '/api/me/sessions', `/api/chats?q=${words}`])
    await (await person.get(path)).text();
  await client(server, other).send('POST', '/api/sign-out');
  const event = eventBody('credits.granted', {});
  const accepted = await deliver(server, event, {
    'creem-signature': sign(event, secrets['webhook secret']),
  });
  const forged = await deliver(server, event, { 'creem-signature': sign(event, 'another') });
  expect([accepted.status, forged.status]).toEqual([200, 401]);
  const replies = await gatewayLog({ ...server, standins: standins.base }, words);
  secrets['words of a reply'] = replies.find(({ mode }) => mode === 'ok')?.sentText.slice(0, 60) ?? '';
  return { cookie, chat };
}

async function talk(person: ReturnType<typeof client>, chatId: string, message: string) {
  const { body, status } = await send(person as never, message, { chatId });
  expect(status).toBe(202);
  return body as Sent['body'];
}

describe('a visit at the most verbose log level', () => {
  let done: Awaited<ReturnType<typeof visit>>;
  beforeAll(async () => {
    done = await visit();
    // The refused mail is retried for minutes; wait until its first failure is in the log.
    await eventually(async () => server.output().includes('a job failed'));
  });

  test('uses secrets that are long enough to be recognized in a log', () => {
    for (const [name, secret] of Object.entries(secrets))
      expect(secret.length, name).toBeGreaterThanOrEqual(6);
    expect(Object.keys(secrets).length).toBeGreaterThan(14);
    const lines = server.output().split('\n');
    expect(lines.filter((line) => line.includes('"msg":"request"')).length).toBeGreaterThan(20);
  });

  test('leaves no secret, no text and no address in the log', () => {
    const output = server.output();
    const found = Object.entries(secrets).filter(([, secret]) =>
      /^\d{6}$/.test(secret)
        ? new RegExp(`(?<![\\w-])${secret}(?![\\w-])`).test(output)
        : output.includes(secret),
    );
    expect(found.map(([name]) => name)).toEqual([]);
    expect(output).toContain('r***@example.com');
    expect(output).not.toMatch(/authorization|set-cookie/i);
  });

  test('writes one JSON object per line once the site runs', () => {
    const lines = server.output().split('\n').filter(Boolean);
    const odd = lines.filter((line) => !line.startsWith('{') && !line.startsWith('The site is running at'));
    expect(odd).toEqual([]);
    for (const line of lines.filter((one) => one.startsWith('{')))
      expect(() => JSON.parse(line)).not.toThrow();
  });

  test('connects only to this machine and to what was configured', async () => {
    const { all: targets, outside } = netTargets(join(folder, 'net'));
    expect(outside).toEqual([]);
    // Proves that the hook records connections.
    expect([...targets]).toContain(new URL(standins.base).host);
    expect([...targets]).toContain(`127.0.0.1:${(smtp.server.address() as { port: number }).port}`);
    expect([...targets].some((target) => target.includes('.s.PGSQL'))).toBe(true);
  });

  test('sends no secret to a browser', async () => {
    const { cookie, chat } = done;
    const [guest, person] = [client(server), client(server, cookie)];
    const ownTexts = new Set(['words of a message', 'words of a reply']);
    for (const visitor of [guest, person]) {
      for (const path of [
        '/',
        '/sign-in',
        '/chat',
        `/chat/${chat}`,
        `/chat/${chat}.data`,
        '/nothing',
        '/version',
        '/metrics',
      ]) {
        const html = await (await visitor.get(path, { accept: 'text/html' })).text();
        for (const [name, secret] of Object.entries(secrets)) {
          if (visitor === person && (ownTexts.has(name) || name.includes('@'))) continue;
          expect(html, `${name} in ${path}`).not.toContain(secret);
        }
        expect(html, path).not.toMatch(secretShapes);
      }
    }
    const me = await json(await person.get('/api/me'));
    expect(Object.keys(me).sort()).toEqual([
      'avatarUrl',
      'chatModel',
      'chatsLeftToday',
      'credits',
      'email',
      'id',
      'instructed',
      'name',
      'plan',
      'welcomed',
    ]);
  });
});

/** Key formats of the services that the site uses, and private keys. */
const secretShapes =
  /\bsk-[\w-]{8,}|\bwhsec_?\w{4,}|\bcreem_\w{8,}|\bgh[opsu]_\w{16,}|\bAIza\w{20,}|PRIVATE KEY-----/;

test('the browser’s files contain no secret, no server code and no path of the build machine', () => {
  const files = readdirSync(clientFolder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && /\.(js|css|svg|txt|json|webmanifest)$/.test(entry.name),
  );
  expect(files.length).toBeGreaterThan(10);
  for (const { parentPath, name } of files) {
    const code = readFileSync(join(parentPath, name), 'utf8');
    expect(code, name).not.toMatch(secretShapes);
    expect(code, name).not.toMatch(
      /process\.env|AUTH_SECRET|LLM_API_KEY|DATABASE_URL|SMTP_URL|sourceMappingURL/,
    );
    expect(code, name).not.toMatch(
      /credit_ledger|chat_sessions|sign_ins|rate_limits|pg_advisory|node:crypto/,
    );
    expect(code, name).not.toContain(resolve(clientFolder, '../..'));
  }
});
