import { isDeepStrictEqual } from 'node:util';
import type { PlanDuration } from '#features/credits/contract.ts';
import type { ProviderFact, ProviderPayment, ProviderSubscription } from '../provider/payment-provider.ts';
import {
  accessUntil,
  currency,
  isUnknown,
  minPaymentCents,
  monthsLater,
  planOfPeriod,
} from './access-rules.server.ts';
import { receivedMoney, reduceReversals } from './reduce-refunds.server.ts';
import type {
  Facts,
  PaymentFact,
  ReducerDraft,
  ReducerResult,
  RejectReason,
  SiteTerms,
  SubscriptionFact,
  SubscriptionUpdate,
} from './subscription-facts.ts';

/** How far a version may be ahead of our clock. */
const MAX_CLOCK_SKEW_MS = 10 * 60_000;

/** A subscription keeps its plan when the operator replaces that plan's product. */
function planOf({ terms, subscription }: ReducerDraft, productId: string): PlanDuration | null {
  const storedPlan = subscription?.productId === productId ? subscription.plan : null;
  return terms.planOfProduct(productId) ?? storedPlan;
}

function rejectSubscription(draft: ReducerDraft, reported: ProviderSubscription): RejectReason | null {
  const { terms, subscription } = draft;
  if (reported.live !== terms.live) return 'mode';
  const plan = planOf(draft, reported.productId);
  if (!plan) return 'product';
  // A subscription keeps the price at which it was bought.
  if (!reported.price || subscription?.productId === reported.productId) return null;
  if (reported.price.currency !== currency) return 'currency';
  return reported.price.cents < terms.priceCents[plan] ? 'price' : null;
}

/** Keeps the first price that is reported with a product: a subscription keeps the price at which it was bought. */
function priceOf({ subscription }: ReducerDraft, { productId, price }: ProviderSubscription): number | null {
  const storedPrice = subscription?.productId === productId ? subscription.priceCents : null;
  return storedPrice ?? (price && price.currency === currency && price.cents > 0 ? price.cents : null);
}

/** Updates may omit dates. */
const datesAgree = (stored: Date | null, reported: Date | null) =>
  stored === null || reported === null || stored.getTime() === reported.getTime();

function isSame(stored: SubscriptionFact, reported: ProviderSubscription): boolean {
  return (
    stored.status === reported.status &&
    stored.productId === reported.productId &&
    datesAgree(stored.periodStart, reported.periodStart) &&
    datesAgree(stored.periodEnd, reported.periodEnd) &&
    (stored.canceledAt === null) === (reported.canceledAt === null)
  );
}

/** The state with the latest provider time wins. */
function reduceSubscription(draft: ReducerDraft, reported: ProviderSubscription): void {
  const rejection = rejectSubscription(draft, reported);
  if (rejection) return void draft.rejections.add(rejection);
  const plan = planOf(draft, reported.productId);
  if (!plan) return;
  // No later state could replace it, so only a read of the provider may confirm it.
  if (!draft.isSnapshot && reported.updatedAt.getTime() > draft.now.getTime() + MAX_CLOCK_SKEW_MS)
    return void draft.refetchReasons.add('version');
  const stored = draft.subscription;
  const priceCents = priceOf(draft, reported);
  if (stored && reported.updatedAt < stored.versionAt) {
    if (stored.productId === reported.productId) draft.subscription = { ...stored, priceCents };
    draft.stale = true;
    return;
  }
  if (stored && isSame(stored, reported)) {
    draft.subscription = {
      ...stored,
      customerId: reported.customerId,
      priceCents,
      periodStart: stored.periodStart ?? reported.periodStart,
      periodEnd: stored.periodEnd ?? reported.periodEnd,
      versionAt: reported.updatedAt,
    };
    return;
  }
  if (stored && reported.updatedAt.getTime() === stored.versionAt.getTime() && !draft.isSnapshot)
    return void draft.refetchReasons.add('version');
  if (isUnknown(reported.status)) draft.refetchReasons.add('status');
  draft.changes.push(
    stored ? `${stored.status} -> ${reported.status}, ${plan}` : `${reported.status}, ${plan}`,
  );
  draft.subscription = {
    customerId: reported.customerId,
    productId: reported.productId,
    priceCents,
    plan,
    status: reported.status,
    periodStart: reported.periodStart ?? stored?.periodStart ?? null,
    periodEnd: reported.periodEnd ?? stored?.periodEnd ?? null,
    canceledAt: reported.canceledAt,
    versionAt: reported.updatedAt,
    accessUntil: stored?.accessUntil ?? null,
  };
}

function periodOf(draft: ReducerDraft, reported: ProviderPayment, subscription: ProviderSubscription | null) {
  if (reported.periodStart && reported.periodEnd)
    return { start: reported.periodStart, end: reported.periodEnd };
  const known = draft.payments.get(reported.id);
  if (known) return { start: known.periodStart, end: known.periodEnd };
  if (subscription?.lastPaymentId === reported.id && subscription.periodStart && subscription.periodEnd)
    return { start: subscription.periodStart, end: subscription.periodEnd };
  const plan = draft.subscription?.plan ?? 'monthly';
  return { start: reported.createdAt, end: monthsLater(reported.createdAt, plan) };
}

function rejectPayment(
  draft: ReducerDraft,
  payment: PaymentFact,
  { live, discountCents }: { live: boolean; discountCents: number },
): RejectReason | null {
  if (live !== draft.terms.live) return 'mode';
  if (payment.currency !== currency) return 'currency';
  // The provider's amount is authoritative; the stored one may be an estimate.
  if (draft.payments.has(payment.externalId)) return null;
  const minCents = minPaymentCents(payment, [...draft.payments.values()], draft.terms);
  return payment.amountCents + discountCents < minCents ? 'price' : null;
}

function reducePayment(
  draft: ReducerDraft,
  reported: ProviderPayment,
  subscription: ProviderSubscription | null,
): void {
  const money = receivedMoney(draft, reported);
  if (!money) return;
  const { start, end } = periodOf(draft, reported, subscription);
  const known = draft.payments.get(reported.id);
  const plan = planOfPeriod(start, end);
  const payment: PaymentFact = { ...money, plan, periodStart: start, periodEnd: end };
  const rejection = rejectPayment(draft, payment, reported);
  if (rejection) return void draft.rejections.add(rejection);
  if (!known) {
    draft.paidNow = true;
    draft.changes.push(`payment ${reported.id}`);
  } else if (!isDeepStrictEqual(known, payment)) draft.changes.push(`payment ${reported.id} differs`);
  draft.payments.set(reported.id, payment);
}

function reduceUnpricedPayment(draft: ReducerDraft, reported: ProviderSubscription): void {
  const { lastPaymentId, price, periodStart, periodEnd } = reported;
  if (!lastPaymentId || draft.payments.has(lastPaymentId)) return;
  draft.refetchReasons.add('amount');
  if (!price || !periodStart || !periodEnd) return;
  draft.estimated.add(lastPaymentId);
  reducePayment(
    draft,
    {
      id: lastPaymentId,
      subscriptionId: reported.id,
      orderId: null,
      customerId: reported.customerId,
      amountCents: price.cents,
      discountCents: 0,
      refundedCents: 0,
      currency: price.currency,
      state: 'paid',
      periodStart,
      periodEnd,
      createdAt: reported.lastPaymentAt ?? reported.updatedAt,
      live: reported.live,
    },
    reported,
  );
}

const byTime = (a: ProviderPayment, b: ProviderPayment) => a.createdAt.getTime() - b.createdAt.getTime();

function reduceFacts(draft: ReducerDraft, facts: readonly ProviderFact[]): void {
  const states = facts.filter((fact) => fact.kind === 'subscription');
  for (const { subscription } of states) reduceSubscription(draft, subscription);
  // A rejected subscription has no effect, and payments cannot be stored without one.
  if (draft.rejections.size > 0) return;
  if (!draft.subscription) return void draft.refetchReasons.add('unknown');
  const reported = states.at(-1)?.subscription ?? null;
  const payments = facts.filter((fact) => fact.kind === 'payment').map(({ payment }) => payment);
  for (const payment of payments.toSorted(byTime)) reducePayment(draft, payment, reported);
  for (const { subscription, paid } of states) if (paid) reduceUnpricedPayment(draft, subscription);
  reduceReversals(draft, facts);
}

/**
 * Pure: no clock, no database. Facts are merged as sets, and the state with the latest provider time wins, so that
 * neither order nor repetition changes the result.
 */
export function reduce(before: Facts, update: SubscriptionUpdate, terms: SiteTerms): ReducerResult {
  const draft: ReducerDraft = {
    terms,
    isSnapshot: update.isSnapshot,
    now: update.now,
    subscription: before.subscription,
    payments: new Map(before.payments.map((payment) => [payment.externalId, payment])),
    refunds: before.refunds,
    rejections: new Set(),
    refetchReasons: new Set(),
    estimated: new Set(),
    changes: [],
    stale: false,
    paidNow: false,
  };
  reduceFacts(draft, update.facts);
  const payments = [...draft.payments.values()];
  const subscription = draft.subscription && {
    ...draft.subscription,
    accessUntil: accessUntil({
      status: draft.subscription.status,
      periodEnd: draft.subscription.periodEnd,
      payments,
      before: before.subscription?.accessUntil ?? null,
      paidNow: draft.paidNow,
    }),
  };
  return {
    after: { subscription, payments, refunds: draft.refunds },
    rejections: [...draft.rejections],
    refetchReason: [...draft.refetchReasons][0] ?? null,
    estimated: draft.estimated,
    changes: draft.changes,
    stale: draft.stale,
  };
}
