import type { PlanCause } from '#features/credits/contract.ts';
import { database, transaction } from '#platform/database/database.server.ts';
import { everyRow } from '#platform/database/page.server.ts';
import type { UserActor } from '#platform/http/actor.server.ts';
import { hitRateLimit } from '#platform/http/rate-limit.server.ts';
import { log } from '#platform/log.server.ts';
import { changeablePacks, markPackRead } from '../packs/pack-store.server.ts';
import { readPack } from '../packs/read-packs.server.ts';
import { paymentProvider } from '../provider/configured-provider.server.ts';
import {
  type PaymentProvider,
  ProviderError,
  type ProviderFact,
  type ProviderPayment,
} from '../provider/payment-provider.ts';
import { type OpenCheckout, openCheckouts } from '../purchases/purchase-store.server.ts';
import { type Applied, applyFacts } from './apply-update.server.ts';
import {
  appNow,
  changeableSubscriptions,
  markAttempted,
  subscriptionsAtProvider,
  subscriptionsOfDeleted,
} from './subscription-store.server.ts';

/** `found: false`: the provider does not know the subscription. */
export type RefetchResult = ({ found: true } & Applied) | { found: false };

function requireProvider(): PaymentProvider {
  const port = paymentProvider();
  if (!port) throw new ProviderError('unreachable', 'no key of a payment provider is set');
  return port;
}

function logRejections(externalId: string, { rejections, userId }: Applied): void {
  if (rejections.length > 0)
    log.error(
      { subscription: externalId, userId, refusals: rejections },
      'the provider has records that grant nothing here',
    );
}

async function readSnapshot(
  port: PaymentProvider,
  externalId: string,
  readPayments: (customerId: string) => Promise<ProviderPayment[]>,
): Promise<ProviderFact[] | null> {
  const subscription = await port.subscription(externalId);
  if (!subscription) return null;
  const payments = await readPayments(subscription.customerId);
  return [
    { kind: 'subscription', subscription, paid: false },
    ...payments
      .filter(({ subscriptionId }) => subscriptionId === externalId)
      .map((payment): ProviderFact => ({ kind: 'payment', payment })),
  ];
}

async function refetch(
  externalId: string,
  cause: { kind: PlanCause; id: string },
  readPayments?: (customerId: string) => Promise<ProviderPayment[]>,
): Promise<RefetchResult> {
  const port = requireProvider();
  const facts = await readSnapshot(port, externalId, readPayments ?? ((customer) => port.payments(customer)));
  if (!facts) return { found: false };
  const update = { provider: port, facts, isSnapshot: true, cause };
  const applied = await transaction((tx) => applyFacts(tx, update));
  logRejections(externalId, applied);
  return { found: true, ...applied };
}

/**
 * Reads a subscription and all its payments from the provider and applies them. `causeId`: what triggered the read.
 * @throws ProviderError when the provider gives no usable answer; nothing is changed then.
 */
export const refetchSubscription = (
  externalId: string,
  cause: PlanCause,
  causeId = externalId,
): Promise<RefetchResult> => refetch(externalId, { kind: cause, id: causeId });

/** Counts of purchases. `drift`: the provider knew more than we did; `missing`: it does not know the purchase. */
export interface Reconciled {
  read: number;
  drift: number;
  missing: number;
  failed: number;
}

function createRefetcher(causeId: string) {
  const counts: Reconciled = { read: 0, drift: 0, missing: 0, failed: 0 };
  const port = requireProvider();
  const cause = { kind: 'reconcile', id: causeId } as const;
  // Caches the payments of one customer only, because the daily read goes over all customers.
  let cached: { customer: string; payments: ProviderPayment[] } | null = null;
  const readPayments = async (customer: string) => {
    if (cached?.customer !== customer) cached = { customer, payments: await port.payments(customer) };
    return cached.payments;
  };

  async function reconcileSubscription(externalId: string): Promise<void> {
    try {
      const result = await refetch(externalId, cause, readPayments);
      counts.read++;
      if (!result.found) {
        counts.missing++;
        log.error({ subscription: externalId }, 'the provider does not have one of our subscriptions');
        await markAttempted(database(), port.name, externalId);
      } else if (result.changes.length > 0) {
        counts.drift++;
        const { changes, userId } = result;
        log.warn(
          { subscription: externalId, userId, missing: changes },
          'drift: the provider had newer data',
        );
      }
    } catch (error) {
      counts.failed++;
      log.error({ error, subscription: externalId }, 'a subscription could not be reconciled');
      await markAttempted(database(), port.name, externalId);
    }
  }

  /** Reads a pack with its payment, and counts drift if a webhook was missed. */
  async function reconcilePack(checkout: { id: string; external_id: string }): Promise<void> {
    try {
      const applied = await readPack(port, checkout);
      counts.read++;
      if (applied) logRejections(checkout.external_id, applied);
      else counts.missing++;
      if (!applied || applied.changes.length === 0) return;
      counts.drift++;
      const { changes, userId } = applied;
      log.warn(
        { checkout: checkout.external_id, userId, missing: changes },
        'drift: the provider had newer data',
      );
    } catch (error) {
      counts.failed++;
      log.error({ error, checkout: checkout.external_id }, 'a pack could not be reconciled');
    }
    await markPackRead(database(), checkout.id);
  }

  async function reconcileCheckout(checkout: OpenCheckout): Promise<string | null> {
    const { external_id } = checkout;
    if (checkout.is_pack) {
      await reconcilePack(checkout);
      return null;
    }
    try {
      const reported = await port.checkout(external_id);
      if (!reported || reported.state === 'open') return null;
      // The caller reads the subscription with all its payments.
      const fact: ProviderFact = { kind: 'checkout', checkout: { ...reported, subscriptionId: null } };
      const update = { provider: port, facts: [fact], isSnapshot: false, cause };
      await transaction((tx) => applyFacts(tx, update));
      return reported.subscriptionId;
    } catch (error) {
      counts.failed++;
      log.error({ error, checkout: external_id }, 'a checkout could not be reconciled');
      return null;
    }
  }

  return { counts, port, readPayments, reconcileSubscription, reconcileCheckout, reconcilePack };
}

/** Read while the user waits; the daily read covers the rest. */
const MAX_OPEN_CHECKOUTS = 10;

/**
 * Reads a user's newest open checkouts, their subscriptions, and every subscription that one of their customers has
 * paid for. Failed reads are logged and counted.
 */
export async function refetchUser(userId: string): Promise<Reconciled> {
  const { counts, port, readPayments, reconcileSubscription, reconcileCheckout } = createRefetcher(
    `person ${userId}`,
  );
  const own = await subscriptionsAtProvider(database(), { provider: port.name, userId });
  const found = new Set(own.map(({ external_id }) => external_id));
  const page = { provider: port.name, userId, after: null, limit: MAX_OPEN_CHECKOUTS };
  for (const checkout of await openCheckouts(database(), page)) {
    const id = await reconcileCheckout(checkout);
    if (id) found.add(id);
  }
  for (const customer of new Set(own.map(({ customer_id }) => customer_id))) {
    const payments = await readPayments(customer).catch(() => []);
    for (const { subscriptionId } of payments) if (subscriptionId) found.add(subscriptionId);
  }
  for (const id of found) await reconcileSubscription(id);
  return counts;
}

/** Per user: a page polls while it waits for a payment. */
const REFRESH_LIMIT = { max: 1, seconds: 5 };

export async function refresh({ actor }: { actor: UserActor }): Promise<void> {
  if (!paymentProvider()) return;
  const { allowed } = await hitRateLimit(`billing-refresh:${actor.userId}`, REFRESH_LIMIT);
  if (allowed) await refetchUser(actor.userId);
}

const BATCH = 100;

/** Reads one subscription or checkout at a time, so as not to overload the provider. */
export async function reconcileAll(): Promise<Reconciled> {
  const startedAt = await appNow(database());
  const { counts, port, reconcileSubscription, reconcileCheckout, reconcilePack } = createRefetcher('all');
  const read = (last: OpenCheckout | null, limit: number) =>
    openCheckouts(database(), { provider: port.name, userId: null, limit, after: last?.id ?? null });
  for await (const checkout of everyRow(BATCH, read)) {
    const id = await reconcileCheckout(checkout);
    if (id) await reconcileSubscription(id);
  }
  for (let hasMore = true; hasMore; ) {
    const batch = await changeablePacks(database(), { provider: port.name, startedAt, limit: BATCH });
    for (const checkout of batch) await reconcilePack(checkout);
    hasMore = batch.length === BATCH;
  }
  for (;;) {
    const batch = await changeableSubscriptions(database(), { provider: port.name, startedAt, limit: BATCH });
    if (batch.length === 0) return counts;
    for (const { external_id } of batch) await reconcileSubscription(external_id);
  }
}

export async function cancelDeleted(): Promise<void> {
  const port = paymentProvider();
  if (!port) return;
  for (const { external_id, user_id, status } of await subscriptionsOfDeleted(database(), port.name)) {
    try {
      // A paused plan gives no access, so ending it immediately takes nothing away.
      await port.cancel(external_id, status === 'paused' ? 'now' : 'period_end');
      await refetchSubscription(external_id, 'reconcile', `deleted ${user_id}`);
      log.info({ subscription: external_id, userId: user_id }, 'a plan of a deleted account was canceled');
    } catch (error) {
      log.error(
        { error, subscription: external_id, userId: user_id },
        'a plan of a deleted account could not be canceled',
      );
    }
  }
}
