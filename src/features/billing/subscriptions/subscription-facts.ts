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
  /** Price of the product when the subscription changed to it; null: not reported. */
  priceCents: number | null;
  plan: PlanDuration;
  status: string;
  periodStart: Date | null;
  periodEnd: Date | null;
  canceledAt: Date | null;
  versionAt: Date;
  accessUntil: Date | null;
}

/** A payment for a plan or a pack. */
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
  /** Part of the amount beyond what was left of the payment; it is ignored. */
  excessCents: number;
  reversed: boolean;
}

export type RejectReason = 'mode' | 'product' | 'price' | 'currency';

/**
 * Why the provider must be read. `version`: two states have the same version, or one is from the future; `amount`: only
 * estimated from the price; `unknown`: concerns something that was never reported.
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
  /** Ids of payments that were only named: their amounts are estimates. */
  estimated: ReadonlySet<string>;
  changes: string[];
  stale: boolean;
}

export interface SiteTerms {
  live: boolean;
  planOfProduct(id: string): PlanDuration | null;
  /** Lowest amount that a payment must have. */
  priceCents: Record<PlanDuration, number>;
  /** Highest amount that a payment was worth, if prices have changed. */
  worthCents?: Record<PlanDuration, number>;
}

/** Working state of payments and their refunds. */
export interface MoneyDraft<Payment extends MoneyFact = MoneyFact> {
  /** Read from the provider: overrides another state of the same version. */
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
