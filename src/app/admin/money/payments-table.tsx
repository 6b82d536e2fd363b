import { sql } from '#platform/database/sql.server.ts';
import { formatAmount } from '../cells.tsx';
import type { AdminTable } from '../table/admin-table.ts';
import { figureColumn, personColumn, plainColumn, timeColumn } from '../table/columns.tsx';

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
        ? 'partly refunded'
        : 'refunded';

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
    timeColumn('paid', 'Paid (UTC)', 'paid_at'),
    personColumn,
    plainColumn('plan', 'Item', ({ plan }) => plan),
    figureColumn('amount', 'Amount', 'amount_cents', ({ amount_cents }) => amount_cents / 100, {
      cell: ({ amount_cents, currency }) => formatAmount(amount_cents, currency),
    }),
    figureColumn('back', 'Refunded', 'refunded_cents', ({ refunded_cents }) => refunded_cents / 100, {
      cell: ({ refunded_cents, currency }) =>
        refunded_cents > 0 ? formatAmount(refunded_cents, currency) : '',
    }),
    plainColumn('currency', 'Currency', ({ currency }) => currency, { wideOnly: true }),
    plainColumn('state', 'State', stateOf),
    plainColumn('payment', 'Payment', ({ external_id }) => external_id, { wideOnly: true }),
  ],
  filters: [
    {
      name: 'state',
      label: 'State',
      options: [
        ['paid', 'Paid'],
        ['refunded', 'Refunded'],
        ['disputed', 'Disputed'],
      ],
      where: (state) => states[state] ?? sql`true`,
    },
  ],
  search: {
    hint: 'Email, or the provider’s ID',
    where: (text, pattern) => sql`(t.external_id = ${text} or t.email ilike ${pattern})`,
  },
  empty: 'No payments.',
};
