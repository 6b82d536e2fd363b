import { sql } from '#platform/database/sql.server.ts';
import { describeAction } from './actions.server.ts';
import { PersonLink } from './cells.tsx';
import type { AdminTable } from './table/admin-table.ts';
import { plainColumn, timeColumn } from './table/columns.tsx';

interface ActionRow {
  id: number;
  created_at: Date;
  operator: string;
  action: string;
  user_id: string | null;
  email: string | null;
  reason: string;
  details: Record<string, unknown>;
}

export const logTable: AdminTable<ActionRow> = {
  name: 'Log',
  path: '/admin/log',
  rows: sql`
    select a.id, a.created_at, a.operator, a.action, a.user_id, u.email, a.reason, a.details
      from operator_actions a left join users u on u.id = a.user_id`,
  id: { column: 'id', type: 'bigint' },
  order: '-when',
  columns: [
    timeColumn('when', 'When (UTC)', 'created_at'),
    plainColumn('operator', 'Operator', ({ operator }) => operator),
    { key: 'act', label: 'Action', cell: describeAction, csv: ({ action }) => action },
    {
      key: 'person',
      label: 'Person',
      cell: ({ user_id, email }) => <PersonLink id={user_id} email={email} />,
      csv: ({ user_id }) => user_id,
    },
    plainColumn('reason', 'Reason', ({ reason }) => reason),
    {
      key: 'details',
      label: 'Details',
      wideOnly: true,
      cell: ({ details }) => <code className="text-2xs">{JSON.stringify(details)}</code>,
      csv: ({ details }) => JSON.stringify(details),
    },
  ],
  search: {
    hint: 'Operator, action or reason',
    where: (_, pattern) =>
      sql`(t.operator ilike ${pattern} or t.action ilike ${pattern} or t.reason ilike ${pattern})`,
  },
  empty: 'No actions yet.',
};
