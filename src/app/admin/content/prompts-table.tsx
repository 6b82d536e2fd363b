import { sql } from '#platform/database/sql.server.ts';
import type { AdminTable } from '../table/admin-table.ts';
import { figureColumn, personColumn, plainColumn, timeColumn } from '../table/columns.tsx';

interface PromptRow {
  id: string;
  title: string;
  category: string;
  state: string;
  user_id: string;
  email: string | null;
  changed_at: Date;
  reports: number;
}

/** Without private prompts, which operators must not see. */
export const promptsTable: AdminTable<PromptRow> = {
  name: 'Prompts',
  path: '/admin/prompts',
  rows: sql`
    select p.id, p.title, p.category, p.state, p.user_id, u.email, coalesce(p.submitted_at, p.updated_at) as changed_at,
           (select count(*)::int from prompt_reports r where r.prompt_id = p.id and r.closed_at is null) as reports
      from prompts p join users u on u.id = p.user_id where p.state <> 'private' and p.deleted_at is null`,
  id: { column: 'id', type: 'uuid' },
  order: 'submitted',
  columns: [
    {
      key: 'title',
      label: 'Title',
      sort: 'title',
      cell: ({ id, title }) => (
        <a className="link" href={`/admin/prompts/${id}`}>
          {title}
        </a>
      ),
      csv: ({ title }) => title,
    },
    timeColumn('submitted', 'Submitted (UTC)', 'changed_at'),
    plainColumn('category', 'Category', ({ category }) => category, { wideOnly: true }),
    plainColumn('state', 'State', ({ state }) => state),
    figureColumn('reports', 'Reports', 'reports', ({ reports }) => reports),
    personColumn,
  ],
  filters: [
    {
      name: 'state',
      label: 'State',
      initial: 'pending',
      options: [
        ['pending', 'Waiting for review'],
        ['reported', 'Reported'],
        ['approved', 'Published'],
        ['rejected', 'Rejected'],
        ['withdrawn', 'Unpublished'],
      ],
      where: (state) =>
        state === 'reported' ? sql`t.reports > 0 and t.state = 'approved'` : sql`t.state = ${state}`,
    },
  ],
  search: {
    hint: 'Title or email',
    where: (_, pattern) => sql`(t.title ilike ${pattern} or t.email ilike ${pattern})`,
  },
  empty: 'No prompts found.',
};
