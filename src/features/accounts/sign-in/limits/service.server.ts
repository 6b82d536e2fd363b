import { addressKey, customerKey } from '../../../../platform/http/client-address.server.ts';
import { Problem } from '../../../../platform/http/problem.server.ts';
import { countAgainst, type RateLimit, usedUpFor } from '../../../../platform/http/rate-limit.server.ts';
import { tooMany } from '../../contract.ts';
import { keyedHash } from '../../tokens/service.server.ts';
import { canonicalMailbox } from '../../users/service.server.ts';

const quarter = 15 * 60;
const hour = 3600;
const day = 24 * hour;

/** Windows for something that is asked for an address by whoever knows it. */
export interface AddressLimits {
  network: RateLimit[];
  /** By what one customer may have of networks: below `all`, so that nobody uses up the site's share alone. */
  customer: RateLimit[];
  /** By address as it was typed. */
  address: RateLimit[];
  /** By address and network together, so that nobody keeps an address from its owner elsewhere. */
  pair: RateLimit[];
  /** By mailbox, so that tags and dots do not multiply the mails to one person. */
  mailbox: RateLimit[];
  /** For the whole site. */
  all: RateLimit[];
}

const mails: AddressLimits = {
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
  all: [{ max: 1_000, seconds: hour }],
};

/** Tries at codes: a code lives through 5, these bound the guessing at many codes. */
const tries: AddressLimits = {
  network: [{ max: 60, seconds: hour }],
  customer: [{ max: 200, seconds: hour }],
  address: [
    { max: 15, seconds: quarter },
    { max: 50, seconds: day },
  ],
  pair: [],
  mailbox: [],
  all: [{ max: 2_000, seconds: hour }],
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
 * @throws Problem rate_limited with the seconds to wait.
 */
export async function limitAddress(
  kind: string,
  limits: AddressLimits,
  email: string,
  clientAddress: string,
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
    [limits.all, 'all'],
  ]);
}

const journeysOfNetwork: RateLimit[] = [{ max: 60, seconds: hour }];
const journeysOfCustomer: RateLimit[] = [{ max: 500, seconds: hour }];
const journeysOfAll: RateLimit[] = [{ max: 5_000, seconds: hour }];

/** Counts the start of a journey to a provider, by network, customer and for the site. @throws Problem rate_limited. */
export function limitStarts(clientAddress: string): Promise<void> {
  return enforceOn('oauth-start', [
    [journeysOfNetwork, `network:${addressKey(clientAddress)}`],
    [journeysOfCustomer, `customer:${customerKey(clientAddress)}`],
    [journeysOfAll, 'all'],
  ]);
}

/** Counts a return, by network alone: it uses up a start, which was counted for the site. @throws Problem rate_limited. */
export function limitReturns(clientAddress: string): Promise<void> {
  return enforceOn('oauth-return', [[journeysOfNetwork, `network:${addressKey(clientAddress)}`]]);
}

/** Counts a sign-in mail to an address. @throws Problem rate_limited with the seconds to wait. */
export function limitMails(email: string, clientAddress: string): Promise<void> {
  return limitAddress('sign-in-mail', mails, email, clientAddress);
}

/** Counts a try at a code. @throws Problem rate_limited with the seconds to wait. */
export function limitTries(email: string, clientAddress: string): Promise<void> {
  return limitAddress('sign-in-code', tries, email, clientAddress);
}
