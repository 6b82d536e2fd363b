import { addressKey } from '../../../../platform/http/client-address.server.ts';
import { enforceLimit, type RateLimit } from '../../../../platform/http/rate-limit.server.ts';
import { signInTexts } from '../../contract.ts';
import { keyedHash } from '../../tokens/service.server.ts';
import { canonicalMailbox } from '../../users/service.server.ts';

const quarter = 15 * 60;
const hour = 3600;
const day = 24 * hour;

interface Limits {
  network: RateLimit[];
  /** By address as it was typed. */
  address: RateLimit[];
  /** By mailbox, so that tags and dots do not multiply the mails to one person. */
  mailbox: RateLimit[];
  /** For the whole site. */
  all: RateLimit[];
}

const mails: Limits = {
  network: [{ max: 30, seconds: hour }],
  address: [
    { max: 3, seconds: quarter },
    { max: 5, seconds: hour },
    { max: 10, seconds: day },
  ],
  mailbox: [
    { max: 10, seconds: hour },
    { max: 20, seconds: day },
  ],
  all: [{ max: 1_000, seconds: hour }],
};

/** Tries at codes: a code lives through 5, these bound the guessing at many codes. */
const tries: Limits = {
  network: [{ max: 60, seconds: hour }],
  address: [
    { max: 15, seconds: quarter },
    { max: 50, seconds: day },
  ],
  mailbox: [],
  all: [{ max: 2_000, seconds: hour }],
};

/**
 * Counts in an order in which one visitor's excess uses up neither another address's share nor the site's: the
 * network first, short windows before long ones, the site last.
 */
async function enforce(kind: string, limits: Limits, email: string, clientAddress: string): Promise<void> {
  const subjects: Array<[RateLimit[], string]> = [
    [limits.network, `network:${addressKey(clientAddress)}`],
    [limits.address, `address:${keyedHash('limit', email).toString('base64url')}`],
    [limits.mailbox, `mailbox:${keyedHash('limit', canonicalMailbox(email)).toString('base64url')}`],
    [limits.all, 'all'],
  ];
  await enforceOn(kind, subjects);
}

async function enforceOn(kind: string, subjects: Array<[RateLimit[], string]>): Promise<void> {
  for (const [windows, subject] of subjects) {
    for (const limit of windows)
      await enforceLimit(`${kind}:${limit.seconds}:${subject}`, limit, signInTexts.tooMany);
  }
}

/** Journeys to a provider and back, by network and for the site. */
const journeys: Pick<Limits, 'network' | 'all'> = {
  network: [{ max: 60, seconds: hour }],
  all: [{ max: 5_000, seconds: hour }],
};

/** Counts a journey's start, or its return. @throws Problem rate_limited with the seconds to wait. */
export async function limitJourneys(step: 'start' | 'return', clientAddress: string): Promise<void> {
  const subjects: Array<[RateLimit[], string]> = [
    [journeys.network, `network:${addressKey(clientAddress)}`],
    [journeys.all, 'all'],
  ];
  await enforceOn(`oauth-${step}`, subjects);
}

/** Counts a sign-in mail to an address. @throws Problem rate_limited with the seconds to wait. */
export function limitMails(email: string, clientAddress: string): Promise<void> {
  return enforce('sign-in-mail', mails, email, clientAddress);
}

/** Counts a try at a code. @throws Problem rate_limited with the seconds to wait. */
export function limitTries(email: string, clientAddress: string): Promise<void> {
  return enforce('sign-in-code', tries, email, clientAddress);
}
