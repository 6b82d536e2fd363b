import { database, quickDatabase } from '../../platform/database/database.server.ts';
import { sql } from '../../platform/database/sql.server.ts';
import type { Fact } from './contract.ts';

/** Adds one to each fact of today. Past `mostReferrers` hosts a day, a new one counts as `(others)`. */
export async function addView(
  view: ReadonlyArray<{ fact: Fact; value: string }>,
  mostReferrers: number,
): Promise<void> {
  // In one order, so that two views never wait for each other.
  await quickDatabase().run(sql`
    with today as (select (app_now() at time zone 'UTC')::date as day),
    seen as (
      select t.day, v.fact,
             case when v.fact = 'referrer'
                   and not exists (select 1 from page_counts p where p.day = t.day and p.fact = v.fact and p.value = v.value)
                   and (select count(*) from page_counts p where p.day = t.day and p.fact = v.fact) >= ${mostReferrers}::int
                  then '(others)' else v.value end as value
        from unnest(${view.map(({ fact }) => fact)}::text[], ${view.map(({ value }) => value)}::text[]) as v(fact, value), today t)
    insert into page_counts as c (day, fact, value, views)
    select day, fact, value, 1 from seen order by day, fact, value
    on conflict (day, fact, value) do update set views = c.views + 1`);
}

/** Whether a host has a sum of today. */
export async function isNamedToday(host: string): Promise<boolean> {
  const named = await quickDatabase().row(sql`
    select 1 from page_counts where day = (app_now() at time zone 'UTC')::date and fact = 'referrer' and value = ${host}`);
  return named !== null;
}

/** Sums of the last `days` UTC days, today included, the most viewed first. */
export function sumsOf(fact: Fact, days: number): Promise<Array<{ value: string; views: number }>> {
  return database().rows(sql`
    select value, sum(views)::bigint as views from page_counts
     where fact = ${fact} and day > (app_now() at time zone 'UTC')::date - ${days}::int
     group by value order by 2 desc, 1`);
}

/** Views of each of these days that has any, by its ISO date. */
export function viewsByDay(days: number): Promise<Array<{ day: string; views: number }>> {
  return database().rows(sql`
    select day::text as day, sum(views)::bigint as views from page_counts
     where fact = 'page' and day > (app_now() at time zone 'UTC')::date - ${days}::int
     group by day`);
}

/** @returns the number of rows removed. */
export function removeBefore(months: number): Promise<number> {
  return database().run(sql`
    delete from page_counts where day < ((app_now() at time zone 'UTC')::date - ${months}::int * interval '1 month')`);
}
