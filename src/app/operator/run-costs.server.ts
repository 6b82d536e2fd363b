import { type Database, transaction } from '#platform/database/database.server.ts';
import { insertInstanceValue } from '#platform/database/instance-values.server.ts';
import { raw, type Statement, sql } from '#platform/database/sql.server.ts';

/** Far longer than a run takes with all its retries. */
const CLOSED_AFTER_DAYS = 2;
/** Stores the first UTC day that is not yet summed. */
const SUMMED_UNTIL = 'costs-summed-until';

const names = [
  ...['calls', 'prompt_tokens', 'completion_tokens', 'credits'],
  ...['micros', 'estimated_micros', 'unpriced'],
];
const figures = raw(names.join(', '));
export const summedFigures = raw(
  names.map((name) => `coalesce(sum(${name}), 0)::bigint as ${name}`).join(', '),
);

const today = sql`(app_now() at time zone 'UTC')::date`;
const midnight = (day: Statement): Statement => sql`((${day})::timestamp at time zone 'UTC')`;

/**
 * Selects one row for each model that a run called ('' without a call), for runs created on these UTC days, `to`
 * exclusive. A run's credits are only in its row with `is_first`.
 */
const runCosts = (from: Statement, to: Statement): Statement => sql`
  select made.day, made.user_id, made.feature, coalesce(model, '') as model, coalesce(is_first, true) as is_first,
         case when coalesce(is_first, true) then credits_charged else 0 end as credits,
         calls, prompt_tokens, completion_tokens, micros, estimated_micros, unpriced
    from (select id, user_id, feature, credits_charged, (created_at at time zone 'UTC')::date as day
            from generations where created_at >= ${midnight(from)} and created_at < ${midnight(to)}) made
    left join (
      select c.generation_id, c.model, count(*) as calls, sum(c.prompt_tokens) as prompt_tokens,
             sum(c.completion_tokens) as completion_tokens, sum(c.cost_micros) as micros,
             sum(c.cost_micros) filter (where c.cost_estimated) as estimated_micros,
             count(*) filter (where c.cost_micros is null) as unpriced,
             row_number() over (partition by c.generation_id order by min(c.started_at), c.model) = 1 as is_first
        from gateway_calls c join generations g on g.id = c.generation_id
       where g.created_at >= ${midnight(from)} and g.created_at < ${midnight(to)} group by 1, 2) used
      on used.generation_id = made.id`;

const byModel = (costs: Statement): Statement => sql`
  select day, feature, model, count(*) as runs, count(*) filter (where is_first) as first_runs, ${summedFigures}
    from (${costs}) costs group by day, feature, model`;

const byPerson = (costs: Statement): Statement => sql`
  select day, user_id, count(*) filter (where is_first) as runs, ${summedFigures}
    from (${costs}) costs group by day, user_id`;

interface Period {
  /** UTC days, as YYYY-MM-DD. */
  from: string;
  /** First day whose costs are computed from its runs; earlier days are already summed. */
  open: string;
}

/** Returns the last `days` UTC days, including today. */
export async function costPeriod(db: Database, days: number): Promise<Period> {
  const row = await db.row<Period>(sql`
    select from_day::text as from, greatest(from_day, (select value from instance_values where key = ${SUMMED_UNTIL})::date)::text as open
      from (select ${today} - ${days - 1}::int as from_day) period`);
  if (!row) throw new Error('No period of costs.');
  return row;
}

const costsSince = (open: string) => runCosts(sql`${open}::date`, sql`'infinity'::date`);

/** Selects costs for each day, tool and model, in the columns of `cost_days`. */
export const modelCosts = ({ from, open }: Period): Statement => sql`
  select day, feature, model, runs, first_runs, ${figures} from cost_days where day >= ${from}::date and day < ${open}::date
  union all ${byModel(costsSince(open))}`;

/** Selects costs for each person, several rows each: sums of whole months, and of the days before and after them. */
export const personCosts = ({ from, open }: Period): Statement => {
  const firstMonth = sql`date_trunc('month', ${from}::date + interval '1 month' - interval '1 day')::date`;
  const openMonth = sql`date_trunc('month', ${open}::date)::date`;
  return sql`
    select user_id, runs, ${figures} from person_cost_days
     where day >= ${from}::date and day < least(${firstMonth}, ${open}::date)
    union all
    select user_id, runs, ${figures} from person_cost_months where month >= ${firstMonth} and month < ${openMonth}
    union all
    select user_id, runs, ${figures} from person_cost_days
     where day >= greatest(${firstMonth}, ${openMonth}) and day < ${open}::date
    union all
    select user_id, runs, ${figures} from (${byPerson(costsSince(open))}) since`;
};

async function sumNextDay(tx: Database): Promise<boolean> {
  // Locked before the conditions are read: a statement that waits for the lock would still see the runs of before its
  // wait, and PostgreSQL would take `not exists` as true for the day that the lock's last holder stored.
  await tx.run(sql`select 1 from instance_values where key = ${SUMMED_UNTIL} for update`);
  const next = await tx.row<{ day: string }>(sql`
    select value as day from instance_values where key = ${SUMMED_UNTIL}
       and value::date < ${today} - ${CLOSED_AFTER_DAYS}::int
       and not exists (select 1 from generations where state in ('queued', 'running')
                         and created_at < ${midnight(sql`value::date + 1`)})`);
  if (!next) return false;
  const day = sql`${next.day}::date`;
  const costs = runCosts(day, sql`${day} + 1`);
  await tx.run(
    sql`insert into cost_days (day, feature, model, runs, first_runs, ${figures}) ${byModel(costs)}`,
  );
  await tx.run(sql`insert into person_cost_days (day, user_id, runs, ${figures}) ${byPerson(costs)}`);
  await tx.run(sql`
    insert into person_cost_months (month, user_id, runs, ${figures})
    select date_trunc('month', ${day})::date, user_id, sum(runs), ${summedFigures} from person_cost_days
     where ${day} = date_trunc('month', ${day}) + interval '1 month' - interval '1 day'
       and day between date_trunc('month', ${day}) and ${day} group by user_id`);
  await tx.run(sql`
    update instance_values set value = (${day} + 1)::text where key = ${SUMMED_UNTIL}`);
  return true;
}

/** Sums the days, one transaction each, up to the first day whose runs can still change. */
export async function sumClosedDays(db: Database): Promise<void> {
  const first = await db.row<{ day: string }>(sql`
    select coalesce((min(created_at) at time zone 'UTC')::date, ${today})::text as day from generations`);
  await insertInstanceValue(db, SUMMED_UNTIL, first?.day ?? '');
  while (await transaction(sumNextDay));
}
