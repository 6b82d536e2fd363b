import { type PlanDuration, priceTable } from '../../../credits/contract.ts';
import { moneyBackDays } from '../../contract.ts';
import { type BillingMail, mailDay, mailMoney } from '../../mails/contract.ts';
import type { Facts, PaymentFact, SubscriptionFact } from '../contract.ts';
import { isCancelled, isRefunded, isUnpaid, newestPayment } from '../rules/service.server.ts';

/** What follows from new facts: entries of the ledger and mails, each with the key under which it is written once. */
export interface Effects {
  notes: Array<{ source: 'payment' | 'payment_refund'; id: string; reason: string }>;
  mails: BillingMail[];
}

export interface Setting {
  userId: string;
  /** The provider's name, with whose id of the subscription and of payments the keys begin. */
  provider: string;
  externalId: string;
  now: Date;
  /** When the person paid for the first time; null: never before. */
  firstPaidAt: Date | null;
  /** Whether the person has taken money back by the button, which is there once. */
  hasAskedBack: boolean;
  /** Whether the person has Pro or Business after the step, by whatever gives it. */
  entitled: boolean;
  /** New payments whose amount is a guess: their receipts wait. */
  guessed: ReadonlySet<string>;
  /** Payments that were known before and whose receipt is written now. */
  owed: ReadonlySet<string>;
}

const DAY = 86_400_000;

const planWords = (plan: PlanDuration) => `Pro, ${priceTable[plan].period.toLowerCase()}`;

/** The key of a payment's receipt. */
export const receiptKey = (provider: string, paymentId: string): string => `receipt:${provider}:${paymentId}`;

function ofPayment({ externalId, plan, periodEnd }: PaymentFact, { provider }: Setting): Effects {
  const reason = `${planWords(plan)}: paid until ${mailDay(periodEnd.toISOString())}`;
  return { notes: [{ source: 'payment', id: `${provider}:${externalId}`, reason }], mails: [] };
}

function receiptOf(payment: PaymentFact, { status }: SubscriptionFact, setting: Setting): Effects {
  const { externalId, plan, amountCents, currency, periodStart, periodEnd, paidAt } = payment;
  const first = setting.firstPaidAt && setting.firstPaidAt < paidAt ? setting.firstPaidAt : paidAt;
  const backUntil = new Date(first.getTime() + moneyBackDays * DAY);
  const facts = {
    plan,
    amountCents,
    currency,
    periodStart: periodStart.toISOString(),
    periodEnd: periodEnd.toISOString(),
    renewsAt: isCancelled(status) ? null : periodEnd.toISOString(),
    moneyBackUntil: backUntil > setting.now && !setting.hasAskedBack ? backUntil.toISOString() : null,
  };
  const { userId, provider } = setting;
  return { notes: [], mails: [{ key: receiptKey(provider, externalId), userId, kind: 'receipt', facts }] };
}

/** What a refund says of Pro: null where the whole payment is back and something else gives Pro, or the reverse. */
function endedBy(payment: PaymentFact, entitled: boolean): boolean | null {
  if (isRefunded(payment)) return entitled ? null : true;
  return entitled ? false : null;
}

/** More of a payment was given back than was known. */
function ofRefund(payment: PaymentFact, before: number, setting: Setting): Effects {
  const { plan, amountCents, refundedCents, currency } = payment;
  const amount = refundedCents - before;
  const ended = endedBy(payment, setting.entitled);
  const given = mailMoney(amount, currency);
  const id = `${setting.provider}:${payment.externalId}:${refundedCents}`;
  const reason = isRefunded(payment)
    ? `${planWords(plan)}: ${given} refunded`
    : `${planWords(plan)}: ${given} of ${mailMoney(amountCents, currency)} refunded`;
  return {
    notes: [{ source: 'payment_refund', id, reason }],
    mails: [
      {
        key: `refund:${id}`,
        userId: setting.userId,
        kind: 'refund',
        facts: { plan, amountCents: amount, currency, ended },
      },
    ],
  };
}

function ofDispute({ plan, externalId, amountCents, currency }: PaymentFact, setting: Setting): Effects {
  const { provider, userId, entitled } = setting;
  const facts = { plan, amountCents, currency, ended: !entitled };
  const reason = `${planWords(plan)}: payment of ${mailMoney(amountCents, currency)} disputed`;
  return {
    notes: [{ source: 'payment_refund', id: `${provider}:${externalId}:disputed`, reason }],
    mails: [{ key: `disputed:${provider}:${externalId}`, userId, kind: 'disputed', facts }],
  };
}

/** Whether all of a payment is being given back. */
function isGivingBack(
  { externalId, amountCents, refundedCents }: PaymentFact,
  refunds: Facts['refunds'],
): boolean {
  return refunds.some(
    ({ paymentId, state, ...refund }) =>
      paymentId === externalId &&
      (state === 'asked' || state === 'pending') &&
      refund.amountCents >= amountCents - refundedCents,
  );
}

/** Whether a plan was not to renew, so that it goes on when it is active again. */
const isResting = (status: string) => isCancelled(status) || status === 'paused';

function ofStatus(before: SubscriptionFact | null, after: Facts, setting: Setting): BillingMail[] {
  const { subscription } = after;
  const newest = newestPayment(after.payments);
  // Whoever gets the money back hears of that, not of the end that comes with it.
  if (!subscription || !newest || isRefunded(newest) || newest.disputed) return [];
  if (isGivingBack(newest, after.refunds)) return [];
  const { plan, status, versionAt } = subscription;
  const ahead = subscription.accessUntil && subscription.accessUntil > setting.now;
  const endsAt = ahead ? (subscription.accessUntil?.toISOString() ?? null) : null;
  const { userId, provider, externalId } = setting;
  const id = `${provider}:${externalId}`;
  if (isCancelled(status) && !(before && isCancelled(before.status))) {
    const facts = { plan, endsAt, resumable: status === 'scheduled_cancel' };
    return [{ key: `cancelled:${id}:${versionAt.toISOString()}`, userId, kind: 'cancelled', facts }];
  }
  if (before && isResting(before.status) && status === 'active') {
    // A paused plan may begin another period, whose payment is told of later.
    const end = subscription.periodEnd ?? newest.periodEnd;
    const renewsAt = end > setting.now ? end.toISOString() : null;
    const facts = { plan, priceCents: priceTable[plan].priceCents, renewsAt };
    return [{ key: `resumed:${id}:${versionAt.toISOString()}`, userId, kind: 'resumed', facts }];
  }
  if (!isUnpaid(status)) return [];
  // Once a period, however often the provider tries again.
  const key = `payment_failed:${id}:${newest.periodEnd.toISOString()}`;
  return [{ key, userId, kind: 'payment_failed', facts: { plan, accessUntil: endsAt } }];
}

/** A receipt names an amount, so it waits until that is told. */
const isDue = ({ externalId }: PaymentFact, was: PaymentFact | undefined, { guessed, owed }: Setting) =>
  was ? owed.has(externalId) : !guessed.has(externalId);

/** What follows from the step from one set of facts to the next. Pure. */
export function effectsOf(before: Facts, after: Facts, setting: Setting): Effects {
  const { subscription } = after;
  if (!subscription) return { notes: [], mails: [] };
  const known = new Map(before.payments.map((payment) => [payment.externalId, payment]));
  const effects = after.payments.flatMap((payment) => {
    const was = known.get(payment.externalId);
    const refunded = was?.refundedCents ?? 0;
    return [
      ...(was ? [] : [ofPayment(payment, setting)]),
      ...(isDue(payment, was, setting) ? [receiptOf(payment, subscription, setting)] : []),
      ...(payment.refundedCents > refunded ? [ofRefund(payment, refunded, setting)] : []),
      ...(payment.disputed && !was?.disputed ? [ofDispute(payment, setting)] : []),
    ];
  });
  return {
    notes: effects.flatMap(({ notes }) => notes),
    mails: [...effects.flatMap(({ mails }) => mails), ...ofStatus(before.subscription, after, setting)],
  };
}
