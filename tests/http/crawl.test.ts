import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { splitLanguage } from '#shared/language-path.ts';
import { crawl, type Link, linksOf, siteMapPaths, type VisitedPage } from '../support/crawl.ts';
import { guestPaths } from '../support/guest-paths.ts';
import type { HtmlElement } from '../support/html.ts';
import { createPerson } from '../support/people.ts';
import { rawRequest, sendRaw } from '../support/raw.ts';
import type { TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';
import { soak } from '../support/soak.ts';

let server: TestServer;
let listed: string[];
/** Pages that a guest reaches from the home page, the site map and the account pages. */
let guest: Map<string, VisitedPage>;
let links: Link[];

beforeAll(async () => {
  server = await borrowServer(inject('servers'));
  listed = await siteMapPaths(server);
  // The form of a prompt is part of the prompt's page.
  const skip = (path: string) => path.endsWith('?use=1');
  guest = await crawl(server, ['/', ...listed, '/sign-in', '/error'], { skip });
  links = [...guest].flatMap(([path, page]) => linksOf(page, server.url + path));
}, 180_000);
afterAll(() => server.stop());

const attribute = (element: HtmlElement, name: string) => element.attributes.get(name) ?? '';
const open = (path: string) =>
  fetch(server.url + path, { redirect: 'manual', headers: { accept: 'text/html' } });

/** Redirects that are intended: path, then status and target. */
const intended: ReadonlyArray<[RegExp, RegExp]> = [
  [/^\/library$/, /^302 \/sign-in\?next=%2Flibrary$/],
  [/^\/settings$/, /^302 \/sign-in\?next=\/settings$/],
  [/^\/api\/auth\/(google|github)(\?next=|$)/, /^302 http:\/\/127\.0\.0\.1:\d+\/(google|github)\//],
];
/** Redirects for members: the sign-in page also leads them away. */
const intendedForMembers: typeof intended = [...intended, [/^\/sign-in(\?|$)/, /^302 \/$/]];

function unexpected(pages: Map<string, VisitedPage>, allowed: typeof intended): string[] {
  return [...pages].flatMap(([path, { status, location, from }]) => {
    if (status === 200) return [];
    const redirect = `${status} ${location?.replace(server.url, '')}`;
    const isAllowed = allowed.some(([start, end]) => start.test(path) && end.test(redirect));
    return isAllowed ? [] : [`${path}: ${redirect}, linked from ${from}`];
  });
}

describe('every link', () => {
  test('within the site leads to an existing page, for guests', () => {
    expect(guest.size).toBeGreaterThan(100);
    expect(unexpected(guest, intended)).toEqual([]);
  });

  test.runIf(soak)(
    'within the site leads to an existing page, for members',
    async () => {
      const person = await createPerson(server);
      // Articles and prompts look the same to members, except for the header.
      const skip = (path: string) => /^\/(blog|tools\/prompts)\/./.test(path);
      const start = ['/', ...listed, '/settings', '/tools/prompts?sort=mine'];
      const member = await crawl(server, start, { cookie: person.cookie, skip });
      expect(member.get('/settings')?.status).toBe(200);
      expect(unexpected(member, intendedForMembers)).toEqual([]);
    },
    90_000,
  );

  test('to a part of a page finds it, and no id occurs twice', () => {
    const ids = new Map<string, Set<string>>();
    const duplicates: string[] = [];
    for (const [path, { elements }] of guest) {
      const all = elements.map((element) => attribute(element, 'id')).filter((id) => id !== '');
      ids.set(path, new Set(all));
      if (new Set(all).size < all.length) duplicates.push(path);
    }
    expect(duplicates).toEqual([]);
    const missing = links
      .filter(({ url }) => url.origin === server.url && url.hash !== '')
      .filter(({ url }) => !ids.get(url.pathname + url.search)?.has(decodeURIComponent(url.hash.slice(1))));
    expect(missing.map(({ from, href }) => `${from}: ${href}`)).toEqual([]);
  });

  test('to another site is encrypted and has no access to our page; mail addresses are valid', () => {
    const problems: string[] = [];
    for (const { from, href, url, element } of links) {
      const rel = attribute(element, 'rel').split(' ');
      if (url.protocol === 'mailto:') {
        // A mailto link without an address lets the reader choose the recipient.
        const isComplete = /^mailto:([\w.+-]+@[\w-]+(\.[\w-]+)+)?(\?[\w=&%.~!*'()-]*)?$/.test(href);
        if (!isComplete || href === 'mailto:') problems.push(`${from}: ${href}`);
      } else if (url.protocol === 'tel:') {
        if (!/^tel:\+\d{6,15}$/.test(href)) problems.push(`${from}: ${href}`);
      } else if (url.origin !== server.url) {
        const isStandIn = href.startsWith(server.standins);
        if (!isStandIn && url.protocol !== 'https:') problems.push(`${from}: ${href} is ${url.protocol}`);
        const isIsolated = rel.includes('noopener') || rel.includes('noreferrer');
        if (element.attributes.has('target') && !isIsolated) problems.push(`${from}: ${href} may reach back`);
      }
    }
    expect(problems).toEqual([]);
  });
});

test('every page of the specification and of the sitemap is reachable from the home page', () => {
  const reached = new Set(['/']);
  // Iterating a Set also visits items that are added during the loop.
  for (const path of reached)
    for (const { from, url } of links)
      if (from === server.url + path && url.origin === server.url) reached.add(url.pathname + url.search);
  const paths = new Set([...reached].map((address) => address.replace(/\?.*/, '')));
  // These two are not linked: providers return to the first, and the second shows their errors.
  const unlinked = new Set(['/auth/callback', '/error']);
  expect([...listed, ...guestPaths].filter((path) => !unlinked.has(path) && !paths.has(path))).toEqual([]);
});

/** Files that a browser loads for a page: address and expected media type. */
function filesOf({ elements }: VisitedPage): Array<[string, RegExp]> {
  const sources = (text: string) => text.split(',').flatMap((part) => part.trim().split(/\s+/)[0] || []);
  return elements.flatMap((element): Array<[string, RegExp]> => {
    const attr = (name: string) => attribute(element, name);
    const [type, href, src] = [attr('type'), attr('href'), attr('src')];
    const exact = (fallback: RegExp) => (type ? new RegExp(`^${type.replace('+', '\\+')}(;|$)`) : fallback);
    const picture = exact(/^image\//);
    const sets = [...sources(attr('srcset')), ...sources(attr('imagesrcset'))];
    switch (element.name) {
      case 'script':
        return src ? [[src, /^text\/javascript/]] : [];
      case 'img':
        return [src, ...sets]
          .filter((address) => !address.startsWith('data:'))
          .map((address) => [address, picture]);
      case 'source':
        return sets.map((address) => [address, picture]);
      case 'meta':
        return attr('property') === 'og:image' ? [[attr('content'), /^image\/(png|jpeg|webp)$/]] : [];
      case 'link':
        break;
      default:
        return [];
    }
    const kinds: Record<string, RegExp> = {
      stylesheet: /^text\/css/,
      modulepreload: /^text\/javascript/,
      manifest: /^application\/manifest\+json/,
      icon: picture,
      'apple-touch-icon': picture,
      alternate: attr('hreflang') ? /^text\/html/ : exact(/^never$/),
      preload:
        { font: /^font\/woff2$/, style: /^text\/css/, script: /^text\/javascript/ }[attr('as')] ?? picture,
    };
    const kind = kinds[attr('rel')];
    return kind ? [...(href ? [href] : []), ...sets].map((address) => [address, kind]) : [];
  });
}

test.runIf(soak)(
  'every file that a page requests exists and has its type',
  async () => {
    const requested = new Map<string, { type: RegExp; from: string }>();
    for (const [path, page] of guest)
      for (const [address, type] of filesOf(page)) {
        const url = new URL(address, server.url + path);
        expect(url.origin, `${path} asks for ${address}`).toBe(server.url);
        requested.set(url.pathname + url.search, { type, from: path });
      }
    // All social cards of a kind are drawn in the same way, and slowly: two of a kind are enough.
    const kindOf = (path: string) =>
      path.startsWith('/cards/') ? '/cards' : /^(.*)\/[^/]+\/card\.png/.exec(path)?.[1];
    const kinds = Map.groupBy(requested.keys(), kindOf);
    // Languages differ only in words: only the soak opens all of them.
    for (const path of requested.keys()) {
      const { language } = splitLanguage(path);
      if (!soak && language !== null && !['ar', 'ja'].includes(language)) requested.delete(path);
    }
    for (const [kind, cards] of kinds) if (kind) for (const path of cards.slice(2)) requested.delete(path);
    expect(requested.size).toBeGreaterThan(30);
    const broken: string[] = [];
    for (const [path, { type, from }] of requested) {
      const response = await open(path);
      const bytes = Buffer.from(await response.arrayBuffer());
      const mediaType = response.headers.get('content-type') ?? '';
      if (response.status !== 200 || !type.test(mediaType) || bytes.length === 0)
        broken.push(`${path} of ${from}: ${response.status} ${mediaType}`);
      if (/^image\/(png|jpeg|webp|avif)$/.test(mediaType))
        expect((await sharp(bytes).metadata()).width).toBeGreaterThan(0);
      if (!/^text\/css/.test(mediaType)) continue;
      for (const [, address = ''] of bytes.toString().matchAll(/url\("?([^")]+)"?\)/g)) {
        if (address.startsWith('data:')) continue;
        const used = await open(new URL(address, server.url + path).pathname);
        if (used.status !== 200) broken.push(`${address} of ${path}: ${used.status}`);
        await used.arrayBuffer();
      }
    }
    expect(broken).toEqual([]);
  },
  90_000,
);

describe('a path similar to a page', () => {
  const missingPaths = [
    '/blog/unknown',
    '/blog/%20',
    '/blog/constructor',
    '/blog/__proto__',
    '/blog/WHAT-IS-GPT-5',
    '/blog/what-is-gpt-5.html',
    '/blog/what-is-gpt-5.md',
    '/blog/what-is-gpt-5%2F',
    '/blog%2Fwhat-is-gpt-5',
    '/blog//what-is-gpt-5',
    '/blog/what-is-gpt-5/card.png/',
    '/blog/what-is-gpt-5/what-is-gpt-5',
    '/blog/%00',
    '/blog/%F0%9F%A4%96',
    '/blog/feed',
    '/index.html',
    '/sitemap.xml/',
    '/Sitemap.xml',
    '/pricing%20',
    '/pricing;x',
    '//pricing',
    '/tools/nothing',
    '/tools/prompts/unknown',
    '/%',
    '/%E0%A4%A',
    '/wp-login.php',
    '/.well-known/nothing',
    `/${'a'.repeat(3000)}`,
  ];
  test.each(missingPaths)('%s returns 404', async (path) => {
    const answer = await sendRaw(server.url, rawRequest(server.url, `GET ${path}`, { accept: 'text/html' }));
    expect(answer.status).toBe(404);
    expect(answer.head).toMatch(/content-type: text\/html/);
    expect(answer.body).not.toMatch(/rel="canonical"|application\/ld\+json/);
  });

  test('is redirected to the page in one step if it is another spelling of it', async () => {
    const spellings = listed.flatMap((path) => {
      if (path === '/') return [];
      const escaped = path.replace(/\/(\w)/, (_, letter) => `/%${letter.charCodeAt(0).toString(16)}`);
      return [path, `${path}//`, `${path.slice(0, 2).toUpperCase()}${path.slice(2)}`, escaped]
        .map((spelling) => (spelling === path ? `${path}/` : spelling))
        .map((spelling) => ({ path, spelling }));
    });
    expect(spellings.length).toBeGreaterThan(80);
    for (const { path, spelling } of spellings) {
      const response = await open(`${spelling}?ref=x`);
      await response.arrayBuffer();
      expect([response.status, response.headers.get('location')], spelling).toEqual([308, `${path}?ref=x`]);
    }
    expect(server.output()).not.toMatch(/a page (failed|did not render)/);
  });
});
