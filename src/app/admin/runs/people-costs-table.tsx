import { sql } from '#platform/database/sql.server.ts';
import { capitalize, PersonLink } from '../cells.tsx';
import type { AdminTable } from '../table/admin-table.ts';
import { figureColumn, plainColumn } from '../table/columns.tsx';
import { peopleRows } from './margin-figures.server.ts';

interface PersonCostRow {
  id: string;
  email: string | null;
  plan: string;
  runs: number;
  credits: number;
  /** This and the next three are decimal numbers as text, as PostgreSQL returns them. */
  cost: string;
  paid: string;
  left_over: string;
  others: string | null;
}

export const peopleCostsTable: AdminTable<PersonCostRow> = {
  name: 'Margin by person',
  path: '/admin/margin/people',
  rows: (db, { days }) => peopleRows(db, Number(days || 365)),
  id: { column: 'id', type: 'uuid' },
  order: '-cost',
  columns: [
    {
      key: 'person',
      label: 'Person',
      cell: ({ id, email }) => <PersonLink id={id} email={email} />,
      csv: ({ email }) => email,
    },
    plainColumn('plan', 'Current plan', ({ plan }) => plan, {
      sort: 'plan',
      cell: ({ plan }) => capitalize(plan),
    }),
    figureColumn('runs', 'Runs', 'runs', ({ runs }) => runs),
    figureColumn('credits', 'Credits', 'credits', ({ credits }) => credits),
    figureColumn('cost', 'Cost USD', 'cost', ({ cost }) => Number(cost), {
      cell: ({ cost }) => Number(cost).toFixed(4),
    }),
    figureColumn('paid', 'Paid USD', 'paid', ({ paid }) => Number(paid), {
      cell: ({ paid }) => Number(paid).toFixed(2),
    }),
    figureColumn('left', 'Margin USD', 'left_over', ({ left_over }) => Number(left_over), {
      cell: ({ left_over, others }) => `${Number(left_over).toFixed(2)}${others ? ` and ${others}` : ''}`,
    }),
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
  search: { hint: 'Email', where: (_, pattern) => sql`t.email ilike ${pattern}` },
  empty: 'No usage or payments in this period.',
};
