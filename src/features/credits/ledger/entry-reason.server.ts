import { m } from '#messages';
import { utcDate } from '#shared/format-date.ts';
import { formatMoney, type PlanDuration } from '../contract.ts';

/** What a payment or its refund did, as it is stored with its entry. Amounts are in hundredths of the currency. */
export type PlanEntryCause = { plan: PlanDuration } & (
  | { code: 'paid'; until: string }
  | { code: 'refunded' | 'disputed'; cents: number; currency: string }
  | { code: 'partly_refunded'; cents: number; ofCents: number; currency: string }
);

export interface StoredReason {
  source: string;
  cause: PlanEntryCause | null;
  /** The operator's words, or the sentence of an older entry. */
  reason: string;
}

/** Why an entry was made, in the reader's language; '' where its run says all. */
export function describeReason({ source, cause, reason }: StoredReason): string {
  if (source === 'welcome') return m.ledger_reason_welcome();
  if (!cause) return reason;
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
