import { decodeEntities } from './html-entities.ts';

const allowed = ['http:', 'https:', 'mailto:'];

function parse(href: string): URL | null {
  const address = decodeEntities(href).trim();
  // Requires a scheme: a relative address in a model's text would lead into our own site.
  if (!/^(?:https?:\/\/|mailto:)/i.test(address)) return null;
  try {
    return new URL(address);
  } catch {
    return null;
  }
}

/** Returns the normalized address; null for any scheme but http, https and mailto. */
export function safeLink(href: string): string | null {
  const url = parse(href);
  return url && allowed.includes(url.protocol) ? url.href : null;
}

export function pictureHost(href: string): string | null {
  const url = parse(href);
  return url && url.protocol !== 'mailto:' ? url.host : null;
}
