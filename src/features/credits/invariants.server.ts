import { graceHours } from '#features/billing/contract.ts';
import { type Statement, sql } from '#platform/database/sql.server.ts';
import type { Invariant } from '#platform/feature-module.server.ts';
import { shippedFree } from './contract.ts';

/** Compares the daily sums with the ended runs. @param since first UTC day */
const usedByDay = (since: Statement): Statement => sql`
  select user_id, day, feature, sum(runs)::int as runs, sum(credits)::int as credits from (
      select user_id, day, feature, runs, credits from usage_days where day >= ${since}
      union all
      select user_id, (created_at at time zone 'UTC')::date, feature, -1, -credits_charged from generations
       where counted and finished_at is not null and created_at >= (${since})::timestamp at time zone 'UTC') compared
    group by 1, 2, 3 having sum(runs) <> 0 or sum(credits) <> 0`;

export const creditsInvariants: readonly Invariant[] = [
  {
    id: 'I1',
    description: 'a balance is the sum of its ledger',
    violations: sql`select u.id, u.credits, coalesce(sum(l.delta), 0)::int as ledger from users u
      left join credit_ledger l on l.user_id = u.id group by u.id having u.credits <> coalesce(sum(l.delta), 0)`,
  },
  {
    id: 'I2',
    description: 'no balance is negative',
    violations: sql`select id, credits from users where credits < 0`,
  },
  {
    id: 'I3',
    description: 'the ledger is append-only',
    violations: sql`select t.name as missing from (values ('credit_ledger_append_only'), ('credit_ledger_no_truncate')) as t(name)
      where not exists (select 1 from pg_trigger g where g.tgname = t.name and g.tgenabled <> 'D')`,
  },
  {
    id: 'I27',
    description: 'credits removed from a grant belong to the same person, and are never more than the grant',
    violations: sql`select g.id, g.delta, sum(t.delta)::int as taken from credit_ledger t join credit_ledger g on g.id = t.grant_id
      group by g.id having g.kind <> 'grant' or sum(t.delta) not between -g.delta and 0 or bool_or(t.user_id <> g.user_id)`,
  },
  {
    id: 'I12',
    description: 'one welcome grant per person, even after deletion',
    violations: sql`select l.user_id from credit_ledger l where l.source = 'welcome'
      and not exists (select 1 from welcome_grants w where w.user_id = l.user_id)`,
  },
  {
    id: 'I10',
    description: 'a person’s plan matches their current entitlement (beyond the time of one sweep)',
    violations: sql`select u.id, u.plan, e.plan as entitled from users u join entitlements e on e.user_id = u.id
      cross join lateral (select app_now() - interval '2 minutes' as since, app_now() as now) t
      where u.plan <> e.plan
        and not exists (select 1 from subscriptions s where s.user_id = u.id and s.access_until between t.since and t.now)
        and not exists (select 1 from plan_grants g where g.user_id = u.id
                          and (g.starts_at between t.since and t.now or g.ends_at between t.since and t.now))`,
  },
  {
    id: 'I18',
    description: 'a person on the free plan starts no more chats a day than the free plan has ever allowed',
    violations: sql`select s.user_id, date_trunc('day', s.created_at, 'UTC') as day, count(*)::int as chats from chat_sessions s
      join users u on u.id = s.user_id where u.plan = 'free' and not s.imported
        and not exists (select 1 from plan_grants g where g.user_id = u.id and g.starts_at < date_trunc('day', s.created_at, 'UTC') + interval '1 day'
                          and (g.ends_at is null or g.ends_at > date_trunc('day', s.created_at, 'UTC')))
        and not exists (select 1 from payments p where p.user_id = u.id and p.period_start < date_trunc('day', s.created_at, 'UTC') + interval '1 day'
                          and p.period_end + ${graceHours}::int * interval '1 hour' > date_trunc('day', s.created_at, 'UTC'))
      group by s.user_id, date_trunc('day', s.created_at, 'UTC') having count(*) > greatest(${shippedFree.chatsPerDay}, (
        select max((after #>> '{}')::int) from setting_changes
         where name = 'plan.free.chatsPerDay' and after::text ~ '^[0-9]{1,9}$'))`,
  },
  {
    id: 'I26',
    description: 'a person’s usage per day is the sum of the runs that ended',
    violations: usedByDay(sql`'-infinity'::date`),
    recent: usedByDay(sql`(app_now() at time zone 'UTC')::date - 2`),
  },
];
