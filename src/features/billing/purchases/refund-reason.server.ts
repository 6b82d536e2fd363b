import { m } from '#messages';

const causes = {
  money_back: m.refund_reason_money_back,
  account_deleted: m.refund_reason_account_deleted,
};
/** Why the product itself asks for a refund; an operator gives a reason in words of their own. */
export type RefundCause = keyof typeof causes;

export const describeRefund = ({ cause, reason }: { cause: RefundCause | null; reason: string }): string =>
  cause ? (causes[cause]?.() ?? reason) : reason;
