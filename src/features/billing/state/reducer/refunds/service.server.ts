import type { ProviderFact } from '../../../provider/contract.ts';
import type { RefundFact } from '../../contract.ts';
import { cents } from '../../rules/service.server.ts';
import type { Work } from '../contract.ts';

/** States of a refund in which each outweighs those before it, whichever is told last. */
const ends: readonly RefundFact['state'][] = ['asked', 'pending', 'failed', 'succeeded'];

/** Whether a refund comes to more than its payment beside those that are noted: it is one of them then. */
function wouldExceed(work: Work, { paymentId, amountCents }: { paymentId: string; amountCents: number }) {
  const noted = work.refunds
    .filter((refund) => refund.paymentId === paymentId && refund.state !== 'failed')
    .reduce((sum, refund) => sum + refund.amountCents, 0);
  return noted + amountCents > (work.payments.get(paymentId)?.amountCents ?? 0);
}

/** Whether a refund was made and taken back later, in whichever order both are told. */
function isReversal(known: RefundFact, { state, at }: Extract<ProviderFact, { kind: 'refund' }>): boolean {
  if (known.reversed) return true;
  if (known.state === 'succeeded') return state === 'failed' && (known.toldAt === null || at >= known.toldAt);
  return known.state === 'failed' && state === 'succeeded' && known.toldAt !== null && at < known.toldAt;
}

/** The payment of a refund that was taken back: what the refund gave is not given; a read of the provider then decides. */
function takeBack(work: Work, { paymentId, amountCents, excessCents }: RefundFact): void {
  const payment = work.payments.get(paymentId);
  if (!payment || work.isSnapshot) return;
  const refundedCents = cents(payment.refundedCents - (amountCents - excessCents), payment.amountCents);
  work.payments.set(paymentId, { ...payment, refundedCents });
  work.doubts.add('reversal');
}

/**
 * Notes a refund: with one of ours that waits for it where there is one, else as the provider's own. Ours may have been
 * written down for too much, when the provider had given a part back before without our knowing.
 */
export function takeRefund(work: Work, told: Extract<ProviderFact, { kind: 'refund' }>): void {
  const { id: externalId, paymentId, amountCents } = told;
  if (!work.payments.has(paymentId)) return void work.doubts.add('unknown');
  const ours = (refund: RefundFact) =>
    refund.paymentId === paymentId && refund.externalId === null && refund.state !== 'failed';
  const known =
    work.refunds.find((refund) => refund.externalId === externalId) ??
    work.refunds.find((refund) => ours(refund) && refund.amountCents === amountCents) ??
    (told.state !== 'failed' && wouldExceed(work, told) ? work.refunds.find(ours) : undefined);
  const reversed = known ? isReversal(known, told) : false;
  const keeps = known && ends.indexOf(known.state) > ends.indexOf(told.state);
  const state = reversed ? 'failed' : keeps ? known.state : told.state;
  if (known?.externalId === externalId && known.state === state && known.reversed === reversed) return;
  work.changes.push(`refund ${externalId} ${reversed ? 'reversed' : state}`);
  if (known && reversed) takeBack(work, known);
  const refund: RefundFact = known
    ? { ...known, externalId, amountCents, state, reversed, toldAt: told.at }
    : {
        ...{ id: null, externalId, paymentId, amountCents, state, askedBy: 'provider' },
        ...{ toldAt: told.at, excessCents: 0, reversed: false },
      };
  work.refunds = known
    ? work.refunds.map((each) => (each === known ? refund : each))
    : [...work.refunds, refund];
}

const succeededOf = (work: Work, paymentId: string) =>
  work.refunds
    .filter((refund) => refund.paymentId === paymentId && refund.state === 'succeeded')
    .reduce((sum, { amountCents }) => sum + amountCents, 0);

/** Brings payments and refunds together: what was given back is the greater of both words, and ours is settled by it. */
export function settleRefunds(work: Work): void {
  for (const payment of work.payments.values()) {
    const { externalId, amountCents } = payment;
    const told = cents(Math.max(payment.refundedCents, succeededOf(work, externalId)), amountCents);
    if (told !== payment.refundedCents) work.payments.set(externalId, { ...payment, refundedCents: told });
    if (amountCents === 0 || told < amountCents) continue;
    work.refunds = work.refunds.map((refund) => {
      if (refund.paymentId !== externalId || !['asked', 'pending'].includes(refund.state)) return refund;
      const left = amountCents - succeededOf(work, externalId);
      if (left <= 0) return { ...refund, state: 'failed' };
      return { ...refund, amountCents: Math.min(refund.amountCents, left), state: 'succeeded' };
    });
  }
}

/** What refunds come to beyond their payment, so that what counts of them is never more than was paid. */
export function noteExcess(work: Work): void {
  const excess = new Map<RefundFact, number>();
  const time = ({ toldAt }: RefundFact) => toldAt?.getTime() ?? 0;
  const order = (a: RefundFact, b: RefundFact) =>
    time(a) - time(b) || ((a.externalId ?? '') < (b.externalId ?? '') ? -1 : 1);
  for (const { externalId, amountCents } of work.payments.values()) {
    let left = amountCents;
    const made = work.refunds.filter(
      ({ paymentId, state }) => paymentId === externalId && state === 'succeeded',
    );
    for (const refund of made.toSorted(order)) {
      excess.set(refund, Math.max(0, refund.amountCents - left));
      left = Math.max(0, left - refund.amountCents);
    }
  }
  work.refunds = work.refunds.map((refund) => {
    const excessCents = excess.get(refund) ?? 0;
    return refund.excessCents === excessCents ? refund : { ...refund, excessCents };
  });
}
