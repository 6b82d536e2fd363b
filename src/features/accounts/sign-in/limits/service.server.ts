import { config } from '../../../../platform/config/config.server.ts';
import { addressKey, customerKey } from '../../../../platform/http/client-address.server.ts';
import { Problem } from '../../../../platform/http/problem.server.ts';
import { countAgainst, type RateLimit, usedUpFor } from '../../../../platform/http/rate-limit.server.ts';
import { type SiteLimit, waitOnBusySite } from '../../../../platform/http/site-limit.server.ts';
import { tooMany } from '../../contract.ts';
import { canonicalMailbox } from '../../mailboxes/service.server.ts';
import { keyedHash } from '../../tokens/service.server.ts';

const quarter = 15 * 60;
const hour = 3600;
const day = 24 * hour;

/** Windows for something that is asked for an address by whoever knows it. */
export interface AddressLimits {
  network: RateLimit[];
  /** By what one customer may have of networks: below `site`, so that nobody makes the site busy alone. */
  customer: RateLimit[];
  /** By address as it was typed. */
  address: RateLimit[];
  /** By address and network together, so that nobody keeps an address from its owner elsewhere. */
  pair: RateLimit[];
  /** By mailbox, so that tags and dots do not multiply the mails to one person. */
  mailbox: RateLimit[];
  /** For the whole site. */
  site: SiteLimit;
}

const siteMails = (): SiteLimit => ({ busy: config().SIGN_IN_MAILS_HOUR, quiet: 3, seconds: hour });

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

const networkTries = {
  network: [{ max: 60, seconds: hour }],
  customer: [{ max: 200, seconds: hour }],
} satisfies Partial<AddressLimits>;

/** Tries at codes that another browser asked for: a code lives through 5 of them, these bound the guessing at many. */
const triesElsewhere: Omit<AddressLimits, 'site'> = {
  ...networkTries,
  address: [
    { max: 15, seconds: quarter },
    { max: 50, seconds: day },
  ],
  pair: [],
  mailbox: [],
};

type Subject = [windows: RateLimit[], subject: string];

const keyOf = (kind: string, { seconds }: RateLimit, subject: string) => `${kind}:${seconds}:${subject}`;

function refuse(retryAfter: number): never {
  throw new Problem('rate_limited', tooMany(retryAfter), { retryAfter });
}

async function enforceOn(kind: string, subjects: Subject[]): Promise<void> {
  for (const [windows, subject] of subjects) {
    for (const limit of windows) {
      const { allowed, retryAfter } = await countAgainst(keyOf(kind, limit, subject), limit);
      if (!allowed) refuse(retryAfter);
    }
  }
}

async function enforceOnSite(...[kind, limit, comer]: Parameters<typeof waitOnBusySite>): Promise<void> {
  const retryAfter = await waitOnBusySite(kind, limit, comer);
  if (retryAfter !== null) refuse(retryAfter);
}

/** Refuses, without counting, when any of these is used up. */
async function refuseUsedUp(kind: string, [windows, subject]: Subject): Promise<void> {
  for (const limit of windows) {
    const retryAfter = await usedUpFor(keyOf(kind, limit, subject), limit);
    if (retryAfter !== null) refuse(retryAfter);
  }
}

/**
 * Counts in an order in which one visitor's excess uses up neither another address's share nor the site's: the
 * network first, then its customer, short windows before long ones, the site last. Who has used up their share of an address uses up
 * nothing more of what its owner has elsewhere; what is refused for others' doing is not taken from one's own share.
 * `known` people do not wait for the site.
 * @throws Problem rate_limited with the seconds to wait.
 */
export async function limitAddress(
  kind: string,
  limits: AddressLimits,
  email: string,
  clientAddress: string,
  known = false,
): Promise<void> {
  const [network, address] = [addressKey(clientAddress), keyedHash('limit', email).toString('base64url')];
  const pair: Subject = [limits.pair, `pair:${address}:${network}`];
  await enforceOn(kind, [
    [limits.network, `network:${network}`],
    [limits.customer, `customer:${customerKey(clientAddress)}`],
  ]);
  await refuseUsedUp(kind, pair);
  await enforceOn(kind, [
    [limits.address, `address:${address}`],
    pair,
    [limits.mailbox, `mailbox:${keyedHash('limit', canonicalMailbox(email)).toString('base64url')}`],
  ]);
  await enforceOnSite(kind, limits.site, { network, known });
}

const journeysOfNetwork: RateLimit[] = [{ max: 60, seconds: hour }];
const journeysOfCustomer: RateLimit[] = [{ max: 500, seconds: hour }];

/** Counts the start of a journey to a provider, by network, customer and for the site. @throws Problem rate_limited. */
export async function limitStarts(clientAddress: string): Promise<void> {
  const network = addressKey(clientAddress);
  await enforceOn('oauth-start', [
    [journeysOfNetwork, `network:${network}`],
    [journeysOfCustomer, `customer:${customerKey(clientAddress)}`],
  ]);
  await enforceOnSite('oauth-start', { busy: 5 * siteMails().busy, quiet: 10, seconds: hour }, { network });
}

/** Counts a return, by network alone: it uses up a start, which was counted for the site. @throws Problem rate_limited. */
export function limitReturns(clientAddress: string): Promise<void> {
  return enforceOn('oauth-return', [[journeysOfNetwork, `network:${addressKey(clientAddress)}`]]);
}

/** Counts a sign-in mail to an address; `known` as for the site. @throws Problem rate_limited with the seconds to wait. */
export function limitMails(email: string, clientAddress: string, known: boolean): Promise<void> {
  return limitAddress('sign-in-mail', { ...mails, site: siteMails() }, email, clientAddress, known);
}

/** Tries an hour that a network has while the site is busy: those of one code. */
const QUIET_TRIES = 5;

/**
 * Counts a try at a code. In the browser that asked for it nothing is counted by address, so that nobody's guessing
 * elsewhere keeps it out: 5 tries a code and the mails to an address bound it. On a busy site everybody's tries wait, for
 * whoever guesses guesses at addresses that have an account; the link of the same mail works.
 * @throws Problem rate_limited with the seconds to wait.
 */
export async function limitTries(email: string, clientAddress: string, asked: boolean): Promise<void> {
  const site = { ...siteMails(), busy: 2 * siteMails().busy, quiet: QUIET_TRIES };
  if (!asked) {
    return limitAddress('sign-in-code', { ...triesElsewhere, site }, email, clientAddress);
  }
  const network = addressKey(clientAddress);
  await enforceOn('sign-in-code', [
    [networkTries.network, `network:${network}`],
    [networkTries.customer, `customer:${customerKey(clientAddress)}`],
  ]);
  await enforceOnSite('sign-in-code', site, { network });
}
