import { cleanLine } from '#shared/clean-text.ts';
import { decodeEntities } from '#ui/markdown/html-entities.ts';
import type { WebSource } from '../contract.ts';

/** A page as a search or a gateway reports it: untrusted text. */
export interface FoundPage {
  url: unknown;
  title: unknown;
  snippet?: unknown;
  date?: unknown;
}

export interface CleanPage extends WebSource {
  snippet: string;
}

/** UTF-16 units. */
const maxLengths = { url: 1_000, title: 200, snippet: 600 };

/** Returns null for anything but an http or https address without a user name. */
function parseAddress(value: unknown): string | null {
  const url = typeof value === 'string' && value.length <= maxLengths.url ? URL.parse(value.trim()) : null;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  if (url.username !== '' || url.password !== '' || url.href.length > maxLengths.url) return null;
  return url.href;
}

/** Removes the tags with which search services mark matches, and decodes entities. */
const cleanField = (value: unknown, length: number): string =>
  typeof value === 'string'
    ? cleanLine(decodeEntities(value.slice(0, 4 * length).replace(/<\/?\w[^<>]{0,100}>/g, '')), length)
    : '';

function parseDate(value: unknown): string | null {
  const found = typeof value === 'string' ? /^\d{4}-\d{2}-\d{2}/.exec(value)?.[0] : undefined;
  return found !== undefined && !Number.isNaN(Date.parse(found)) ? found : null;
}

function toPages({ url, title, snippet, date }: FoundPage): CleanPage[] {
  const address = parseAddress(url);
  if (address === null) return [];
  return [
    {
      url: address,
      title: cleanField(title, maxLengths.title) || new URL(address).host,
      date: parseDate(date),
      snippet: cleanField(snippet, maxLengths.snippet),
    },
  ];
}

/** Returns each address once, in the original order. */
export function cleanPages(found: readonly FoundPage[], limit: number): CleanPage[] {
  const pages = new Map<string, CleanPage>();
  for (const page of found.flatMap(toPages)) if (!pages.has(page.url)) pages.set(page.url, page);
  return [...pages.values()].slice(0, limit);
}
