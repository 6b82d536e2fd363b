import { z } from 'zod/mini';
import type { Promotion } from '#content/site.ts';
import {
  moneyBackDays,
  type Plan,
  type PlanDuration,
  planDurations,
  seller,
} from '#features/credits/contract.ts';
import { m } from '#messages';

/**
 * A subscription in the words of our pages. `cancelled`: ends with the period that is paid. `past_due`: a payment
 * failed and access lasts for the grace. `expired`, `refunded`, `disputed`: over.
 */
export const subscriptionStates = [
  'active',
  'trialing',
  'past_due',
  'cancelled',
  'paused',
  'expired',
  'refunded',
  'disputed',
] as const;
export type SubscriptionState = (typeof subscriptionStates)[number];

export interface Sale {
  durations: PlanDuration[];
  promotion: Promotion | null;
}

/** Hours for which Pro goes on after a period that was not followed by a payment, unless it was cancelled. */
export const graceHours = 72;

/** Milliseconds for which the banners of payment stay (specification, section 5). */
export const bannerMs = 5_000;

export interface SubscriptionView {
  id: string;
  checkoutId: string | null;
  plan: PlanDuration;
  state: SubscriptionState;
  /** Price of the next renewal in cents. */
  priceCents: number;
  currency: string;
  /** The period that is paid, ISO; null before the first payment. */
  periodStart: string | null;
  periodEnd: string | null;
  /** When it renews; null when it will not. */
  renewsAt: string | null;
  /** Whether the paid period is over and the provider has not told yet what became of the renewal. */
  renewalDue: boolean;
  /** When Pro ends by this subscription as things stand (grace included); null when it will not end or has none. */
  endsAt: string | null;
  canCancel: boolean;
  canResume: boolean;
  /** What resuming charges at once, in cents: a paused plan whose period is over begins another; null: nothing. */
  resumeCents: number | null;
  changes: PlanDuration[];
  /** Until when the button gives the money back; null when it does not. */
  moneyBackUntil: string | null;
  moneyBackCents: number;
  /** Whether the newest payment is being given back in whole, and the provider has not said yet that it was. */
  refundPending: boolean;
  endedAt: string | null;
}

export const willCharge = ({
  renewsAt,
  state,
  refundPending,
}: Pick<SubscriptionView, 'renewsAt' | 'state' | 'refundPending'>): boolean =>
  (renewsAt !== null || state === 'past_due') && !refundPending;

export interface BillingView {
  plan: Plan;
  /** Those that give or gave Pro, the one in force first; at most 5. */
  subscriptions: SubscriptionView[];
  grant: { plan: Plan; endsAt: string | null } | null;
  pendingCheckout: { id: string; plan: PlanDuration; createdAt: string } | null;
  /** Whether the provider's pages may be opened: there is a customer, who is nobody else here too. */
  portal: boolean;
  firstDaysOver: boolean;
}

export interface InvoicePage {
  invoices: InvoiceRow[];
  next: string | null;
}

export interface InvoiceRow {
  id: string;
  paidAt: string;
  plan: PlanDuration;
  amountCents: number;
  refundedCents: number;
  currency: string;
  state: 'paid' | 'refund_pending' | 'refunded' | 'partially_refunded' | 'disputed';
  periodStart: string;
  periodEnd: string;
}

export const newCheckout = z.object({ plan: z.enum(planDurations) });

/** Body of `POST /api/subscription/{cancel,refund}`; each answers the BillingView after it. */
export const subscriptionVerb = z.object({ id: z.uuid() });

/** Body of `POST /api/subscription/resume`: `cents` is what the person agrees to pay at once. */
export const subscriptionResume = z.object({ id: z.uuid(), cents: z.optional(z.int()) });

export const subscriptionChange = z.object({ id: z.uuid(), plan: z.enum(planDurations) });

export const planButtons = {
  cancel: m.billing_button_cancel,
  resume: m.billing_button_resume,
  portal: m.billing_button_portal,
} as const;

export const billingTexts = {
  /** The specification's words (section 6). */
  startFailed: m.billing_start_failed,
  cancelled: m.billing_cancelled,
  success: m.billing_success,
  confirming: m.billing_confirming,
  alreadyPro: m.billing_already_pro,
  resumeInstead: m.billing_resume_instead,
  earlierRuns: m.billing_earlier_runs,
  notOnSale: m.billing_not_on_sale,
  providerDown: () => m.billing_provider_down({ seller }),
  moneyBackUnconfirmed: () => m.billing_refund_unconfirmed({ seller }),
  oneAtATime: m.billing_one_at_a_time,
  notNow: m.billing_not_now,
  portalByMail: () => m.billing_portal_by_mail({ seller }),
  resumeCharges: m.billing_resume_charges,
  noMoneyBack: () => m.billing_no_refund({ days: moneyBackDays }),
  refundRefused: (email: string) => m.billing_refund_refused({ seller, email }),
} as const;
