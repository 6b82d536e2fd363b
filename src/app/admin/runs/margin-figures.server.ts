import type { Database } from '#platform/database/database.server.ts';
import { type Statement, sql } from '#platform/database/sql.server.ts';
import { costPeriod, modelCosts, personCosts, summedFigures } from '../../operator/run-costs.server.ts';

export interface CostRow {
  name: string;
  runs: number;
  calls: number;
  prompt_tokens: number;
  completion_tokens: number;
  credits: number;
  /** Cost in millionths of a US dollar. */
  micros: number;
  estimated_micros: number;
  unpriced: number;
}

/** Maximum number of rows in a table. */
const MAX_ROWS = 100;

export interface Costs {
  tools: CostRow[];
  models: CostRow[];
  /** By the current plans of the users. */
  plans: CostRow[];
  /** By the day on which the run started, without gaps. */
  days: Array<{ day: string; micros: number }>;
}

/**
 * Returns the costs of the last `days` days. A run with calls to two models counts as a run of each model, but its
 * credits count only for the first one. By tool and plan, each run counts once.
 */
export async function readCosts(db: Database, days: number): Promise<Costs> {
  const period = await costPeriod(db, days);
  const [rows, plans] = await Promise.all([
    db.rows<CostRow & { by: 'tool' | 'model' | 'day' }>(sql`
      select case when grouping(feature) = 0 then 'tool' when grouping(day) = 0 then 'day' else 'model' end as by,
             coalesce(feature, day::text, nullif(model, ''), 'without a call') as name,
             coalesce(case when grouping(model) = 0 then sum(runs) else sum(first_runs) end, 0)::int as runs, ${summedFigures}
        from (${modelCosts(period)}
              union all select d::date, null, null, 0, 0, 0, 0, 0, 0, 0, 0, 0
                from generate_series(${period.from}::timestamp, app_now() at time zone 'UTC', interval '1 day') d) costs
       group by grouping sets ((feature), (day), (model)) having grouping(day) = 0 or coalesce(feature, model) is not null
       order by micros desc, 2`),
    db.rows<CostRow>(sql`
      select plan as name, sum(runs)::int as runs, ${summedFigures}
        from (${personCosts(period)}) costs join (select id, plan from users) u on u.id = costs.user_id group by 1 order by micros desc, 1`),
  ]);
  const rowsBy = (by: (typeof rows)[number]['by']) => rows.filter((row) => row.by === by);
  return {
    tools: rowsBy('tool').slice(0, MAX_ROWS),
    models: rowsBy('model').slice(0, MAX_ROWS),
    plans,
    days: rowsBy('day')
      .map(({ name, micros }) => ({ day: name, micros }))
      .sort((one, other) => one.day.localeCompare(other.day)),
  };
}

export async function peopleRows(db: Database, days: number): Promise<Statement> {
  const period = await costPeriod(db, days);
  return sql`
    select u.id, u.email, u.plan, coalesce(w.runs, 0) as runs, coalesce(w.credits, 0) as credits,
           round(coalesce(w.micros, 0) / 1e6, 6) as cost, round(coalesce(p.cents, 0) / 100.0, 2) as paid,
           round(coalesce(p.cents, 0) / 100.0 - coalesce(w.micros, 0) / 1e6, 6) as left_over, p.others
      from users u
      left join (select user_id, sum(runs)::int as runs, sum(credits)::int as credits, sum(micros) as micros
                   from (${personCosts(period)}) costs group by 1) w on w.user_id = u.id
      left join (select user_id, sum(amount_cents - refunded_cents) filter (where currency = 'USD') as cents,
                        string_agg(distinct currency, ', ') filter (where currency <> 'USD') as others
                   from payments where paid_at >= (${period.from}::timestamp at time zone 'UTC') group by 1) p on p.user_id = u.id
     where w.user_id is not null or p.user_id is not null`;
}
