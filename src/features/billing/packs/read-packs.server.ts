import { database, transaction } from '#platform/database/database.server.ts';
import { log } from '#platform/log.server.ts';
import { paymentProvider } from '../provider/configured-provider.server.ts';
import type { PaymentProvider, ProviderFact } from '../provider/payment-provider.ts';
import type { Applied } from '../subscriptions/apply-update.server.ts';
import { applyPackFacts } from './apply-pack.server.ts';
import { packsToTakeBack, packsWithOpenRefunds } from './pack-store.server.ts';

async function readSnapshot(port: PaymentProvider, externalId: string): Promise<ProviderFact[] | null> {
  const checkout = await port.checkout(externalId);
  if (!checkout) return null;
  const { order } = checkout;
  if (checkout.state === 'completed' && !order)
    log.error({ checkout: externalId }, 'the provider returned no order for a completed checkout');
  const orderPayment = order?.paymentId ? await port.payment(order.paymentId) : null;
  const payments = orderPayment ? [orderPayment] : order ? await port.paymentsOfOrder(order.id) : [];
  return [
    { kind: 'checkout', checkout },
    ...payments.map((payment): ProviderFact => ({ kind: 'payment', payment })),
  ];
}

/**
 * Reads a checkout, its order and its payment from the provider and applies them. @returns null if the provider does
 * not know the checkout. @throws ProviderError when it gives no usable answer; nothing is changed then.
 */
export async function readPack(
  port: PaymentProvider,
  { id, external_id }: { id: string; external_id: string },
): Promise<Applied | null> {
  const facts = await readSnapshot(port, external_id);
  if (!facts) return null;
  return transaction((tx) => applyPackFacts(tx, { provider: port, facts, isSnapshot: true }, id));
}

/** Reads packs with open refunds, and takes back credits that runs have released since a refund. */
export async function settleOpenPacks(): Promise<void> {
  const port = paymentProvider();
  if (!port) return;
  for (const pack of await packsWithOpenRefunds(database(), port.name))
    await readPack(port, pack).catch((error: unknown) =>
      log.warn({ error, checkout: pack.external_id }, 'the status of a refund is still unknown'),
    );
  for (const id of await packsToTakeBack(database()))
    await transaction((tx) => applyPackFacts(tx, { provider: port, facts: [], isSnapshot: false }, id));
}
