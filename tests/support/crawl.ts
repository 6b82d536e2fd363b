import { splitLanguage } from '#shared/language-path.ts';
import { elementsOf, type HtmlElement } from './html.ts';
import { client } from './people.ts';
import type { TestServer } from './server.ts';

/** What an address of ours answered. */
export interface Visited {
  /** The first page that led there. */
  from: string;
  status: number;
  type: string;
  location: string | null;
  html: string;
  elements: HtmlElement[];
}

/** A link as it stands in a page. */
export interface Link {
  from: string;
  href: string;
  url: URL;
  element: HtmlElement;
}

/** The links of a page at an address. */
export function linksOf({ elements }: Visited, address: string): Link[] {
  return elements
    .filter(({ name, attributes }) => (name === 'a' || name === 'area') && attributes.has('href'))
    .map((element) => {
      const href = element.attributes.get('href') ?? '';
      return { from: address, href, url: new URL(href, address), element };
    });
}

/** Every address that `/sitemap.xml` tells of, as a path, in English; of the prompts, which are alike, the first. */
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
 * Opens `start` and every address of ours that a page so found leads to, queries told apart, redirects not followed.
 * @param skip addresses that are not opened, because others like them are.
 */
export async function crawl(
  server: TestServer,
  start: readonly string[],
  { cookie = '', skip = (_: string): boolean => false } = {},
): Promise<Map<string, Visited>> {
  const found = new Map<string, Visited>();
  const queue = start.map((path) => ({ path, from: 'the start' }));
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const { path, from } = next;
    if (found.has(path) || skip(path)) continue;
    const response = await client(server, cookie).get(path, { accept: 'text/html' });
    const type = response.headers.get('content-type') ?? '';
    const html = await response.text();
    const isPage = type.startsWith('text/html');
    const visited: Visited = {
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
