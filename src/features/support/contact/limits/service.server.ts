import type { Database } from '../../../../platform/database/database.server.ts';
import { addressKey, customerKey } from '../../../../platform/http/client-address.server.ts';
import { Problem } from '../../../../platform/http/problem.server.ts';
import { countAgainst, type RateLimit } from '../../../../platform/http/rate-limit.server.ts';
import { waitOnBusySite } from '../../../../platform/http/site-limit.server.ts';
import { tooMany } from '../../../accounts/contract.ts';
import { canonicalMailbox } from '../../../accounts/mailboxes/service.server.ts';
import { keyedHash } from '../../../accounts/tokens/service.server.ts';
import { orByMail } from '../contract.ts';

const hour = 3600;

const limits = {
  network: [
    { max: 10, seconds: hour },
    { max: 30, seconds: 24 * hour },
  ],
  /** Below what the site takes, so that nobody with many networks keeps all others from writing. */
  customer: [
    { max: 30, seconds: hour },
    { max: 90, seconds: 24 * hour },
  ],
  /** Each message sends a receipt there; tags and dots do not multiply them. */
  mailbox: [
    { max: 5, seconds: hour },
    { max: 15, seconds: 24 * hour },
  ],
} satisfies Record<string, RateLimit[]>;

const site = { busy: 300, quiet: 2, seconds: hour };

/**
 * Counts a message by network, customer, mailbox and for the site, in its transaction: one that is refused counts nowhere.
 * @throws Problem rate_limited with the seconds to wait.
 */
export async function limitMessages(tx: Database, email: string, clientAddress: string): Promise<void> {
  const mailbox = keyedHash('limit', canonicalMailbox(email)).toString('base64url');
  const subjects: Array<[RateLimit[], string]> = [
    [limits.network, `network:${addressKey(clientAddress)}`],
    [limits.customer, `customer:${customerKey(clientAddress)}`],
    [limits.mailbox, `mailbox:${mailbox}`],
  ];
  const refuse = (retryAfter: number): never => {
    throw new Problem('rate_limited', `${tooMany(retryAfter)} ${orByMail}`, { retryAfter });
  };
  for (const [windows, subject] of subjects) {
    for (const limit of windows) {
      const { allowed, retryAfter } = await countAgainst(`contact:${limit.seconds}:${subject}`, limit, tx);
      if (!allowed) refuse(retryAfter);
    }
  }
  const wait = await waitOnBusySite('contact', site, { network: addressKey(clientAddress) }, tx);
  if (wait !== null) refuse(wait);
}
