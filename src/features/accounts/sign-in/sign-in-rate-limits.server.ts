import { config } from '#platform/config/config.server.ts';
import { addressKey, customerKey } from '#platform/http/client-address.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import { hitRateLimit, type RateLimit, rateLimitedFor } from '#platform/http/rate-limit.server.ts';
import { checkSiteLimit, type SiteLimit } from '#platform/http/site-wide-limit.server.ts';
import type { SiteLimitKind } from '#platform/metrics/counters.server.ts';
import { canonicalEmail } from '../canonical-email.server.ts';
import { tooManyAttemptsText } from '../contract.ts';
import { keyedHash } from '../tokens.server.ts';

const quarter = 15 * 60;
const hour = 3600;
const day = 24 * hour;

export interface AddressLimits {
  network: RateLimit[];
  /** Below `site`, so that one customer with many networks cannot make the site busy alone. */
  customer: RateLimit[];
  address: RateLimit[];
  /** Email address and network together, so that one network cannot use up the limit of an owner elsewhere. */
  pair: RateLimit[];
  /** Canonical mailbox, so that tags and dots do not multiply the mails to one person. */
  mailbox: RateLimit[];
  site: SiteLimit;
}

const siteMails = (): SiteLimit => ({ busy: config().SIGN_IN_MAILS_HOUR, perNetwork: 3, seconds: hour });

const mails: Omit<AddressLimits, 'site'> = {
  network: [{ max: 30, seconds: hour }],
  customer: [{ max: 100, seconds: hour }],
  address: [
    { max: 3, seconds: quarter },
    { max: 5, seconds: hour },
    { max: 30, seconds: day },
  ],
  pair: [{ max: 10, seconds: day }],
  mailbox: [
    { max: 10, seconds: hour },
    { max: 40, seconds: day },
  ],
};

/** For browsers that have signed in to the address before; unlike `mails`, strangers cannot use them up. */
const mailsToDevices: RateLimit[] = [
  { max: 3, seconds: quarter },
  { max: 5, seconds: hour },
  { max: 10, seconds: day },
];

const networkAttempts = {
  network: [{ max: 60, seconds: hour }],
  customer: [{ max: 200, seconds: hour }],
} satisfies Partial<AddressLimits>;

/** Codes that another browser requested: each allows 5 tries, and these limits bound the guessing across codes. */
const otherBrowserAttempts: Omit<AddressLimits, 'site'> = {
  ...networkAttempts,
  address: [
    { max: 15, seconds: quarter },
    { max: 50, seconds: day },
  ],
  pair: [],
  mailbox: [],
};

type Subject = [windows: RateLimit[], subject: string];

const limitKey = (kind: string, { seconds }: RateLimit, subject: string) => `${kind}:${seconds}:${subject}`;

function refuse(retryAfter: number): never {
  throw new Problem('rate_limited', tooManyAttemptsText(retryAfter), { retryAfter });
}

async function enforceLimits(kind: string, subjects: Subject[]): Promise<void> {
  for (const [windows, subject] of subjects) {
    for (const limit of windows) {
      const { allowed, retryAfter } = await hitRateLimit(limitKey(kind, limit, subject), limit);
      if (!allowed) refuse(retryAfter);
    }
  }
}

async function enforceSiteLimit(...[kind, limit, visitor]: Parameters<typeof checkSiteLimit>): Promise<void> {
  const retryAfter = await checkSiteLimit(kind, limit, visitor);
  if (retryAfter !== null) refuse(retryAfter);
}

const emailHash = (email: string) => keyedHash('limit', email).toString('base64url');

const networkSubjects = (
  clientAddress: string,
  limits: Pick<AddressLimits, 'network' | 'customer'>,
): Subject[] => [
  [limits.network, `network:${addressKey(clientAddress)}`],
  [limits.customer, `customer:${customerKey(clientAddress)}`],
];

async function refuseIfUsedUp(kind: string, [windows, subject]: Subject): Promise<void> {
  for (const limit of windows) {
    const retryAfter = await rateLimitedFor(limitKey(kind, limit, subject), limit);
    if (retryAfter !== null) refuse(retryAfter);
  }
}

/**
 * Checks in an order in which one visitor's excess uses up neither another address's limits nor the site's: network,
 * customer, short windows before long ones, the site last. Visitors who have used up their limit for an address do not
 * use up its owner's, and requests refused because of others do not count for them. `known` users pass a busy site.
 */
export async function limitAddress(
  kind: SiteLimitKind,
  limits: AddressLimits,
  email: string,
  clientAddress: string,
  known = false,
): Promise<void> {
  const [network, address] = [addressKey(clientAddress), emailHash(email)];
  const pair: Subject = [limits.pair, `pair:${address}:${network}`];
  await enforceLimits(kind, networkSubjects(clientAddress, limits));
  await refuseIfUsedUp(kind, pair);
  await enforceLimits(kind, [
    [limits.address, `address:${address}`],
    pair,
    [limits.mailbox, `mailbox:${emailHash(canonicalEmail(email))}`],
  ]);
  await enforceSiteLimit(kind, limits.site, { network, known });
}

const oauthStarts = {
  network: [{ max: 60, seconds: hour }],
  customer: [{ max: 500, seconds: hour }],
} satisfies Partial<AddressLimits>;

export async function limitOAuthStarts(clientAddress: string): Promise<void> {
  await enforceLimits('oauth-start', networkSubjects(clientAddress, oauthStarts));
  const site = { busy: 5 * siteMails().busy, perNetwork: 10, seconds: hour };
  await enforceSiteLimit('oauth-start', site, { network: addressKey(clientAddress) });
}

/** By network only: a callback uses up a start, which was already counted for the site. */
export function limitOAuthCallbacks(clientAddress: string): Promise<void> {
  return enforceLimits('oauth-return', [[oauthStarts.network, `network:${addressKey(clientAddress)}`]]);
}

/** `device`: this browser has signed in to the address before; then no limit applies that strangers can use up. */
export async function limitSignInMails(
  email: string,
  clientAddress: string,
  { known, device }: { known: boolean; device: boolean },
): Promise<void> {
  const kind = 'sign-in-mail';
  if (!device) return limitAddress(kind, { ...mails, site: siteMails() }, email, clientAddress, known);
  await enforceLimits(kind, [
    ...networkSubjects(clientAddress, mails),
    [mailsToDevices, `device:${emailHash(email)}`],
  ]);
  await enforceSiteLimit(kind, siteMails(), { network: addressKey(clientAddress), known: true });
}

/** Per hour and network while the site is busy: the tries of one code. */
const QUIET_ATTEMPTS = 5;

/**
 * In the browser that requested the code, nothing is counted by address, so that guessing elsewhere does not lock it
 * out: the 5 tries per code and the mails per address are its bounds. On a busy site everybody's tries are limited,
 * `known` or not, because guessing targets addresses that have an account.
 */
export async function limitCodeAttempts(
  email: string,
  clientAddress: string,
  isRequestingBrowser: boolean,
): Promise<void> {
  const site = { ...siteMails(), busy: 2 * siteMails().busy, perNetwork: QUIET_ATTEMPTS };
  if (!isRequestingBrowser) {
    return limitAddress('sign-in-code', { ...otherBrowserAttempts, site }, email, clientAddress);
  }
  await enforceLimits('sign-in-code', networkSubjects(clientAddress, networkAttempts));
  await enforceSiteLimit('sign-in-code', site, { network: addressKey(clientAddress) });
}
