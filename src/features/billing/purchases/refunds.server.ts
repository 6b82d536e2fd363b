import { type Database, database, transaction } from '#platform/database/database.server.ts';
import { log } from '#platform/log.server.ts';
import { findPackCheckoutById } from '../packs/pack-store.server.ts';
import { readPack } from '../packs/read-packs.server.ts';
import { paymentProvider } from '../provider/configured-provider.server.ts';
import { type PaymentProvider, ProviderError } from '../provider/payment-provider.ts';
import { refetchSubscription } from '../subscriptions/reconcile.server.ts';
import {
  insertRefundRequest,
  type NewRefund,
  openRefunds,
  paymentsAfterDeletion,
  type RefundRequest,
  recordRefundResult,
  refundedButRunning,
} from './purchase-store.server.ts';

/** `unknown`: the provider may have made it; the reconcile job finds out. `none`: requested before, or nothing left. */
export type RefundOutcome = 'pending' | 'succeeded' | 'failed' | 'unknown' | 'none';

async function lookUpRefund(port: PaymentProvider, payment: string): Promise<'succeeded' | 'open' | null> {
  try {
    const found = await port.payment(payment);
    return found?.state === 'refunded' ? 'succeeded' : 'open';
  } catch (error) {
    if (error instanceof ProviderError) return null;
    throw error;
  }
}

async function requestRefund(
  port: PaymentProvider,
  { payment }: RefundRequest,
): Promise<Exclude<RefundOutcome, 'none'>> {
  try {
    return await port.refund(payment);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const details = { payment, kind: error.kind, reason: error.message };
    log.error(details, 'the provider gave an unexpected answer to a refund');
    const state = await lookUpRefund(port, payment);
    if (state === 'succeeded') return 'succeeded';
    return error.kind === 'refused' && state === 'open' ? 'failed' : 'unknown';
  }
}

/** Requests a refund once: it is stored before the provider is called, and `onRequested` runs in that transaction. */
export async function refundPayment(
  input: NewRefund,
  onRequested?: (tx: Database) => Promise<unknown>,
): Promise<RefundOutcome> {
  const port = paymentProvider();
  if (!port) return 'failed';
  const stored = await transaction(async (tx) => {
    const request = await insertRefundRequest(tx, input);
    if (request) await onRequested?.(tx);
    return request;
  });
  if (!stored) return 'none';
  const outcome = await requestRefund(port, stored);
  if (outcome !== 'unknown') await recordRefundResult(database(), stored.id, outcome);
  return outcome;
}

export async function cancelImmediately(externalId: string): Promise<void> {
  const port = paymentProvider();
  if (!port) return;
  try {
    await port.cancel(externalId, 'now');
  } catch (error) {
    // It may have ended there already; otherwise the job tries again.
    log.warn({ error, subscription: externalId }, 'a refunded subscription could not be canceled');
  }
  await refetchSubscription(externalId, 'reconcile').catch((error: unknown) =>
    log.warn({ error, subscription: externalId }, 'a subscription could not be read'),
  );
}

/** What was paid for: a subscription by the provider's id, or a pack by our checkout id. */
interface Purchase {
  subscription: string | null;
  checkout: string | null;
}

/** Reads a purchase from the provider. @returns whether the provider knows it. @throws ProviderError */
export async function refetchPurchase({ subscription, checkout }: Purchase): Promise<boolean> {
  if (subscription) return (await refetchSubscription(subscription, 'reconcile')).found;
  const port = paymentProvider();
  const pack = checkout && (await findPackCheckoutById(database(), checkout));
  return Boolean(port && pack && (await readPack(port, pack)));
}

/** If this fails, the webhook delivers the refund. */
export async function refetchAfterRefund(purchase: Purchase): Promise<void> {
  await refetchPurchase(purchase).catch((error: unknown) =>
    log.warn({ error, ...purchase }, 'a refunded purchase could not be read'),
  );
}

export async function settleOpenRefunds(): Promise<void> {
  const port = paymentProvider();
  if (!port) return;
  for (const { external_id } of await openRefunds(database(), port.name))
    await refetchSubscription(external_id, 'reconcile').catch((error: unknown) =>
      log.warn({ error, subscription: external_id }, 'the status of a refund is still unknown'),
    );
  for (const { external_id } of await refundedButRunning(database(), port.name))
    await cancelImmediately(external_id);
}

export async function refundDeletedAccounts(): Promise<void> {
  const port = paymentProvider();
  if (!port) return;
  for (const { id, user_id: userId, ...purchase } of await paymentsAfterDeletion(database(), port.name)) {
    // What is left of the payment must be current before its refund is stored.
    if (!(await refetchPurchase(purchase).catch(() => false))) continue;
    const outcome = await refundPayment({ paymentId: id, requestedBy: 'operator', cause: 'account_deleted' });
    log.error({ ...purchase, userId, outcome }, 'a deleted account made a payment');
    if (outcome !== 'succeeded' && outcome !== 'pending') continue;
    if (purchase.subscription) await cancelImmediately(purchase.subscription);
    else await refetchAfterRefund(purchase);
  }
}
