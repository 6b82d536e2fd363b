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
 * `cancelled`: ends with the paid period. `past_due`: a payment failed, access lasts for the grace. `expired`,
 * `refunded`, `disputed`: over.
 */
export type SubscriptionState =
  | 'active'
  | 'trialing'
  | 'past_due'
  | 'cancelled'
  | 'paused'
  | 'expired'
  | 'refunded'
  | 'disputed';

/** In the reader's language. */
export type ShownPromotion = Promotion & { text: string };

/** Credits that are bought once, at the provider's price. */
export interface PackOffer {
  id: string;
  credits: number;
  priceCents: number;
  currency: string;
}

export interface Sale {
  durations: PlanDuration[];
  packs: readonly PackOffer[];
  promotion: ShownPromotion | null;
}

/** After a period that no payment followed, unless it was cancelled. */
export const graceHours = 72;

/** Specification, section 5. */
export const bannerMs = 5_000;

export interface SubscriptionView {
  id: string;
  checkoutId: string | null;
  plan: PlanDuration;
  state: SubscriptionState;
  priceCents: number;
  currency: string;
  periodStart: string | null;
  periodEnd: string | null;
  renewsAt: string | null;
  /** The paid period is over and the provider has not told yet what became of the renewal. */
  renewalDue: boolean;
  /** End of Pro by this subscription as things stand, grace included; null when it will not end or gives none. */
  endsAt: string | null;
  canCancel: boolean;
  canResume: boolean;
  /** Charged at once: a paused plan whose period is over begins another; null: nothing. */
  resumeCents: number | null;
  changes: PlanDuration[];
  moneyBackUntil: string | null;
  moneyBackCents: number;
  /** The newest payment is being given back in whole, not yet confirmed by the provider. */
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
  /** The provider's pages may be opened: there is a customer, who is nobody else here. */
  portal: boolean;
  firstDaysOver: boolean;
  /** Packs that were paid, newest first; at most 5. */
  packs: PaidPack[];
}

export interface PaidPack {
  checkoutId: string;
  credits: number;
  paidAt: string;
}

export interface InvoicePage {
  invoices: InvoiceRow[];
  next: string | null;
}

export interface InvoiceRow {
  id: string;
  paidAt: string;
  /** Null for a pack of `credits`, which has no period. */
  plan: PlanDuration | null;
  credits: number | null;
  amountCents: number;
  refundedCents: number;
  currency: string;
  state: 'paid' | 'refund_pending' | 'refunded' | 'partially_refunded' | 'disputed';
  periodStart: string | null;
  periodEnd: string | null;
}

/** Of a plan, or of a pack by the id of its product. */
export const newCheckout = /* @__PURE__ */ (() =>
  z.union([
    z.object({ plan: z.enum(planDurations) }),
    z.object({ pack: z.string().check(z.minLength(1), z.maxLength(200)) }),
  ]))();

export type CheckoutOffer = z.infer<typeof newCheckout>;

export const subscriptionVerb = /* @__PURE__ */ (() => z.object({ id: z.uuid() }))();

/** `cents`: what the person agrees to pay at once. */
export const subscriptionResume = /* @__PURE__ */ (() =>
  z.object({ id: z.uuid(), cents: z.optional(z.int()) }))();

export const subscriptionChange = /* @__PURE__ */ (() =>
  z.object({ id: z.uuid(), plan: z.enum(planDurations) }))();

export const planButtons = {
  cancel: m.billing_button_cancel,
  resume: m.billing_button_resume,
  portal: m.billing_button_portal,
} as const;

export const billingTexts = {
  /** Specification, section 6. */
  startFailed: m.billing_start_failed,
  cancelled: m.billing_cancelled,
  success: m.billing_success,
  confirming: m.billing_confirming,
  alreadyPro: m.billing_already_pro,
  resumeInstead: m.billing_resume_instead,
  earlierRuns: m.billing_earlier_runs,
  notOnSale: m.billing_not_on_sale,
  packNotOnSale: m.packs_not_on_sale,
  packStartFailed: m.packs_start_failed,
  providerDown: () => m.billing_provider_down({ seller }),
  moneyBackUnconfirmed: () => m.billing_refund_unconfirmed({ seller }),
  oneAtATime: m.billing_one_at_a_time,
  notNow: m.billing_not_now,
  portalByMail: () => m.billing_portal_by_mail({ seller }),
  resumeCharges: m.billing_resume_charges,
  noMoneyBack: () => m.billing_no_refund({ days: moneyBackDays }),
  refundRefused: (email: string) => m.billing_refund_refused({ seller, email }),
} as const;
