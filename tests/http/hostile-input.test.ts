import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { ChatRow, ChatView } from '#features/chat/contract.ts';
import { badBodies } from '../support/bad-bodies.ts';
import { type Sent, send, uniqueWord, waitForEnd } from '../support/chat.ts';
import { createPerson, type Person } from '../support/people.ts';
import { rawRequest, sendRaw } from '../support/raw.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let person: Person;
let sent: Sent;

beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres'), env: { TRUSTED_PROXIES: '127.0.0.1' } });
  person = await createPerson(server, { plan: 'pro' });
  sent = await send(person, `${uniqueWord()} [[tps:0]] [[first:0]]`);
  await waitForEnd(person, sent.body.generation.id);
});
afterAll(() => server.stop());

const alive = async () => {
  expect(server.process.exitCode).toBeNull();
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  expect(server.output().match(/^.*(uncaught exception|unhandled rejection).*$/gm)).toBeNull();
};

/** Every route that reads JSON, with a valid body of which a test changes one field. */
const jsonRoutes = (): Array<[string, string, Record<string, unknown>]> => [
  ['POST', '/api/chats', { title: 'x' }],
  ['PATCH', `/api/chats/${sent.chatId}`, { title: 'x' }],
  ['POST', `/api/chats/${sent.chatId}/messages`, { text: 'x' }],
  ['PATCH', '/api/me', { name: 'x' }],
  ['DELETE', '/api/me', { confirm: 'x' }],
  ['POST', '/api/sign-in/email', { email: 'a@example.com' }],
  ['POST', '/api/sign-in/code', { email: 'a@example.com', code: '123456' }],
  ['POST', '/api/auth/google', { next: '/chat' }],
];
/** All fields of these routes are optional. */
const needsNoFields = (path: string) => path === '/api/chats' || path.startsWith('/api/auth/');

interface JsonError {
  error: string;
  code: string;
  requestId: string;
}

async function refusal(response: Response): Promise<JsonError> {
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  const body = (await response.json()) as JsonError;
  expect(Object.keys(body).sort()).toEqual(['code', 'error', 'requestId']);
  expect(body.error.length).toBeLessThan(120);
  expect(body.error).not.toMatch(/\bat |zod|sql|select |\/src\/|\.ts\b/i);
  expect(body.requestId).toBe(response.headers.get('x-request-id'));
  return body;
}

function post(method: string, path: string, body: string | Buffer, headers: Record<string, string> = {}) {
  return fetch(server.url + path, {
    method,
    headers: {
      cookie: person.cookie,
      origin: server.url,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
      ...headers,
    },
    body: new Uint8Array(Buffer.from(body as string)),
  });
}

describe('a body that is', () => {
  test.each(badBodies)('%s is refused on every route that reads JSON', async (_, body, statuses) => {
    for (const [method, path] of jsonRoutes()) {
      const response = await post(method, path, body);
      if (needsNoFields(path) && body === '{"a":1}') expect([200, 201]).toContain(response.status);
      else {
        expect(statuses, `${method} ${path}`).toContain(response.status);
        await refusal(response);
      }
    }
    await alive();
  });

  test('of wrong types is refused, field by field', async () => {
    const wrongValues: unknown[] = [
      null,
      1,
      true,
      [],
      ['x'],
      {},
      { toString: 'x' },
      '\ud800',
      'x'.repeat(100_000),
    ];
    for (const [method, path, body] of jsonRoutes()) {
      for (const field of Object.keys(body)) {
        for (const value of wrongValues) {
          if (typeof value === 'string' && field === 'title') continue;
          // The text is cleaned, and a `next` that is no path of ours is ignored.
          if (value === '\ud800' && (field === 'text' || field === 'next')) continue;
          const response = await post(method, path, JSON.stringify({ ...body, [field]: value }));
          expect(response.status, `${method} ${path} ${field}=${JSON.stringify(value)?.slice(0, 30)}`).toBe(
            400,
          );
          await refusal(response);
        }
      }
    }
  });

  test('that is not declared as JSON is refused, and unusual headers change nothing', async () => {
    for (const [method, path, body] of jsonRoutes()) {
      for (const type of ['', 'text/json', 'application/jsonp', 'application/json-patch+json', 'x']) {
        const response = await post(method, path, JSON.stringify(body), { 'content-type': type });
        expect([415, 403], `${method} ${path} as ${type}`).toContain(response.status);
        await refusal(response);
      }
    }
    for (const authorization of ['Bearer x', 'Basic !!!', 'Negotiate', `Bearer ${'x'.repeat(4000)}`]) {
      const response = await fetch(`${server.url}/api/me`, {
        headers: { authorization, cookie: 'session=x' },
      });
      expect(response.status).toBe(401);
      const signedIn = await fetch(`${server.url}/api/me`, {
        headers: { authorization, cookie: person.cookie },
      });
      expect(signedIn.status).toBe(200);
    }
  });

  test('of two megabytes is refused before it is read, chunked too', async () => {
    const chunk = `10000\r\n${'a'.repeat(0x10000)}\r\n`;
    for (const [method, path] of jsonRoutes()) {
      const line = `${method} ${path}`;
      const headers = { cookie: person.cookie, origin: server.url, 'content-type': 'application/json' };
      const chunked = rawRequest(
        server.url,
        line,
        { ...headers, 'transfer-encoding': 'chunked' },
        chunk.repeat(32),
      );
      expect(
        (await sendRaw(server.url, Buffer.concat([chunked, Buffer.from('0\r\n\r\n')]))).status,
        line,
      ).toBe(413);
      const full = rawRequest(
        server.url,
        line,
        { ...headers, connection: 'keep-alive', 'content-length': '2097152' },
        'a'.repeat(2_097_152),
      );
      const refused = await sendRaw(server.url, full);
      expect(refused.status, line).toBe(413);
      expect(refused.head, line).toMatch(/^connection: close\r?$/im);
    }
    for (const path of ['/sign-in', '/sign-in/confirm']) {
      const headers = { origin: server.url, 'content-type': 'application/x-www-form-urlencoded' };
      const form = rawRequest(
        server.url,
        `POST ${path}`,
        { ...headers, 'content-length': '2097152' },
        'a'.repeat(2_097_152),
      );
      expect((await sendRaw(server.url, form)).status, path).toBe(413);
    }
    await alive();
  });

  test('that never arrives is given up, and blocks nothing else', async () => {
    const line = 'POST /api/sign-in/code';
    const headers = { origin: server.url, 'content-type': 'application/json', 'content-length': '100' };
    const waiting = sendRaw(server.url, rawRequest(server.url, line, headers, '{'), 500).catch(
      () => 'gave up',
    );
    await alive();
    expect(await waiting).toBe('gave up');
  });
});

describe('text with a special meaning', () => {
  const specialTexts = [
    `' OR 1=1--`,
    `"; drop table users; --`,
    '$1',
    "\\'; select pg_sleep(5); --",
    '%00',
    '#{7*7}{{7*7}}',
    '../../etc/passwd',
  ];

  test('is plain text for the database, wherever text is accepted', async () => {
    for (const word of specialTexts) {
      const encoded = encodeURIComponent(word);
      for (const path of [
        `/api/chats/${encoded}`,
        `/api/generations/${encoded}`,
        `/api/generations/${encoded}/events`,
      ])
        expect((await person.get(path)).status, path).toBe(404);
      for (const path of [
        `/api/chats?before=${encoded}`,
        `/api/chats?sort=${encoded}`,
        `/api/me/ledger?before=${encoded}`,
      ])
        expect((await person.get(path)).status, path).toBe(200);
      expect((await person.get(`/api/chats/${sent.chatId}?before=${encoded}`)).status).toBeLessThan(500);
      const page = await person.get(`/chat/${encoded}`);
      // Another spelling of a path redirects to the canonical one.
      const canonical = page.status === 308 ? await person.get(page.headers.get('location') ?? '') : page;
      expect(canonical.status).toBe(404);
      expect((await person.send('DELETE', `/api/me/sessions/${encoded}`)).status).toBe(404);
      const renamed = await person.send('PATCH', `/api/chats/${sent.chatId}`, { title: word });
      expect(await renamed.json()).toMatchObject({ title: word });
      const reply = await send(person, `${word} [[tps:0]] [[first:0]]`, { chatId: sent.chatId });
      expect(reply.status).toBe(202);
      await waitForEnd(person, reply.body.generation.id);
    }
    expect((await server.database.query('select 1 from users')).rowCount).toBe(1);
  });

  test('as keys of an object does not reach its prototype', async () => {
    const keys = '"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}},"toString":1';
    const renamed = await post('PATCH', `/api/chats/${sent.chatId}`, `{${keys},"title":"plain"}`);
    const row = (await renamed.json()) as object;
    expect([renamed.status, row]).toMatchObject([200, { id: sent.chatId, title: 'plain' }]);
    expect(row).not.toHaveProperty('isAdmin');
    const fromPrototype = await post(
      'PATCH',
      `/api/chats/${sent.chatId}`,
      `{"__proto__":{"title":"inherited"}}`,
    );
    expect(fromPrototype.status).toBe(400);
    const duplicated = await post('PATCH', `/api/chats/${sent.chatId}`, '{"title":"first","title":"last"}');
    expect(await duplicated.json()).toMatchObject({ title: 'last' });
    for (const id of ['__proto__', 'constructor', 'toString'])
      expect((await person.get(`/api/chats/${id}`)).status).toBe(404);
  });

  test('in proxy headers hides the metrics, which this machine reads in its sandbox', async () => {
    const figures = (headers: Record<string, string>) => fetch(`${server.url}/metrics`, { headers });
    expect((await figures({})).status).toBe(200);
    for (const name of ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-proto', 'x-real-ip'])
      expect((await figures({ [name]: '203.0.113.9' })).status, name).toBe(404);
  });

  test('that claims another identity has no effect', async () => {
    const otherPerson = await createPerson(server);
    const headers = {
      'x-user-id': person.id,
      'x-lobe-chat-auth': person.id,
      'x-middleware-subrequest': 'middleware',
      'x-original-url': `/api/chats/${sent.chatId}`,
      'x-http-method-override': 'DELETE',
      'x-base-url': 'http://127.0.0.1:9',
      'x-api-key': 'mine',
    };
    const me = (await (await otherPerson.get('/api/me', headers)).json()) as { id: string };
    expect(me.id).toBe(otherPerson.id);
    expect((await otherPerson.get(`/api/chats/${sent.chatId}`, headers)).status).toBe(404);
    const extra = {
      text: '[[tps:0]] hi',
      create: true,
      userId: person.id,
      baseURL: 'http://127.0.0.1:9',
      role: 'system',
    };
    const path = `/api/chats/${randomUUID()}/messages`;
    const started = await otherPerson.send('POST', path, extra, {
      ...headers,
      'idempotency-key': randomUUID(),
    });
    const body = (await started.json()) as Sent['body'];
    expect(await waitForEnd(otherPerson, body.generation.id)).toMatchObject({ state: 'done' });
    const { rows } = await server.database.query<{ user_id: string; role: string }>(
      'select s.user_id, m.role from chat_messages m join chat_sessions s on s.id = m.session_id where m.id = $1',
      [body.message.id],
    );
    expect(rows[0]).toEqual({ user_id: otherPerson.id, role: 'user' });
  });
});

describe('titles and messages', () => {
  const view = async () => (await (await person.get(`/api/chats/${sent.chatId}`)).json()) as ChatView;
  const rename = (title: string) => person.send('PATCH', `/api/chats/${sent.chatId}`, { title });

  test.each([
    ['markup', '<b>bold</b><script>alert(1)</script>', '<b>bold</b><script>alert(1)</script>'],
    ['text with a right-to-left override', 'a\u202etxt.exe', 'a\u202etxt.exe'],
    ['NUL', 'a\0b', 'ab'],
    ['unclosed brackets', `"\\"${'{['.repeat(400)}`, /^"\\"[{[]{117}$/],
    ['a lone surrogate', 'a\ud800b', 'a\ufffdb'],
    ['an emoji at the cut', `${'a'.repeat(119)}😀 more`, /^a{119}/],
    ['only spaces', ' \n\t ', /./],
  ])('%s becomes a title as plain text', async (_, title, stored) => {
    const answer = await rename(title);
    expect(answer.status).toBe(200);
    const { title: storedTitle } = (await answer.json()) as { title: string };
    if (typeof stored === 'string') expect(storedTitle).toBe(stored);
    else expect(storedTitle).toMatch(stored);
    expect(storedTitle.length).toBeLessThanOrEqual(120);
    expect(storedTitle.isWellFormed()).toBe(true);
    expect((await view()).title).toBe(storedTitle);
    const list = (await (await person.get('/api/chats')).json()) as { chats: ChatRow[] };
    expect(list.chats.find(({ id }) => id === sent.chatId)?.title).toBe(storedTitle);
    const html = await (await person.get(`/chat/${sent.chatId}`)).text();
    expect(html).not.toContain('<script>alert(1)');
    expect(html).not.toContain('<b>bold');
  });

  test('of 100 kB are refused or cut, never stored completely', async () => {
    expect((await rename('x'.repeat(100_000))).status).toBe(400);
    const long = await person.send(
      'POST',
      `/api/chats/${sent.chatId}/messages`,
      { text: 'x'.repeat(100_000) },
      { 'idempotency-key': randomUUID() },
    );
    expect([long.status, (await refusal(long)).code]).toEqual([400, 'bad_request']);
  });

  test('a message keeps its text, without characters that the database refuses, and runs no scripts', async () => {
    const word = uniqueWord();
    const text = `${word} <img src=x onerror=alert(1)> \u202e <b>b</b> \0 \ud800 </script><script>alert(2)</script> [[tps:0]] [[first:0]]`;
    const reply = await send(person, text, { chatId: sent.chatId });
    expect(reply.status).toBe(202);
    await waitForEnd(person, reply.body.generation.id);
    const message = (await view()).messages.find(({ id }) => id === reply.body.message.id);
    expect(message?.content).toBe(text.replace('\0', '').toWellFormed());
    const html = await (await person.get(`/chat/${sent.chatId}`)).text();
    expect(html).toContain(word);
    expect(html).not.toMatch(/<img src=x|<script>alert|<b>b<\/b>/);
  });
});
