import { z } from 'zod/mini';
import type { Promotion } from '../../../content/site.ts';
import { type Plan, type PlanDuration, planDurations, seller } from '../credits/contract.ts';

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

/** What can be bought now, as every page knows it. */
export interface Sale {
  /** The durations of Pro; empty where nothing is for sale. */
  durations: PlanDuration[];
  promotion: Promotion | null;
}

/** Hours for which Pro goes on after a period that was not followed by a payment, unless it was cancelled. */
export const graceHours = 72;

/** Days after the first payment in which a person may take the money back by a button. */
export const moneyBackDays = 7;

/** Milliseconds for which the banners of payment stay (specification, section 5). */
export const bannerMs = 5_000;

export interface SubscriptionView {
  id: string;
  /** The checkout by which it was bought. */
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
  /** Durations that it can be changed to now. */
  changes: PlanDuration[];
  /** Until when the button gives the money back; null when it does not. */
  moneyBackUntil: string | null;
  /** Cents that the button gives back. */
  moneyBackCents: number;
  /** Whether the newest payment is being given back in whole, and the provider has not said yet that it was. */
  refundPending: boolean;
  /** When a plan that is over ended, ISO. */
  endedAt: string | null;
}

/** Whether a plan will be charged again, and its money is not on the way back. */
export const willCharge = ({
  renewsAt,
  state,
  refundPending,
}: Pick<SubscriptionView, 'renewsAt' | 'state' | 'refundPending'>): boolean =>
  (renewsAt !== null || state === 'past_due') && !refundPending;

/** `GET /api/subscription`. */
export interface BillingView {
  plan: Plan;
  /** Those that give or gave Pro, the one in force first; at most 5. */
  subscriptions: SubscriptionView[];
  /** A grant by the operator in force; null without one. */
  grant: { plan: Plan; endsAt: string | null } | null;
  /** A checkout of the last hour whose payment is not known yet. */
  pendingCheckout: { id: string; plan: PlanDuration; createdAt: string } | null;
  /** Whether the provider's pages may be opened: there is a customer, who is nobody else here too. */
  portal: boolean;
  /** Whether the days after the first payment are over in which the money can be taken back. */
  firstDaysOver: boolean;
}

/** `GET /api/invoices?before=`: `next` is the id to ask for the older ones with, null at the end. */
export interface InvoicePage {
  invoices: InvoiceRow[];
  next: string | null;
}

/** One payment, newest first. */
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

/** Body of `POST /api/checkouts`; answers `{ url }`, where the browser goes on. */
export const newCheckout = z.object({ plan: z.enum(planDurations) });

/** Body of `POST /api/subscription/{cancel,refund}`; each answers the BillingView after it. */
export const subscriptionVerb = z.object({ id: z.uuid() });

/** Body of `POST /api/subscription/resume`: `cents` is what the person agrees to pay at once. */
export const subscriptionResume = z.object({ id: z.uuid(), cents: z.optional(z.int()) });

/** Body of `POST /api/subscription/change`. */
export const subscriptionChange = z.object({ id: z.uuid(), plan: z.enum(planDurations) });

/** The names of buttons on the dashboard, as mails call them too. */
export const planButtons = {
  cancel: 'Cancel plan',
  resume: 'Resume',
  portal: 'Manage payment and invoices',
} as const;

/** What somebody is told whose money the provider does not give back. */
export const refundRefused = (supportEmail: string): string =>
  `The refund was refused by ${seller}. Write to ${supportEmail} and we see to it.`;

export const billingTexts = {
  /** The specification's words (section 6). */
  startFailed: 'Failed to start subscription. Please try again.',
  cancelled: 'Payment Cancelled',
  success: 'Payment Successful!',
  confirming: 'Confirming your payment',
  alreadyPro: 'You are on Pro already.',
  resumeInstead: 'Your plan is cancelled but still runs. You can resume it on the dashboard.',
  earlierRuns:
    'Your earlier plan has not ended at the payment provider yet and would be charged too. Please cancel it on the dashboard first.',
  notOnSale: 'Pro is not on sale on this site yet.',
  providerDown: 'The payment provider does not answer at the moment. Nothing was changed. Please try again.',
  moneyBackUnconfirmed:
    'The payment provider has not confirmed the refund yet. We ask again in a few minutes, and this page will show it.',
  oneAtATime: 'Another change of your plan is under way. Please wait a moment.',
  notNow: 'That cannot be done with this plan now.',
  portalByMail: `${seller} does not know this plan by the address of your account alone, so that its pages do not open from here. The link in the mail that ${seller} sent about the payment opens them.`,
  resumeCharges:
    'The period that you paid for is over by now, so that resuming charges for another. Nothing was changed. Please reload the page to see the price.',
  noMoneyBack:
    'Money back is for the seven days after a first payment, and once. Please write to us instead.',
} as const;
