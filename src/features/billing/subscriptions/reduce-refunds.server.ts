import type { ProviderFact, ProviderPayment } from '../provider/payment-provider.ts';
import { clampCents } from './access-rules.server.ts';
import type { MoneyDraft, MoneyFact, RefundFact } from './subscription-facts.ts';

const receivedStates = ['paid', 'refunded', 'partially_refunded', 'disputed'];

/** Money that a bank takes back is a dispute, not a refund. */
function refundedCentsOf(reported: ProviderPayment): number {
  if (reported.state === 'disputed') return 0;
  return reported.state === 'refunded'
    ? reported.amountCents
    : clampCents(reported.refundedCents, reported.amountCents);
}

/**
 * Returns null if no money was received. A refunded amount stays unless it was reversed; a dispute stays until a read
 * of the provider shows that the shop has won.
 */
export function receivedMoney<Payment extends MoneyFact>(
  draft: MoneyDraft<Payment>,
  reported: ProviderPayment,
): MoneyFact | null {
  if (!receivedStates.includes(reported.state)) return null;
  const known = draft.payments.get(reported.id);
  // A payment inside an event may be older than the reversal of its refund.
  const isReversed = draft.refunds.some(({ paymentId, reversed }) => paymentId === reported.id && reversed);
  const minRefunded = isReversed && draft.isSnapshot ? 0 : (known?.refundedCents ?? 0);
  const refundedCents =
    isReversed && !draft.isSnapshot ? minRefunded : Math.max(refundedCentsOf(reported), minRefunded);
  return {
    externalId: reported.id,
    amountCents: reported.amountCents,
    currency: reported.currency,
    refundedCents: clampCents(refundedCents, reported.amountCents),
    disputed: reported.state === 'disputed' || (!draft.isSnapshot && (known?.disputed ?? false)),
    paidAt: reported.createdAt,
  };
}

function reduceDispute<Payment extends MoneyFact>(draft: MoneyDraft<Payment>, paymentId: string): void {
  const payment = draft.payments.get(paymentId);
  if (!payment) return void draft.refetchReasons.add('unknown');
  if (payment.disputed) return;
  draft.changes.push(`dispute of ${paymentId}`);
  draft.payments.set(paymentId, { ...payment, disputed: true });
}

/** Later states outrank earlier ones, whichever is reported last. */
const stateOrder: readonly RefundFact['state'][] = ['asked', 'pending', 'failed', 'succeeded'];

/** Whether a refund would bring the known ones above the payment's amount: then it must be one of them. */
function wouldExceed(
  draft: MoneyDraft,
  { paymentId, amountCents }: { paymentId: string; amountCents: number },
) {
  const knownCents = draft.refunds
    .filter((refund) => refund.paymentId === paymentId && refund.state !== 'failed')
    .reduce((sum, refund) => sum + refund.amountCents, 0);
  return knownCents + amountCents > (draft.payments.get(paymentId)?.amountCents ?? 0);
}

function isReversal(
  known: RefundFact,
  { state, occurredAt }: Extract<ProviderFact, { kind: 'refund' }>,
): boolean {
  if (known.reversed) return true;
  if (known.state === 'succeeded')
    return state === 'failed' && (known.reportedAt === null || occurredAt >= known.reportedAt);
  return (
    known.state === 'failed' &&
    state === 'succeeded' &&
    known.reportedAt !== null &&
    occurredAt < known.reportedAt
  );
}

/** Subtracts a reversed refund from the payment; a read of the provider then confirms the amount. */
function reverseRefund<Payment extends MoneyFact>(
  draft: MoneyDraft<Payment>,
  { paymentId, amountCents, excessCents }: RefundFact,
): void {
  const payment = draft.payments.get(paymentId);
  if (!payment || draft.isSnapshot) return;
  const refundedCents = clampCents(payment.refundedCents - (amountCents - excessCents), payment.amountCents);
  draft.payments.set(paymentId, { ...payment, refundedCents });
  draft.refetchReasons.add('reversal');
}

/**
 * Matches a reported refund with an open request of ours; otherwise it is the provider's own. Our request may name too
 * much, if the provider had refunded a part without our knowing.
 */
function reduceRefund<Payment extends MoneyFact>(
  draft: MoneyDraft<Payment>,
  reported: Extract<ProviderFact, { kind: 'refund' }>,
): void {
  const { id: externalId, paymentId, amountCents } = reported;
  if (!draft.payments.has(paymentId)) return void draft.refetchReasons.add('unknown');
  const isOwnRequest = (refund: RefundFact) =>
    refund.paymentId === paymentId && refund.externalId === null && refund.state !== 'failed';
  const known =
    draft.refunds.find((refund) => refund.externalId === externalId) ??
    draft.refunds.find((refund) => isOwnRequest(refund) && refund.amountCents === amountCents) ??
    (reported.state !== 'failed' && wouldExceed(draft, reported)
      ? draft.refunds.find(isOwnRequest)
      : undefined);
  const reversed = known ? isReversal(known, reported) : false;
  const isOutdated = known && stateOrder.indexOf(known.state) > stateOrder.indexOf(reported.state);
  const state = reversed ? 'failed' : isOutdated ? known.state : reported.state;
  if (known?.externalId === externalId && known.state === state && known.reversed === reversed) return;
  draft.changes.push(`refund ${externalId} ${reversed ? 'reversed' : state}`);
  if (known && reversed) reverseRefund(draft, known);
  const refund: RefundFact = known
    ? { ...known, externalId, amountCents, state, reversed, reportedAt: reported.occurredAt }
    : {
        ...{ id: null, externalId, paymentId, amountCents, state, askedBy: 'provider' },
        ...{ reportedAt: reported.occurredAt, excessCents: 0, reversed: false },
      };
  draft.refunds = known
    ? draft.refunds.map((each) => (each === known ? refund : each))
    : [...draft.refunds, refund];
}

const succeededCents = (draft: Pick<MoneyDraft, 'refunds'>, paymentId: string) =>
  draft.refunds
    .filter((refund) => refund.paymentId === paymentId && refund.state === 'succeeded')
    .reduce((sum, { amountCents }) => sum + amountCents, 0);

/** Takes the larger of the payment's refunded amount and the sum of its refunds. A full refund settles our requests. */
function matchRefunds<Payment extends MoneyFact>(draft: MoneyDraft<Payment>): void {
  for (const payment of draft.payments.values()) {
    const { externalId, amountCents } = payment;
    const refundedCents = clampCents(
      Math.max(payment.refundedCents, succeededCents(draft, externalId)),
      amountCents,
    );
    if (refundedCents !== payment.refundedCents)
      draft.payments.set(externalId, { ...payment, refundedCents });
    if (amountCents === 0 || refundedCents < amountCents) continue;
    draft.refunds = draft.refunds.map((refund) => {
      if (refund.paymentId !== externalId || !['asked', 'pending'].includes(refund.state)) return refund;
      const left = amountCents - succeededCents(draft, externalId);
      if (left <= 0) return { ...refund, state: 'failed' };
      return { ...refund, amountCents: Math.min(refund.amountCents, left), state: 'succeeded' };
    });
  }
}

/** Marks refunds beyond the paid amount as excess, so that no more counts as refunded than was paid. */
function recordExcess<Payment extends MoneyFact>(draft: MoneyDraft<Payment>): void {
  const excess = new Map<RefundFact, number>();
  const time = ({ reportedAt }: RefundFact) => reportedAt?.getTime() ?? 0;
  const order = (a: RefundFact, b: RefundFact) =>
    time(a) - time(b) || ((a.externalId ?? '') < (b.externalId ?? '') ? -1 : 1);
  for (const { externalId, amountCents } of draft.payments.values()) {
    let left = amountCents;
    const succeeded = draft.refunds.filter(
      ({ paymentId, state }) => paymentId === externalId && state === 'succeeded',
    );
    for (const refund of succeeded.toSorted(order)) {
      excess.set(refund, Math.max(0, refund.amountCents - left));
      left = Math.max(0, left - refund.amountCents);
    }
  }
  draft.refunds = draft.refunds.map((refund) => {
    const excessCents = excess.get(refund) ?? 0;
    return refund.excessCents === excessCents ? refund : { ...refund, excessCents };
  });
}

export function reduceReversals<Payment extends MoneyFact>(
  draft: MoneyDraft<Payment>,
  facts: readonly ProviderFact[],
): void {
  for (const fact of facts) {
    if (fact.kind === 'refund') reduceRefund(draft, fact);
    if (fact.kind === 'dispute') reduceDispute(draft, fact.paymentId);
  }
  matchRefunds(draft);
  recordExcess(draft);
}
