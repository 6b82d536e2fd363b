import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Sent, send, uniqueWord, waitForEnd } from '../support/chat.ts';
import { client, createPerson, type Person } from '../support/people.ts';
import { freePort, rawRequest, sendRaw, siteRoutes } from '../support/raw.ts';
import { eventually, startTestServer, type TestServer } from '../support/server.ts';
import { soak } from '../support/soak.ts';

let server: TestServer;
let person: Person;
let sent: Sent;
/** Paths for GET: pages, API, streams, operations, files, and missing ones. */
let paths: string[];

beforeAll(async () => {
  server = await startTestServer({
    postgres: inject('postgres'),
    env: { METRICS_TOKEN: 'figures-0123456789-0123456789-0123' },
  });
  person = await createPerson(server);
  sent = await send(person, `${uniqueWord()} [[tps:0]] [[first:0]]`);
  await waitForEnd(person, sent.body.generation.id);
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
      .replace('/auth/:provider', '/auth/google')
      .replace('/*', '/nothing'),
  );
});
afterAll(() => server.stop());

const isAsset = (path: string) => path.startsWith('/favicon') || path.startsWith('/assets/');
/** Parses the Content-Security-Policy into its directives by name. */
function policyOf(response: Response): Map<string, string> {
  const text = response.headers.get('content-security-policy') ?? '';
  return new Map(
    text.split('; ').map((part) => [part.split(' ')[0] ?? '', part.split(' ').slice(1).join(' ')]),
  );
}

describe('every response', () => {
  test('has headers against misinterpretation, framing, caching and leaks', async () => {
    for (const visitor of [person, client(server)]) {
      for (const path of paths) {
        const response = await visitor.get(path, { accept: 'text/html,application/json' });
        const { headers } = response;
        const body = await response.arrayBuffer();
        expect(headers.get('x-content-type-options'), path).toBe('nosniff');
        // Only our own pages may frame it; another test checks its other limits.
        const isFrame = path === '/preview-frame';
        expect(headers.get('x-frame-options'), path).toBe(isFrame ? 'SAMEORIGIN' : 'DENY');
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
          expect(headers.get('content-type'), path).toMatch(
            /json|; charset=utf-8$|svg|^application\/zip$|^text\/x-script$/,
          );
        const policy = policyOf(response);
        expect(policy.get('default-src'), path).toBe("'none'");
        expect(policy.get('frame-ancestors'), path).toBe(isFrame ? "'self'" : "'none'");
        expect(policy.get('base-uri'), path).toBe("'none'");
        const cache = headers.get('cache-control') ?? '';
        if (headers.has('set-cookie') || path.startsWith('/api/') || path.startsWith('/chat'))
          expect(cache, path).toContain('no-store');
        if (response.status === 308 || isAsset(path)) continue;
        expect(cache, path).toMatch(/^private, no-(store|cache)/);
      }
    }
  });

  test.runIf(soak)('that is private is not cached, and none that may be cached sets a cookie', async () => {
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

  test('to a page of another site is not readable', async () => {
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
      type: /type="([^"]*)"/.exec(attributes)?.[1],
      text,
    }));

  test.each(['/', '/sign-in', '/nothing'])('%s lists its inline scripts by hash', async (path) => {
    const response = await client(server).get(path, { accept: 'text/html' });
    const allowed = policyOf(response).get('script-src') ?? '';
    expect(allowed).not.toMatch(/unsafe|\*|https?:|data:/);
    const found = scripts(await response.text());
    expect(found.length).toBeGreaterThan(0);
    for (const { text, src, type } of found) {
      // JSON-LD is data: browsers do not run it.
      if (type === 'application/ld+json') continue;
      if (src) expect(src).toMatch(/^\/assets\//);
      else expect(allowed).toContain(`'sha256-${createHash('sha256').update(text).digest('base64')}'`);
    }
  });

  test('an app page has a nonce that is new in each response', async () => {
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

  test('allows only our own files and images, and reports what it blocks', async () => {
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

  test('lets an app page frame only previews, and a preview do nothing', async () => {
    const app = policyOf(await person.get(`/chat/${sent.chatId}`));
    expect(app.get('frame-src')).toBe(`${new URL(server.url).host}/preview-frame`);
    expect(policyOf(await person.get('/')).has('frame-src')).toBe(false);
    const response = await client(server).get('/preview-frame');
    const { nonce = '' } = /<script nonce="(?<nonce>[^"]+)">/.exec(await response.text())?.groups ?? {};
    expect(Object.fromEntries(policyOf(response))).toEqual({
      sandbox: 'allow-scripts',
      'default-src': "'none'",
      'script-src': `'nonce-${nonce}'`,
      'style-src': "'unsafe-inline'",
      'img-src': 'data: blob:',
      'font-src': 'data:',
      'media-src': 'data: blob:',
      'form-action': "'none'",
      'base-uri': "'none'",
      'frame-ancestors': "'self'",
    });
    expect(nonce).toMatch(/^[\w+/=]{24}$/);
    expect(response.headers.get('connection-allowlist')).toBe('()');
    expect(response.headers.get('x-dns-prefetch-control')).toBe('off');
  });

  test('only the pricing page has forms that lead to the payment provider', async () => {
    const forms = (response: Response) => policyOf(response).get('form-action');
    expect(forms(await person.get('/pricing'))).toBe(
      `'self' https://checkout.creem.io https://creem.io https://www.creem.io ${server.standins}`,
    );
    expect(forms(await fetch(`${server.url}/pricing`))).toBe(forms(await person.get('/pricing')));
    expect(forms(await person.get('/terms'))).toBe("'self'");
  });

  test('a report is one log line without private parts of a URL', async () => {
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
    // The log line may come shortly after the response.
    await eventually(async () =>
      server
        .output()
        .includes('"directive":"img-src","blocked":"https://evil.test","path":"/sign-in/confirm"'),
    );
    expect(server.output()).not.toContain('private-');
  });
});

describe('a page that browsers may cache, but public caches may not', () => {
  test('answers 304 to its ETag in each encoding, and sends another page to signed-in people', async () => {
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
    const ownPage = await signedIn.text();
    expect(ownPage).not.toBe(html);
    for (const privateText of [person.email, person.id, 'Test Person'])
      expect(ownPage).not.toContain(privateText);
    expect(await (await client(server, 'session=forged').get('/')).text()).toBe(html);
  });

  test.each(['//', '/?a=b', '///?a=b'])('%s is the same page with one spelling', async (path) => {
    const answer = await sendRaw(server.url, rawRequest(server.url, `GET ${path}`));
    if (path.startsWith('/?')) expect(answer.status).toBe(200);
    else expect(answer.head).toMatch(/^HTTP\/1\.1 308[\s\S]*\r\nlocation: \/(\?a=b)?(\r\n|$)/);
  });
});

describe('behind https', () => {
  let site: TestServer;
  let address: string;
  beforeAll(async () => {
    const port = await freePort();
    address = `http://127.0.0.1:${port}`;
    site = await startTestServer({
      postgres: inject('postgres'),
      standins: server.standins,
      env: { PUBLIC_URL: 'https://site.example', PORT: String(port), MAIL_FROM: 'Site <hello@site.example>' },
    });
  });
  afterAll(() => site.stop());

  test('every response sets HSTS for a year or more, and cookies are bound to the host', async () => {
    for (const path of ['/', '/chat', '/api/me', '/api/nothing', '/healthz', '/favicon.svg']) {
      const { headers } = await fetch(address + path);
      expect(
        Number(/^max-age=(\d+)/.exec(headers.get('strict-transport-security') ?? '')?.[1]),
      ).toBeGreaterThan(31e6);
    }
    const codeRequest = await fetch(`${address}/api/sign-in/email`, {
      method: 'POST',
      headers: { origin: 'https://site.example', 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'a@example.com' }),
    });
    expect([codeRequest.status, codeRequest.headers.get('set-cookie')]).toEqual([
      200,
      expect.stringMatching(/^__Host-sign-in=[\w-]+; Path=\/; Max-Age=900; HttpOnly; SameSite=Lax; Secure$/),
    ]);
  });

  test('the session cookie too, and its plain name has no effect', async () => {
    const { cookie } = await createPerson(site);
    // A cookie is renewed when its session is used after a day.
    await site.database.query(
      `update sessions set created_at = created_at - interval '2 days', last_seen_at = last_seen_at - interval '2 days'`,
    );
    const me = (pair: string) => fetch(`${address}/api/me`, { headers: { cookie: pair } });
    expect((await me(cookie)).status).toBe(401);
    const renewed = await me(`__Host-${cookie}`);
    expect([renewed.status, renewed.headers.getSetCookie()]).toEqual([
      200,
      [`__Host-${cookie}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure`],
    ]);
  });

  test('sample claims appear only in the sandbox', async () => {
    for (const path of ['/', '/pricing', '/use-cases']) {
      const sample = /50K\+|\+300%|Sample numbers/;
      expect(await (await fetch(server.url + path)).text(), path).toMatch(sample);
      expect(await (await fetch(address + path)).text(), path).not.toMatch(sample);
    }
  });

  test('metrics are refused without a token, because a proxy that forwards nothing looks like this machine', async () => {
    expect((await fetch(`${address}/metrics`)).status).toBe(404);
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
  });

  test('our own origin is that of PUBLIC_URL', async () => {
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
