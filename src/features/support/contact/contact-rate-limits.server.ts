import { tooManyAttemptsText } from '#features/accounts/contract.ts';
import { canonicalEmail, keyedHash } from '#features/accounts/service.server.ts';
import { m } from '#messages';
import type { Database } from '#platform/database/database.server.ts';
import { addressKey, customerKey } from '#platform/http/client-address.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import { hitRateLimit, type RateLimit } from '#platform/http/rate-limit.server.ts';
import { checkSiteLimit } from '#platform/http/site-wide-limit.server.ts';
import { joinSentences } from '#shared/join-sentences.ts';
import { setting } from '#shared/settings.ts';

const hour = 3600;

const limits = {
  network: [
    { max: 10, seconds: hour },
    { max: 30, seconds: 24 * hour },
  ],
  /** Below the site's limit, so that one customer with many networks does not block everybody else. */
  customer: [
    { max: 30, seconds: hour },
    { max: 90, seconds: 24 * hour },
  ],
  /** Each message sends a receipt to its mailbox; tags and dots do not multiply them. */
  mailbox: [
    { max: 5, seconds: hour },
    { max: 15, seconds: 24 * hour },
  ],
} satisfies Record<string, RateLimit[]>;

const site = { busy: 300, perNetwork: 2, seconds: hour };

/** Runs in the caller's transaction, so that a refused message counts towards no limit. */
export async function limitMessages(tx: Database, email: string, clientAddress: string): Promise<void> {
  const mailbox = keyedHash('limit', canonicalEmail(email)).toString('base64url');
  const subjects: Array<[RateLimit[], string]> = [
    [limits.network, `network:${addressKey(clientAddress)}`],
    [limits.customer, `customer:${customerKey(clientAddress)}`],
    [limits.mailbox, `mailbox:${mailbox}`],
  ];
  const refuse = (retryAfter: number): never => {
    const text = joinSentences(
      tooManyAttemptsText(retryAfter),
      m.contact_by_email({ email: setting('contact.email') }),
    );
    throw new Problem('rate_limited', text, { retryAfter });
  };
  for (const [windows, subject] of subjects) {
    for (const limit of windows) {
      const { allowed, retryAfter } = await hitRateLimit(`contact:${limit.seconds}:${subject}`, limit, tx);
      if (!allowed) refuse(retryAfter);
    }
  }
  const retryAfter = await checkSiteLimit('contact', site, { network: addressKey(clientAddress) }, tx);
  if (retryAfter !== null) refuse(retryAfter);
}
