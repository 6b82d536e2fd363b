import { sql } from '#platform/database/sql.server.ts';
import { Time, toIso } from '../cells.tsx';
import type { AdminTable } from '../table/admin-table.ts';
import { plainColumn, timeColumn } from '../table/columns.tsx';

interface MessageRow {
  id: string;
  reference: string;
  kind: string;
  email: string;
  message: string;
  created_at: Date;
  done_at: Date | null;
}

const PREVIEW_LENGTH = 90;

export const messagesTable: AdminTable<MessageRow> = {
  name: 'Messages',
  path: '/admin/messages',
  rows: sql`select id, reference, kind, email, message, created_at, done_at from contact_messages`,
  id: { column: 'reference', type: 'text' },
  order: '-came',
  columns: [
    {
      key: 'reference',
      label: 'Message',
      cell: ({ reference }) => (
        <a className="link whitespace-nowrap" href={`/admin/messages/${reference}`}>
          {reference}
        </a>
      ),
      csv: ({ reference }) => reference,
    },
    timeColumn('came', 'Received (UTC)', 'created_at'),
    plainColumn('kind', 'About', ({ kind }) => kind, { sort: 'kind' }),
    plainColumn('from', 'From', ({ email }) => email, { sort: 'email' }),
    {
      key: 'text',
      label: 'Preview',
      wideOnly: true,
      cell: ({ message }) => [...message.replace(/\s+/g, ' ')].slice(0, PREVIEW_LENGTH).join(''),
      csv: ({ message }) => message,
    },
    {
      key: 'answered',
      label: 'Answered',
      cell: ({ done_at }) => <Time at={done_at} />,
      csv: ({ done_at }) => toIso(done_at),
    },
  ],
  filters: [
    {
      name: 'state',
      label: 'State',
      initial: 'open',
      options: [
        ['open', 'Open'],
        ['done', 'Answered'],
      ],
      where: (state) => (state === 'open' ? sql`t.done_at is null` : sql`t.done_at is not null`),
    },
  ],
  search: {
    hint: 'Reference, email or words',
    where: (text, pattern) =>
      sql`(t.reference = ${text.toUpperCase()} or t.email ilike ${pattern} or t.message ilike ${pattern})`,
  },
  empty: 'No messages.',
};
