import { moneyBackDays } from '#features/credits/contract.ts';
import type { PlanEntryCause } from '#features/credits/service.server.ts';
import type { BillingMail } from '../mails/mail-content.ts';
import { isCancelled, isRefunded, isUnpaid, newestPayment, renewalCents } from './access-rules.server.ts';
import type { Facts, PaymentFact, SubscriptionFact } from './subscription-facts.ts';

/** Each has a unique key, so that it is written only once. */
interface Effects {
  entries: Array<{ source: 'payment' | 'payment_refund'; id: string; cause: PlanEntryCause }>;
  mails: BillingMail[];
}

export interface EffectContext {
  userId: string;
  provider: string;
  externalId: string;
  now: Date;
  firstPaidAt: Date | null;
  hasRequestedRefund: boolean;
  entitled: boolean;
  /** New payments whose amount is an estimate: their receipts wait. */
  estimated: ReadonlySet<string>;
  dueReceipts: ReadonlySet<string>;
}

const DAY = 86_400_000;

export const receiptKey = (provider: string, paymentId: string): string => `receipt:${provider}:${paymentId}`;

function paymentEffects({ externalId, plan, periodEnd }: PaymentFact, { provider }: EffectContext): Effects {
  const cause = { code: 'paid' as const, plan, until: periodEnd.toISOString() };
  return { entries: [{ source: 'payment', id: `${provider}:${externalId}`, cause }], mails: [] };
}

function receiptEffects(payment: PaymentFact, { status }: SubscriptionFact, context: EffectContext): Effects {
  const { externalId, plan, amountCents, currency, periodStart, periodEnd, paidAt } = payment;
  const first = context.firstPaidAt && context.firstPaidAt < paidAt ? context.firstPaidAt : paidAt;
  const moneyBackEnd = new Date(first.getTime() + moneyBackDays * DAY);
  const facts = {
    plan,
    amountCents,
    currency,
    periodStart: periodStart.toISOString(),
    periodEnd: periodEnd.toISOString(),
    renewsAt: isCancelled(status) ? null : periodEnd.toISOString(),
    moneyBackUntil:
      moneyBackEnd > context.now && !context.hasRequestedRefund ? moneyBackEnd.toISOString() : null,
  };
  const { userId, provider } = context;
  return { entries: [], mails: [{ key: receiptKey(provider, externalId), userId, kind: 'receipt', facts }] };
}

/** Whether a refund ended Pro; null for a full one while something else gives Pro, or a partial one without Pro. */
function hasEndedPro(payment: PaymentFact, entitled: boolean): boolean | null {
  if (isRefunded(payment)) return entitled ? null : true;
  return entitled ? false : null;
}

function refundEffects(payment: PaymentFact, before: number, context: EffectContext): Effects {
  const { plan, amountCents, refundedCents, currency } = payment;
  const amount = refundedCents - before;
  const ended = hasEndedPro(payment, context.entitled);
  const id = `${context.provider}:${payment.externalId}:${refundedCents}`;
  const amounts = { plan, cents: amount, currency };
  const cause: PlanEntryCause = isRefunded(payment)
    ? { code: 'refunded', ...amounts }
    : { code: 'partly_refunded', ...amounts, ofCents: amountCents };
  return {
    entries: [{ source: 'payment_refund', id, cause }],
    mails: [
      {
        key: `refund:${id}`,
        userId: context.userId,
        kind: 'refund',
        facts: { plan, amountCents: amount, currency, ended },
      },
    ],
  };
}

function disputeEffects(
  { plan, externalId, amountCents, currency }: PaymentFact,
  context: EffectContext,
): Effects {
  const { provider, userId, entitled } = context;
  const facts = { plan, amountCents, currency, ended: !entitled };
  const cause = { code: 'disputed' as const, plan, cents: amountCents, currency };
  return {
    entries: [{ source: 'payment_refund', id: `${provider}:${externalId}:disputed`, cause }],
    mails: [{ key: `disputed:${provider}:${externalId}`, userId, kind: 'disputed', facts }],
  };
}

function isBeingRefunded(
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

const isNotRenewing = (status: string) => isCancelled(status) || status === 'paused';

function statusMails(before: SubscriptionFact | null, after: Facts, context: EffectContext): BillingMail[] {
  const { subscription } = after;
  const newest = newestPayment(after.payments);
  // Users who get a refund are notified of that, not of the end that comes with it.
  if (!subscription || !newest || isRefunded(newest) || newest.disputed) return [];
  if (isBeingRefunded(newest, after.refunds)) return [];
  const { plan, status, versionAt } = subscription;
  const isInForce = subscription.accessUntil && subscription.accessUntil > context.now;
  const endsAt = isInForce ? (subscription.accessUntil?.toISOString() ?? null) : null;
  const { userId, provider, externalId } = context;
  const id = `${provider}:${externalId}`;
  if (isCancelled(status) && !(before && isCancelled(before.status))) {
    const facts = { plan, endsAt, resumable: status === 'scheduled_cancel' };
    return [{ key: `cancelled:${id}:${versionAt.toISOString()}`, userId, kind: 'cancelled', facts }];
  }
  if (before && isNotRenewing(before.status) && status === 'active') {
    // Resuming a paused plan may start a new period, whose payment is reported later.
    const end = subscription.periodEnd ?? newest.periodEnd;
    const renewsAt = end > context.now ? end.toISOString() : null;
    const facts = { plan, priceCents: renewalCents(plan, subscription.priceCents), renewsAt };
    return [{ key: `resumed:${id}:${versionAt.toISOString()}`, userId, kind: 'resumed', facts }];
  }
  if (!isUnpaid(status)) return [];
  // Once per period, however often the provider retries the payment.
  const key = `payment_failed:${id}:${newest.periodEnd.toISOString()}`;
  return [{ key, userId, kind: 'payment_failed', facts: { plan, accessUntil: endsAt } }];
}

/** A receipt states an amount, so it waits until that is reported. */
const isDue = (
  { externalId }: PaymentFact,
  previous: PaymentFact | undefined,
  { estimated, dueReceipts }: EffectContext,
) => (previous ? dueReceipts.has(externalId) : !estimated.has(externalId));

export function effectsOf(before: Facts, after: Facts, context: EffectContext): Effects {
  const { subscription } = after;
  if (!subscription) return { entries: [], mails: [] };
  const known = new Map(before.payments.map((payment) => [payment.externalId, payment]));
  const perPayment = after.payments.flatMap((payment) => {
    const previous = known.get(payment.externalId);
    const refunded = previous?.refundedCents ?? 0;
    return [
      ...(previous ? [] : [paymentEffects(payment, context)]),
      ...(isDue(payment, previous, context) ? [receiptEffects(payment, subscription, context)] : []),
      ...(payment.refundedCents > refunded ? [refundEffects(payment, refunded, context)] : []),
      ...(payment.disputed && !previous?.disputed ? [disputeEffects(payment, context)] : []),
    ];
  });
  return {
    entries: perPayment.flatMap(({ entries }) => entries),
    mails: [...perPayment.flatMap(({ mails }) => mails), ...statusMails(before.subscription, after, context)],
  };
}
