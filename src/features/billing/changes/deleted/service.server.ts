import { database } from '../../../../platform/database/database.server.ts';
import { log } from '../../../../platform/log/log.server.ts';
import { provider } from '../../provider/service.server.ts';
import { pullSubscription } from '../../reconcile/service.server.ts';
import { endNow, refundPayment } from '../refunds/service.server.ts';
import { paidAfterDeletion } from './store.server.ts';

/**
 * Gives back what was paid after the account was deleted, as by a checkout that was still open in another window, and
 * ends its plan now: nobody can use it.
 */
export async function giveBackToDeleted(): Promise<void> {
  const port = provider();
  if (!port) return;
  for (const { id, user_id: userId, ...paid } of await paidAfterDeletion(database(), port.name)) {
    // What is left of it has to be true before it is written down as given back.
    const isRead = await pullSubscription(paid.subscription, 'reconcile').then(
      ({ found }) => found,
      () => false,
    );
    if (!isRead) continue;
    const reason = 'Paid after the account was deleted';
    const outcome = await refundPayment({ paymentId: id, by: 'operator', reason });
    log.error({ ...paid, userId, outcome }, 'a deleted account has paid');
    if (outcome === 'succeeded' || outcome === 'pending') await endNow(paid.subscription);
  }
}
