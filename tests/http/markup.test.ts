import { HtmlValidate, StaticConfigLoader } from 'html-validate';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { formatMoney, planDurations, priceTable } from '#features/credits/contract.ts';
import { siteMapPaths } from '../support/crawl.ts';
import { elementsOf, type HtmlElement, visibleText } from '../support/html.ts';
import type { TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';
import { sampleOf } from '../support/soak.ts';
import { faultsOf, type Thing, thingsIn } from '../support/structured-data.ts';

let server: TestServer;
let listed: string[];
const pages = new Map<string, { html: string; words: string; elements: HtmlElement[] }>();

/** Pages in states that no list of paths contains. */
const states = [
  '/blog?q=gemini&category=comparisons',
  '/blog?q=nothing+like+this',
  '/pricing?payment=cancelled',
  '/tools/prompts?category=writing',
  '/tools/prompts/review-a-diff?use=1',
  '/sign-in',
  '/dashboard',
  '/auth/callback',
  '/error?error=access_denied&description=%3Cb%3E',
  '/sign-in/confirm?token=dead',
  '/restore',
  '/nothing',
];

beforeAll(async () => {
  server = await borrowServer(inject('servers'));
  listed = await siteMapPaths(server);
  for (const path of [...listed, ...states]) {
    const html = await (await fetch(server.url + path, { headers: { accept: 'text/html' } })).text();
    pages.set(path, { html, words: visibleText(html), elements: elementsOf(html) });
  }
});
afterAll(() => server.stop());

const page = (path: string) => pages.get(path) ?? { html: '', words: '', elements: [] };
const tagOf = (path: string, name: string, key: string, value: string) =>
  page(path)
    .elements.find((element) => element.name === name && element.attributes.get(key) === value)
    ?.attributes.get(name === 'link' ? 'href' : 'content');
const propertyOf = (path: string, property: string) => tagOf(path, 'meta', 'property', property);

test('every page is valid HTML', async () => {
  const validator = new HtmlValidate(
    new StaticConfigLoader({
      root: true,
      extends: ['html-validate:recommended', 'html-validate:a11y', 'html-validate:document'],
      elements: ['html5'],
      rules: {
        // HTML allows several spellings; these rules would reject React's.
        'void-style': 'off',
        'attr-case': 'off',
        'attribute-boolean-style': 'off',
        'attribute-empty-style': 'off',
        'valid-id': ['error', { relaxed: true }],
        // Only our own files are loaded, and their names contain a hash of the content.
        'require-sri': 'off',
        // The list of chats comes before the conversation.
        'heading-level': ['error', { minInitialRank: 'h2' }],
      },
    }),
  );
  const faults = new Map<string, string[]>();
  for (const [path, { html }] of sampleOf([...pages])) {
    const { results } = await validator.validateString(html, path);
    for (const { ruleId, message, selector } of results.flatMap(({ messages }) => messages)) {
      const fault = `${ruleId}: ${message} at ${selector}`;
      faults.set(fault, [...(faults.get(fault) ?? []), path]);
    }
  }
  expect(Object.fromEntries(faults)).toEqual({});
}, 120_000);

describe('page metadata for search engines and social networks', () => {
  test('is unique, complete, and given under one canonical address', () => {
    const seen = { titles: new Set<string>(), descriptions: new Set<string>() };
    for (const path of listed) {
      const { html } = page(path);
      const title = /<title>([^<]+)<\/title>/.exec(html)?.[1] ?? '';
      const description = tagOf(path, 'meta', 'name', 'description') ?? '';
      const address = server.url + path;
      expect(title.length, `title of ${path}`).toBeGreaterThan(4);
      expect(description.length, `description of ${path}`).toBeGreaterThan(40);
      expect(description.length, `description of ${path}`).toBeLessThan(200);
      expect([seen.titles.has(title), seen.descriptions.has(description)], path).toEqual([false, false]);
      seen.titles.add(title);
      seen.descriptions.add(description);
      expect(html.match(/<html lang="en"/g), path).toHaveLength(1);
      expect(html.match(/<h1[\s>]/g), path).toHaveLength(1);
      expect(tagOf(path, 'link', 'rel', 'canonical'), path).toBe(address);
      expect(propertyOf(path, 'og:url'), path).toBe(address);
      expect(propertyOf(path, 'og:type'), path).toBe(path.startsWith('/blog/') ? 'article' : 'website');
      for (const property of ['og:title', 'og:description', 'og:site_name', 'og:image', 'og:image:alt'])
        expect(propertyOf(path, property), `${property} of ${path}`).toBeTruthy();
    }
  });

  test('keeps personal pages, and pages without an address of their own, out of indexes', () => {
    for (const path of states) {
      if (/^\/(blog|pricing|tools)\b/.test(path)) {
        const own = path.replace(/\?.*/, '');
        expect(tagOf(path, 'link', 'rel', 'canonical'), path).toBe(server.url + own);
      } else expect(tagOf(path, 'meta', 'name', 'robots'), path).toMatch(/noindex/);
    }
  });
});

describe('structured data', () => {
  const thingsOf = (path: string) => thingsIn(page(path).elements);
  const all = (type: string): Array<{ path: string; thing: Thing }> =>
    [...pages.keys()].flatMap((path) =>
      thingsOf(path)
        .filter((thing) => thing['@type'] === type)
        .map((thing) => ({ path, thing })),
    );

  test('has what search engines require of each type, with addresses of the site that answer', async () => {
    const faults: string[] = [];
    const addresses = new Set<string>();
    for (const path of pages.keys()) {
      for (const thing of thingsOf(path)) {
        faults.push(...faultsOf(thing).map((fault) => `${path}: ${fault}`));
        for (const key of ['url', 'item', 'image', 'logo', 'mainEntityOfPage'])
          for (const value of [thing[key]].flat())
            if (typeof value === 'string' && value.startsWith(server.url)) addresses.add(value);
      }
    }
    expect(faults).toEqual([]);
    expect(addresses.size).toBeGreaterThan(20);
    const dead: string[] = [];
    for (const address of addresses) {
      // All cards are drawn in the same way, and slowly; another test draws them.
      if (address.endsWith('/card.png')) continue;
      const { status } = await fetch(address, { method: 'HEAD', redirect: 'manual' });
      if (status !== 200) dead.push(`${address}: ${status}`);
    }
    expect(dead).toEqual([]);
  });

  test('describes the organization, what is sold, articles and prompts', () => {
    const typesOf = (path: string) => thingsOf(path).map((thing) => thing['@type']);
    expect(typesOf('/')).toEqual(expect.arrayContaining(['Organization', 'WebSite']));
    expect(thingsOf('/')[0]).toMatchObject({
      url: `${server.url}/`,
      logo: expect.stringContaining('/icon-'),
    });
    expect(typesOf('/pricing')).toEqual(expect.arrayContaining(['Product', 'Offer']));
    for (const tool of ['writer', 'script', 'image', 'pdf', 'prompts'])
      expect(typesOf(`/tools/${tool}`), tool).toEqual(
        expect.arrayContaining(['SoftwareApplication', 'FAQPage', 'BreadcrumbList']),
      );
    for (const path of listed.filter((each) => each.startsWith('/blog/')))
      expect(typesOf(path), path).toEqual(expect.arrayContaining(['BlogPosting', 'BreadcrumbList']));
    expect(typesOf('/tools/prompts/review-a-diff?use=1')).toContain('CreativeWork');
  });

  test('claims nothing that the page does not show', () => {
    const missing: string[] = [];
    const expectShown = (path: string, text: unknown) => {
      const plain = String(text).replace(/\s+/g, ' ').trim();
      if (!page(path).words.includes(plain)) missing.push(`${path}: ${plain}`);
    };
    for (const { path, thing } of all('BlogPosting')) {
      expectShown(path, thing.headline);
      const day = new Date(String(thing.dateModified));
      expectShown(path, day.toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' }));
    }
    for (const { path, thing } of all('ListItem')) expectShown(path, thing.name);
    for (const { path, thing } of all('Question')) expectShown(path, thing.name);
    for (const { path, thing } of all('Answer')) expectShown(path, thing.text);
    for (const { path, thing } of all('Offer')) {
      const price = Number(thing.price);
      if (price === 0) expect(page(path).words, path).toMatch(/free/i);
      else expectShown(path, formatMoney(Math.round(price * 100)));
    }
    expect(missing).toEqual([]);
    // There are no ratings on this site.
    for (const type of ['AggregateRating', 'Review', 'Rating']) expect(all(type)).toEqual([]);
  });

  test('has the prices of the price table', () => {
    const offers = all('Offer').filter(({ path }) => path === '/pricing');
    const expected = planDurations.map((duration) => (priceTable[duration].priceCents / 100).toFixed(2));
    expect(offers.map(({ thing }) => thing.price).sort()).toEqual(expected.sort());
  });

  test('X-A26: cannot be broken out of', () => {
    for (const [path, { elements }] of pages)
      for (const { attributes, text } of elements)
        if (attributes.get('type') === 'application/ld+json')
          expect(text, path).not.toMatch(/[<\u2028\u2029]/);
  });
});
