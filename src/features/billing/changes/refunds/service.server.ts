import { database } from '../../../../platform/database/database.server.ts';
import { log } from '../../../../platform/log/log.server.ts';
import { type PaymentProvider, ProviderError } from '../../provider/contract.ts';
import { provider } from '../../provider/service.server.ts';
import { pullSubscription } from '../../reconcile/service.server.ts';
import {
  type AskedRefund,
  askRefund,
  openRefunds,
  refundAnswered,
  refundedButRunning,
} from './store.server.ts';

/** `unknown`: the provider may have made it; the reconciling read will tell. `none`: it was asked for before. */
export type RefundOutcome = 'pending' | 'succeeded' | 'failed' | 'unknown' | 'none';

/** What the provider's record of the payment says, where its answer to the refund does not. */
async function lookedUp(port: PaymentProvider, payment: string): Promise<'succeeded' | 'open' | null> {
  try {
    const found = await port.payment(payment);
    return found?.state === 'refunded' ? 'succeeded' : 'open';
  } catch (error) {
    if (error instanceof ProviderError) return null;
    throw error;
  }
}

async function ask(port: PaymentProvider, { payment }: AskedRefund): Promise<Exclude<RefundOutcome, 'none'>> {
  try {
    return await port.refund(payment);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    log.error(
      { payment, kind: error.kind, reason: error.message },
      'a refund was not answered as it should be',
    );
    const there = await lookedUp(port, payment);
    if (there === 'succeeded') return 'succeeded';
    return error.kind === 'refused' && there === 'open' ? 'failed' : 'unknown';
  }
}

/**
 * Gives the rest of a payment back through the provider, once: it is written down before the provider is asked.
 * @param paymentId ours.
 */
export async function refundPayment(input: {
  paymentId: string;
  by: 'person' | 'operator';
  reason: string;
}): Promise<RefundOutcome> {
  const port = provider();
  if (!port) return 'failed';
  const asked = await askRefund(database(), input);
  if (!asked) return 'none';
  const outcome = await ask(port, asked);
  if (outcome !== 'unknown') await refundAnswered(database(), asked.id, outcome);
  return outcome;
}

/** Ends a subscription now, so that it does not renew after its money was given back, and reads what is true then. */
export async function endNow(externalId: string): Promise<void> {
  const port = provider();
  if (!port) return;
  try {
    await port.cancel(externalId, 'now');
  } catch (error) {
    // It may be over there already; else the job tries again.
    log.warn({ error, subscription: externalId }, 'a subscription that was given back was not ended');
  }
  await pullSubscription(externalId, 'reconcile').catch((error: unknown) =>
    log.warn({ error, subscription: externalId }, 'a subscription could not be read'),
  );
}

/** Learns what became of refunds that the provider did not answer or makes later, and ends what still runs after its refund or dispute. */
export async function settleRefunds(): Promise<void> {
  const port = provider();
  if (!port) return;
  for (const { external_id } of await openRefunds(database(), port.name))
    await pullSubscription(external_id, 'reconcile').catch((error: unknown) =>
      log.warn({ error, subscription: external_id }, 'a refund is still not known'),
    );
  for (const { external_id } of await refundedButRunning(database(), port.name)) await endNow(external_id);
}
