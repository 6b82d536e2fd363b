import type { Plan, PlanDuration } from '../../../credits/contract.ts';
import { priceTable } from '../../../credits/contract.ts';
import type { BillingView, SubscriptionState, SubscriptionView } from '../../contract.ts';

/** A day in long form. */
export const day = { dateStyle: 'long' } as const;

/** An amount as it is shown: $69.99. */
export function amount(cents: number, currency: string): string {
  try {
    return (cents / 100).toLocaleString('en-US', { style: 'currency', currency });
  } catch {
    // A currency that the browser does not know.
    return `${(cents / 100).toFixed(2)} ${currency}`;
  }
}

export const planNames: Record<Plan, string> = { free: 'Free', pro: 'Pro', business: 'Business' };

/** Pro, 1 Year. */
export const proFor = (plan: PlanDuration): string => `Pro, ${priceTable[plan].period}`;

const stateNames: Record<SubscriptionState, string> = {
  active: 'Active',
  trialing: 'Trial',
  past_due: 'Payment failed',
  cancelled: 'Cancelled',
  paused: 'Paused',
  expired: 'Ended',
  refunded: 'Refunded',
  disputed: 'Disputed',
};

/** The state of a subscription in a word or two. */
export function stateNameOf({ state, renewalDue, refundPending }: SubscriptionView): string {
  if (refundPending) return 'Refund under way';
  return renewalDue ? 'Renewal due' : stateNames[state];
}

/** Whether Pro is over here while the provider may still try the card. */
export const mayStillCharge = ({ state, canCancel }: SubscriptionView): boolean =>
  canCancel && state === 'expired';

const inForce: readonly SubscriptionState[] = ['active', 'trialing', 'past_due', 'cancelled'];

/** Whether a subscription gives Pro now. */
export const givesPro = ({ state }: SubscriptionView): boolean => inForce.includes(state);

/** The payment that a page waits for: by our id of its checkout or, where the address names none, by its plan. */
export interface AwaitedPayment {
  plan: PlanDuration;
  checkoutId: string | null;
}

/**
 * The subscription of an awaited payment, for somebody who comes back from a checkout; null while there is none. Told by
 * the server's answer alone, and never another plan of the person.
 */
export function boughtPlan(
  { subscriptions }: BillingView,
  { plan, checkoutId }: AwaitedPayment,
): SubscriptionView | null {
  const bought = subscriptions.find((each) =>
    checkoutId === null ? each.plan === plan && isGood(each) : each.checkoutId === checkoutId,
  );
  return bought ?? null;
}

/** Whether a plan was paid for and goes on. */
export const isGood = ({ state }: SubscriptionView): boolean => state === 'active' || state === 'trialing';
