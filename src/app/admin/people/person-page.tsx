import type { ReactNode } from 'react';
import { ActionForm } from '../action-form.tsx';
import { capitalize, formatAmount, Time } from '../cells.tsx';
import { SmallTable } from '../small-table.tsx';
import type { PaymentRow, PersonData } from './person-data.server.ts';
import { PersonForms } from './person-forms.tsx';

function Facts({ person }: Pick<PersonData, 'person'>) {
  const facts: [string, ReactNode][] = [
    ['Plan', capitalize(person.plan)],
    ['Credits', person.credits],
    ['Joined', <Time key="joined" at={person.created_at} />],
    ['Language', person.language],
    ['Banned', <Time key="banned" at={person.banned_at} />],
    ['Deleted', <Time key="deleted" at={person.deleted_at} />],
    ['Erased', <Time key="erased" at={person.erased_at} />],
    [
      'ID',
      <code key="id" className="text-xs wrap-anywhere">
        {person.id}
      </code>,
    ],
  ];
  const optional = {
    Language: person.language,
    Banned: person.banned_at,
    Deleted: person.deleted_at,
    Erased: person.erased_at,
  };
  const visibleFacts = facts.filter(
    ([name]) => !(name in optional) || optional[name as keyof typeof optional],
  );
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-3 text-sm">
      {visibleFacts.map(([name, value]) => (
        <div key={name}>
          <dt className="text-xs text-fg-muted">{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const paymentState = ({ disputed, refund, refunded_cents, currency }: PaymentRow) =>
  [
    disputed && 'disputed',
    refunded_cents > 0 && `${formatAmount(refunded_cents, currency)} refunded`,
    refund && refund !== 'succeeded' && `refund ${refund}`,
  ]
    .filter(Boolean)
    .join(', ') || 'paid';

function RefundForm({ payment }: { payment: PaymentRow }) {
  const left = payment.amount_cents - payment.refunded_cents;
  if (left <= 0 || ['asked', 'pending', 'succeeded'].includes(payment.refund ?? '')) return null;
  return (
    <ActionForm
      name="Refund"
      action={`/admin/payments/${payment.id}/refund`}
      verb={`Refund ${formatAmount(left, payment.currency)}`}
      danger
      description="Refunds the rest of this payment. For a partial refund, use the provider’s dashboard. If this is the latest payment of a plan, the plan ends."
    />
  );
}

function Payments({ payments, subscriptions }: Pick<PersonData, 'payments' | 'subscriptions'>) {
  return (
    <section className="grid gap-2 text-sm" aria-label="Payments">
      <h2 className="h3">Payments</h2>
      {payments.length === 0 ? <p className="muted">No payments.</p> : null}
      <ul>
        {payments.map((payment) => (
          <li key={payment.id} className="row border-b border-line py-2">
            <Time at={payment.paid_at} />
            <strong>{formatAmount(payment.amount_cents, payment.currency)}</strong>
            <span>{paymentState(payment)}</span>
            <span className="muted wrap-anywhere">{payment.external_id}</span>
            <RefundForm payment={payment} />
          </li>
        ))}
      </ul>
      <ul className="grid gap-1">
        {subscriptions.map(({ at, text }) => (
          <li key={text} className="wrap-anywhere">
            Subscription {text}, started <Time at={at} />
          </li>
        ))}
      </ul>
    </section>
  );
}

export function PersonPage({ person, sessions, payments, runs, subscriptions, timeline, cut }: PersonData) {
  return (
    <>
      <div className="grid gap-1">
        <p className="text-sm">
          <a className="link" href="/admin/people">
            People
          </a>
        </p>
        <h1 className="h2 wrap-anywhere">{person.email ?? 'Erased person'}</h1>
        <p className="muted wrap-anywhere">{person.name}</p>
      </div>
      <Facts person={person} />
      <PersonForms person={person} />
      <Payments payments={payments} subscriptions={subscriptions} />
      <SmallTable
        title="Sessions"
        columns={['Started (UTC)', 'Last seen', 'Browser']}
        emptyText="Not signed in anywhere."
        rows={sessions.map(({ id, created_at, last_seen_at, user_agent }) => ({
          key: id,
          cells: [<Time key="at" at={created_at} />, <Time key="seen" at={last_seen_at} />, user_agent],
        }))}
      />
      <SmallTable
        title="Runs"
        columns={['Started (UTC)', 'Tool', 'State', 'Credits', 'Reason']}
        emptyText="No runs."
        rows={runs.map(({ id, created_at, feature, state, credits_charged, error_code }) => ({
          key: id,
          cells: [<Time key="at" at={created_at} />, feature, state, credits_charged, error_code],
        }))}
      />
      <SmallTable
        title={cut ? 'History (latest)' : 'History'}
        columns={['When (UTC)', 'Event', 'Details']}
        emptyText="Nothing yet."
        rows={timeline.map(({ at, kind, text }, index) => ({
          key: String(index),
          cells: [<Time key="at" at={at} />, kind, text],
        }))}
      />
    </>
  );
}
