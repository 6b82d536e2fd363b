import type { ReactNode } from 'react';
import { moneyBackDays, seller } from '#features/credits/contract.ts';
import { m } from '#messages';
import { LocalTime } from '#ui/local-time.tsx';
import { type BillingView, graceHours, planButtons, type SubscriptionView } from '../../contract.ts';
import { mailLink } from './mail-link.tsx';
import { day, formatAmount, mayStillCharge } from './plan-labels.ts';

const DateText = ({ iso }: { iso: string | null }) =>
  iso ? <LocalTime iso={iso} format={day} /> : m.plan_unknown();

interface PlanDetail {
  name: string;
  value: ReactNode;
}

export function PlanDetails({ facts }: { facts: PlanDetail[] }) {
  return (
    <dl className="border-t text-sm border-fg">
      {facts.map(({ name, value }) => (
        <div className="flex gap-4 py-2 px-0 border-b border-line" key={name}>
          <dt className="flex-none w-40 text-fg-muted max-xs:w-30">{name}</dt>
          <dd className="flex-1 min-w-0 text-end text-balance">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export function planDetailsOf(subscription: SubscriptionView): PlanDetail[] {
  const { state, priceCents, currency, renewsAt, endsAt, endedAt, periodStart, periodEnd } = subscription;
  const { moneyBackUntil, refundPending, renewalDue } = subscription;
  const price = formatAmount(priceCents, currency);
  const period = {
    name: m.plan_fact_period(),
    value: m.plan_period({
      start: () => <DateText iso={periodStart} />,
      end: () => <DateText iso={periodEnd} />,
    }),
  };
  const refundDeadline = moneyBackUntil
    ? [{ name: m.plan_fact_refund_until(), value: <LocalTime iso={moneyBackUntil} /> }]
    : [];
  const nextPayment = {
    name: state === 'trialing' ? m.plan_fact_first_payment() : m.plan_fact_next_renewal(),
    value: m.plan_renewal({ day: () => <DateText iso={renewsAt} />, price }),
  };
  const noRenewal = { name: m.plan_fact_next_renewal(), value: m.plan_none() };
  const end = {
    name: m.plan_fact_ends_unpaid(),
    value: endsAt ? <LocalTime iso={endsAt} /> : m.plan_unknown(),
  };
  if (refundPending)
    return [
      { name: m.plan_fact_refund(), value: m.plan_refund_unconfirmed({ seller }) },
      renewsAt ? nextPayment : noRenewal,
    ];
  if (renewalDue)
    return [{ name: m.plan_fact_renewal(), value: m.plan_renewal_due({ price }) }, end, ...refundDeadline];
  switch (state) {
    case 'active':
      return [nextPayment, period, ...refundDeadline];
    case 'trialing':
      return [nextPayment];
    case 'past_due':
      return [end, { name: m.plan_fact_amount_due(), value: price }];
    case 'cancelled':
      return [
        { name: m.plan_fact_ends(), value: <DateText iso={endsAt ?? periodEnd} /> },
        noRenewal,
        ...refundDeadline,
      ];
    case 'paused':
      return periodEnd ? [period] : [];
    default:
      return endedAt ? [{ name: m.plan_fact_ended(), value: <DateText iso={endedAt} /> }] : [];
  }
}

const sellerValues = () => ({ seller, hours: graceHours, button: planButtons.portal() });

const explanations: Partial<Record<SubscriptionView['state'], () => string>> = {
  past_due: () => m.plan_explain_past_due(sellerValues()),
  cancelled: m.plan_explain_cancelled,
  paused: m.plan_explain_paused,
  expired: m.plan_explain_expired,
  refunded: m.plan_explain_refunded,
  disputed: m.plan_explain_disputed,
};

export function explanationOf(subscription: SubscriptionView): string | null {
  const { state, renewalDue, refundPending } = subscription;
  if (refundPending) return m.plan_explain_refund_pending();
  if (renewalDue) return m.plan_explain_renewal_due(sellerValues());
  if (mayStillCharge(subscription)) return m.plan_explain_may_charge(sellerValues());
  return explanations[state]?.() ?? null;
}

/** An end at midnight is shown as the day before, the last day that is included. */
export function grantDetails(
  { endsAt }: NonNullable<BillingView['grant']>,
  subscriptions: readonly SubscriptionView[],
): PlanDetail[] {
  const lastDay = endsAt && new Date(Date.parse(endsAt) - 1).toISOString();
  const hasPaidPlan = subscriptions.some(({ renewsAt, state }) => renewsAt !== null || state === 'past_due');
  return [
    {
      name: m.plan_fact_given_until(),
      value: lastDay ? <LocalTime iso={lastDay} format={day} /> : m.plan_given_open(),
    },
    ...(hasPaidPlan ? [] : [{ name: m.plan_fact_next_payment(), value: m.plan_none() }]),
  ];
}

/** `isOver`: the money-back days are over. */
export function MoneyBackNote({ isOver, email }: { isOver: boolean; email: string }) {
  const values = { email, mail: mailLink };
  return (
    <p className="fine">
      {isOver ? m.plan_refund_over({ ...values, days: moneyBackDays }) : m.plan_refund_once(values)}
    </p>
  );
}
