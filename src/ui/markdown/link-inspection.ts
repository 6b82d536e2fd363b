import { pictureHost, safeLink } from './safe-link.ts';

export type LinkWarning = 'user' | 'letters' | 'other' | 'network' | 'long' | 'mail';

export interface LinkInspection {
  href: string;
  host: string;
  showsAddress: boolean;
  warnings: LinkWarning[];
}

/** Longer parts of an address may leak text to its host. */
const maxLengths = { query: 100, part: 100, path: 300, host: 80 };

const withoutScheme = (text: string) => text.replace(/^(?:https?:\/\/|mailto:)/i, '').replace(/\/$/, '');

function isAddressOf(text: string, href: string): boolean {
  if (withoutScheme(text) === withoutScheme(href)) return true;
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
    search.length + hash.length > maxLengths.query ||
    name.length > maxLengths.host ||
    pathname.length > maxLengths.path ||
    pathname.split('/').some((part) => part.length > maxLengths.part);
  const doubts: [LinkWarning, boolean][] = [
    ['user', username !== '' || password !== ''],
    ['letters', /(?:^|\.)xn--/.test(name)],
    ['other', isOther],
    ['network', isLocal(name)],
    ['long', isLong],
  ];
  return doubts.filter(([, holds]) => holds).map(([doubt]) => doubt);
}

/** Warns about a mail link with more than a subject: several recipients, a body, attachments. */
function mailWarnings({ pathname, search }: URL): LinkWarning[] {
  const names = [...new URLSearchParams(search).keys()].map((name) => name.toLowerCase());
  const hasExtraFields = names.some((name) => name !== 'subject') || /,|%2c|;|%3b/i.test(pathname);
  const doubts: LinkWarning[] = hasExtraFields ? ['mail'] : [];
  return search.length > maxLengths.query ? [...doubts, 'long'] : doubts;
}

/**
 * Returns null if the link must not lead anywhere. `text` is the link's text as written; null if that already shows the
 * host.
 */
export function inspectLink(address: string, text: string | null): LinkInspection | null {
  const href = safeLink(address);
  if (href === null) return null;
  const url = new URL(href);
  const showsAddress = text !== null && isAddressOf(text, href);
  if (url.protocol === 'mailto:')
    return { href, host: url.pathname, showsAddress, warnings: mailWarnings(url) };
  return {
    href,
    host: pictureHost(href) ?? '',
    showsAddress,
    warnings: webWarnings(url, showsAddress ? '' : (text ?? '')),
  };
}
