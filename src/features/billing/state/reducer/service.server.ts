import type { PlanDuration } from '../../../credits/contract.ts';
import type { ProviderFact, ProviderPayment, ProviderSubscription } from '../../provider/contract.ts';
import type { Facts, PaymentFact, Reduced, Refusal, SiteTerms, SubscriptionFact, Told } from '../contract.ts';
import {
  accessUntil,
  cents,
  currency,
  isUnknown,
  leastCents,
  monthsLater,
  planOfPeriod,
} from '../rules/service.server.ts';
import type { Work } from './contract.ts';
import { noteExcess, settleRefunds, takeRefund } from './refunds/service.server.ts';

/** How far a version may be ahead of our clock: clocks differ. */
const AHEAD_MS = 10 * 60_000;

/** The plan of what is sold; a subscription keeps its own when the operator sells another product in its place. */
function planOf({ terms, subscription }: Work, productId: string): PlanDuration | null {
  const kept = subscription?.productId === productId ? subscription.plan : null;
  return terms.planOfProduct(productId) ?? kept;
}

function refusalOfSubscription(work: Work, told: ProviderSubscription): Refusal | null {
  const { terms, subscription } = work;
  if (told.live !== terms.live) return 'mode';
  const plan = planOf(work, told.productId);
  if (!plan) return 'product';
  // A subscription keeps the price at which it was bought; only what is new here is held against the table.
  if (!told.price || subscription?.productId === told.productId) return null;
  if (told.price.currency !== currency) return 'currency';
  return told.price.cents < terms.priceCents[plan] ? 'price' : null;
}

/** One of them may be missing: not every telling holds every part. */
const agree = (stored: Date | null, told: Date | null) =>
  stored === null || told === null || stored.getTime() === told.getTime();

function isSame(stored: SubscriptionFact, told: ProviderSubscription): boolean {
  return (
    stored.status === told.status &&
    stored.productId === told.productId &&
    agree(stored.periodStart, told.periodStart) &&
    agree(stored.periodEnd, told.periodEnd) &&
    (stored.canceledAt === null) === (told.canceledAt === null)
  );
}

/** Takes the newest state of a subscription: the last writer by the provider's time wins. */
function takeSubscription(work: Work, told: ProviderSubscription): void {
  const refusal = refusalOfSubscription(work, told);
  if (refusal) return void work.refusals.add(refusal);
  const plan = planOf(work, told.productId);
  if (!plan) return;
  // No later state could take its place, so only the provider's own answer may say that.
  if (!work.isSnapshot && told.updatedAt.getTime() > work.now.getTime() + AHEAD_MS)
    return void work.doubts.add('version');
  const stored = work.subscription;
  if (stored && told.updatedAt < stored.versionAt) {
    work.stale = true;
    return;
  }
  if (stored && isSame(stored, told)) {
    work.subscription = {
      ...stored,
      customerId: told.customerId,
      periodStart: stored.periodStart ?? told.periodStart,
      periodEnd: stored.periodEnd ?? told.periodEnd,
      versionAt: told.updatedAt,
    };
    return;
  }
  if (stored && told.updatedAt.getTime() === stored.versionAt.getTime() && !work.isSnapshot)
    return void work.doubts.add('version');
  if (isUnknown(told.status)) work.doubts.add('status');
  work.changes.push(stored ? `${stored.status} -> ${told.status}, ${plan}` : `${told.status}, ${plan}`);
  work.subscription = {
    customerId: told.customerId,
    productId: told.productId,
    plan,
    status: told.status,
    periodStart: told.periodStart ?? stored?.periodStart ?? null,
    periodEnd: told.periodEnd ?? stored?.periodEnd ?? null,
    canceledAt: told.canceledAt,
    versionAt: told.updatedAt,
    accessUntil: stored?.accessUntil ?? null,
  };
}

const received = ['paid', 'refunded', 'partially_refunded', 'disputed'];

/** The period of a payment: its own, else the one known of it, else the subscription's whose last payment it is. */
function periodOf(work: Work, told: ProviderPayment, subscription: ProviderSubscription | null) {
  if (told.periodStart && told.periodEnd) return { start: told.periodStart, end: told.periodEnd };
  const known = work.payments.get(told.id);
  if (known) return { start: known.periodStart, end: known.periodEnd };
  if (subscription?.lastPaymentId === told.id && subscription.periodStart && subscription.periodEnd)
    return { start: subscription.periodStart, end: subscription.periodEnd };
  const plan = work.subscription?.plan ?? 'monthly';
  return { start: told.createdAt, end: monthsLater(told.createdAt, plan) };
}

function refusalOfPayment(
  work: Work,
  payment: PaymentFact,
  { live, discountCents }: { live: boolean; discountCents: number },
): Refusal | null {
  if (live !== work.terms.live) return 'mode';
  if (payment.currency !== currency) return 'currency';
  // Of one that counts already the provider's amount is the truth; what is stored may only be a guess.
  if (work.payments.has(payment.externalId)) return null;
  const least = leastCents(payment, [...work.payments.values()], work.terms.priceCents);
  return payment.amountCents + discountCents < least ? 'price' : null;
}

/** What was given back by the shop; what a bank takes back is a dispute. */
function refundedBy(told: ProviderPayment): number {
  if (told.state === 'disputed') return 0;
  return told.state === 'refunded' ? told.amountCents : cents(told.refundedCents, told.amountCents);
}

/**
 * Adds a payment, or completes what is known of it. What was given back stays so, and what is disputed until a read of
 * the provider says otherwise: the shop has won.
 */
function takePayment(work: Work, told: ProviderPayment, subscription: ProviderSubscription | null): void {
  if (!received.includes(told.state)) return;
  const { start, end } = periodOf(work, told, subscription);
  const known = work.payments.get(told.id);
  // What an event held of a payment may be older than the reversal of its refund.
  const isReversed = work.refunds.some(({ paymentId, reversed }) => paymentId === told.id && reversed);
  const least = isReversed && work.isSnapshot ? 0 : (known?.refundedCents ?? 0);
  const back = isReversed && !work.isSnapshot ? least : Math.max(refundedBy(told), least);
  const payment: PaymentFact = {
    externalId: told.id,
    plan: planOfPeriod(start, end),
    amountCents: told.amountCents,
    currency: told.currency,
    refundedCents: cents(back, told.amountCents),
    disputed: told.state === 'disputed' || (!work.isSnapshot && (known?.disputed ?? false)),
    periodStart: start,
    periodEnd: end,
    paidAt: told.createdAt,
  };
  const refusal = refusalOfPayment(work, payment, told);
  if (refusal) return void work.refusals.add(refusal);
  if (!known) {
    work.paidNow = true;
    work.changes.push(`payment ${told.id}`);
  } else if (JSON.stringify(known) !== JSON.stringify(payment))
    work.changes.push(`payment ${told.id} differs`);
  work.payments.set(told.id, payment);
}

/** A payment that is only named: its price stands for its amount until the provider is asked. */
function takeNamedPayment(work: Work, told: ProviderSubscription): void {
  const { lastPaymentId, price, periodStart, periodEnd } = told;
  if (!lastPaymentId || work.payments.has(lastPaymentId)) return;
  work.doubts.add('amount');
  if (!price || !periodStart || !periodEnd) return;
  work.guessed.add(lastPaymentId);
  takePayment(
    work,
    {
      id: lastPaymentId,
      subscriptionId: told.id,
      customerId: told.customerId,
      amountCents: price.cents,
      discountCents: 0,
      refundedCents: 0,
      currency: price.currency,
      state: 'paid',
      periodStart,
      periodEnd,
      createdAt: told.lastPaymentAt ?? told.updatedAt,
      live: told.live,
    },
    told,
  );
}

function takeDispute(work: Work, paymentId: string): void {
  const payment = work.payments.get(paymentId);
  if (!payment) return void work.doubts.add('unknown');
  if (payment.disputed) return;
  work.changes.push(`dispute of ${paymentId}`);
  work.payments.set(paymentId, { ...payment, disputed: true });
}

const byTime = (a: ProviderPayment, b: ProviderPayment) => a.createdAt.getTime() - b.createdAt.getTime();

function take(work: Work, facts: readonly ProviderFact[]): void {
  const states = facts.filter((fact) => fact.kind === 'subscription');
  for (const { subscription } of states) takeSubscription(work, subscription);
  // A subscription that is refused brings nothing, and without one no payment has a place.
  if (work.refusals.size > 0) return;
  if (!work.subscription) return void work.doubts.add('unknown');
  const told = states.at(-1)?.subscription ?? null;
  const payments = facts.filter((fact) => fact.kind === 'payment').map(({ payment }) => payment);
  for (const payment of payments.toSorted(byTime)) takePayment(work, payment, told);
  for (const { subscription, paid } of states) if (paid) takeNamedPayment(work, subscription);
  for (const fact of facts) {
    if (fact.kind === 'refund') takeRefund(work, fact);
    if (fact.kind === 'dispute') takeDispute(work, fact.paymentId);
  }
  settleRefunds(work);
  noteExcess(work);
}

/**
 * What a telling makes of the stored facts of one subscription. Pure: no clock, no database. The facts are sets and a
 * last writer by the provider's time, so that neither order nor repetition changes what they come to.
 * @param told of this subscription alone.
 */
export function reduce(before: Facts, told: Told, terms: SiteTerms): Reduced {
  const work: Work = {
    terms,
    isSnapshot: told.isSnapshot,
    now: told.now,
    subscription: before.subscription,
    payments: new Map(before.payments.map((payment) => [payment.externalId, payment])),
    refunds: before.refunds,
    refusals: new Set(),
    doubts: new Set(),
    guessed: new Set(),
    changes: [],
    stale: false,
    paidNow: false,
  };
  take(work, told.facts);
  const payments = [...work.payments.values()];
  const subscription = work.subscription && {
    ...work.subscription,
    accessUntil: accessUntil({
      status: work.subscription.status,
      periodEnd: work.subscription.periodEnd,
      payments,
      before: before.subscription?.accessUntil ?? null,
      paidNow: work.paidNow,
    }),
  };
  return {
    after: { subscription, payments, refunds: work.refunds },
    refusals: [...work.refusals],
    doubt: [...work.doubts][0] ?? null,
    guessed: work.guessed,
    changes: work.changes,
    stale: work.stale,
  };
}
