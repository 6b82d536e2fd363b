import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { ended, marker, type Sent, send } from '../support/chat.ts';
import { client, createPerson, type Person } from '../support/people.ts';
import { rawRequest, sendRaw, siteRoutes } from '../support/raw.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const assets = resolve(import.meta.dirname, '../../build/client/assets');

let server: TestServer;
let person: Person;
let sent: Sent;
/** Paths that GET answers: pages, the API, streams, operations, files, and what is not there. */
let paths: string[];

beforeAll(async () => {
  server = await startTestServer({
    postgres: inject('postgres'),
    env: { METRICS_TOKEN: 'figures-0123456789' },
  });
  person = await createPerson(server);
  sent = await send(person, `${marker()} [[tps:0]] [[first:0]]`);
  await ended(person, sent.body.generation.id);
  const { api, pages } = await siteRoutes();
  const gets = api.filter((route) => route.startsWith('GET ')).map((route) => route.slice(4));
  paths = [
    ...gets,
    ...pages,
    '/favicon.svg',
    '/api/nothing',
    '/api/sign-out',
    `/chat/${sent.chatId}.data`,
  ].map((path) =>
    path
      .replace('/chats/:id', `/chats/${sent.chatId}`)
      .replace('/chat/:id?', `/chat/${sent.chatId}`)
      .replace('/generations/:id', `/generations/${sent.body.generation.id}`)
      .replace('/*', '/nothing'),
  );
});
afterAll(() => server.stop());

const isAsset = (path: string) => path.startsWith('/favicon') || path.startsWith('/assets/');
/** Directives of a policy by name. */
function policyOf(response: Response): Map<string, string> {
  const text = response.headers.get('content-security-policy') ?? '';
  return new Map(
    text.split('; ').map((part) => [part.split(' ')[0] ?? '', part.split(' ').slice(1).join(' ')]),
  );
}

describe('every answer', () => {
  test('has the headers that keep it from being misread, framed, kept or leaked', async () => {
    for (const visitor of [person, client(server)]) {
      for (const path of paths) {
        const response = await visitor.get(path, { accept: 'text/html,application/json' });
        const { headers } = response;
        const body = await response.arrayBuffer();
        expect(headers.get('x-content-type-options'), path).toBe('nosniff');
        expect(headers.get('x-frame-options'), path).toBe('DENY');
        expect(headers.get('cross-origin-opener-policy'), path).toBe('same-origin');
        expect(headers.get('cross-origin-resource-policy'), path).toBe('same-origin');
        expect(headers.get('referrer-policy'), path).toMatch(
          /^(strict-origin-when-cross-origin|no-referrer)$/,
        );
        expect(headers.get('permissions-policy'), path).toContain('camera=()');
        expect(headers.get('x-request-id'), path).toMatch(/^[\w-]{12}$/);
        for (const name of ['server', 'x-powered-by', 'access-control-allow-origin'])
          expect(headers.get(name), `${name} of ${path}`).toBeNull();
        if (body.byteLength > 0)
          expect(headers.get('content-type'), path).toMatch(/json|; charset=utf-8$|svg|^text\/x-script$/);
        const policy = policyOf(response);
        expect(policy.get('default-src'), path).toBe("'none'");
        expect(policy.get('frame-ancestors'), path).toBe("'none'");
        expect(policy.get('base-uri'), path).toBe("'none'");
        if (response.status === 308 || isAsset(path)) continue;
        expect(headers.get('cache-control'), path).toMatch(/^private, no-(store|cache)/);
      }
    }
  });

  test('that is private is kept by no cache, and none that may be kept sets a cookie', async () => {
    for (const path of paths) {
      for (const visitor of [person, person, client(server)]) {
        const response = await visitor.get(path);
        await response.arrayBuffer();
        const cache = response.headers.get('cache-control') ?? '';
        if (response.headers.has('set-cookie')) expect(cache, path).toContain('no-store');
        if (path.startsWith('/api/') || path.startsWith('/chat')) expect(cache, path).toContain('no-store');
        if (/\bpublic\b/.test(cache)) expect(isAsset(path), path).toBe(true);
      }
    }
  });

  test('to a page of another site is not for reading', async () => {
    const response = await fetch(`${server.url}/api/me`, {
      headers: { cookie: person.cookie, origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' },
    });
    expect(response.headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
  });
});

describe('the policy of a page', () => {
  const scripts = (html: string) =>
    [...html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)].map(([, attributes = '', text = '']) => ({
      nonce: /nonce="([^"]*)"/.exec(attributes)?.[1],
      src: /src="([^"]*)"/.exec(attributes)?.[1],
      text,
    }));

  test.each(['/', '/sign-in', '/nothing'])('%s names its inline scripts by hash', async (path) => {
    const response = await client(server).get(path, { accept: 'text/html' });
    const allowed = policyOf(response).get('script-src') ?? '';
    expect(allowed).not.toMatch(/unsafe|\*|https?:|data:/);
    const found = scripts(await response.text());
    expect(found.length).toBeGreaterThan(0);
    for (const { text, src } of found) {
      if (src) expect(src).toMatch(/^\/assets\//);
      else expect(allowed).toContain(`'sha256-${createHash('sha256').update(text).digest('base64')}'`);
    }
  });

  test('an app page carries a nonce that is new on each answer', async () => {
    const nonces = new Set<string>();
    for (let i = 0; i < 5; i++) {
      const response = await person.get(`/chat/${sent.chatId}`);
      const allowed = policyOf(response).get('script-src') ?? '';
      const nonce = /^'nonce-([\w+/=]{24})' 'strict-dynamic'$/.exec(allowed)?.[1] ?? '';
      expect(allowed).toBe(`'nonce-${nonce}' 'strict-dynamic'`);
      nonces.add(nonce);
      const found = scripts(await response.text());
      expect(found.length).toBeGreaterThan(2);
      for (const script of found) expect(script.nonce, script.text.slice(0, 80)).toBe(nonce);
    }
    expect(nonces.size).toBe(5);
  });

  test('lets nothing in but our own files and images, and reports what it refuses', async () => {
    for (const path of ['/', `/chat/${sent.chatId}`]) {
      const response = await person.get(path);
      const policy = policyOf(response);
      expect(Object.fromEntries(policy)).toMatchObject({
        'object-src': "'none'",
        'img-src': "'self' data: blob:",
        'connect-src': "'self'",
        'form-action': "'self'",
        'style-src': "'self'",
        'report-uri': '/api/csp-reports',
      });
      const html = await response.text();
      expect(html).not.toMatch(/<[a-z][^<>]*\s(on[a-z]+|style)=["']/);
    }
  });

  test('a report is one line without what an address may hold', async () => {
    const report = {
      'csp-report': {
        'effective-directive': 'img-src',
        'blocked-uri': 'https://evil.test/x?q=private-words',
        'document-uri': `${server.url}/sign-in/confirm?token=private-token`,
      },
    };
    const response = await fetch(`${server.url}/api/csp-reports`, {
      method: 'POST',
      headers: { origin: server.url, 'content-type': 'application/csp-report' },
      body: JSON.stringify(report),
    });
    expect(response.status).toBe(204);
    expect(server.output()).toMatch(
      /"directive":"img-src","blocked":"https:\/\/evil.test","path":"\/sign-in\/confirm"/,
    );
    expect(server.output()).not.toContain('private-');
  });
});

describe('a page that public caches may not keep, but browsers may', () => {
  test('answers 304 to its ETag, in each encoding, and another page to who is signed in', async () => {
    const guest = client(server);
    const first = await guest.get('/', { 'accept-encoding': 'br' });
    const etag = first.headers.get('etag') ?? '';
    expect(first.headers.get('content-encoding')).toBe('br');
    expect(first.headers.get('vary')).toMatch(/cookie/);
    const html = await first.text();
    for (const encoding of ['br', 'gzip', 'identity', 'br;q=0']) {
      const again = await guest.get('/', { 'if-none-match': etag, 'accept-encoding': encoding });
      expect([again.status, await again.text()]).toEqual([304, '']);
      expect(await (await guest.get('/', { 'accept-encoding': encoding })).text()).toBe(html);
    }
    const signedIn = await person.get('/', { 'if-none-match': etag });
    expect(signedIn.status).toBe(200);
    expect(signedIn.headers.get('etag')).not.toBe(etag);
    const theirs = await signedIn.text();
    expect(theirs).not.toBe(html);
    for (const own of [person.email, person.id, 'Test Person']) expect(theirs).not.toContain(own);
    expect(await (await client(server, 'session=forged').get('/')).text()).toBe(html);
  });

  test.each(['//', '/?a=b', '///?a=b'])('%s is the same page under one spelling', async (path) => {
    const answer = await sendRaw(server.url, rawRequest(server.url, `GET ${path}`));
    if (path.startsWith('/?')) expect(answer.status).toBe(200);
    else expect(answer.head).toMatch(/^HTTP\/1\.1 308[\s\S]*\r\nlocation: \/(\?a=b)?(\r\n|$)/);
  });
});

describe('HEAD', () => {
  test('answers like GET, without a body', async () => {
    for (const path of paths) {
      if (path.endsWith('/events')) continue;
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
    const running = await send(person, `${marker()} [[mode:hold]]`, { chatId: sent.chatId });
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

  test('that a route does not know are refused with those that it does', async () => {
    const put = await person.send('PUT', '/api/chats', {});
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'HEAD, GET, POST']);
    expect(await put.json()).toMatchObject({ code: 'method_not_allowed' });
    const get = await person.get('/api/sign-out');
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
    expect((await person.send('DELETE', '/')).status).toBe(405);
    expect((await person.send('POST', '/api/nothing', {})).status).toBe(404);
  });
});

describe('files', () => {
  test('of the build are kept for good, in brotli, and answer 304', async () => {
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
  ])('%s is not there', async (path) => {
    const answer = await sendRaw(server.url, rawRequest(server.url, `GET ${path}`));
    expect([400, 404]).toContain(answer.status);
    expect(answer.body).not.toMatch(/root:|import |Index of/);
  });

  test('of the build hold no source map, and none is served', async () => {
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

  test('tell that the process lives, that it is ready, and what it is', async () => {
    expect(await (await fetch(`${server.url}/healthz`)).json()).toEqual({ ok: true });
    expect(await (await fetch(`${server.url}/readyz`)).json()).toEqual({ ready: true });
    expect(await (await fetch(`${server.url}/version`)).json()).toEqual({
      name: expect.stringMatching(/\w/),
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    });
  });

  test('show figures to this machine, and outside only for the token', async () => {
    const text = await (await metrics({})).text();
    for (const name of ['process_resident_memory_bytes', 'nodejs_eventloop_lag_p99_seconds', 'open_streams'])
      expect(text).toMatch(new RegExp(`^${name} [\\d.e-]+$`, 'm'));
    const outside = { 'x-forwarded-for': '203.0.113.9' };
    expect((await metrics(outside)).status).toBe(404);
    for (const token of ['', 'figures', 'figures-0123456780', 'figures-01234567890'])
      expect((await metrics({ ...outside, authorization: `Bearer ${token}` })).status).toBe(404);
    expect((await metrics({ ...outside, authorization: 'Bearer figures-0123456789' })).status).toBe(200);
  });
});

describe('a request that proxies and servers may read differently', () => {
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

  test('writes no foreign address into a page', async () => {
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

describe('behind https', () => {
  let site: TestServer;
  let address: string;
  beforeAll(async () => {
    const probe = createServer();
    await new Promise<void>((done) => probe.listen(0, '127.0.0.1', done));
    const { port } = probe.address() as AddressInfo;
    await new Promise((done) => probe.close(done));
    address = `http://127.0.0.1:${port}`;
    site = await startTestServer({
      postgres: inject('postgres'),
      standins: server.standins,
      env: { PUBLIC_URL: 'https://site.example', PORT: String(port), MAIL_FROM: 'Site <hello@site.example>' },
    });
  });
  afterAll(() => site.stop());

  test('every answer pins it for a year or more, and cookies are bound to the host', async () => {
    for (const path of ['/', '/chat', '/api/me', '/api/nothing', '/healthz', '/favicon.svg']) {
      const { headers } = await fetch(address + path);
      expect(
        Number(/^max-age=(\d+)/.exec(headers.get('strict-transport-security') ?? '')?.[1]),
      ).toBeGreaterThan(31e6);
    }
    const asked = await fetch(`${address}/api/sign-in/email`, {
      method: 'POST',
      headers: { origin: 'https://site.example', 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'a@example.com' }),
    });
    expect([asked.status, asked.headers.get('set-cookie')]).toEqual([
      200,
      expect.stringMatching(/^__Host-sign-in=[\w-]+; Path=\/; Max-Age=900; HttpOnly; SameSite=Lax; Secure$/),
    ]);
  });

  test('our own pages are those of PUBLIC_URL', async () => {
    const ask = (host: string, origin: string) =>
      sendRaw(address, rawRequest(address, 'POST /api/sign-out', { host, origin, 'content-length': '0' }));
    expect((await ask('site.example', 'https://site.example')).status).toBe(204);
    expect((await ask('site.example', 'http://site.example')).status).toBe(403);
    expect((await ask('site.example', 'https://site.example.evil.test')).status).toBe(403);
    expect((await ask('site.example:8443', 'https://site.example')).status).toBe(400);
    expect((await ask('evil.example', 'https://site.example')).status).toBe(400);
    const page = await sendRaw(address, rawRequest(address, 'GET /', { host: 'site.example' }));
    expect(page.status).toBe(200);
    expect(page.body).not.toMatch(/127\.0\.0\.1|localhost/);
  });
});
