import type { Database } from '#platform/database/database.server.ts';
import { raw, type Statement, sql } from '#platform/database/sql.server.ts';

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

const since = (days: number): Statement =>
  sql`(((app_now() at time zone 'UTC')::date - ${days - 1}::int)::timestamp at time zone 'UTC')`;

/** A run whose calls went to two models is counted with each; its credits with the first. */
function costsBy(db: Database, days: number, name: string): Promise<CostRow[]> {
  return db.rows(sql`
    select ${raw(name)} as name, count(distinct g.id)::int as runs, count(c.id)::int as calls,
           coalesce(sum(c.prompt_tokens), 0)::bigint as prompt_tokens,
           coalesce(sum(c.completion_tokens), 0)::bigint as completion_tokens,
           coalesce(sum(g.credits_charged) filter (where c.id is null or c.first), 0)::int as credits,
           coalesce(sum(c.cost_micros), 0)::bigint as micros,
           coalesce(sum(c.cost_micros) filter (where c.cost_estimated), 0)::bigint as estimated_micros,
           count(*) filter (where c.id is not null and c.cost_micros is null)::int as unpriced
      from generations g join users u on u.id = g.user_id
      left join lateral (
        select k.*, row_number() over (order by k.started_at, k.id) = 1 as first
          from gateway_calls k where k.generation_id = g.id) c on true
     where g.created_at >= ${since(days)} group by 1 order by micros desc, 1 limit 100`);
}

export const costsByTool = (db: Database, days: number) => costsBy(db, days, 'g.feature');
export const costsByModel = (db: Database, days: number) =>
  costsBy(db, days, "coalesce(c.model, 'without a call')");
/** The plan that the person has now. */
export const costsByPlan = (db: Database, days: number) => costsBy(db, days, 'u.plan');

export interface CostDay {
  day: string;
  micros: number;
}

export const costsByDay = (db: Database, days: number): Promise<CostDay[]> =>
  db.rows(sql`
    select d.day::date::text as day, coalesce(sum(c.cost_micros), 0)::bigint as micros
      from generate_series(${since(days)}, app_now(), interval '1 day') d(day)
      left join gateway_calls c on c.started_at >= d.day and c.started_at < d.day + interval '1 day'
     group by 1 order by 1`);

export const peopleRows = (days: number): Statement => sql`
    select u.id, u.email, u.plan, coalesce(w.runs, 0) as runs, coalesce(w.credits, 0) as credits,
           round(coalesce(w.micros, 0) / 1e6, 6) as cost, round(coalesce(p.cents, 0) / 100.0, 2) as paid,
           round(coalesce(p.cents, 0) / 100.0 - coalesce(w.micros, 0) / 1e6, 6) as left_over, p.others
      from users u
      left join (select g.user_id, count(*)::int as runs, sum(g.credits_charged)::int as credits,
                        sum((select sum(c.cost_micros) from gateway_calls c where c.generation_id = g.id)) as micros
                   from generations g where g.created_at >= ${since(days)} group by 1) w on w.user_id = u.id
      left join (select user_id, sum(amount_cents - refunded_cents) filter (where currency = 'USD') as cents,
                        string_agg(distinct currency, ', ') filter (where currency <> 'USD') as others
                   from payments where paid_at >= ${since(days)} group by 1) p on p.user_id = u.id
     where w.user_id is not null or p.user_id is not null`;
