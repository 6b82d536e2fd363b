import { m } from '#messages';
import { utcDate } from '#shared/format-date.ts';
import { formatCredits, formatMoney, type PlanDuration } from '../contract.ts';

/** The effect of a payment or its refund, as stored with its entry. Amounts are in hundredths of the currency. */
export type PlanEntryCause = { plan: PlanDuration } & (
  | { code: 'paid'; until: string }
  | { code: 'refunded' | 'disputed'; cents: number; currency: string }
  | { code: 'partly_refunded'; cents: number; ofCents: number; currency: string }
);

/** The effect of a purchase of `credits`, its refund or its dispute. */
export type PurchaseEntryCause = { credits: number; cents: number; currency: string } & (
  | { code: 'credits_paid' | 'credits_refunded' | 'credits_disputed' | 'credits_returned' }
  | { code: 'credits_partly_refunded'; ofCents: number }
);

export interface StoredReason {
  source: string;
  cause: PlanEntryCause | PurchaseEntryCause | null;
  /** The operator's words, or the sentence of an older entry. */
  reason: string;
}

function describePurchase(cause: PurchaseEntryCause): string {
  const purchase = {
    credits: formatCredits(cause.credits),
    amount: formatMoney(cause.cents, cause.currency),
  };
  switch (cause.code) {
    case 'credits_paid':
      return m.ledger_reason_credits_paid(purchase);
    case 'credits_refunded':
      return m.ledger_reason_credits_refunded(purchase);
    case 'credits_partly_refunded':
      return m.ledger_reason_credits_partly_refunded({
        ...purchase,
        all: formatMoney(cause.ofCents, cause.currency),
      });
    case 'credits_disputed':
      return m.ledger_reason_credits_disputed(purchase);
    case 'credits_returned':
      return m.ledger_reason_credits_returned(purchase);
  }
}

/** Returns the reason in the reader's language; '' if the entry's run explains it. */
export function describeReason({ source, cause, reason }: StoredReason): string {
  if (source === 'welcome') return m.ledger_reason_welcome();
  if (!cause) return reason;
  if ('credits' in cause) return describePurchase(cause);
  const plan = m.mail_plan({ plan: cause.plan });
  switch (cause.code) {
    case 'paid':
      return m.ledger_reason_paid({ plan, day: utcDate(new Date(cause.until)) });
    case 'refunded':
      return m.ledger_reason_refunded({ plan, amount: formatMoney(cause.cents, cause.currency) });
    case 'partly_refunded':
      return m.ledger_reason_partly_refunded({
        plan,
        amount: formatMoney(cause.cents, cause.currency),
        all: formatMoney(cause.ofCents, cause.currency),
      });
    case 'disputed':
      return m.ledger_reason_disputed({ plan, amount: formatMoney(cause.cents, cause.currency) });
    default:
      return reason;
  }
}
