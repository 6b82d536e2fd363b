import { pictureHost, safeLink } from './safe-link.ts';

export type LinkWarning = 'user' | 'letters' | 'other' | 'network' | 'long' | 'mail';

export interface LinkInspection {
  /** Address that it leads to, normalised. */
  href: string;
  /** Host, or the mailbox of a mail; a host with other letters than a to z is in its ASCII form. */
  host: string;
  /** The text of the link is its address. */
  bare: boolean;
  doubts: LinkWarning[];
}

/** Letters of a query, of a part of the path and of a host from which on they may carry a text away. */
const longest = { query: 100, part: 100, host: 80 };

/** A text without what an address may go without. */
const core = (text: string) => text.replace(/^(?:https?:\/\/|mailto:)/i, '').replace(/\/$/, '');

/** Whether a text shows this address to its reader, letter for letter or as a browser normalises it. */
function showsAddress(text: string, href: string): boolean {
  if (core(text) === core(href)) return true;
  return !/\p{Cf}/u.test(text) && !/[/.]xn--/.test(href) && safeLink(text) === href;
}

function shownHost(text: string): string | null {
  const found = /^(?:https?:\/\/)?([^\s/?#:@]+\.[^\s/?#:@.]+)(?:[/?#:]\S*)?$/i.exec(text.trim());
  const host = found?.[1]?.toLowerCase();
  if (!host) return null;
  const isAddress = /^(?:https?:\/\/|www\.)/i.test(text.trim()) || /\.(?:com|org|gov|edu)$/.test(host);
  const shown = isAddress ? safeLink(`https://${host.replace(/^www\./, '')}/`) : null;
  return shown && new URL(shown).hostname;
}

/** A number, or a name that only a network of one's own knows. */
const isLocal = (name: string) =>
  /^\[|^\d{1,3}(?:\.\d{1,3}){3}$/.test(name) ||
  !name.includes('.') ||
  /\.(?:local|localhost|internal|lan|home|intranet|svc)$/.test(name);

function webWarnings(
  { username, password, hostname, pathname, search, hash }: URL,
  text: string,
): LinkWarning[] {
  const name = hostname.replace(/\.$/, '');
  const shown = shownHost(text);
  const isOther = shown !== null && name !== shown && !name.endsWith(`.${shown}`);
  const isLong =
    search.length + hash.length > longest.query ||
    name.length > longest.host ||
    pathname.split('/').some((part) => part.length > longest.part);
  const doubts: [LinkWarning, boolean][] = [
    ['user', username !== '' || password !== ''],
    ['letters', /(?:^|\.)xn--/.test(name)],
    ['other', isOther],
    ['network', isLocal(name)],
    ['long', isLong],
  ];
  return doubts.filter(([, holds]) => holds).map(([doubt]) => doubt);
}

/** Anything but a subject in a mail that is begun: more recipients, words, files. */
function mailWarnings({ pathname, search }: URL): LinkWarning[] {
  const names = [...new URLSearchParams(search).keys()].map((name) => name.toLowerCase());
  const isFilled = names.some((name) => name !== 'subject') || /,|%2c|;|%3b/i.test(pathname);
  const doubts: LinkWarning[] = isFilled ? ['mail'] : [];
  return search.length > longest.query ? [...doubts, 'long'] : doubts;
}

/**
 * What a reader should know of a link before it opens; null where it may not lead anywhere.
 * @param text what stands in its place, as it is written; null where that names its host already.
 */
export function inspectLink(address: string, text: string | null): LinkInspection | null {
  const href = safeLink(address);
  if (href === null) return null;
  const url = new URL(href);
  const bare = text !== null && showsAddress(text, href);
  if (url.protocol === 'mailto:') return { href, host: url.pathname, bare, doubts: mailWarnings(url) };
  return { href, host: pictureHost(href) ?? '', bare, doubts: webWarnings(url, bare ? '' : (text ?? '')) };
}
