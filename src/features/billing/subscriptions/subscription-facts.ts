import type { PlanDuration } from '#features/credits/contract.ts';
import type { ProviderFact } from '../provider/payment-provider.ts';

export interface Facts {
  subscription: SubscriptionFact | null;
  payments: PaymentFact[];
  refunds: RefundFact[];
}

export interface SubscriptionFact {
  customerId: string;
  productId: string;
  /** What the product cost when the subscription came to it; null: not told. */
  priceCents: number | null;
  plan: PlanDuration;
  status: string;
  periodStart: Date | null;
  periodEnd: Date | null;
  canceledAt: Date | null;
  versionAt: Date;
  accessUntil: Date | null;
}

/** Whatever it pays for. */
export interface MoneyFact {
  externalId: string;
  amountCents: number;
  currency: string;
  refundedCents: number;
  disputed: boolean;
  paidAt: Date;
}

export interface PaymentFact extends MoneyFact {
  plan: PlanDuration;
  periodStart: Date;
  periodEnd: Date;
}

export interface RefundFact {
  id: string | null;
  externalId: string | null;
  paymentId: string;
  amountCents: number;
  state: 'asked' | 'pending' | 'succeeded' | 'failed';
  askedBy: 'person' | 'operator' | 'provider';
  reportedAt: Date | null;
  /** Beyond the rest of the payment; counts for nothing. */
  excessCents: number;
  reversed: boolean;
}

export type RejectReason = 'mode' | 'product' | 'price' | 'currency';

/**
 * Why the provider has to be asked: `version`: two states have one version or one is of the future; `amount`: only
 * taken from the price; `unknown`: of something that was never told of.
 */
export type RefetchReason = 'status' | 'version' | 'amount' | 'reversal' | 'unknown';

export interface SubscriptionUpdate {
  facts: readonly ProviderFact[];
  isSnapshot: boolean;
  now: Date;
}

export interface ReducerResult {
  after: Facts;
  rejections: RejectReason[];
  refetchReason: RefetchReason | null;
  /** Ids of payments that were only named: their amounts are a guess. */
  estimated: ReadonlySet<string>;
  changes: string[];
  stale: boolean;
}

export interface SiteTerms {
  live: boolean;
  planOfProduct(id: string): PlanDuration | null;
  /** The least that a payment must be. */
  priceCents: Record<PlanDuration, number>;
  /** The most that a payment was worth, where prices have changed. */
  worthCents?: Record<PlanDuration, number>;
}

/** Of payments and what was given back of them. */
export interface MoneyDraft<Payment extends MoneyFact = MoneyFact> {
  /** Read from the provider itself: it overrides another state of the same version. */
  isSnapshot: boolean;
  payments: Map<string, Payment>;
  refunds: RefundFact[];
  refetchReasons: Set<RefetchReason>;
  changes: string[];
}

export interface ReducerDraft extends MoneyDraft<PaymentFact> {
  terms: SiteTerms;
  now: Date;
  subscription: SubscriptionFact | null;
  rejections: Set<RejectReason>;
  estimated: Set<string>;
  stale: boolean;
  paidNow: boolean;
}
