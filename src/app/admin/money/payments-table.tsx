import { sql } from '#platform/database/sql.server.ts';
import { isoOf, money, PersonLink, Time } from '../cells.tsx';
import type { AdminTable } from '../table/admin-table.ts';

interface PaymentRow {
  id: string;
  external_id: string;
  user_id: string;
  email: string | null;
  plan: string | null;
  amount_cents: number;
  refunded_cents: number;
  currency: string;
  disputed: boolean;
  paid_at: Date;
}

const stateOf = ({ disputed, refunded_cents, amount_cents }: PaymentRow) =>
  disputed
    ? 'disputed'
    : refunded_cents === 0
      ? 'paid'
      : refunded_cents < amount_cents
        ? 'partly given back'
        : 'given back';

const states: Record<string, ReturnType<typeof sql>> = {
  paid: sql`t.refunded_cents = 0 and not t.disputed`,
  refunded: sql`t.refunded_cents > 0`,
  disputed: sql`t.disputed`,
};

export const paymentsTable: AdminTable<PaymentRow> = {
  name: 'Payments',
  path: '/admin/payments',
  rows: sql`
    select p.id, p.external_id, p.user_id, u.email, p.plan, p.amount_cents, p.refunded_cents, p.currency, p.disputed, p.paid_at
      from payments p join users u on u.id = p.user_id`,
  id: { column: 'id', type: 'uuid' },
  order: '-paid',
  columns: [
    {
      key: 'paid',
      label: 'Paid (UTC)',
      sort: 'paid_at',
      type: 'timestamptz',
      cell: ({ paid_at }) => <Time at={paid_at} />,
      csv: ({ paid_at }) => isoOf(paid_at),
    },
    {
      key: 'person',
      label: 'Person',
      cell: ({ user_id, email }) => <PersonLink id={user_id} email={email} />,
      csv: ({ email }) => email,
    },
    { key: 'plan', label: 'What', cell: ({ plan }) => plan, csv: ({ plan }) => plan },
    {
      key: 'amount',
      label: 'Amount',
      sort: 'amount_cents',
      type: 'numeric',
      figure: true,
      cell: ({ amount_cents, currency }) => money(amount_cents, currency),
      csv: ({ amount_cents }) => amount_cents / 100,
    },
    {
      key: 'back',
      label: 'Given back',
      sort: 'refunded_cents',
      type: 'numeric',
      figure: true,
      cell: ({ refunded_cents, currency }) => (refunded_cents > 0 ? money(refunded_cents, currency) : ''),
      csv: ({ refunded_cents }) => refunded_cents / 100,
    },
    {
      key: 'currency',
      label: 'Currency',
      wide: true,
      cell: ({ currency }) => currency,
      csv: ({ currency }) => currency,
    },
    { key: 'state', label: 'State', cell: stateOf, csv: stateOf },
    {
      key: 'payment',
      label: 'Payment',
      wide: true,
      cell: ({ external_id }) => external_id,
      csv: ({ external_id }) => external_id,
    },
  ],
  filters: [
    {
      name: 'state',
      label: 'State',
      options: [
        ['paid', 'Paid'],
        ['refunded', 'Given back'],
        ['disputed', 'Disputed'],
      ],
      where: (state) => states[state] ?? sql`true`,
    },
  ],
  search: {
    hint: 'Address, or the provider’s id',
    where: (text, pattern) => sql`(t.external_id = ${text} or t.email ilike ${pattern})`,
  },
  empty: 'No payments.',
};
