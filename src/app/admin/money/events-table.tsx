import { sql } from '#platform/database/sql.server.ts';
import { Button } from '#ui/button.tsx';
import { PressField } from '../action-form.tsx';
import type { AdminTable } from '../table/admin-table.ts';
import { figureColumn, personColumn, plainColumn, timeColumn } from '../table/columns.tsx';

interface EventRow {
  id: number;
  event_id: string;
  type: string;
  outcome: string;
  reason: string;
  attempts: number;
  user_id: string | null;
  email: string | null;
  created_at: Date;
  has_payload: boolean;
}

function ReplayForm({ event_id, has_payload }: EventRow) {
  if (!has_payload) return null;
  return (
    <form method="post" action="/admin/events/replay">
      <PressField />
      <input type="hidden" name="event" value={event_id} />
      <Button type="submit" aria-label={`Replay ${event_id}`}>
        Replay
      </Button>
    </form>
  );
}

export const eventsTable: AdminTable<EventRow> = {
  name: 'Webhook events',
  path: '/admin/events',
  rows: sql`
    select e.id, e.event_id, e.type, e.outcome, e.reason, e.attempts, e.user_id, u.email, e.created_at,
           e.payload is not null and e.reason <> 'duplicate' as has_payload
      from billing_events e left join users u on u.id = e.user_id`,
  id: { column: 'id', type: 'bigint' },
  order: '-came',
  columns: [
    timeColumn('came', 'Received (UTC)', 'created_at'),
    plainColumn('type', 'Type', ({ type }) => type, { sort: 'type' }),
    plainColumn(
      'outcome',
      'Outcome',
      ({ outcome, reason }) => (reason ? `${outcome} (${reason})` : outcome),
      { sort: 'outcome' },
    ),
    figureColumn('tries', 'Attempts', 'attempts', ({ attempts }) => attempts, { wideOnly: true }),
    personColumn,
    plainColumn('event', 'Event', ({ event_id }) => event_id, { wideOnly: true }),
    { key: 'act', label: 'Action', cell: ReplayForm, csv: () => null },
  ],
  filters: [
    {
      name: 'outcome',
      label: 'Outcome',
      options: [
        ['received', 'Waiting'],
        ['applied', 'Applied'],
        ['ignored', 'Ignored'],
        ['failed', 'Failed'],
      ],
      where: (outcome) => sql`t.outcome = ${outcome}`,
    },
  ],
  search: {
    hint: 'Event, type or email',
    where: (text, pattern) =>
      sql`(t.event_id = ${text} or t.type ilike ${pattern} or t.email ilike ${pattern})`,
  },
  empty: 'No events.',
};
