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
 * `cancelled`: ends with the paid period. `past_due`: a payment failed; access lasts until the grace ends. `expired`,
 * `refunded` and `disputed`: over.
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

/** `text` is in the reader's language. */
export type ShownPromotion = Promotion & { text: string };

/** A pack that is for sale, at the provider's price. */
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

/** How long Pro continues after a paid period when no payment follows; a cancelled plan has no grace. */
export const graceHours = 72;

/** How long the payment banner stays open (specification, section 5). */
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
  /** The paid period is over, and the provider has not reported yet whether the renewal was paid. */
  renewalDue: boolean;
  /** When Pro from this subscription ends, grace included; null if no end is known or it gives no Pro. */
  endsAt: string | null;
  canCancel: boolean;
  canResume: boolean;
  /** Charged immediately on resuming a paused plan whose period is over, because a new one starts; null: nothing. */
  resumeCents: number | null;
  changes: PlanDuration[];
  moneyBackUntil: string | null;
  moneyBackCents: number;
  /** A full refund of the newest payment is requested, but not yet confirmed by the provider. */
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
  /** Subscriptions that give or gave Pro, those in force first; at most 5. */
  subscriptions: SubscriptionView[];
  grant: { plan: Plan; endsAt: string | null } | null;
  pendingCheckout: { id: string; plan: PlanDuration; createdAt: string } | null;
  /** Whether the customer portal may be opened: there is a customer, which no other user here shares. */
  portal: boolean;
  firstDaysOver: boolean;
  /** Paid packs, newest first; at most 5. */
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
  /** Null for a pack, which has `credits` and no period. */
  plan: PlanDuration | null;
  credits: number | null;
  amountCents: number;
  refundedCents: number;
  currency: string;
  state: 'paid' | 'refund_pending' | 'refunded' | 'partially_refunded' | 'disputed';
  periodStart: string | null;
  periodEnd: string | null;
}

/** A plan, or a pack by the id of its product. */
export const newCheckout = /* @__PURE__ */ (() =>
  z.union([
    z.object({ plan: z.enum(planDurations) }),
    z.object({ pack: z.string().check(z.minLength(1), z.maxLength(200)) }),
  ]))();

export type CheckoutOffer = z.infer<typeof newCheckout>;

export const subscriptionRequest = /* @__PURE__ */ (() => z.object({ id: z.uuid() }))();

/** `cents`: the amount that the user agrees to pay immediately. */
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
  /** Wording of the specification, section 6. */
  startFailed: m.billing_start_failed,
  cancelled: m.billing_cancelled,
  success: m.billing_success,
  confirming: m.billing_confirming,
  alreadyPro: m.billing_already_pro,
  resumeInstead: m.billing_resume_instead,
  previousPlanActive: m.billing_earlier_runs,
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
