import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  centsSetting,
  moneyBackDays,
  type PlanCause,
  type PlanDuration,
  planDurations,
  shippedCents,
} from '#features/credits/contract.ts';
import { recordPlanEntry, syncPlan } from '#features/credits/service.server.ts';
import { type Database, database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import { log } from '#platform/log.server.ts';
import { storedExtremes } from '#platform/settings/settings-store.server.ts';
import { queueMail, writtenMails } from '../mails/mail-queue.server.ts';
import { planOfProduct } from '../provider/configured-provider.server.ts';
import type { PaymentProvider, ProviderCheckout, ProviderFact } from '../provider/payment-provider.ts';
import { recordReportedState, retireOtherCheckouts } from '../purchases/purchase-store.server.ts';
import { giveUpLateRefunds, saveRefunds } from '../purchases/save-refunds.server.ts';
import {
  deferredEvents,
  findSubscriptionOfPayment,
  findUserOfCheckout,
  isEntitled,
  loadFacts,
  lockSubscription,
  lockUser,
  paymentsOfOtherSubscriptions,
  type SubscriptionOwner,
  settleDeferredEvents,
  upsertPayment,
  upsertSubscription,
} from '../store.server.ts';
import { renewalCents } from './access-rules.server.ts';
import { type EffectContext, effectsOf, receiptKey } from './effects.server.ts';
import { reduce } from './reducer.server.ts';
import type { Facts, ReducerResult, RefetchReason, RejectReason, SiteTerms } from './subscription-facts.ts';
import { cacheStatus, renewingPlans } from './subscription-store.server.ts';

/** `cause.id`: the event's id, or what else triggered the update. */
export interface ProviderUpdate {
  provider: Pick<PaymentProvider, 'name' | 'live' | 'readFacts'>;
  facts: readonly ProviderFact[];
  isSnapshot: boolean;
  /** The provider has no details of a payment that it only named: its price is taken as its amount. */
  acceptListPrice?: boolean;
  cause: { kind: PlanCause; id: string };
}

export interface Applied {
  userId: string | null;
  /** Our checkout id, if the update concerns a pack. */
  packCheckoutId: string | null;
  subscriptionId: string | null;
  externalId: string | null;
  /** Why some or all facts are ignored; `unmatched`: they belong to no user here. */
  rejections: Array<RejectReason | 'unmatched'>;
  refetchReason: RefetchReason | null;
  changes: string[];
  stale: boolean;
}

const DAY = 86_400_000;

export const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The lowest and the highest price that each plan ever had: purchases at an earlier price are honored. */
async function priceRange(tx: Database): Promise<Pick<SiteTerms, 'priceCents' | 'worthCents'>> {
  const stored = await storedExtremes(tx, planDurations.map(centsSetting));
  const perPlan = (pick: (...cents: number[]) => number, bound: 'lowest' | 'highest') =>
    Object.fromEntries(
      planDurations.map((plan) => [
        plan,
        pick(shippedCents[plan], stored.get(centsSetting(plan))?.[bound] ?? shippedCents[plan]),
      ]),
    ) as Record<PlanDuration, number>;
  return { priceCents: perPlan(Math.min, 'lowest'), worthCents: perPlan(Math.max, 'highest') };
}

export const noChange: Applied = {
  userId: null,
  packCheckoutId: null,
  subscriptionId: null,
  externalId: null,
  rejections: [],
  refetchReason: null,
  changes: [],
  stale: false,
};

async function findSubscriptionId(tx: Database, { provider, facts }: ProviderUpdate): Promise<string | null> {
  for (const fact of facts) {
    if (fact.kind === 'subscription') return fact.subscription.id;
    if (fact.kind === 'payment' && fact.payment.subscriptionId) return fact.payment.subscriptionId;
    if (fact.kind === 'checkout' && fact.checkout.subscriptionId) return fact.checkout.subscriptionId;
  }
  for (const fact of facts) {
    if (fact.kind !== 'refund' && fact.kind !== 'dispute') continue;
    const known = await findSubscriptionOfPayment(tx, provider.name, fact.paymentId);
    if (known) return known;
  }
  return null;
}

/** Identifies the owner only by the checkout that was created for that user. */
async function findOwner(
  tx: Database,
  { provider, facts }: ProviderUpdate,
): Promise<SubscriptionOwner | null> {
  for (const fact of facts) {
    if (fact.kind !== 'subscription') continue;
    const { checkoutId, userId } = fact.subscription;
    if (!checkoutId || !uuidPattern.test(checkoutId)) continue;
    const buyer = await findUserOfCheckout(tx, provider.name, checkoutId);
    if (buyer && buyer === userId?.toLowerCase())
      return { id: randomUUID(), userId: buyer, checkoutId: checkoutId.toLowerCase() };
  }
  return null;
}

/** Drops payments that belong to another subscription: one payment gives Pro only once. */
async function ownFacts(
  tx: Database,
  externalId: string,
  { provider, facts }: ProviderUpdate,
): Promise<{ facts: ProviderFact[]; hasForeign: boolean }> {
  const ids = facts.flatMap((fact) => {
    if (fact.kind === 'payment') return [fact.payment.id];
    return fact.kind === 'subscription' ? (fact.subscription.lastPaymentId ?? []) : [];
  });
  const foreignIds = await paymentsOfOtherSubscriptions(tx, provider.name, externalId, ids);
  const own = facts.flatMap((fact): ProviderFact[] => {
    if (fact.kind === 'payment') {
      const { id, subscriptionId } = fact.payment;
      return foreignIds.has(id) || (subscriptionId ?? externalId) !== externalId ? [] : [fact];
    }
    const namesForeign =
      fact.kind === 'subscription' && foreignIds.has(fact.subscription.lastPaymentId ?? '');
    return [namesForeign ? { ...fact, paid: false } : fact];
  });
  return { facts: own, hasForeign: foreignIds.size > 0 || own.length < facts.length };
}

async function closeReportedCheckouts(
  tx: Database,
  provider: string,
  { requestId, id, state }: ProviderCheckout,
): Promise<{ user_id: string; changed: boolean } | null> {
  if (state === 'open' || !requestId || !uuidPattern.test(requestId)) return null;
  return recordReportedState(tx, { id: requestId, provider, externalId: id, state });
}

async function storeFacts(
  tx: Database,
  owner: SubscriptionOwner,
  externalId: string,
  { provider, isSnapshot }: ProviderUpdate,
  { before, after }: { before: Facts; after: Facts },
): Promise<void> {
  if (!after.subscription) return;
  const key = { provider: provider.name, externalId, isSnapshot };
  await upsertSubscription(tx, owner, key, after.subscription);
  for (const payment of after.payments) {
    if (before.payments.some((known) => isDeepStrictEqual(known, payment))) continue;
    await upsertPayment(tx, owner, provider.name, { ...payment, id: randomUUID() });
  }
  const refunds = {
    provider: provider.name,
    userId: owner.userId,
    before: before.refunds,
    after: after.refunds,
  };
  await saveRefunds(tx, refunds);
  if (isSnapshot) await giveUpLateRefunds(tx, owner.userId, sql`p.subscription_id = ${owner.id}`);
}

interface Receipts {
  dueReceipts: ReadonlySet<string>;
  hasUnpricedPayment: boolean;
}

/** A payment that was only named gets no receipt until its amount is reported. */
async function readReceipts(tx: Database, update: ProviderUpdate, before: Facts): Promise<Receipts> {
  const { provider, facts, acceptListPrice = false } = update;
  const ids = before.payments.map(({ externalId }) => externalId);
  const keys = ids.map((id) => receiptKey(provider.name, id));
  const written = await writtenMails(tx, keys);
  const unsent = new Set(ids.filter((id) => !written.has(receiptKey(provider.name, id))));
  const reported = facts.map((fact) => (fact.kind === 'payment' ? fact.payment.id : null));
  const named = facts.map((fact) =>
    fact.kind === 'subscription' && fact.paid ? fact.subscription.lastPaymentId : null,
  );
  const dueReceipts = new Set(
    [...unsent].filter((id) => reported.includes(id) || (acceptListPrice && named.includes(id))),
  );
  return {
    dueReceipts,
    hasUnpricedPayment: [...unsent].some((id) => named.includes(id) && !dueReceipts.has(id)),
  };
}

async function applyEffects(
  tx: Database,
  owner: SubscriptionOwner,
  { provider, cause }: ProviderUpdate,
  step: { before: Facts; after: Facts; context: Omit<EffectContext, 'userId' | 'provider' | 'entitled'> },
): Promise<void> {
  await syncPlan(tx, { userId: owner.userId, cause: cause.kind, causeId: cause.id });
  const entitled = await isEntitled(tx, owner.userId);
  const context = { ...step.context, userId: owner.userId, provider: provider.name, entitled };
  const { entries, mails } = effectsOf(step.before, step.after, context);
  for (const entry of entries) await recordPlanEntry(tx, { userId: owner.userId, ...entry });
  for (const mail of mails) await queueMail(tx, mail);
  await cacheStatus(tx, owner.userId);
}

async function warnOfSecondPlan(
  tx: Database,
  { id, userId }: SubscriptionOwner,
  { provider, now }: { provider: string; now: Date },
): Promise<void> {
  const plans = await renewingPlans(tx, userId);
  if (plans.length < 2 || !plans.some((plan) => plan.id === id)) return;
  const ids = plans.map(({ external_id }) => external_id).toSorted();
  const facts = {
    plans: plans.map(({ plan, renewal_cents, renews_at, paid_at }) => {
      const backUntil = paid_at && new Date(paid_at.getTime() + moneyBackDays * DAY);
      return {
        plan,
        priceCents: renewalCents(plan, renewal_cents),
        renewsAt: renews_at?.toISOString() ?? null,
        backUntil: backUntil && backUntil > now ? backUntil.toISOString() : null,
      };
    }),
  };
  const key = `two_plans:${provider}:${ids.join(':')}`;
  if (await queueMail(tx, { key, userId, kind: 'two_plans', facts }))
    log.error({ subscriptions: ids, userId }, 'a person pays for two plans at once');
}

const paymentIds = ({ payments }: Pick<Facts, 'payments'>) => payments.map(({ externalId }) => externalId);

/** Returns refunds and disputes that arrived before one of these payments. */
export async function deferredFacts(
  tx: Database,
  provider: ProviderUpdate['provider'],
  newPaymentIds: string[],
): Promise<{ facts: ProviderFact[]; events: number[] } | null> {
  if (newPaymentIds.length === 0) return null;
  const waiting = await deferredEvents(tx, provider.name, newPaymentIds);
  if (waiting.length === 0) return null;
  const facts = waiting
    .flatMap(({ payload }) => provider.readFacts(payload))
    .filter(({ kind }) => kind === 'refund' || kind === 'dispute');
  log.info({ events: waiting.map(({ event_id }) => event_id) }, 'events have waited for their payment');
  return { facts, events: waiting.map(({ id }) => id) };
}

async function applyToSubscription(
  tx: Database,
  externalId: string,
  update: ProviderUpdate,
  now: Date,
): Promise<Applied> {
  const { provider, isSnapshot } = update;
  const { owner: stored, facts: before } = await loadFacts(tx, provider.name, externalId);
  const owner = stored ?? (await findOwner(tx, update));
  const hasState = update.facts.some(({ kind }) => kind === 'subscription');
  if (!owner && hasState) return { ...noChange, externalId, rejections: ['unmatched'] };
  const terms: SiteTerms = { live: provider.live, planOfProduct, ...(await priceRange(tx)) };
  const { facts, hasForeign } = await ownFacts(tx, externalId, update);
  const first = reduce(before, { facts, isSnapshot, now }, terms);
  const known = paymentIds(before);
  const newPaymentIds = paymentIds(first.after).filter((id) => !known.includes(id));
  const deferred = owner ? await deferredFacts(tx, provider, newPaymentIds) : null;
  const reduced: ReducerResult = deferred
    ? reduce(before, { facts: [...facts, ...deferred.facts], isSnapshot, now }, terms)
    : first;
  const { dueReceipts, hasUnpricedPayment } = await readReceipts(tx, { ...update, facts }, before);
  const { after, estimated, changes, stale } = reduced;
  const refetchReason = reduced.refetchReason ?? (hasUnpricedPayment ? 'amount' : null);
  const rejections: Applied['rejections'] = hasForeign
    ? [...reduced.rejections, 'unmatched']
    : reduced.rejections;
  const result = { ...noChange, externalId, rejections, refetchReason, changes, stale };
  if (!owner || !after.subscription) return { ...result, userId: owner?.userId ?? null };
  const user = await lockUser(tx, owner.userId);
  await storeFacts(tx, owner, externalId, update, { before, after });
  if (deferred)
    await settleDeferredEvents(tx, deferred.events, { subscriptionId: owner.id, userId: owner.userId });
  const context = { ...user, externalId, now, estimated, dueReceipts };
  await applyEffects(tx, owner, update, { before, after, context });
  if (after.payments.length > before.payments.length) await retireOtherCheckouts(tx, owner);
  if (changes.length > 0) await warnOfSecondPlan(tx, owner, { provider: provider.name, now });
  if (!stored && owner.checkoutId)
    await recordReportedState(tx, {
      id: owner.checkoutId,
      provider: provider.name,
      externalId: null,
      state: 'completed',
    });
  return { ...result, userId: owner.userId, subscriptionId: owner.id };
}

/**
 * Applies an update in the caller's transaction, one per subscription at a time: facts, access, ledger, mails and plan
 * together. Repeated and reordered updates give the same result.
 */
export async function applyFacts(tx: Database, update: ProviderUpdate): Promise<Applied> {
  const externalId = await findSubscriptionId(tx, update);
  const now = externalId && (await lockSubscription(tx, update.provider.name, externalId));
  const checkouts = update.facts.filter((fact) => fact.kind === 'checkout').map(({ checkout }) => checkout);
  const closed = [];
  for (const checkout of checkouts)
    closed.push(await closeReportedCheckouts(tx, update.provider.name, checkout));
  const checkoutOwner = closed.find((each) => each !== null);
  const changes = closed.some((each) => each?.changed) ? ['checkout closed'] : [];
  if (checkouts.length > 0 && !checkoutOwner) return { ...noChange, externalId, rejections: ['unmatched'] };
  if (!externalId || !now) {
    // A refund or a dispute of an unknown payment.
    const refetchReason = checkouts.length === 0 && update.facts.length > 0 ? 'unknown' : null;
    return { ...noChange, userId: checkoutOwner?.user_id ?? null, refetchReason, changes };
  }
  const applied = await applyToSubscription(tx, externalId, update, now);
  return {
    ...applied,
    userId: applied.userId ?? checkoutOwner?.user_id ?? null,
    changes: [...changes, ...applied.changes],
  };
}

export const cacheStatuses = (): Promise<void> => cacheStatus(database(), null);
