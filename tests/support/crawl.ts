import { splitLanguage } from '#shared/language-path.ts';
import { elementsOf, type HtmlElement } from './html.ts';
import { client } from './people.ts';
import type { TestServer } from './server.ts';

/** The response of one of the site's URLs. */
export interface VisitedPage {
  /** The first page that links to it. */
  from: string;
  status: number;
  type: string;
  location: string | null;
  html: string;
  elements: HtmlElement[];
}

/** A link as written in a page. */
export interface Link {
  from: string;
  href: string;
  url: URL;
  element: HtmlElement;
}

/** Returns the links of a page at an address. */
export function linksOf({ elements }: VisitedPage, address: string): Link[] {
  return elements
    .filter(({ name, attributes }) => (name === 'a' || name === 'area') && attributes.has('href'))
    .map((element) => {
      const href = element.attributes.get('href') ?? '';
      return { from: address, href, url: new URL(href, address), element };
    });
}

/** Returns the path of every English URL in `/sitemap.xml`, but only the first prompt page, since those are alike. */
export async function siteMapPaths(server: TestServer): Promise<string[]> {
  const xml = await (await fetch(`${server.url}/sitemap.xml`)).text();
  const paths = [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(
    ([, address = '']) => new URL(address).pathname,
  );
  const english = paths.filter((path) => splitLanguage(path).language === null);
  const [prompt] = english.filter((path) => path.startsWith('/tools/prompts/'));
  return english.filter((path) => path === prompt || !path.startsWith('/tools/prompts/'));
}

/**
 * Opens `start` and every URL of the site that the found pages link to. URLs with different queries are different;
 * redirects are not followed.
 * @param skip tells which URLs not to open, because similar ones are opened.
 */
export async function crawl(
  server: TestServer,
  start: readonly string[],
  { cookie = '', skip = (_: string): boolean => false } = {},
): Promise<Map<string, VisitedPage>> {
  const found = new Map<string, VisitedPage>();
  const queue = start.map((path) => ({ path, from: 'the start' }));
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const { path, from } = next;
    if (found.has(path) || skip(path)) continue;
    const response = await client(server, cookie).get(path, { accept: 'text/html' });
    const type = response.headers.get('content-type') ?? '';
    const html = await response.text();
    const isPage = type.startsWith('text/html');
    const visited: VisitedPage = {
      from,
      status: response.status,
      type,
      location: response.headers.get('location'),
      html,
      elements: isPage ? elementsOf(html) : [],
    };
    found.set(path, visited);
    for (const { url } of linksOf(visited, server.url + path))
      if (url.origin === server.url) queue.push({ path: url.pathname + url.search, from: path });
  }
  return found;
}
