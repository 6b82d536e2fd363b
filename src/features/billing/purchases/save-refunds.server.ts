import { randomUUID } from 'node:crypto';
import type { Database } from '#platform/database/database.server.ts';
import type { Statement } from '#platform/database/sql.server.ts';
import { log } from '#platform/log.server.ts';
import { upsertRefund } from '../store.server.ts';
import type { RefundFact } from '../subscriptions/subscription-facts.ts';
import { giveUpRefunds } from './purchase-store.server.ts';

/**
 * When a refund counts as failed: after the minutes if the provider never answered, after the days if it is pending.
 * Banks take up to ten days, and no API call reports the result.
 */
const REFUND_TIMEOUT = { minutes: 15, days: 10 };

/** Stores refunds that are new or changed; `before` is what is stored. */
export async function saveRefunds(
  tx: Database,
  {
    provider,
    userId,
    before,
    after,
  }: { provider: string; userId: string; before: readonly RefundFact[]; after: readonly RefundFact[] },
): Promise<void> {
  for (const refund of after) {
    if (before.includes(refund)) continue;
    await upsertRefund(tx, provider, { ...refund, id: refund.id ?? randomUUID() });
    const previous = before.find(({ id }) => id === refund.id);
    const details = { refund: refund.externalId, userId };
    if (refund.reversed && !previous?.reversed) log.error(details, 'a refund was reversed after it was made');
    if (refund.excessCents > (previous?.excessCents ?? 0))
      log.error(details, 'a refund is more than what was left of its payment');
  }
}

/** Call it only after a read of the provider. @param condition a condition on `payments p`. */
export async function giveUpLateRefunds(tx: Database, userId: string, condition: Statement): Promise<void> {
  for (const refund of await giveUpRefunds(tx, condition, REFUND_TIMEOUT))
    log.error({ ...refund, userId }, 'a refund failed; it can be requested again');
}
