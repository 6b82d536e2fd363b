import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { client, createPerson } from '../support/people.ts';
import { places } from '../support/places.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { strangers } from '../support/strangers.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres') });
});
afterAll(() => server.stop());

const page = (path: string) => client(server).get(path, { accept: 'text/html' });
const linksOf = (html: string) =>
  [...html.matchAll(/<a\s[^>]*href="([^"]*)"/g)].map((match) => (match[1] ?? '').replaceAll('&amp;', '&'));

describe('every route of the specification', () => {
  test.each(places)('%s answers', async (path) => {
    const response = await page(path);
    expect(response.status).toBe(200);
    const html = await response.text();
    expect(html).toContain('<main');
    expect(html.match(/<h1/g)).toHaveLength(1);
    // Until the enhancement module has found out whether there is anything to ask.
    expect(html).toMatch(/<section id="consent"[^>]* hidden=""/);
    if (!html.includes('not here yet')) return;
    expect(html).toContain('<meta name="robots" content="noindex"');
    expect(response.headers.get('x-robots-tag')).toBe('noindex');
  });

  test.each(['/tools/nothing', '/blog/no-such-article', '/auth', '/error/x', '/pricing/x'])(
    '%s is none of them',
    async (path) => {
      const response = await page(path);
      expect(response.status).toBe(404);
      expect(await response.text()).toContain('Oops! Page not found');
    },
  );
});

describe('the error page', () => {
  const of = async (query: Record<string, string>) => {
    const response = await page(`/error?${new URLSearchParams(query)}`);
    return { response, html: await response.text() };
  };

  test.each([
    ['access_denied', 'Access Denied', 'grant permission'],
    ['invalid_request', 'Invalid Request', 'Clear the cache and cookies'],
    ['server_error', 'Server Error', 'in a few minutes'],
    ['configuration_error', 'Configuration Error', 'likely temporary'],
    ['network_error', 'Network Error', 'internet connection'],
    ['google_auth_error', 'Authentication Error', 'Refresh the page'],
    ['constructor', 'Authentication Error', 'Refresh the page'],
  ])('%s', async (error, title, suggestion) => {
    const { response, html } = await of({
      error,
      description: 'What the provider said',
      from: 'auth_callback',
    });
    expect(response.status).toBe(200);
    expect(html).toContain(title);
    expect(html).toContain(suggestion);
    expect(html).toContain('What the provider said');
    expect(html).toContain(response.headers.get('x-request-id') ?? 'an id');
    expect(response.headers.get('x-robots-tag')).toBe('noindex');
    expect(response.headers.get('cache-control')).toBe('private, no-store');
  });

  test('without parameters it says what the specification says', async () => {
    const { html } = await of({});
    expect(html).toContain('An unknown error occurred during authentication.');
    expect((await of({ error: 'odd_value' })).html).toMatch(/class="lead">odd_value</);
  });

  test('X-A9: text stays text, short, and leads nowhere', async () => {
    const { html } = await of({
      error: '<script>alert(1)</script>',
      description: `<img src=x onerror=alert(1)>${'d'.repeat(5000)}`,
      from: 'javascript:alert(1)',
      code: 'c'.repeat(10_000),
    });
    expect(html).not.toMatch(/<script>alert|<img src=x/);
    expect(html).not.toMatch(/d{201}|c{201}/);
    const main = /<main[\s\S]*<\/main>/.exec(html)?.[0] ?? '';
    expect(linksOf(main)).toHaveLength(4);
    const strangers = linksOf(main).filter((link) => !/^(\/(?!\/)|mailto:support@)/.test(link));
    expect(strangers).toEqual([]);
  });

  test('marks that would turn the text around are taken out', async () => {
    const { html } = await of({ error: 'x', description: 'safe\u202egnp.exe\u0000\u200b end' });
    expect(html).toContain('safe gnp.exe end');
  });
});

describe('/auth/callback', () => {
  const to = async (query: string, cookie = '') => {
    const response = await client(server, cookie).get(`/auth/callback${query}`, { accept: 'text/html' });
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    const html = await response.text();
    expect(html).toContain('Signing you in...');
    expect(html).toContain('Please wait while we verify your credentials');
    return /data-go="([^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
  };
  const error = (path: string) => Object.fromEntries(new URL(path, server.url).searchParams);

  test('without a session', async () => {
    expect(error(await to(''))).toEqual({
      error: 'no_session',
      description: 'No session found after authentication',
      from: 'auth_callback',
    });
    expect(error(await to('?subscribe=true&plan=yearly')).error).toBe('no_session');
  });

  test('with what the provider refused', async () => {
    const refused = await to('?error=access_denied&error_description=The+user+said+no');
    expect(error(refused)).toEqual({
      error: 'access_denied',
      description: 'The user said no',
      from: 'auth_callback',
    });
    expect(error(await to('?error=%3Cscript%3E')).error).toBe('auth_error');
    expect(error(await to(`?error=x&error_description=${'y'.repeat(999)}`)).description).toHaveLength(200);
  });

  test('M-A9: signed in, the query chooses the way and never the plan', async () => {
    const person = await createPerson(server);
    const go = (query: string) => to(query, person.cookie);
    expect(await go('')).toBe('/?success=login');
    expect(await go('?subscribe=true&plan=yearly')).toContain(`${server.standins}/creem/pay/ch_`);
    const ahead = await fetch(`${server.url}/auth/callback?subscribe=true&plan=monthly`, {
      headers: { cookie: person.cookie, 'sec-purpose': 'prefetch' },
    });
    expect(await ahead.text()).toContain('/dashboard?subscribe=true&amp;plan=monthly');
    const { rows } = await server.database.query(
      `select 1 from checkouts where plan = 'monthly' and user_id = $1`,
      [person.id],
    );
    expect(rows).toHaveLength(0);
    for (const query of ['?subscribe=true&plan=lifetime', '?subscribe=1&plan=yearly', '?plan=yearly'])
      expect(await go(query)).toBe('/?success=login');
    expect(await (await person.get('/api/me')).json()).toMatchObject({ plan: 'free' });
    expect(await go('?next=%2Fchat%2Fnew')).toBe('/chat/new');
  });

  test('X-A7: whatever leads elsewhere leads home', async () => {
    const person = await createPerson(server);
    for (const next of [
      ...strangers(server.url),
      '/auth/callback?next=%2F',
      '/error?description=Call+us',
      '/restore?kept',
    ]) {
      const way = encodeURIComponent(next);
      expect(await to(`?next=${way}`, person.cookie), next).toBe('/?success=login');
      expect(await to(`?redirect=${way}&from=${way}`, person.cookie), next).toBe('/?success=login');
    }
  });
});
