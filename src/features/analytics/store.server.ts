import { asyncCommitDatabase, database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import type { ViewDimension } from './contract.ts';

/** After `maxReferrers` hosts a day, new ones count as `(others)`. */
export async function addView(
  view: ReadonlyArray<{ fact: ViewDimension; value: string }>,
  maxReferrers: number,
): Promise<void> {
  // In a fixed order, so that two views cannot deadlock.
  await asyncCommitDatabase().run(sql`
    with today as (select (app_now() at time zone 'UTC')::date as day),
    seen as (
      select t.day, v.fact,
             case when v.fact = 'referrer'
                   and not exists (select 1 from page_counts p where p.day = t.day and p.fact = v.fact and p.value = v.value)
                   and (select count(*) from page_counts p where p.day = t.day and p.fact = v.fact) >= ${maxReferrers}::int
                  then '(others)' else v.value end as value
        from unnest(${view.map(({ fact }) => fact)}::text[], ${view.map(({ value }) => value)}::text[]) as v(fact, value), today t)
    insert into page_counts as c (day, fact, value, views)
    select day, fact, value, 1 from seen order by day, fact, value
    on conflict (day, fact, value) do update set views = c.views + 1`);
}

export async function isReferrerCountedToday(host: string): Promise<boolean> {
  const row = await asyncCommitDatabase().row(sql`
    select 1 from page_counts where day = (app_now() at time zone 'UTC')::date and fact = 'referrer' and value = ${host}`);
  return row !== null;
}

export function viewSums(
  fact: ViewDimension,
  days: number,
): Promise<Array<{ value: string; views: number }>> {
  return database().rows(sql`
    select value, sum(views)::bigint as views from page_counts
     where fact = ${fact} and day > (app_now() at time zone 'UTC')::date - ${days}::int
     group by value order by 2 desc, 1`);
}

export function viewsByDay(days: number): Promise<Array<{ day: string; views: number }>> {
  return database().rows(sql`
    select day::text as day, sum(views)::bigint as views from page_counts
     where fact = 'page' and day > (app_now() at time zone 'UTC')::date - ${days}::int
     group by day`);
}

export function deleteViewsBefore(months: number): Promise<number> {
  return database().run(sql`
    delete from page_counts where day < ((app_now() at time zone 'UTC')::date - ${months}::int * interval '1 month')`);
}
