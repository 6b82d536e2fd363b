import { featureTable } from '#features/credits/contract.ts';
import { sql } from '#platform/database/sql.server.ts';
import type { AdminTable } from '../table/admin-table.ts';
import { figureColumn, personColumn, plainColumn, timeColumn } from '../table/columns.tsx';

interface RunRow {
  id: string;
  feature: string;
  state: string;
  user_id: string;
  email: string | null;
  created_at: Date;
  /** A decimal number as text, as PostgreSQL returns it. */
  seconds: string;
  credits_charged: number;
  error_code: string | null;
  error_message: string | null;
  finish_reason: string | null;
  models: string | null;
  outcomes: string | null;
}

/** Returns error codes and outcomes of model calls, without any text by the user. */
const failureReason = ({ error_code, error_message, finish_reason, outcomes }: RunRow) =>
  [
    error_code,
    /^[a-z_]+$/.test(error_message ?? '') && error_message,
    finish_reason === 'filtered' && 'filtered',
    outcomes,
  ]
    .filter(Boolean)
    .join(' · ');

const states: Record<string, ReturnType<typeof sql>> = {
  unwell: sql`t.state in ('failed', 'interrupted')`,
  declined: sql`(t.error_message = 'run_declined' or t.finish_reason = 'filtered')`,
  stopped: sql`t.state = 'stopped'`,
  done: sql`t.state = 'done'`,
  running: sql`t.state in ('queued', 'running')`,
};

export const runsTable: AdminTable<RunRow> = {
  name: 'Runs',
  path: '/admin/runs',
  rows: sql`
    select g.id, g.feature, g.state, g.user_id, u.email, g.created_at, g.credits_charged, g.error_code, g.error_message, g.finish_reason,
           round(extract(epoch from coalesce(g.finished_at, app_now()) - g.created_at)::numeric, 1) as seconds,
           (select string_agg(distinct c.model, ', ') from gateway_calls c where c.generation_id = g.id) as models,
           (select string_agg(distinct concat_ws(' ', c.outcome, c.http_status), ', ') from gateway_calls c
             where c.generation_id = g.id and c.outcome not in ('ok', 'done', 'unsent', 'open')) as outcomes
      from generations g join users u on u.id = g.user_id`,
  id: { column: 'id', type: 'uuid' },
  order: '-begun',
  columns: [
    timeColumn('begun', 'Started (UTC)', 'created_at'),
    plainColumn('tool', 'Tool', ({ feature }) => feature, { sort: 'feature' }),
    plainColumn('state', 'State', ({ state }) => state, { sort: 'state' }),
    plainColumn('why', 'Reason', failureReason),
    plainColumn('model', 'Model', ({ models }) => models, { wideOnly: true }),
    personColumn,
    figureColumn('seconds', 'Seconds', 'seconds', ({ seconds }) => Number(seconds), {
      wideOnly: true,
      cell: ({ seconds }) => seconds,
    }),
    figureColumn('credits', 'Credits', 'credits_charged', ({ credits_charged }) => credits_charged),
  ],
  filters: [
    {
      name: 'state',
      label: 'State',
      initial: 'unwell',
      options: [
        ['unwell', 'Failed or interrupted'],
        ['declined', 'Refused by the provider'],
        ['stopped', 'Stopped'],
        ['running', 'Running'],
        ['done', 'Done'],
      ],
      where: (state) => states[state] ?? sql`true`,
    },
    {
      name: 'tool',
      label: 'Tool',
      options: Object.keys(featureTable).map((feature) => [feature, feature] as const),
      where: (feature) => sql`t.feature = ${feature}`,
    },
  ],
  search: {
    hint: 'Email, run ID or error',
    where: (text, pattern) =>
      sql`(t.id::text = ${text} or t.email ilike ${pattern} or t.error_code = ${text} or t.error_message = ${text})`,
  },
  empty: 'No runs found.',
};
