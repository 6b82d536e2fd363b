const LOCAL = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/;
const scripts = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic', 'Lisu'].map(
  (name) => new RegExp(`\\p{Script=${name}}`, 'u'),
);

/** A label that mixes look-alike alphabets imitates another name (Unicode TS 39). */
function imitates(label: string): boolean {
  return scripts.filter((script) => script.test(label)).length > 1;
}

function asciiDomain(text: string): string | null {
  const domain = text.normalize('NFC').toLowerCase();
  if (DOMAIN.test(domain)) return domain;
  // Compatibility forms (full-width letters, circled digits) would be mapped silently, and nobody types them.
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(domain) || domain !== domain.normalize('NFKC')) return null;
  if (domain.split('.').some(imitates) || !URL.canParse(`http://${domain}/`)) return null;
  const ascii = new URL(`http://${domain}/`).hostname;
  return DOMAIN.test(ascii) ? ascii : null;
}

/**
 * Returns the text as one plain address, in lower case and with an ASCII domain, or null for anything else: lists,
 * groups, comments, names, quoted local parts, line breaks, bare hosts, over 254 characters (RFC 5321).
 */
export function emailAddress(text: unknown): string | null {
  if (typeof text !== 'string' || text.length > 320) return null;
  const [local = '', domain = '', ...rest] = text.replace(/^ +| +$/g, '').split('@');
  if (rest.length > 0 || local.length > 64 || !LOCAL.test(local.toLowerCase())) return null;
  const ascii = asciiDomain(domain);
  if (ascii === null) return null;
  const address = `${local.toLowerCase()}@${ascii}`;
  return address.length <= 254 ? address : null;
}
