interface Rule {
  /** With `mergeDomains`, the first of the list replaces all of them. */
  domains: string[] | RegExp;
  mergeDomains?: boolean;
  name?: (name: string) => string;
}

const beforeSeparator = (separator: string) => (name: string) => name.split(separator)[0] || name;
const removing = (characters: RegExp) => (name: string) => name.replace(characters, '') || name;

/**
 * Providers with more rules than plus tags, which are removed from every address. Plus tags only: Outlook.com, Hotmail
 * and Live (learn.microsoft.com/exchange/recipients-in-exchange-online/plus-addressing-in-exchange-online), Zoho
 * (zoho.com/mail/help/sub-addressing.html), Mail.ru, AOL and GMX.
 */
const rules: Rule[] = [
  // Dots are ignored, and there are two domains: support.google.com/mail/answer/7436150
  { domains: ['gmail.com', 'googlemail.com'], mergeDomains: true, name: removing(/\./g) },
  // Disposable addresses are BASE-KEYWORD, and no account has a hyphen: help.yahoo.com/kb/SLN28938.html
  {
    domains: /^(yahoo\.(com|co\.[a-z]{2}|com\.[a-z]{2}|[a-z]{2})|(ymail|rocketmail|myyahoo)\.com)$/,
    name: beforeSeparator('-'),
  },
  // Dots, hyphens and underscores are "transparent", and names are reserved on all domains:
  // proton.me/support/change-username, proton.me/support/addresses-and-aliases
  {
    domains: ['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me'],
    mergeDomains: true,
    name: removing(/[._-]/g),
  },
  // One address has up to three domains: support.apple.com/118230
  { domains: ['icloud.com', 'me.com', 'mac.com'], mergeDomains: true },
  // A name is valid on all domains (yandex.com/support/id/authorization/email.html); dots and hyphens are equivalent.
  {
    domains: /^(ya\.ru|narod\.ru|yandex\.(ru|com|by|kz|ua|uz|az|net|com\.[a-z]{2}|co\.il))$/,
    mergeDomains: true,
    name: (name) => name.replaceAll('.', '-'),
  },
];

const yandex = 'yandex.ru';

/**
 * ANYTHING@NAME.DOMAIN is NAME+ANYTHING@DOMAIN, and underscores in NAME are hyphens:
 * fastmail.help/hc/en-us/articles/360060591053, fastmail.com/blog/two-address-resolving-additions. Domains:
 * fastmail.com/about/ourdomains.
 */
const subdomainPattern =
  /^(?:(.+)\.)?(fastmail\.(?:com|fm|net|org|us|cn|de|es|fr|im|in|jp|mx|nl|se|to|tw|uk|vn|co\.uk|com\.au)|fastmailbox\.net|myfastmail\.com|sent\.(?:com|as|at)|123mail\.org|airpost\.net|eml\.cc|fea\.st|f-m\.fm|imap\.cc|mailcan\.com|mailforce\.net|ml1\.net|mm\.st|ownmail\.net|rushpost\.com|warpmail\.net|xsmail\.com)$/;

function split(email: string): [name: string, domain: string] {
  const at = email.lastIndexOf('@');
  return [beforeSeparator('+')(email.slice(0, at)), email.slice(at + 1)];
}

/**
 * Returns one name for all spellings of a mailbox, so that limits and grants per person cannot be bypassed. Never send
 * mail to it.
 */
export function canonicalEmail(email: string): string {
  const [name, domain] = split(email);
  const [, owner, base] = subdomainPattern.exec(domain) ?? [];
  if (base) return `${(owner ?? name).replaceAll('_', '-')}@${base}`;
  const rule = rules.find(({ domains }) =>
    domains instanceof RegExp ? domains.test(domain) : domains.includes(domain),
  );
  if (!rule) return `${name}@${domain}`;
  const [first = yandex] = rule.domains instanceof RegExp ? [] : rule.domains;
  return `${rule.name?.(name) ?? name}@${rule.mergeDomains ? first : domain}`;
}

/** Applies the first rules, which knew only plus tags and Gmail: hashes stored under these names still count. */
export function legacyCanonicalEmail(email: string): string {
  const [name, domain] = split(email);
  if (domain !== 'gmail.com' && domain !== 'googlemail.com') return `${name}@${domain}`;
  return canonicalEmail(email);
}
