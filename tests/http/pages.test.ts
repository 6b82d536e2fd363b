import { XMLParser } from 'fast-xml-parser';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { socialCardText } from '#app/pages/parts/page-metadata.ts';
import { curatedPrompts } from '#content/prompts/all.ts';
import { featureTable, formatCredits } from '#features/credits/contract.ts';
import { splitLanguage } from '#shared/language-path.ts';
import { foreignTargets } from '../support/foreign-targets.ts';
import { guestPaths } from '../support/guest-paths.ts';
import { visibleText } from '../support/html.ts';
import { client, createPerson } from '../support/people.ts';
import type { TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await borrowServer(inject('servers'));
});
afterAll(() => server.stop());

const page = (path: string) => client(server).get(path, { accept: 'text/html' });
/** Removes class attributes from HTML. */
const withoutClasses = (html: string) => html.replace(/ class="[^"]*"/g, '');
const linksOf = (html: string) =>
  [...html.matchAll(/<a\s[^>]*href="([^"]*)"/g)].map((match) => (match[1] ?? '').replaceAll('&amp;', '&'));

test('the privacy page states plainly what happens to texts', async () => {
  const words = visibleText(await (await page('/privacy')).text());
  for (const statement of [
    'is sent to the model provider that the operator of this site has configured',
    'This site does not train models on your texts, files or pictures',
    'is governed by the provider’s own terms, not by this page',
    'Your name, your email address and your network address are not sent along',
  ])
    expect(words.replaceAll("'", '’')).toContain(statement);
});

describe('every route of the specification', () => {
  test.each(guestPaths)('%s answers', async (path) => {
    const response = await page(path);
    expect(response.status).toBe(200);
    const html = await response.text();
    expect(html).toContain('<main');
    expect(html.match(/<h1/g)).toHaveLength(1);
    // The banner is hidden until the enhancement module knows whether to ask.
    expect(html).toMatch(/<section id="consent"[^>]* hidden=""/);
  });

  test.each(['/tools/nothing', '/blog/no-such-article', '/auth', '/error/x', '/pricing/x'])(
    '%s is not among them',
    async (path) => {
      const response = await page(path);
      expect(response.status).toBe(404);
      expect(await response.text()).toContain('Oops! Page not found');
    },
  );
});

/**
 * Returns the values of an attribute for each matching tag, such as the content of each `<meta name="description">`.
 */
const attributeValues = (html: string, tag: string, name: string) =>
  [...html.matchAll(new RegExp(`<${tag} [^>]*${name}="([^"]*)"`, 'g'))].map(([, text = '']) => text);
const text = (html: string) =>
  html
    .replace(/<[^>]+>/g, '')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&');

test('the home page says what Pro unlocks, and the footer that support is by mail', async () => {
  const unlocks = /<li>([^<]+ unlocked[^<]*)<\/li>/;
  const home = await (await page('/')).text();
  expect(unlocks.exec(home)?.[1]).toMatch(/ and .* unlocked, including PDF questions$/);
  expect(home).toMatch(/<a href="mailto:[^"]+">Email support<\/a>/);
});

describe('the map of the site', () => {
  const entries = async () => {
    const { urlset } = new XMLParser().parse(await (await page('/sitemap.xml')).text());
    return (urlset.url as Array<{ loc: string; lastmod: string; priority: number }>)
      .map((entry) => ({ ...entry, path: new URL(entry.loc).pathname }))
      .filter(({ path }) => splitLanguage(path).language === null);
  };

  test('/sitemap and sitemap.xml list the same pages, in the groups of the specification', async () => {
    const html = /<main.*<\/main>/s.exec(withoutClasses(await (await page('/sitemap')).text()))?.[0] ?? '';
    const rows = [...html.matchAll(/<tr><th scope="row">(.*?)<\/tr>/gs)].map(([row]) => ({
      path: /href="([^"]+)"/.exec(row)?.[1],
      priority: Number(/<td>([\d.]+)<\/td>/.exec(row)?.[1]),
      lastmod: /dateTime="([^"]+)"/i.exec(row)?.[1],
    }));
    const byPath = (one: { path?: string }, other: { path?: string }) => (one.path! < other.path! ? -1 : 1);
    const all = (await entries()).map(({ path, priority, lastmod }) => ({ path, priority, lastmod }));
    const listed = all.filter(({ path }) => !path.startsWith('/tools/prompts/'));
    expect(rows.sort(byPath)).toEqual(listed.sort(byPath));
    const headings = [...html.matchAll(/<h2[^>]*>(.*?)<\/h2>/g)].map(([, name = '']) => text(name));
    expect(headings).toEqual(['Main Pages', 'Core Features', 'Tools', 'Legal', 'Blog & Use Cases']);
    // The specification's 31 paths, its one unconfirmed article, our five guides, and the map itself.
    const owned = ['/dashboard', '/error', '/auth/callback'];
    expect(listed.map(({ path }) => path).sort()).toEqual(
      guestPaths.filter((path) => !owned.includes(path)).sort(),
    );
    expect(text(html)).toContain(`${listed.length} pages, each with the date`);
  });

  test('each page on it has its own description, one address, and the date that it states', async () => {
    const metadata: string[][] = [];
    for (const { path, loc, lastmod } of await entries()) {
      if (path.startsWith('/tools/prompts/')) continue;
      const html = await (await page(path)).text();
      const [description = ''] = attributeValues(html, 'meta name="description"', 'content');
      metadata.push([/<title>(.*?)<\/title>/.exec(html)?.[1] ?? '', description]);
      expect(description.length, path).toBeGreaterThan(50);
      // The router sets the canonical URL of app pages in the browser.
      if (!html.includes('data-page="app"'))
        expect(attributeValues(html, 'link rel="canonical"', 'href')).toEqual([loc]);
      const updated = /Last updated <time dateTime="([^"]+)"/i.exec(html)?.[1];
      if (updated) expect(lastmod, path).toBe(updated);
    }
    for (const at of [0, 1]) {
      const words = metadata.map((head) => head[at]);
      expect(words.filter((word, first) => words.indexOf(word) !== first)).toEqual([]);
    }
  });
});

test('sitemap.xml lists each published prompt, and the pages exist', async () => {
  const { urlset } = new XMLParser().parse(await (await page('/sitemap.xml')).text());
  const paths = (urlset.url as Array<{ loc: string }>)
    .map(({ loc }) => new URL(loc).pathname)
    .filter((path) => path.startsWith('/tools/prompts/'));
  // Other test files share this server and publish their own prompts.
  expect(paths).toEqual(expect.arrayContaining(curatedPrompts.map(({ slug }) => `/tools/prompts/${slug}`)));
  for (const path of [paths[0] ?? '', paths.at(-1) ?? '']) expect((await page(path)).status, path).toBe(200);
});

test('security.txt says where to report, and expires within a year', async () => {
  const answer = await page('/.well-known/security.txt');
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; charset=utf-8/);
  const fields = (await answer.text()).trim().split('\n');
  expect(fields).toContain(`Canonical: ${server.url}/.well-known/security.txt`);
  expect(fields).toContain(`Contact: ${server.url}/contact?about=problem`);
  const [expires = ''] = fields.filter((field) => field.startsWith('Expires: '));
  const days = (Date.parse(expires.slice('Expires: '.length)) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(30);
  expect(days).toBeLessThan(365);
});

test('a blog search leaves no empty parameters in the address', async () => {
  for (const [from, to] of [
    ['/blog?q=&category=', '/blog'],
    ['/blog?q=gemini&category=', '/blog?q=gemini'],
    ['/tools/prompts?q=email&category=', '/tools/prompts?q=email'],
    ['/blog?q=&category=news', '/blog?category=news'],
  ] as const) {
    const answer = await page(from);
    expect([answer.status, answer.headers.get('location')], from).toEqual([302, to]);
  }
});

test('our main pages have social cards of the stated size', async () => {
  const cards: string[] = [];
  for (const path of ['/', '/tools', '/pricing', '/use-cases', '/about']) {
    const html = await (await page(path)).text();
    const [card = ''] = attributeValues(html, 'meta property="og:image"', 'content');
    cards.push(card);
    const size = ['width', 'height'].map(
      (side) => attributeValues(html, `meta property="og:image:${side}"`, 'content')[0],
    );
    expect(size, path).toEqual(['1200', '630']);
  }
  expect(cards).toEqual(
    ['home', 'tools', 'pricing', 'use-cases', 'about'].map((name) => `${server.url}/cards/${name}.png`),
  );
  expect(socialCardText('home', 'https://example.com').foot).toBe('example.com');
  expect(socialCardText('tools', 'https://example.com').foot).toBe('example.com/tools');
  // Drawing a card takes a second, so only one is checked.
  const answer = await fetch(cards[1] ?? '');
  expect(answer.headers.get('content-type')).toBe('image/png');
  const { width, height } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
  expect([width, height]).toEqual([1200, 630]);
  const again = await fetch(cards[1] ?? '', {
    headers: { 'if-none-match': answer.headers.get('etag') ?? '' },
  });
  expect(again.status).toBe(304);
  for (const path of ['/cards/none.png', '/cards/tools', '/cards/constructor.png', '/cards/..%2ftools.png'])
    expect((await page(path)).status, path).toBe(404);
});

describe('the company pages', () => {
  test('/tools states the prices of the price table, and links to each tool', async () => {
    const html = withoutClasses(await (await page('/tools')).text());
    for (const feature of ['writer', 'script', 'image', 'pdf', 'prompts'] as const) {
      const [article = ''] =
        new RegExp(`<article aria-labelledby="tool-${feature}".*?</article>`, 's').exec(html) ?? [];
      const { price, free } = featureTable[feature];
      const cost = free ? (price === 0 ? 'Free to use' : `${formatCredits(price)} per `) : 'Included in Pro';
      expect(text(article), feature).toContain(`Free plan${cost}`);
      expect(linksOf(article)).toContain(`/tools/${feature}`);
      expect(text(article)).toContain('Try Now');
    }
  });

  test.each(['/use-cases', '/pricing'])(
    'the questions on %s match those in its structured data',
    async (path) => {
      const html = withoutClasses(await (await page(path)).text());
      const scripts = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(
        ([, json = '']) => JSON.parse(json),
      );
      const faq = scripts.find((each) => each['@type'] === 'FAQPage');
      const shown = [...html.matchAll(/<summary>([^<]*)<\/summary><div id="[^"]+"><p>(.*?)<\/p>/gs)].map(
        ([, question = '', answer = '']) => [question, answer].map(text),
      );
      expect(shown.length).toBeGreaterThanOrEqual(4);
      expect(
        faq.mainEntity.map((each: { name: string; acceptedAnswer: { text: string } }) => [
          each.name,
          each.acceptedAnswer.text,
        ]),
      ).toEqual(shown);
    },
  );
});

describe('the error page', () => {
  const errorPage = async (query: Record<string, string>) => {
    const response = await page(`/error?${new URLSearchParams(query)}`);
    return { response, html: await response.text() };
  };

  test.each([
    ['access_denied', 'Access Denied', 'grant permission'],
    ['invalid_request', 'Invalid Request', 'Clear your browser’s cache and cookies'],
    ['server_error', 'Server Error', 'in a few minutes'],
    ['configuration_error', 'Configuration Error', 'likely temporary'],
    ['network_error', 'Network Error', 'internet connection'],
    ['google_auth_error', 'Authentication Error', 'Refresh the page'],
    ['constructor', 'Authentication Error', 'Refresh the page'],
  ])('%s', async (error, title, suggestion) => {
    const { response, html } = await errorPage({
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

  test('shows the specification’s text without parameters', async () => {
    const { html } = await errorPage({});
    expect(html).toContain('An unknown error occurred during authentication.');
    expect((await errorPage({ error: 'odd_value' })).html).toMatch(/<p class="lead[^>]*>odd_value</);
  });

  test('X-A9: shows hostile text as short plain text without links', async () => {
    const { html } = await errorPage({
      error: '<script>alert(1)</script>',
      description: `<img src=x onerror=alert(1)>${'d'.repeat(5000)}`,
      from: 'javascript:alert(1)',
      code: 'c'.repeat(10_000),
    });
    expect(html).not.toMatch(/<script>alert|<img src=x/);
    expect(html).not.toMatch(/d{201}|c{201}/);
    const main = /<main[\s\S]*<\/main>/.exec(html)?.[0] ?? '';
    expect(linksOf(main)).toHaveLength(3);
    const foreignTargets = linksOf(main).filter((link) => !/^(\/(?!\/)|mailto:support@)/.test(link));
    expect(foreignTargets).toEqual([]);
  });

  test('removes characters that would reverse the text', async () => {
    const { html } = await errorPage({ error: 'x', description: 'safe\u202egnp.exe\u0000\u200b end' });
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

  test('reports a missing session', async () => {
    expect(error(await to(''))).toEqual({
      error: 'no_session',
      description: 'No session found after authentication',
      from: 'auth_callback',
    });
    expect(error(await to('?subscribe=true&plan=yearly')).error).toBe('no_session');
  });

  test('reports what the provider refused', async () => {
    const refused = await to('?error=access_denied&error_description=The+user+said+no');
    expect(error(refused)).toEqual({
      error: 'access_denied',
      description: 'The user said no',
      from: 'auth_callback',
    });
    expect(error(await to('?error=%3Cscript%3E')).error).toBe('auth_error');
    expect(error(await to(`?error=x&error_description=${'y'.repeat(999)}`)).description).toHaveLength(200);
  });

  test('M-A9: when signed in, the query chooses the target and never the plan', async () => {
    const person = await createPerson(server);
    const goTo = (query: string) => to(query, person.cookie);
    expect(await goTo('')).toBe('/?success=login');
    expect(await goTo('?subscribe=true&plan=yearly')).toContain(`${server.standins}/creem/pay/ch_`);
    const prefetched = await fetch(`${server.url}/auth/callback?subscribe=true&plan=monthly`, {
      headers: { cookie: person.cookie, 'sec-purpose': 'prefetch' },
    });
    expect(await prefetched.text()).toContain('/dashboard?subscribe=true&amp;plan=monthly');
    const { rows } = await server.database.query(
      `select 1 from checkouts where plan = 'monthly' and user_id = $1`,
      [person.id],
    );
    expect(rows).toHaveLength(0);
    for (const query of ['?subscribe=true&plan=lifetime', '?subscribe=1&plan=yearly', '?plan=yearly'])
      expect(await goTo(query)).toBe('/?success=login');
    expect(await (await person.get('/api/me')).json()).toMatchObject({ plan: 'free' });
    expect(await goTo('?next=%2Fchat%2Fnew')).toBe('/chat/new?success=login');
  });

  test('X-A7: replaces a target on another site with the home page', async () => {
    const person = await createPerson(server);
    for (const next of [
      ...foreignTargets(server.url),
      '/auth/callback?next=%2F',
      '/error?description=Call+us',
      '/restore?kept',
    ]) {
      const target = encodeURIComponent(next);
      expect(await to(`?next=${target}`, person.cookie), next).toBe('/?success=login');
      expect(await to(`?redirect=${target}&from=${target}`, person.cookie), next).toBe('/?success=login');
    }
  });
});
