import { validate as isUuid } from 'uuid';
import type { Plan } from '#features/credits/contract.ts';
import { sql } from '#platform/database/sql.server.ts';
import { capitalize, PersonLink } from '../cells.tsx';
import type { AdminTable } from '../table/admin-table.ts';
import { figureColumn, plainColumn, timeColumn } from '../table/columns.tsx';

interface PersonRow {
  id: string;
  email: string | null;
  name: string;
  plan: Plan;
  credits: number;
  created_at: Date;
  deleted_at: Date | null;
  erased_at: Date | null;
  banned_at: Date | null;
}

const stateOf = (row: PersonRow) =>
  [row.erased_at ? 'erased' : row.deleted_at && 'deleted', row.banned_at && 'banned']
    .filter(Boolean)
    .join(', ');

const states: Record<string, ReturnType<typeof sql>> = {
  open: sql`t.deleted_at is null and t.banned_at is null`,
  banned: sql`t.banned_at is not null`,
  deleted: sql`t.deleted_at is not null and t.erased_at is null`,
  erased: sql`t.erased_at is not null`,
};

export const peopleTable: AdminTable<PersonRow> = {
  name: 'People',
  path: '/admin/people',
  rows: sql`select id, email, coalesce(email, '') as address, name, plan, credits, created_at, deleted_at, erased_at, banned_at from users`,
  id: { column: 'id', type: 'uuid' },
  order: '-created',
  columns: [
    {
      key: 'address',
      label: 'Email',
      sort: 'address',
      cell: ({ id, email }) => <PersonLink id={id} email={email} />,
      csv: ({ email }) => email,
    },
    plainColumn('name', 'Name', ({ name }) => name, { sort: 'name' }),
    plainColumn('plan', 'Plan', ({ plan }) => plan, { cell: ({ plan }) => capitalize(plan) }),
    figureColumn('credits', 'Credits', 'credits', ({ credits }) => credits),
    timeColumn('created', 'Joined (UTC)', 'created_at', { wideOnly: true }),
    plainColumn('state', 'State', stateOf),
    {
      key: 'id',
      label: 'ID',
      wideOnly: true,
      cell: ({ id }) => <code className="text-2xs">{id}</code>,
      csv: ({ id }) => id,
    },
  ],
  filters: [
    {
      name: 'plan',
      label: 'Plan',
      options: [
        ['free', 'Free'],
        ['pro', 'Pro'],
        ['business', 'Business'],
      ],
      where: (plan) => sql`t.plan = ${plan}`,
    },
    {
      name: 'state',
      label: 'State',
      options: [
        ['open', 'Active'],
        ['banned', 'Banned'],
        ['deleted', 'Deleted'],
        ['erased', 'Erased'],
      ],
      where: (state) => states[state] ?? sql`true`,
    },
  ],
  search: {
    hint: 'Email, name or ID',
    where: (text, pattern) =>
      isUuid(text) ? sql`t.id = ${text}::uuid` : sql`(t.email ilike ${pattern} or t.name ilike ${pattern})`,
  },
  empty: 'No accounts found.',
};
