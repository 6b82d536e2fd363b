import type { Database } from '#platform/database/database.server.ts';
import { type Statement, sql } from '#platform/database/sql.server.ts';

/** Figures of one UTC day. Credits are those charged by finished runs or held by running ones. */
export interface DayFigures {
  day: string;
  accounts: number;
  runs: number;
  credits: number;
  started: number;
  ended: number;
}

export interface ToolFigures {
  feature: string;
  runs: number;
  done: number;
  failed: number;
  credits: number;
  /** Cost of the model calls in millionths of a US dollar, and the part not reported by the gateway. */
  cost_micros: number;
  estimated_micros: number;
  unpriced: number;
}

/** Payments by the day they were paid, including those refunded since. */
export interface RevenueFigures {
  day: string;
  currency: string;
  payments: number;
  cents: number;
  refunded_cents: number;
}

const today = sql`(app_now() at time zone 'UTC')::date`;

const dayOf = (time: Statement) => sql`(${time} at time zone 'UTC')::date`;
const isRecent = (time: Statement, days: number) =>
  sql`${time} >= (${today} - ${days - 1}::int)::timestamp at time zone 'UTC'`;

/** A plan counts as started when a person's plan leaves free, and as ended when it returns to free. */
export function figuresByDay(db: Database, days: number): Promise<DayFigures[]> {
  const created = sql`created_at`;
  return db.rows(sql`
    with days as (select d::date as day from generate_series(${today} - ${days - 1}::int, ${today}, interval '1 day') d),
    made as (select ${dayOf(created)} as day, count(*)::int as accounts from users where ${isRecent(created, days)} group by 1),
    work as (select ${dayOf(created)} as day, count(*)::int as runs,
                    sum(case when finished_at is null then price else credits_charged end)::int as credits
               from generations where counted and ${isRecent(created, days)} group by 1),
    plans as (select ${dayOf(created)} as day, count(*) filter (where from_plan = 'free')::int as started,
                     count(*) filter (where to_plan = 'free')::int as ended
                from plan_changes where ${isRecent(created, days)} group by 1)
    select days.day::text as day, coalesce(accounts, 0) as accounts, coalesce(runs, 0) as runs,
           coalesce(credits, 0) as credits, coalesce(started, 0) as started, coalesce(ended, 0) as ended
      from days left join made using (day) left join work using (day) left join plans using (day) order by 1`);
}

/** Excludes chat titles; `failed` includes interrupted runs. */
export function figuresByTool(db: Database, days: number): Promise<ToolFigures[]> {
  return db.rows(sql`
    with runs as (select * from generations where counted and ${isRecent(sql`created_at`, days)}),
    costs as (select r.feature, sum(c.cost_micros)::bigint as micros,
                     sum(c.cost_micros) filter (where c.cost_estimated)::bigint as estimated,
                     count(*) filter (where c.cost_micros is null)::int as unpriced
                from gateway_calls c join runs r on r.id = c.generation_id group by 1)
    select feature, count(*)::int as runs, count(*) filter (where state = 'done')::int as done,
           count(*) filter (where state in ('failed', 'interrupted'))::int as failed,
           sum(case when finished_at is null then price else credits_charged end)::int as credits,
           coalesce(max(micros), 0)::bigint as cost_micros, coalesce(max(estimated), 0)::bigint as estimated_micros,
           coalesce(max(unpriced), 0)::int as unpriced
      from runs left join costs using (feature) group by feature order by 2 desc, 1`);
}

export function revenueByDay(db: Database, days: number): Promise<RevenueFigures[]> {
  const paid = sql`paid_at`;
  return db.rows(sql`
    select ${dayOf(paid)}::text as day, currency, count(*)::int as payments, sum(amount_cents)::bigint as cents,
           sum(refunded_cents)::bigint as refunded_cents
      from payments where ${isRecent(paid, days)} group by 1, 2 order by 1, 2`);
}
