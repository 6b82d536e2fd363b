import { type PlanDuration, priceTable } from '#features/credits/contract.ts';
import { graceHours } from '../contract.ts';
import { knownStatuses } from '../provider/payment-provider.ts';
import type { PaymentFact, SiteTerms } from './subscription-facts.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export const currency = 'USD';

export const clampCents = (amount: number, max: number): number => Math.max(0, Math.min(amount, max));

export function newestPayment(payments: readonly PaymentFact[]): PaymentFact | null {
  const order = (a: PaymentFact, b: PaymentFact) =>
    b.periodStart.getTime() - a.periodStart.getTime() ||
    b.paidAt.getTime() - a.paidAt.getTime() ||
    (a.externalId < b.externalId ? -1 : 1);
  return payments.toSorted(order)[0] ?? null;
}

export const isRefunded = ({ amountCents, refundedCents }: PaymentFact): boolean =>
  amountCents > 0 && refundedCents >= amountCents;

const isKnown = (status: string): boolean => knownStatuses.some((known) => known === status);
export const isCancelled = (status: string): boolean =>
  status === 'scheduled_cancel' || status === 'canceled';

export const isUnpaid = (status: string): boolean => status === 'past_due' || status === 'unpaid';

const later = (a: Date | null, b: Date): Date => (a && a > b ? a : b);

/**
 * Returns when Pro ends; null: no Pro. The newest payment counts, plus the grace unless the plan was cancelled. An
 * unknown status keeps the previous access (`before`), extended by a payment that is reported with it.
 */
export function accessUntil({
  status,
  periodEnd,
  payments,
  before,
  paidNow,
}: {
  status: string;
  periodEnd: Date | null;
  payments: readonly PaymentFact[];
  before: Date | null;
  paidNow: boolean;
}): Date | null {
  const newest = newestPayment(payments);
  if (!newest) return status === 'trialing' ? periodEnd : null;
  if (newest.disputed || isRefunded(newest)) return null;
  if (status === 'paused') return null;
  if (!isKnown(status)) return paidNow ? later(before, newest.periodEnd) : before;
  if (isCancelled(status)) return newest.periodEnd;
  return new Date(newest.periodEnd.getTime() + graceHours * HOUR);
}

export const isUnknown = (status: string): boolean => !isKnown(status);

/** A month has 28 to 31 days, a quarter 89 to 92. */
export function planOfPeriod(start: Date, end: Date): PlanDuration {
  const days = (end.getTime() - start.getTime()) / DAY;
  if (days <= 45) return 'monthly';
  return days <= 135 ? 'quarterly' : 'yearly';
}

export function monthsLater(start: Date, plan: PlanDuration): Date {
  const end = new Date(start);
  end.setUTCMonth(end.getUTCMonth() + priceTable[plan].months);
  if (end.getUTCDate() !== start.getUTCDate()) end.setUTCDate(0);
  return end;
}

/** Price of a subscription's renewal: today's price if the subscription's own was never reported. */
export const renewalCents = (plan: PlanDuration, ownCents: number | null): number =>
  ownCents ?? priceTable[plan].priceCents;

/**
 * Returns the lowest acceptable amount in cents, discount included: the price, or what the subscription paid before for
 * this plan (the site's prices change, a subscription keeps its own), less the largest possible credit. A plan change
 * credits what is left, and credit beyond the new price reduces later payments, also for the previous plan. A credit is
 * at most the worth of one payment made up to the last change, which is its plan's price if a credit reduced it.
 */
export function minPaymentCents(
  payment: Pick<PaymentFact, 'externalId' | 'plan'>,
  payments: readonly PaymentFact[],
  { priceCents, worthCents = priceCents }: Pick<SiteTerms, 'priceCents' | 'worthCents'>,
): number {
  const others = payments.filter(({ externalId }) => externalId !== payment.externalId);
  const paidBefore = others.filter(({ plan }) => plan === payment.plan).map(({ amountCents }) => amountCents);
  const otherPlans = others.filter(({ plan }) => plan !== payment.plan);
  const changedAt = Math.max(...otherPlans.map(({ periodStart }) => periodStart.getTime()));
  const credits = others
    .filter(({ periodStart }) => periodStart.getTime() <= changedAt)
    .map(({ plan, amountCents }) => Math.max(amountCents, worthCents[plan]));
  return Math.min(priceCents[payment.plan], ...paidBefore) - Math.max(0, ...credits);
}
