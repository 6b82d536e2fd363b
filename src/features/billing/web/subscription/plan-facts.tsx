import type { ReactNode } from 'react';
import { LocalTime } from '../../../../ui/local-time.tsx';
import {
  type BillingView,
  graceHours,
  moneyBackDays,
  paymentProvider,
  type SubscriptionView,
} from '../../contract.ts';
import { amount, day } from './words.ts';

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
  const { state, priceCents, currency, renewsAt, endsAt, endedAt, periodStart, periodEnd, moneyBackUntil } =
    subscription;
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
  switch (state) {
    case 'active':
      return [next, period, ...back];
    case 'trialing':
      return [next];
    case 'past_due':
      return [
        { name: 'Pro ends, if not paid', value: endsAt ? <LocalTime iso={endsAt} /> : 'not known' },
        { name: 'Amount due', value: price },
      ];
    case 'cancelled':
      return [
        { name: 'Pro ends', value: <On iso={endsAt ?? periodEnd} /> },
        { name: 'Next renewal', value: 'None' },
        ...back,
      ];
    case 'paused':
      return periodEnd ? [period] : [];
    default:
      return endedAt ? [{ name: 'Pro ended', value: <On iso={endedAt} /> }] : [];
  }
}

const explained: Partial<Record<SubscriptionView['state'], string>> = {
  past_due: `The last payment failed. ${paymentProvider} tries again in the next days; Pro goes on for ${graceHours} hours after the period you paid. You can change the card under Manage payment.`,
  cancelled: 'You keep Pro until it ends. Nothing more is charged.',
  paused: 'Nothing is charged, and Pro is off until you resume the plan.',
  expired: 'Pro has ended. What you made is still here.',
  refunded: 'Your payment was refunded in full, and Pro has ended. What you made is still here.',
  disputed: 'Your bank disputes the payment. Pro is off until that is settled; nothing more is charged.',
};

/** What a state means in a sentence or two; null for one that needs no words. */
export const explanationOf = ({ state }: SubscriptionView): string | null => explained[state] ?? null;

/** What the operator gave. */
export function grantFacts({ endsAt }: NonNullable<BillingView['grant']>): Fact[] {
  return [
    {
      name: 'Given by the site until',
      value: endsAt ? <LocalTime iso={endsAt} format={day} /> : 'taken back',
    },
    { name: 'Next payment', value: 'None' },
  ];
}

/** Whom to write to once the button is gone. */
export function MoneyBackNote({ email }: { email: string }) {
  return (
    <p className="fine">
      {`After the first ${moneyBackDays} days a refund is not a button any more: write to `}
      <a className="link" href={`mailto:${email}`}>
        {email}
      </a>
      .
    </p>
  );
}
