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
  plan: PlanDuration;
  status: string;
  periodStart: Date | null;
  periodEnd: Date | null;
  canceledAt: Date | null;
  versionAt: Date;
  accessUntil: Date | null;
}

export interface PaymentFact {
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
  priceCents: Record<PlanDuration, number>;
}

export interface ReducerDraft {
  terms: SiteTerms;
  /** Read from the provider itself: it overrides another state of the same version. */
  isSnapshot: boolean;
  now: Date;
  subscription: SubscriptionFact | null;
  payments: Map<string, PaymentFact>;
  refunds: RefundFact[];
  rejections: Set<RejectReason>;
  refetchReasons: Set<RefetchReason>;
  estimated: Set<string>;
  changes: string[];
  stale: boolean;
  paidNow: boolean;
}
