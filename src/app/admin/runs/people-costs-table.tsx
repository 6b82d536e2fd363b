import { sql } from '#platform/database/sql.server.ts';
import { PersonLink } from '../cells.tsx';
import type { AdminTable } from '../table/admin-table.ts';
import { peopleRows } from './margin-figures.server.ts';

interface PersonCostRow {
  id: string;
  email: string | null;
  plan: string;
  runs: number;
  credits: number;
  /** Decimals, as PostgreSQL writes them. */
  cost: string;
  paid: string;
  left_over: string;
  others: string | null;
}

const figure = { type: 'numeric', figure: true } as const;

export const peopleCostsTable: AdminTable<PersonCostRow> = {
  name: 'Margin by person',
  path: '/admin/margin/people',
  rows: (filters) => peopleRows(Number(filters.days || 365)),
  id: { column: 'id', type: 'uuid' },
  order: '-cost',
  columns: [
    {
      key: 'person',
      label: 'Person',
      cell: ({ id, email }) => <PersonLink id={id} email={email} />,
      csv: ({ email }) => email,
    },
    { key: 'plan', label: 'Plan now', sort: 'plan', cell: ({ plan }) => plan, csv: ({ plan }) => plan },
    {
      key: 'runs',
      label: 'Runs',
      sort: 'runs',
      ...figure,
      cell: ({ runs }) => runs,
      csv: ({ runs }) => runs,
    },
    {
      key: 'credits',
      label: 'Credits',
      sort: 'credits',
      ...figure,
      cell: ({ credits }) => credits,
      csv: ({ credits }) => credits,
    },
    {
      key: 'cost',
      label: 'Gateway USD',
      sort: 'cost',
      ...figure,
      cell: ({ cost }) => Number(cost).toFixed(4),
      csv: ({ cost }) => Number(cost),
    },
    {
      key: 'paid',
      label: 'Paid USD',
      sort: 'paid',
      ...figure,
      cell: ({ paid }) => Number(paid).toFixed(2),
      csv: ({ paid }) => Number(paid),
    },
    {
      key: 'left',
      label: 'Left USD',
      sort: 'left_over',
      ...figure,
      cell: ({ left_over, others }) => `${Number(left_over).toFixed(2)}${others ? ` and ${others}` : ''}`,
      csv: ({ left_over }) => Number(left_over),
    },
  ],
  filters: [
    {
      name: 'days',
      label: 'Days',
      initial: '30',
      options: [
        ['7', '7 days'],
        ['30', '30 days'],
        ['90', '90 days'],
      ],
      where: () => sql`true`,
    },
  ],
  search: { hint: 'Address', where: (_, pattern) => sql`t.email ilike ${pattern}` },
  empty: 'Nobody used or paid anything.',
};
