import { XMLParser, XMLValidator } from 'fast-xml-parser';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { blogOrder } from '#content/blog.ts';
import { splitLanguage } from '#shared/language-path.ts';
import { guestPaths } from '../support/guest-paths.ts';
import { client, createPerson } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres') });
});
afterAll(() => server.stop());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(server.url + path, { headers: { accept: 'text/html', ...headers }, redirect: 'manual' });
const read = async (path: string) => (await get(path)).text();
const parser = new XMLParser({ ignoreAttributes: false });
const mainOf = (html: string) => /<main[\s\S]*<\/main>/.exec(html)?.[0] ?? '';

async function xml(path: string, type: string) {
  const response = await get(path);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, `${type}; charset=utf-8`]);
  const text = await response.text();
  expect(XMLValidator.validate(text)).toBe(true);
  const again = await get(path, { 'if-none-match': response.headers.get('etag') ?? '' });
  expect([again.status, await again.text()]).toEqual([304, '']);
  return parser.parse(text);
}

describe('the index', () => {
  test('shows every article once, cached by an etag; a search is not cached and does not change the index', async () => {
    const first = await get('/blog');
    const etag = first.headers.get('etag') ?? '';
    const html = await first.text();
    for (const slug of blogOrder) expect(mainOf(html).split(`href="/blog/${slug}"`), slug).toHaveLength(2);
    expect(html).toContain(`${blogOrder.length} articles`);

    const found = await get('/blog?q=GEMINI&category=comparisons');
    expect(found.headers.get('etag')).toBeNull();
    const text = mainOf(await found.text());
    expect(text).toContain('2 articles in Comparisons for “GEMINI”');
    expect(text).toMatch(/value="GEMINI"/);
    expect(text).toMatch(/<option value="comparisons" selected="">/);
    expect(text.match(/class="article-card /g)).toHaveLength(2);

    const again = await get('/blog?utm_source=x', { 'if-none-match': etag });
    expect(again.status).toBe(304);
  });

  test('X-A26: a search query stays text, and an empty result says so', async () => {
    const searchText = `"><script>alert(1)</script><!--\u2028`;
    const html = await read(`/blog?${new URLSearchParams({ q: searchText, category: '<b>' })}`);
    expect(html).toContain('No articles found');
    expect(html).not.toContain('<script>alert');
    expect(html).toContain('&quot;&gt;&lt;script&gt;alert(1)');
  });
});

describe('an article', () => {
  const slug = 'prompt-engineering-guide';

  test('has its text, dates, tags and structured data, and links to its neighbors', async () => {
    const response = await get(`/blog/${slug}`);
    expect(response.headers.get('cache-control')).toBe('private, no-cache');
    const html = await response.text();
    const meta = (name: string) =>
      new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(html)?.[1];
    expect(html).toContain(`<link rel="canonical" href="${server.url}/blog/${slug}"`);
    expect(meta('og:type')).toBe('article');
    expect(meta('og:image')).toBe(`${server.url}/blog/${slug}/card.png`);
    expect(meta('twitter:card')).toBe('summary_large_image');
    expect(meta('article:section')).toBe('Guides');
    expect(meta('article:published_time')).toMatch(/^\d{4}-\d\d-\d\d$/);
    const blocks = [...html.matchAll(/<script type="application\/ld\+json">([\s\S]*?)<\/script>/g)];
    const [post, crumbs] = JSON.parse(blocks[0]?.[1] ?? '')['@graph'];
    expect(post).toMatchObject({
      '@type': 'BlogPosting',
      url: `${server.url}/blog/${slug}`,
      dateModified: `${meta('article:modified_time')}T00:00:00Z`,
      author: { '@type': 'Organization' },
      image: [meta('og:image')],
    });
    expect((await get(new URL(post.publisher.logo.url).pathname)).status).toBe(200);
    expect(crumbs.itemListElement.map(({ position }: { position: number }) => position)).toEqual([1, 2, 3]);
    expect(html).toMatch(/Written by the \w+ editorial team/);
    expect(html).toMatch(/Updated <time dateTime="[\d-]+">[A-Z][a-z]+ \d{1,2}, 20\d\d<\/time>/);
    expect(html).toMatch(/\d+ min read/);
    expect(mainOf(html)).toMatch(/You might also like/);
    expect(mainOf(html).match(/Read More/g)).toHaveLength(3);
    for (const rel of ['prev', 'next']) expect(html).toContain(`rel="${rel}"`);
    for (const path of ['/chat', '/tools/writer', '/tools/prompts'])
      expect(mainOf(html)).toContain(`href="${path}"`);
    expect(mainOf(html)).toContain('Try Prompt Lab');
  });

  test('that does not exist returns 404, for its card and data too', async () => {
    for (const path of [
      '/blog/nothing',
      '/blog/nothing/card.png',
      '/blog/What-Is-GPT-5',
      '/blog/what-is-gpt-5/x',
    ])
      expect((await get(path)).status, path).toBe(404);
    const html = await read('/blog/nothing');
    expect(html).toContain('Oops! Page not found');
    expect(html).not.toContain('canonical');
  });

  test('contains what the specification requires of three of them', async () => {
    const tracker = await read('/blog/gpt-5-release-tracker');
    for (const label of ['Completed', 'In Progress', 'Pending']) expect(tracker).toContain(label);
    expect(await read('/blog/gpt-5-vs-gemini')).toContain('Gemini tools: coming soon.');
    const opinion = mainOf(await read('/blog/is-gpt-5-a-letdown'));
    expect(opinion).toMatch(/<span class="mark[^"]*">Opinion<\/span>/);
    expect(await read('/blog/can-gpt-5-generate-videos')).toMatch(/cannot render a video/i);
  });

  test('has its own social card, created once', async () => {
    const response = await get(`/blog/${slug}/card.png`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
    const { width, height } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
    expect([width, height]).toEqual([1200, 630]);
    const etag = response.headers.get('etag') ?? '';
    expect((await get(`/blog/${slug}/card.png`, { 'if-none-match': etag })).status).toBe(304);
    const other = await get('/blog/gpt-5-vs-gemini/card.png');
    expect(other.headers.get('etag')).not.toBe(etag);
    await other.arrayBuffer();
  });

  test('is the same for signed-in people, except for the header', async () => {
    const person = await createPerson(server);
    const own = await client(server, person.cookie).get(`/blog/${slug}`, { accept: 'text/html' });
    expect(mainOf(await own.text())).toBe(mainOf(await read(`/blog/${slug}`)));
  });
});

describe('for machines', () => {
  test('the feeds contain every article with its address and time of change', async () => {
    const { rss } = await xml('/blog/rss.xml', 'application/rss+xml');
    const { feed } = await xml('/blog/atom.xml', 'application/atom+xml');
    const addresses = blogOrder.map((slug) => `${server.url}/blog/${slug}`);
    expect(rss.channel.item.map(({ link }: { link: string }) => link)).toEqual(addresses);
    expect(feed.entry.map(({ id }: { id: string }) => id)).toEqual(addresses);
    for (const { pubDate } of rss.channel.item) expect(Date.parse(pubDate)).toBeGreaterThan(0);
    const [latest] = feed.entry
      .map(({ updated }: { updated: string }) => updated)
      .sort()
      .reverse();
    expect(feed.updated).toBe(latest);
    const index = await read('/blog');
    expect(index).toContain('type="application/rss+xml"');
    expect(index).toContain('href="/blog/atom.xml"');
  });

  test('the sitemap contains every built page, with correct dates and the priorities of the specification', async () => {
    const { urlset } = await xml('/sitemap.xml', 'application/xml');
    const urls: Array<{ loc: string; lastmod: string; priority: number }> = urlset.url;
    const paths = urls.map(({ loc }) => new URL(loc).pathname);
    expect(new Set(paths).size).toBe(paths.length);
    for (const { loc, lastmod, priority } of urls) {
      const path = new URL(loc).pathname;
      if (splitLanguage(path).language) continue;
      const page = await get(path);
      const html = await page.text();
      expect(page.status, path).toBe(200);
      expect(/<head>[\s\S]*<\/head>/.exec(html)?.[0].includes('noindex'), path).toBe(false);
      // Curated prompts are part of a build and have no date.
      if (path.startsWith('/tools/prompts/')) {
        expect(lastmod, path).toBeUndefined();
        continue;
      }
      expect(lastmod, path).toMatch(/^20\d\d-\d\d-\d\d$/);
      expect(new Date(lastmod).getTime(), path).toBeLessThanOrEqual(Date.now());
      const changed = /<meta property="article:modified_time" content="([^"]+)"/.exec(html)?.[1];
      if (changed) expect(lastmod, path).toBe(changed);
      const expectedPriorities: Record<string, number> = {
        '/': 1,
        '/chat': 0.9,
        '/blog': 0.9,
        '/pricing': 0.8,
        '/terms': 0.5,
      };
      expect(priority, path).toBe(expectedPriorities[path] ?? (path.startsWith('/blog/') ? 0.8 : priority));
    }
    // Left out: a personal page and pages that redirect.
    const omitted = guestPaths.filter((place) => !paths.includes(place));
    expect(omitted).toEqual(['/dashboard', '/error', '/auth/callback']);
  });

  test('robots.txt names the sitemap, and the manifest has icons of the stated sizes', async () => {
    const robots = await get('/robots.txt');
    expect(robots.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await robots.text()).toBe(
      `User-agent: *\nAllow: /\nDisallow: /api/\n\nSitemap: ${server.url}/sitemap.xml\n`,
    );
    const manifest = await (await get('/site.webmanifest')).json();
    for (const { src, sizes, type } of manifest.icons) {
      const response = await get(src);
      expect(response.headers.get('content-type'), src).toBe(type);
      const { width, height } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
      if (sizes !== 'any') expect(`${width}x${height}`, src).toBe(sizes);
    }
    const home = await read('/');
    for (const [, href = ''] of home.matchAll(
      /<link rel="(?:icon|apple-touch-icon|manifest)" href="([^"]+)"/g,
    ))
      expect((await get(href)).status, href).toBe(200);
  });
});
