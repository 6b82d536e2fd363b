import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Me } from '#features/accounts/contract.ts';
import { creditTexts } from '#features/credits/contract.ts';
import { send, uniqueWord, waitForEnd } from '../support/chat.ts';
import { mailTo } from '../support/mailbox.ts';
import { client, createPerson, type Person } from '../support/people.ts';
import { makeDatabase } from '../support/postgres.ts';
import { databaseTarget, startProxy, type TcpProxy, throughProxy } from '../support/proxy.ts';
import { freePort } from '../support/raw.ts';
import { eventually, startTestServer, type TestServer } from '../support/server.ts';
import { expectWithin, soak } from '../support/soak.ts';
import { newAddress, visitor } from '../support/visitor.ts';

interface JsonError {
  error: string;
  code: string;
  requestId: string;
}

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres') });
});
afterAll(() => server.stop());

/** Returns log lines of a pino level (40 is warn, 50 is error) that contain `part`. */
function logLines(level: number, part: string): Array<Record<string, unknown>> {
  return server
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.includes(part))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter((line) => line.level === level);
}

describe('a refusal has the text of the specification, and no more', () => {
  const sentence = /^[A-Z][^<>{}]*\.$/;

  async function expectRefusal(response: Response, status: number, code: string): Promise<JsonError> {
    const body = (await response.json()) as JsonError;
    expect([response.status, body.code]).toEqual([status, code]);
    expect(Object.keys(body).sort()).toEqual(['code', 'error', 'requestId']);
    expect(body.error).toMatch(sentence);
    expect(body.error).not.toMatch(/select|error:|stack|undefined|null/i);
    return body;
  }
  const post = (person: Pick<Person, 'send'>, chat: string) =>
    person.send(
      'POST',
      `/api/chats/${chat}/messages`,
      { text: `${uniqueWord()} [[mode:hold]]`, create: true },
      { 'idempotency-key': randomUUID() },
    );

  test('401 for a guest', async () => {
    const body = await expectRefusal(await post(client(server), randomUUID()), 401, 'unauthorized');
    expect(body.error).toBe('Sign in to continue.');
  });

  test('402 without credits', async () => {
    const person = await createPerson(server, { credits: 0 });
    const body = await expectRefusal(await post(person, randomUUID()), 402, 'credits_exhausted');
    expect(body.error).toBe('Insufficient credits. Please purchase more credits or subscribe to a plan.');
  });

  test('403 from another site', async () => {
    const person = await createPerson(server);
    const response = await person.send('POST', '/api/chats', {}, { origin: 'https://evil.test' });
    expect((await expectRefusal(response, 403, 'forbidden')).error).toBe(
      'This request didn’t come from our site.',
    );
  });

  test('429 with the seconds to wait: conversations a day, simultaneous replies, sign-in mails', async () => {
    const person = await createPerson(server);
    for (let i = 0; i < 3; i++) expect((await person.send('POST', '/api/chats', {})).status).toBe(201);
    const day = await post(person, randomUUID());
    const untilMidnight = Number(day.headers.get('retry-after'));
    expect((await expectRefusal(day, 429, 'daily_chats')).error).toBe(creditTexts.dailyChats());
    expect(untilMidnight).toBeGreaterThan(0);
    expect(untilMidnight).toBeLessThanOrEqual(86_400);
    const busy = await createPerson(server, { plan: 'pro' });
    const runs = [await post(busy, randomUUID()), await post(busy, randomUUID())];
    const third = await post(busy, randomUUID());
    expect(third.headers.get('retry-after')).toMatch(/^\d+$/);
    await expectRefusal(third, 429, 'too_many_running');
    for (const run of runs) {
      const { generation } = (await run.json()) as { generation: { id: string } };
      await busy.send('POST', `/api/generations/${generation.id}/stop`);
    }
    const email = `${randomUUID()}@example.com`;
    const asks = [];
    for (let i = 0; i < 4; i++) asks.push(await client(server).send('POST', '/api/sign-in/email', { email }));
    const last = asks.at(-1) as Response;
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
    await expectRefusal(last, 429, 'rate_limited');
  });

  test('404 and 405 are a page for a browser, JSON for a program', async () => {
    const page = await fetch(`${server.url}/nothing`, { headers: { accept: 'text/html' } });
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(await page.text()).toMatch(/<meta name="robots" content="noindex"/);
    await expectRefusal(
      await fetch(`${server.url}/api/nothing`, { headers: { accept: 'text/html' } }),
      404,
      'not_found',
    );
    const response = await fetch(`${server.url}/`, {
      method: 'PUT',
      headers: { accept: 'text/html', origin: server.url },
    });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      405,
      'text/html; charset=utf-8',
    ]);
    expect(response.headers.get('allow')).toBe('GET, HEAD');
  });
});

describe('an internal error', () => {
  let person: Person;
  let chatId: string;
  const word = `private-${uniqueWord()}`;
  beforeAll(async () => {
    person = await createPerson(server);
    const sent = await send(person, `${word} [[tps:0]] [[first:0]]`);
    await waitForEnd(person, sent.body.generation.id);
    chatId = sent.chatId;
  });

  /** Runs `work` while a column is renamed, so that every query that reads it fails. */
  async function withoutColumn(table: string, column: string, work: () => Promise<void>): Promise<void> {
    await server.database.query(`alter table ${table} rename column ${column} to ${column}_gone`);
    try {
      await work();
    } finally {
      await server.database.query(`alter table ${table} rename column ${column}_gone to ${column}`);
    }
  }

  const internals = /chat_sessions|token_hash|does not exist|42703|\.js:\d/;

  test('in a route is a 500 with an id, and one log line with this id', async () => {
    await withoutColumn('chat_sessions', 'title', async () => {
      const response = await person.get('/api/chats');
      const body = (await response.json()) as JsonError;
      expect([response.status, body.code]).toEqual([500, 'internal']);
      expect(body.requestId).toBe(response.headers.get('x-request-id'));
      expect(body.error).toBe('Something went wrong on our side. Try again.');
      const lines = await eventually(async () => {
        const found = logLines(50, body.requestId);
        return found.length > 0 && found;
      });
      expect(lines).toHaveLength(1);
      expect(lines[0]).toMatchObject({
        requestId: body.requestId,
        path: '/api/chats',
        msg: 'unexpected error',
      });
      expect(JSON.stringify(lines)).toContain('does not exist');
      expect(JSON.stringify(lines)).not.toMatch(new RegExp(`${word}|${person.email}|${person.cookie}`));
    });
    expect((await person.get('/api/chats')).status).toBe(200);
  });

  test('in a loader is an error page with an id, and one log line with this id', async () => {
    await withoutColumn('chat_sessions', 'title', async () => {
      const response = await person.get(`/chat/${chatId}`, { accept: 'text/html' });
      const id = response.headers.get('x-request-id') ?? '-';
      const html = await response.text();
      expect([response.status, response.headers.get('cache-control')]).toEqual([500, 'private, no-store']);
      expect(html).toContain(id);
      expect(html).toContain('Something went wrong');
      const data = await person.get(`/chat/${chatId}.data`);
      for (const text of [
        html.replace(/<title>.*?<\/title>/g, '').replace(/<[^>]*>/g, ' '),
        await data.text(),
      ])
        expect(text).not.toMatch(internals);
      const lines = await eventually(async () => {
        const found = logLines(50, id);
        return found.length > 0 && found;
      });
      expect(lines).toHaveLength(1);
      expect(JSON.stringify(lines)).not.toMatch(new RegExp(`${word}|${person.email}|${person.cookie}`));
    });
    expect((await person.get(`/chat/${chatId}`)).status).toBe(200);
  });

  test('in the check before every route reveals nothing either', async () => {
    await withoutColumn('sessions', 'token_hash', async () => {
      for (const [path, accept] of [
        ['/api/me', 'application/json'],
        ['/', 'text/html'],
      ] as const) {
        const response = await person.get(path, { accept });
        const text = await response.text();
        expect(response.status).toBe(500);
        expect(text).toContain(response.headers.get('x-request-id'));
        expect(text).not.toMatch(internals);
      }
      expect((await client(server).get('/')).status).toBe(200);
    });
  });

  test.runIf(soak)(
    'in a job is a log line without personal data, and the next attempt succeeds',
    async () => {
      const email = `${randomUUID()}@example.com`;
      await withoutColumn('sign_ins', 'code_hash', async () => {
        expect((await client(server).send('POST', '/api/sign-in/email', { email })).status).toBe(200);
        const [line] = await eventually(async () => {
          const found = logLines(40, 'send-sign-in-mail');
          return found.length > 0 && found;
        });
        expect(line).toMatchObject({ job: 'send-sign-in-mail', attempt: 1, msg: 'a job failed' });
        expect(JSON.stringify(line)).not.toContain(email);
      });
      expect((await mailTo(server, email)).code).toMatch(/^\d{6}$/);
    },
  );

  test('does not end the process', async () => {
    expect(server.process.exitCode).toBeNull();
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    expect(logLines(50, 'uncaught exception')).toEqual([]);
    expect(logLines(50, 'unhandled rejection')).toEqual([]);
  });
});

describe('while the database is unavailable', () => {
  let proxy: TcpProxy;
  let base: string;
  let name: string;
  let starting: Promise<TestServer>;
  const status = async (path: string) => (await fetch(base + path)).status;
  const readOnly = (enabled: boolean) =>
    server.database.query(`alter database ${name} set default_transaction_read_only = ${enabled}`);
  const sessions = async () => {
    const { rows } = await server.database.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity where datname = $1 and application_name like 'site%'`,
      [name],
    );
    return rows[0]?.count ?? 0;
  };
  const readyAgain = () => eventually(async () => (await status('/readyz')) === 200);

  beforeAll(async () => {
    const [url, port] = [await makeDatabase(inject('postgres')), await freePort()];
    name = url.replace(/^.*\//, '');
    proxy = await startProxy(databaseTarget(url));
    proxy.cut();
    base = `http://127.0.0.1:${port}`;
    const databaseUrl = throughProxy(url, proxy.port);
    starting = startTestServer({
      postgres: inject('postgres'),
      databaseUrl,
      env: { PORT: String(port), TRUSTED_PROXIES: '127.0.0.1' },
    });
  });
  afterAll(async () => {
    await proxy.up().catch(() => undefined);
    await (await starting).stop();
    await proxy.down();
  });

  test('a start waits for it: alive, not ready, with one log line', async () => {
    await eventually(async () => (await status('/healthz')) === 200);
    expect(await status('/readyz')).toBe(503);
    expect(await status('/favicon.svg')).toBe(200);
    const page = await fetch(base, { headers: { accept: 'text/html' } });
    expect([page.status, page.headers.get('retry-after')]).toEqual([503, '3']);
    expect(await page.text()).toContain('The site is restarting.');
    // The site retries once a second: one log line per try would show by the second refusal.
    await eventually(async () => proxy.refused() >= 2);
    await readOnly(true);
    await proxy.up();
    // The database answers but is read-only; the site waits for that to end too.
    await eventually(async () => (await sessions()) > 0);
    expect(await status('/healthz')).toBe(200);
    expect(await status('/readyz')).toBe(503);
    await readOnly(false);
    await readyAgain();
    const site = await starting;
    const notices = site.output().match(/the database cannot be reached; retrying until it is back/g);
    expect(notices).toHaveLength(1);
    expect(site.output().match(/^.*(uncaught|unhandled).*$/gm)).toBeNull();
  });

  test.runIf(soak)(
    'a running site is not ready, and explains so, while the database is read-only',
    async () => {
      const site = await starting;
      const person = await createPerson(site);
      await readOnly(true);
      proxy.cut();
      await proxy.up();
      await eventually(async () => (await status('/readyz')) === 503);
      expect(await status('/healthz')).toBe(200);
      expect((await person.get('/api/me')).status).toBe(200);
      const refused = await person.send('POST', '/api/chats', {});
      expect([refused.status, await refused.json()]).toMatchObject([503, { code: 'unavailable' }]);
      await readOnly(false);
      proxy.cut();
      await proxy.up();
      await readyAgain();
      expect(site.process.exitCode).toBeNull();
    },
  );

  test('a running site answers 503 for what needs the database, and recovers by itself, with jobs and replies', async () => {
    const site = await starting;
    const person = await createPerson(site);
    expect((await person.get('/api/me')).status).toBe(200);
    expect(await status('/')).toBe(200);
    await proxy.down();
    // The site tries to write once a second.
    await eventually(async () => (await status('/readyz')) === 503);
    expect(await status('/healthz')).toBe(200);
    expect(await status('/')).toBe(200);
    const refused = await person.get('/api/me');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await refused.json()).toMatchObject({ code: 'unavailable' });
    const page = await person.get('/chat', { accept: 'text/html' });
    expect(page.status).toBe(503);
    expect(await page.text()).toContain('The site is briefly unavailable.');
    await proxy.up();
    const backAt = Date.now();
    await readyAgain();
    expectWithin(Date.now() - backAt, 10_000);
    expect(((await (await person.get('/api/me')).json()) as Me).id).toBe(person.id);
    const sent = await send(person, `${uniqueWord()} [[tps:0]] [[first:0]]`);
    expect(await waitForEnd(person, sent.body.generation.id)).toMatchObject({ state: 'done' });
    let email = '';
    // The jobs failed to start and are retried every second.
    await eventually(async () => {
      email = newAddress();
      const { status: answer } = await visitor(site).ask(email);
      expect([200, 503]).toContain(answer);
      return answer === 200;
    });
    expect((await mailTo(site, email)).code).toMatch(/^\d{6}$/);
    expect(site.process.exitCode).toBeNull();
    expect(site.output().match(/^.*(uncaught|unhandled).*$/gm)).toBeNull();
  });
});
