import { m } from '#messages';

const causes = {
  money_back: m.refund_reason_money_back,
  account_deleted: m.refund_reason_account_deleted,
};
/** Why the site itself requests a refund; operators write their own reason. */
export type RefundCause = keyof typeof causes;

export const describeRefund = ({ cause, reason }: { cause: RefundCause | null; reason: string }): string =>
  cause ? (causes[cause]?.() ?? reason) : reason;
