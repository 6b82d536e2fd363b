import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Sent, send, uniqueWord, waitForEnd } from '../support/chat.ts';
import { client, createPerson, type Person } from '../support/people.ts';
import { rawRequest, sendRaw } from '../support/raw.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const assets = resolve(import.meta.dirname, '../../build/client/assets');

let server: TestServer;
let person: Person;
let sent: Sent;
beforeAll(async () => {
  server = await startTestServer({
    postgres: inject('postgres'),
    env: { METRICS_TOKEN: 'figures-0123456789-0123456789-0123' },
  });
  person = await createPerson(server);
  sent = await send(person, `${uniqueWord()} [[tps:0]] [[first:0]]`);
  await waitForEnd(person, sent.body.generation.id);
});
afterAll(() => server.stop());

describe('HEAD', () => {
  test('answers like GET, without a body', async () => {
    const paths = ['/', '/chat', '/sign-in', '/nothing', '/favicon.svg', '/healthz', '/version', '/metrics'];
    for (const path of [...paths, '/api/me', '/api/chats', `/api/chats/${sent.chatId}`, '/api/nothing']) {
      const headers = { cookie: person.cookie, accept: 'text/html' };
      const [head, get] = [
        await fetch(server.url + path, { method: 'HEAD', headers, redirect: 'manual' }),
        await fetch(server.url + path, { headers, redirect: 'manual' }),
      ];
      expect([head.status, await head.text()], path).toEqual([get.status, '']);
      expect(head.headers.get('content-type'), path).toBe(get.headers.get('content-type'));
      await get.arrayBuffer();
    }
  });

  test('of an event stream does not stay open', async () => {
    const running = await send(person, `${uniqueWord()} [[mode:hold]]`, { chatId: sent.chatId });
    const path = `/api/generations/${running.body.generation.id}/events`;
    const head = await sendRaw(
      server.url,
      rawRequest(server.url, `HEAD ${path}`, { cookie: person.cookie }),
      3_000,
    );
    expect(head.status).toBe(200);
    await person.send('POST', `/api/generations/${running.body.generation.id}/stop`);
  });
});

describe('methods', () => {
  test.each(['PROPFIND', 'TRACE', 'LINK', 'PURGE'])('%s is refused everywhere', async (method) => {
    for (const path of ['/', '/api/chats', '/assets/x.js', '/healthz']) {
      const answer = await sendRaw(
        server.url,
        rawRequest(server.url, `${method} ${path}`, { cookie: person.cookie }),
      );
      expect(answer.status, `${method} ${path}`).toBe(405);
      expect(answer.body).not.toContain(person.cookie);
    }
  });

  test('that a route does not support are refused with those that it does', async () => {
    const refused = await person.send('PUT', '/api/chats', {});
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'HEAD, GET, POST']);
    expect(await refused.json()).toMatchObject({ code: 'method_not_allowed' });
    const get = await person.get('/api/sign-out');
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
    expect((await person.send('DELETE', '/')).status).toBe(405);
    expect((await person.send('POST', '/api/nothing', {})).status).toBe(404);
  });
});

describe('files', () => {
  test('of the build are cached permanently, compressed with brotli, and answer 304', async () => {
    const names = readdirSync(assets).filter((name) => /\.(js|css)$/.test(name));
    expect(names.length).toBeGreaterThan(3);
    for (const name of names) {
      const plain = await fetch(`${server.url}/assets/${name}`, {
        headers: { 'accept-encoding': 'identity' },
      });
      expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(plain.headers.get('content-type')).toMatch(/^text\/(javascript|css); charset=utf-8$/);
      expect(plain.headers.get('set-cookie')).toBeNull();
      const text = await plain.text();
      const path = `/assets/${name}`;
      const headers = { 'accept-encoding': 'br' };
      const raw = await sendRaw(server.url, rawRequest(server.url, `GET ${path}`, headers));
      if (text.length > 1400) expect(raw.head, name).toMatch(/content-encoding: br/);
      if (/content-encoding: br/.test(raw.head))
        expect(brotliDecompressSync(Buffer.from(raw.body, 'latin1')).toString()).toBe(text);
      const etag = plain.headers.get('etag') ?? '';
      expect((await fetch(server.url + path, { headers: { 'if-none-match': etag } })).status).toBe(304);
    }
  });

  test.each([
    '/.env',
    '/.env.example',
    '/.git/HEAD',
    '/@fs/etc/passwd',
    '/@vite/client',
    '/__debug',
    '/__manifest',
    '/api/docs',
    '/api/',
    '/server.ts',
    '/src/app/main.server.ts',
    '/server/main.js',
    '/build/server/main.js',
    '/package.json',
    '/node_modules/hono/package.json',
    '/migrations/0001-foundation.sql',
    '/assets',
    '/assets/',
    '/data/secrets/auth',
    '/..%2f..%2fetc/passwd',
    '/assets/../../server/main.js',
    '/assets/%2e%2e/%2e%2e/server/main.js',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/assets\\..\\..\\server\\main.js',
    '/.well-known/../.env',
    '//etc/passwd',
    '/proc/self/environ',
    '/a%0Db',
    '/a%0A%E2%80%A8b',
  ])('%s does not exist', async (path) => {
    const answer = await sendRaw(server.url, rawRequest(server.url, `GET ${path}`));
    expect([400, 404]).toContain(answer.status);
    expect(answer.body).not.toMatch(/root:|import |Index of/);
    expect(server.output()).not.toContain('a page failed');
  });

  test('of the build contain no source map, and none is served', async () => {
    const maps = readdirSync(assets).filter((name) => name.endsWith('.map'));
    expect(maps).toEqual([]);
    for (const name of readdirSync(assets).filter((file) => file.endsWith('.js'))) {
      expect((await fetch(`${server.url}/assets/${name}.map`)).status).toBe(404);
      expect((await fetch(`${server.url}/assets/${name}.br`)).status).toBe(404);
    }
  });
});

describe('operations', () => {
  const metrics = (headers: Record<string, string>) => fetch(`${server.url}/metrics`, { headers });

  test('state that the process lives, that it is ready, and its version', async () => {
    expect(await (await fetch(`${server.url}/healthz`)).json()).toEqual({ ok: true });
    expect(await (await fetch(`${server.url}/readyz`)).json()).toEqual({ ready: true });
    expect(await (await fetch(`${server.url}/version`)).json()).toEqual({
      name: expect.stringMatching(/\w/),
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    });
  });

  test('answer a probe that requests by IP address, which sees nothing more', async () => {
    const probe = (path: string) =>
      sendRaw(server.url, rawRequest(server.url, `GET ${path}`, { host: '10.1.2.3:3000' }));
    expect((await probe('/healthz')).status).toBe(200);
    expect((await probe('/readyz')).status).toBe(200);
    expect((await probe('/metrics')).status).toBe(404);
    for (const path of ['/', '/api/me', '/favicon.svg']) expect((await probe(path)).status, path).toBe(400);
  });

  test('show metrics only for the token, where one is set', async () => {
    const holder = { authorization: 'Bearer figures-0123456789-0123456789-0123' };
    const text = await (await metrics(holder)).text();
    for (const name of [
      'process_resident_memory_bytes',
      'nodejs_eventloop_lag_p99_seconds',
      'site_event_streams',
    ])
      expect(text).toMatch(new RegExp(`^${name} [\\d.e-]+$`, 'm'));
    const outside = { 'x-forwarded-for': '203.0.113.9' };
    // A request from a local proxy that sets no forwarding headers looks like one from a local program.
    for (const headers of [{}, outside]) expect((await metrics(headers)).status).toBe(404);
    for (const token of [
      '',
      'figures',
      'figures-0123456789-0123456789-0124',
      'figures-0123456789-0123456789-01230',
    ])
      expect((await metrics({ ...outside, authorization: `Bearer ${token}` })).status).toBe(404);
    expect((await metrics({ ...outside, ...holder })).status).toBe(200);
  });
});

describe('a request that proxies and servers may parse differently', () => {
  const head = () =>
    `POST /api/sign-in/email HTTP/1.1\r\nhost: ${new URL(server.url).host}\r\norigin: ${server.url}`;
  const json = 'content-type: application/json';
  test.each([
    ['both lengths', `${json}\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['two lengths', `${json}\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\n{"a":1}`],
    ['a length with a sign', `${json}\r\ncontent-length: +2\r\n\r\n{}`],
    ['another coding', `${json}\r\ntransfer-encoding: xchunked\r\n\r\n0\r\n\r\n`],
    ['a coding after chunked', `${json}\r\ntransfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n`],
    ['a bad chunk', `${json}\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`],
    ['a folded header', `${json}\r\nx-a: b\r\n c\r\ncontent-length: 2\r\n\r\n{}`],
    ['a blank before the colon', `${json}\r\ncontent-length : 2\r\n\r\n{}`],
    ['a NUL in a header', `${json}\r\nx-a: \0\r\ncontent-length: 2\r\n\r\n{}`],
    ['headers without end', `${'x-a: b\r\n'.repeat(5_000)}\r\n`],
  ])('is refused: %s', async (_, rest) => {
    const bytes = `${head()}\r\n${rest}GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`;
    const answer = await sendRaw(server.url, bytes);
    expect([400, 431]).toContain(answer.status);
    expect(answer.head + answer.body).not.toContain('"ok":true');
  });

  test.each([
    ['an unknown host', 'GET /', { host: 'evil.test' }],
    ['a host with a user', 'GET /', { host: 'localhost@evil.test' }],
    ['no host', 'GET /', { host: '' }],
    ['two hosts', 'GET /', { host: 'localhost', Host: 'evil.test' }],
    ['an unknown address as target', 'GET http://evil.test/', { host: 'evil.test' }],
  ])('is refused: %s', async (_, line, headers) => {
    expect((await sendRaw(server.url, rawRequest(server.url, line, headers))).status).toBe(400);
  });

  test('without a trusted proxy X-Forwarded-For is ignored: thirty mails an hour, as usual', async () => {
    const statuses: number[] = [];
    for (let nth = 1; nth <= 33; nth++) {
      const email = `${randomUUID()}@example.com`;
      const headers = { 'x-forwarded-for': `198.51.100.${nth}`, forwarded: `for=198.51.100.${nth}` };
      const answer = await client(server).send('POST', '/api/sign-in/email', { email }, headers);
      statuses.push(answer.status);
    }
    expect(statuses).toEqual([...Array(30).fill(200), 429, 429, 429]);
  });

  test('no forged host gets into a page', async () => {
    const headers = {
      'x-forwarded-host': 'evil.test',
      forwarded: 'host=evil.test',
      'x-forwarded-proto': 'https',
    };
    for (const line of ['GET http://evil.test/', 'GET http://evil.test/sign-in?next=//evil.test', 'GET /']) {
      const answer = await sendRaw(server.url, rawRequest(server.url, line, headers));
      expect(answer.body + answer.head, line).not.toContain('evil.test');
    }
  });
});
