import { database, transaction } from '../../../platform/database/database.server.ts';
import type { UserActor } from '../../../platform/http/actor.server.ts';
import { countAgainst } from '../../../platform/http/rate-limit.server.ts';
import { log } from '../../../platform/log/log.server.ts';
import type { PlanCause } from '../../credits/contract.ts';
import {
  type PaymentProvider,
  ProviderError,
  type ProviderFact,
  type ProviderPayment,
} from '../provider/contract.ts';
import { provider } from '../provider/service.server.ts';
import { type Applied, applyFacts } from '../state/applying/service.server.ts';
import {
  clock,
  livingSubscriptions,
  markTried,
  type OpenCheckout,
  openCheckouts,
  subscriptionsOf,
  subscriptionsOfDeleted,
} from './store.server.ts';

/** What a read of the provider found; `missing`: it knows no such subscription. */
export type Pulled = ({ found: true } & Applied) | { found: false };

/** @throws ProviderError without a key. */
function required(): PaymentProvider {
  const port = provider();
  if (!port) throw new ProviderError('unreachable', 'no key of a payment provider is set');
  return port;
}

function tellRefusals(externalId: string, { refusals, userId }: Applied): void {
  if (refusals.length > 0)
    log.error(
      { subscription: externalId, userId, refusals },
      'the provider holds what counts for nothing here',
    );
}

/** The subscription and all its payments, read now. */
async function snapshotOf(
  port: PaymentProvider,
  externalId: string,
  paymentsOf: (customerId: string) => Promise<ProviderPayment[]>,
): Promise<ProviderFact[] | null> {
  const subscription = await port.subscription(externalId);
  if (!subscription) return null;
  const payments = await paymentsOf(subscription.customerId);
  return [
    { kind: 'subscription', subscription, paid: false },
    ...payments
      .filter(({ subscriptionId }) => subscriptionId === externalId)
      .map((payment): ProviderFact => ({ kind: 'payment', payment })),
  ];
}

async function pull(
  externalId: string,
  cause: { kind: PlanCause; id: string },
  paymentsOf?: (customerId: string) => Promise<ProviderPayment[]>,
): Promise<Pulled> {
  const port = required();
  const facts = await snapshotOf(port, externalId, paymentsOf ?? ((customer) => port.payments(customer)));
  if (!facts) return { found: false };
  const telling = { provider: port, facts, isSnapshot: true, cause };
  const applied = await transaction((tx) => applyFacts(tx, telling));
  tellRefusals(externalId, applied);
  return { found: true, ...applied };
}

/**
 * Reads a subscription and all its payments from the provider, and applies them: whatever was lost is there again, and
 * whatever is in doubt is settled. `causeId` says what made us look, beside the cause of a change of plan.
 * @throws ProviderError when the provider gives no usable answer; nothing is changed then.
 */
export const pullSubscription = (
  externalId: string,
  cause: PlanCause,
  causeId = externalId,
): Promise<Pulled> => pull(externalId, { kind: cause, id: causeId });

/** What a reconciling read came to, in counts. `drift`: those where something was missing here. */
export interface Reconciled {
  read: number;
  drift: number;
  missing: number;
  failed: number;
}

/** A reconciling read under way; the payments of a customer are asked once. */
function reading(causeId: string) {
  const counts: Reconciled = { read: 0, drift: 0, missing: 0, failed: 0 };
  const port = required();
  const cause = { kind: 'reconcile', id: causeId } as const;
  const lists = new Map<string, Promise<ProviderPayment[]>>();
  const paymentsOf = (customer: string) => {
    const known = lists.get(customer) ?? port.payments(customer);
    lists.set(customer, known);
    return known;
  };

  async function subscription(externalId: string): Promise<void> {
    try {
      const pulled = await pull(externalId, cause, paymentsOf);
      counts.read++;
      if (!pulled.found) {
        counts.missing++;
        log.error({ subscription: externalId }, 'the provider does not know a subscription of ours');
        await markTried(database(), port.name, externalId);
      } else if (pulled.changes.length > 0) {
        counts.drift++;
        const { changes, userId } = pulled;
        log.warn({ subscription: externalId, userId, missing: changes }, 'drift: the provider knew more');
      }
    } catch (error) {
      counts.failed++;
      log.error({ error, subscription: externalId }, 'a subscription could not be reconciled');
      await markTried(database(), port.name, externalId);
    }
  }

  /** Follows a checkout to its subscription; @returns its id where there is one. */
  async function checkout({ external_id }: OpenCheckout): Promise<string | null> {
    try {
      const told = await port.checkout(external_id);
      if (!told || told.state === 'open') return null;
      // The subscription follows by itself, with all its payments.
      const fact: ProviderFact = { kind: 'checkout', checkout: { ...told, subscriptionId: null } };
      const telling = { provider: port, facts: [fact], isSnapshot: false, cause };
      await transaction((tx) => applyFacts(tx, telling));
      return told.subscriptionId;
    } catch (error) {
      counts.failed++;
      log.error({ error, checkout: external_id }, 'a checkout could not be reconciled');
      return null;
    }
  }

  return { counts, port, paymentsOf, subscription, checkout };
}

/** Checkouts of a person that are looked up while they wait; the daily read takes the others too. */
const NEWEST = 10;

/**
 * Reads what the provider knows of one person: their newest open checkouts, their subscriptions, and every subscription that
 * one of their customers has paid for.
 * @throws ProviderError without a key; what cannot be read is logged and counted.
 */
export async function pullPerson(userId: string): Promise<Reconciled> {
  const { counts, port, paymentsOf, subscription, checkout } = reading(`person ${userId}`);
  const own = await subscriptionsOf(database(), { provider: port.name, userId });
  const found = new Set(own.map(({ external_id }) => external_id));
  const newest = { provider: port.name, userId, after: null, limit: NEWEST };
  for (const open of await openCheckouts(database(), newest)) {
    const id = await checkout(open);
    if (id) found.add(id);
  }
  for (const customer of new Set(own.map(({ customer_id }) => customer_id))) {
    const payments = await paymentsOf(customer).catch(() => []);
    for (const { subscriptionId } of payments) if (subscriptionId) found.add(subscriptionId);
  }
  for (const id of found) await subscription(id);
  return counts;
}

/** A page asks again and again while it waits for a payment; the provider is asked this often for a person. */
const PACE = { max: 1, seconds: 5 };

/** Asks the provider about the actor, who comes back from a checkout, unless it was asked a moment ago. */
export async function refresh({ actor }: { actor: UserActor }): Promise<void> {
  if (!provider()) return;
  const { allowed } = await countAgainst(`billing-refresh:${actor.userId}`, PACE);
  if (allowed) await pullPerson(actor.userId);
}

const BATCH = 100;

/**
 * Reads every subscription that may still change and every open checkout, one after the other, which is pace enough for
 * the provider. What was missing here is logged as drift.
 * @throws ProviderError without a key.
 */
export async function reconcileAll(): Promise<Reconciled> {
  const startedAt = await clock(database());
  const { counts, port, subscription, checkout } = reading('all');
  const every = { provider: port.name, userId: null, limit: BATCH };
  for (let after: string | null = null; ; ) {
    const batch: OpenCheckout[] = await openCheckouts(database(), { ...every, after });
    for (const open of batch) {
      const id = await checkout(open);
      if (id) await subscription(id);
    }
    after = batch.at(-1)?.id ?? null;
    if (batch.length < BATCH) break;
  }
  for (;;) {
    const batch = await livingSubscriptions(database(), { provider: port.name, startedAt, limit: BATCH });
    if (batch.length === 0) return counts;
    for (const { external_id } of batch) await subscription(external_id);
  }
}

/** Cancels at its end whatever a deleted account would still be charged for. */
export async function cancelDeleted(): Promise<void> {
  const port = provider();
  if (!port) return;
  for (const { external_id, user_id, status } of await subscriptionsOfDeleted(database(), port.name)) {
    try {
      // A paused one gives nothing that its end would take away.
      await port.cancel(external_id, status === 'paused' ? 'now' : 'period_end');
      await pullSubscription(external_id, 'reconcile', `deleted ${user_id}`);
      log.info({ subscription: external_id, userId: user_id }, 'a plan of a deleted account was cancelled');
    } catch (error) {
      log.error({ error, subscription: external_id, userId: user_id }, 'a plan of a deleted account runs on');
    }
  }
}
