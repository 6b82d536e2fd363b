import type { PlanDuration } from '../../credits/contract.ts';
import type { ProviderFact } from '../provider/contract.ts';

/** The facts of one subscription, as they are stored. */
export interface Facts {
  /** null before the first that was told of it. */
  subscription: SubscriptionFact | null;
  payments: PaymentFact[];
  refunds: RefundFact[];
}

export interface SubscriptionFact {
  customerId: string;
  productId: string;
  plan: PlanDuration;
  /** The provider's word. */
  status: string;
  periodStart: Date | null;
  periodEnd: Date | null;
  canceledAt: Date | null;
  versionAt: Date;
  /** Until when the facts give Pro; null: not at all. */
  accessUntil: Date | null;
}

export interface PaymentFact {
  /** The provider's id of the transaction. */
  externalId: string;
  plan: PlanDuration;
  amountCents: number;
  currency: string;
  refundedCents: number;
  disputed: boolean;
  periodStart: Date;
  periodEnd: Date;
  paidAt: Date;
}

export interface RefundFact {
  /** Our row; null for one that is told of for the first time. */
  id: string | null;
  externalId: string | null;
  /** The provider's id of the payment. */
  paymentId: string;
  amountCents: number;
  state: 'asked' | 'pending' | 'succeeded' | 'failed';
  askedBy: 'person' | 'operator' | 'provider';
  /** The provider's time of the event that told the state; null: no event has. */
  toldAt: Date | null;
  /** What it comes to beyond the rest of its payment; counts for nothing. */
  excessCents: number;
  /** Whether the provider took it back after it was made. */
  reversed: boolean;
}

/** Why something that was told counts for nothing. */
export type Refusal = 'mode' | 'product' | 'price' | 'currency';

/**
 * Why the provider has to be asked: its word is not known, two states have one version or one is of the future, an
 * amount was only taken from the price, a refund was taken back, or what was told belongs to something that was never
 * told of.
 */
export type Doubt = 'status' | 'version' | 'amount' | 'reversal' | 'unknown';

/** What is told of one subscription. */
export interface Told {
  facts: readonly ProviderFact[];
  /** Read from the provider, with all its payments. */
  isSnapshot: boolean;
  /** When it is told, by our clock. */
  now: Date;
}

/** What one telling changes. */
export interface Reduced {
  after: Facts;
  refusals: Refusal[];
  doubt: Doubt | null;
  /** Payments that were only named, by the provider's ids: their amounts are a guess. */
  guessed: ReadonlySet<string>;
  /** What is new, in words for the log; nothing when all was known. */
  changes: string[];
  /** What was told of the subscription is older than what is stored. */
  stale: boolean;
}

/** What the reducer has to know of this site. */
export interface SiteTerms {
  /** Whether the site sells for real money. */
  live: boolean;
  planOfProduct(id: string): PlanDuration | null;
  priceCents: Record<PlanDuration, number>;
}
