import { sql } from '#platform/database/sql.server.ts';
import type { AdminTable } from '../table/admin-table.ts';
import { figureColumn, personColumn, plainColumn, timeColumn } from '../table/columns.tsx';

interface ReportedShareRow {
  id: string;
  title: string | null;
  kind: string | null;
  state: string;
  user_id: string;
  email: string | null;
  reported_at: Date;
  reports: number;
  reasons: string;
}

/** Reported pages only; operators must not see the others. */
export const sharesTable: AdminTable<ReportedShareRow> = {
  name: 'Shared pages',
  path: '/admin/shares',
  rows: sql`
    select r.share_id as id, s.title,
           case when s.id is not null then coalesce(s.kind, case when s.message_id is null then 'chat' else 'reply' end) end as kind,
           r.user_id, u.email, max(r.created_at) as reported_at,
           count(*) filter (where r.closed_at is null)::int as reports,
           string_agg(distinct r.reason, ', ' order by r.reason) as reasons,
           case when s.id is null then 'gone' when s.taken_down_at is not null then 'taken down' else 'shared' end as state
      from share_reports r join users u on u.id = r.user_id left join shares s on s.id = r.share_id
     group by r.share_id, s.id, r.user_id, u.email`,
  id: { column: 'id', type: 'text' },
  order: '-reported',
  columns: [
    {
      key: 'title',
      label: 'Page',
      cell: ({ id, title }) => (
        <a className="link" href={`/admin/shares/${id}`}>
          {title ?? 'No longer shared'}
        </a>
      ),
      csv: ({ title }) => title,
    },
    plainColumn('kind', 'Kind', ({ kind }) => kind),
    timeColumn('reported', 'Last reported (UTC)', 'reported_at'),
    figureColumn('reports', 'Open reports', 'reports', ({ reports }) => reports),
    plainColumn('reasons', 'Reasons', ({ reasons }) => reasons),
    plainColumn('state', 'State', ({ state }) => state),
    personColumn,
  ],
  filters: [
    {
      name: 'state',
      label: 'State',
      initial: 'open',
      options: [
        ['open', 'Open reports'],
        ['closed', 'Resolved'],
      ],
      where: (state) => (state === 'open' ? sql`t.reports > 0` : sql`t.reports = 0`),
    },
  ],
  search: {
    hint: 'Title or email',
    where: (_, pattern) => sql`(t.title ilike ${pattern} or t.email ilike ${pattern})`,
  },
  empty: 'No reported pages.',
};
