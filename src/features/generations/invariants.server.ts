import { sql } from '#platform/database/sql.server.ts';
import type { Invariant } from '#platform/feature-module.server.ts';
import { ofRuns } from './invariants-of-runs.server.ts';

export const generationsInvariants: readonly Invariant[] = [
  {
    id: 'I4',
    description: 'a generation has one hold, and one closing entry exactly when it has ended',
    ...ofRuns(
      (runs) => sql`select g.id, g.state, count(*) filter (where l.kind = 'hold')::int as holds,
          count(*) filter (where l.kind in ('settle', 'release', 'refund'))::int as closings
        from ${runs} g left join credit_ledger l on l.generation_id = g.id group by g.id, g.state, g.finished_at
        having count(*) filter (where l.kind = 'hold') <> 1
            or count(*) filter (where l.kind in ('settle', 'release', 'refund')) <> (g.finished_at is not null)::int`,
    ),
  },
  {
    id: 'I5',
    description: 'a finished generation is settled',
    ...ofRuns(
      (runs) => sql`select g.id from ${runs} g where g.state = 'done'
        and not exists (select 1 from credit_ledger l where l.generation_id = g.id and l.kind = 'settle')`,
    ),
  },
  {
    id: 'I6',
    description: 'everything settled has a stored result, and no hold stays open beyond the longest run',
    ...ofRuns(
      (runs) => sql`select g.id, g.state from ${runs} g where
          (g.text is null and g.result is null and exists (select 1 from credit_ledger l where l.generation_id = g.id and l.kind = 'settle'))
          or (g.finished_at is null and g.created_at < app_now() - interval '40 minutes')`,
    ),
  },
  {
    id: 'I7',
    description: 'no generation runs under an expired lease (beyond the time of one sweep)',
    violations: sql`select g.id, g.owner from generations g left join engine_leases l on l.owner = g.owner
      where g.state in ('queued', 'running') and g.created_at < app_now() - interval '15 seconds'
        and (l.owner is null or l.lease_until < app_now() - interval '15 seconds')`,
  },
  {
    id: 'I21',
    description: 'a run charged what the ledger says it charged, in whole units',
    ...ofRuns(
      (runs) => sql`select g.id, g.credits_charged, -sum(l.delta)::int as ledger from ${runs} g
        join credit_ledger l on l.generation_id = g.id where g.finished_at is not null
        group by g.id, g.credits_charged, g.units, g.price
        having g.credits_charged <> -sum(l.delta) or (g.credits_charged * g.units) % greatest(g.price, 1) <> 0`,
    ),
  },
];
