import type { Doubt, PaymentFact, RefundFact, Refusal, SiteTerms, SubscriptionFact } from '../contract.ts';

/** A telling under way: what is known so far, and what has been found out of it. */
export interface Work {
  terms: SiteTerms;
  /** Read from the provider itself: it overrides another state of the same version. */
  isSnapshot: boolean;
  now: Date;
  subscription: SubscriptionFact | null;
  payments: Map<string, PaymentFact>;
  refunds: RefundFact[];
  refusals: Set<Refusal>;
  doubts: Set<Doubt>;
  guessed: Set<string>;
  changes: string[];
  stale: boolean;
  paidNow: boolean;
}
