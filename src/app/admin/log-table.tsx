import { sql } from '#platform/database/sql.server.ts';
import { tellAct } from './acts.server.ts';
import { isoOf, PersonLink, Time } from './cells.tsx';
import type { AdminTable } from './table/admin-table.ts';

interface ActRow {
  id: number;
  created_at: Date;
  operator: string;
  action: string;
  user_id: string | null;
  email: string | null;
  reason: string;
  details: Record<string, unknown>;
}

export const logTable: AdminTable<ActRow> = {
  name: 'Log',
  path: '/admin/log',
  rows: sql`
    select a.id, a.created_at, a.operator, a.action, a.user_id, u.email, a.reason, a.details
      from operator_actions a left join users u on u.id = a.user_id`,
  id: { column: 'id', type: 'bigint' },
  order: '-when',
  columns: [
    {
      key: 'when',
      label: 'When (UTC)',
      sort: 'created_at',
      type: 'timestamptz',
      cell: ({ created_at }) => <Time at={created_at} />,
      csv: ({ created_at }) => isoOf(created_at),
    },
    { key: 'operator', label: 'Operator', cell: ({ operator }) => operator, csv: ({ operator }) => operator },
    { key: 'act', label: 'Act', cell: tellAct, csv: ({ action }) => action },
    {
      key: 'person',
      label: 'Person',
      cell: ({ user_id, email }) => <PersonLink id={user_id} email={email} />,
      csv: ({ user_id }) => user_id,
    },
    { key: 'reason', label: 'Reason', cell: ({ reason }) => reason, csv: ({ reason }) => reason },
    {
      key: 'details',
      label: 'Details',
      wide: true,
      cell: ({ details }) => <code className="text-2xs">{JSON.stringify(details)}</code>,
      csv: ({ details }) => JSON.stringify(details),
    },
  ],
  search: {
    hint: 'Operator, act or reason',
    where: (_, pattern) =>
      sql`(t.operator ilike ${pattern} or t.action ilike ${pattern} or t.reason ilike ${pattern})`,
  },
  empty: 'Nothing was done yet.',
};
