import type { Database } from '#platform/database/database.server.ts';
import { type Statement, sql } from '#platform/database/sql.server.ts';

export interface CostRow {
  name: string;
  runs: number;
  calls: number;
  prompt_tokens: number;
  completion_tokens: number;
  credits: number;
  /** Millionths of a US dollar. */
  micros: number;
  estimated_micros: number;
  unpriced: number;
}

/** Rows of a table. */
const MOST = 100;

const since = (days: number): Statement =>
  sql`(((app_now() at time zone 'UTC')::date - ${days - 1}::int)::timestamp at time zone 'UTC')`;

export interface Costs {
  tools: CostRow[];
  models: CostRow[];
  /** The plans that people have now. */
  plans: CostRow[];
}

/**
 * In one pass over the runs and the calls of the period, for any of which a look of its own would take longer than all.
 * A run whose calls went to two models is counted with each; its credits, and the run of a tool and a plan, with the first.
 */
export async function costsOf(db: Database, days: number): Promise<Costs> {
  const rows = await db.rows<CostRow & { by: 'tool' | 'model' | 'plan' }>(sql`
    with used as materialized (
      select generation_id, model, count(*)::int as calls, sum(prompt_tokens) as prompt_tokens,
             sum(completion_tokens) as completion_tokens, sum(cost_micros) as micros,
             sum(cost_micros) filter (where cost_estimated) as estimated_micros,
             count(*) filter (where cost_micros is null) as unpriced, min(started_at) as begun
        from gateway_calls where started_at >= ${since(days)} group by 1, 2),
    mixed as (select generation_id, (array_agg(model order by begun, model))[1] as first from used group by 1 having count(*) > 1),
    run as (
      select g.feature, u.plan, coalesce(c.model, 'without a call') as model, c.calls, c.prompt_tokens,
             c.completion_tokens, c.micros, c.estimated_micros, c.unpriced, g.credits_charged,
             m.first is null or c.model = m.first as first
        from generations g join users u on u.id = g.user_id
        left join used c on c.generation_id = g.id left join mixed m on m.generation_id = g.id
       where g.created_at >= ${since(days)})
    select case when grouping(feature) = 0 then 'tool' when grouping(plan) = 0 then 'plan' else 'model' end as by,
           coalesce(feature, plan, model) as name,
           (case when grouping(model) = 0 then count(*) else count(*) filter (where first) end)::int as runs, coalesce(sum(calls), 0)::int as calls,
           coalesce(sum(prompt_tokens), 0)::bigint as prompt_tokens,
           coalesce(sum(completion_tokens), 0)::bigint as completion_tokens,
           coalesce(sum(credits_charged) filter (where first), 0)::int as credits, coalesce(sum(micros), 0)::bigint as micros,
           coalesce(sum(estimated_micros), 0)::bigint as estimated_micros, coalesce(sum(unpriced), 0)::int as unpriced
      from run group by grouping sets ((feature), (plan), (model)) order by micros desc, 2`);
  const of = (by: (typeof rows)[number]['by']) => rows.filter((row) => row.by === by).slice(0, MOST);
  return { tools: of('tool'), models: of('model'), plans: of('plan') };
}

export interface CostDay {
  day: string;
  micros: number;
}

export const costsByDay = (db: Database, days: number): Promise<CostDay[]> =>
  db.rows(sql`
    select d.day::date::text as day, coalesce(c.micros, 0)::bigint as micros
      from generate_series(${since(days)}, app_now(), interval '1 day') d(day)
      left join (select (started_at at time zone 'UTC')::date as day, sum(cost_micros) as micros
                   from gateway_calls where started_at >= ${since(days)} group by 1) c on c.day = d.day::date
     order by 1`);

export const peopleRows = (days: number): Statement => sql`
    select u.id, u.email, u.plan, coalesce(w.runs, 0) as runs, coalesce(w.credits, 0) as credits,
           round(coalesce(w.micros, 0) / 1e6, 6) as cost, round(coalesce(p.cents, 0) / 100.0, 2) as paid,
           round(coalesce(p.cents, 0) / 100.0 - coalesce(w.micros, 0) / 1e6, 6) as left_over, p.others
      from users u
      left join (select g.user_id, count(*)::int as runs, sum(g.credits_charged)::int as credits, sum(c.micros) as micros
                   from generations g
                   left join (select generation_id, sum(cost_micros) as micros from gateway_calls
                               where started_at >= ${since(days)} group by 1) c on c.generation_id = g.id
                  where g.created_at >= ${since(days)} group by 1) w on w.user_id = u.id
      left join (select user_id, sum(amount_cents - refunded_cents) filter (where currency = 'USD') as cents,
                        string_agg(distinct currency, ', ') filter (where currency <> 'USD') as others
                   from payments where paid_at >= ${since(days)} group by 1) p on p.user_id = u.id
     where w.user_id is not null or p.user_id is not null`;
