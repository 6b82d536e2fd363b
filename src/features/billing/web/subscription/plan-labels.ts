import { formatMoney, type Plan, type PlanDuration } from '#features/credits/contract.ts';
import { m } from '#messages';
import { decimalAmount } from '#shared/decimal-amount.ts';
import type { BillingView, SubscriptionState, SubscriptionView } from '../../contract.ts';

export const day = { dateStyle: 'long' } as const;

export function formatAmount(cents: number, currency: string): string {
  try {
    return formatMoney(cents, currency);
  } catch {
    // The browser does not know this currency.
    return `${decimalAmount(cents)} ${currency}`;
  }
}

export const planNames: Record<Plan, () => string> = {
  free: m.common_free,
  pro: m.plan_pro,
  business: m.plan_business,
};

/** For example: Pro, 1 Year. */
export const proLabel = (plan: PlanDuration): string => m.plan_label({ plan });

const stateNames: Record<SubscriptionState, () => string> = {
  active: m.plan_state_active,
  trialing: m.plan_state_trialing,
  past_due: m.plan_state_past_due,
  cancelled: m.plan_state_cancelled,
  paused: m.plan_state_paused,
  expired: m.plan_state_expired,
  refunded: m.plan_state_refunded,
  disputed: m.plan_state_disputed,
};

export function stateNameOf({ state, renewalDue, refundPending }: SubscriptionView): string {
  if (refundPending) return m.plan_state_refund_pending();
  return renewalDue ? m.plan_state_renewal_due() : stateNames[state]();
}

/** Pro is over here, but the provider may still charge the card. */
export const mayStillCharge = ({ state, canCancel }: SubscriptionView): boolean =>
  canCancel && state === 'expired';

const inForce: readonly SubscriptionState[] = ['active', 'trialing', 'past_due', 'cancelled'];

export const givesPro = ({ state }: SubscriptionView): boolean => inForce.includes(state);

/** Identified by our checkout id or, if the address has none, by the plan. */
export interface PendingPayment {
  /** Null for a pack. */
  plan: PlanDuration | null;
  checkoutId: string | null;
}

/** Finds the plan that a pending payment bought, only from the server's response; never another plan of the user. */
export function boughtPlan(
  { subscriptions }: BillingView,
  { plan, checkoutId }: PendingPayment,
): SubscriptionView | null {
  const bought = subscriptions.find((each) =>
    checkoutId === null ? each.plan === plan && isRenewing(each) : each.checkoutId === checkoutId,
  );
  return bought ?? null;
}

export const isRenewing = ({ state }: SubscriptionView): boolean =>
  state === 'active' || state === 'trialing';
