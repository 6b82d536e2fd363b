import type { ReactNode } from 'react';
import { LocalTime } from '../../../../ui/local-time.tsx';
import { seller } from '../../../credits/contract.ts';
import {
  type BillingView,
  graceHours,
  moneyBackDays,
  planButtons,
  type SubscriptionView,
} from '../../contract.ts';
import { amount, day, mayStillCharge } from './words.ts';

const On = ({ iso }: { iso: string | null }) => (iso ? <LocalTime iso={iso} format={day} /> : 'not known');

interface Fact {
  name: string;
  value: ReactNode;
}

/** Names and values under each other. */
export function Facts({ facts }: { facts: Fact[] }) {
  return (
    <dl className="plan-facts">
      {facts.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What is next for a subscription, the most important first. */
export function factsOf(subscription: SubscriptionView): Fact[] {
  const { state, priceCents, currency, renewsAt, endsAt, endedAt, periodStart, periodEnd } = subscription;
  const { moneyBackUntil, refundPending, renewalDue } = subscription;
  const price = amount(priceCents, currency);
  const period = {
    name: 'Paid period',
    value: (
      <>
        <On iso={periodStart} /> to <On iso={periodEnd} />
      </>
    ),
  };
  const back = moneyBackUntil
    ? [{ name: 'Money back until', value: <LocalTime iso={moneyBackUntil} /> }]
    : [];
  const next = {
    name: state === 'trialing' ? 'First payment' : 'Next renewal',
    value: (
      <>
        <On iso={renewsAt} />, {price}
      </>
    ),
  };
  const none = { name: 'Next renewal', value: 'None' };
  const ends = { name: 'Pro ends, if not paid', value: endsAt ? <LocalTime iso={endsAt} /> : 'not known' };
  if (refundPending)
    return [{ name: 'Refund', value: `Not confirmed by ${seller} yet` }, renewsAt ? next : none];
  if (renewalDue) return [{ name: 'Renewal', value: `Due, ${price}` }, ends, ...back];
  switch (state) {
    case 'active':
      return [next, period, ...back];
    case 'trialing':
      return [next];
    case 'past_due':
      return [ends, { name: 'Amount due', value: price }];
    case 'cancelled':
      return [{ name: 'Pro ends', value: <On iso={endsAt ?? periodEnd} /> }, none, ...back];
    case 'paused':
      return periodEnd ? [period] : [];
    default:
      return endedAt ? [{ name: 'Pro ended', value: <On iso={endedAt} /> }] : [];
  }
}

const explained: Partial<Record<SubscriptionView['state'], string>> = {
  past_due: `The last payment failed. ${seller} tries again in the next days; Pro goes on for ${graceHours} hours after the period you paid. You can change the card under ${planButtons.portal}.`,
  cancelled: 'You keep Pro until it ends. Nothing more is charged.',
  paused: 'Nothing is charged, and Pro is off until you resume the plan.',
  expired: 'Pro has ended. What you made is still here.',
  refunded: 'Your payment was refunded in full, and Pro has ended. What you made is still here.',
  disputed: 'Your bank disputes the payment. Pro is off until that is settled; nothing more is charged.',
};

/** What a state means in a sentence or two; null for one that needs no words. */
export function explanationOf(subscription: SubscriptionView): string | null {
  const { state, renewalDue, refundPending } = subscription;
  if (refundPending) return 'Your refund is under way, and Pro ends with it.';
  if (renewalDue)
    return `Renewal is due: waiting for ${seller}. Pro goes on for ${graceHours} hours after the period you paid.`;
  if (mayStillCharge(subscription))
    return `Pro has ended, but ${seller} may still try the card: cancel, or pay under ${planButtons.portal}.`;
  return explained[state] ?? null;
}

/** What the operator gave. An end at midnight names the last day that is included. */
export function grantFacts(
  { endsAt }: NonNullable<BillingView['grant']>,
  subscriptions: readonly SubscriptionView[],
): Fact[] {
  const last = endsAt && new Date(Date.parse(endsAt) - 1).toISOString();
  const pays = subscriptions.some(({ renewsAt, state }) => renewsAt !== null || state === 'past_due');
  return [
    { name: 'Given by the site until', value: last ? <LocalTime iso={last} format={day} /> : 'taken back' },
    ...(pays ? [] : [{ name: 'Next payment', value: 'None' }]),
  ];
}

/** Whom to write to where there is no button. `over`: the first days are. */
export function MoneyBackNote({ over, email }: { over: boolean; email: string }) {
  return (
    <p className="fine">
      {over
        ? `After the first ${moneyBackDays} days a refund is not a button any more: write to `
        : 'The refund by a button is there once per person. For another, write to '}
      <a className="link" href={`mailto:${email}`}>
        {email}
      </a>
      .
    </p>
  );
}
