import type { Database } from '#platform/database/database.server.ts';
import { raw, sql } from '#platform/database/sql.server.ts';
import type { Feature } from '../contract.ts';
import type { StoredReason } from './entry-reason.server.ts';
import type { EntryName, LedgerEntry, LedgerItem } from './ledger-contract.ts';

export interface EntryRow
  extends Pick<LedgerEntry, 'id' | 'kind' | 'feature' | 'delta' | 'balance'>,
    StoredReason {
  created_at: Date;
  entry: EntryName;
  failed: boolean;
  item_kind: LedgerItem['kind'] | null;
  item_id: string | null;
  item_title: string | null;
}

interface EntryQuery {
  userId: string;
  before: number | null;
  balance: number | null;
  entries: readonly EntryName[] | null;
  features: readonly Feature[] | null;
  limit: number;
}

const entryName = raw(`case
  when l.kind = 'hold' and g.finished_at is null then 'pending'
  when l.kind = 'hold' then case when l.delta < 0 then 'used' else 'included' end
  when l.kind in ('settle', 'release', 'refund') then 'refunded'
  when l.grant_id is not null then 'taken_back'
  when l.kind = 'adjust' then 'adjusted'
  when l.source = 'purchase' then 'purchased'
  when l.source in ('payment', 'payment_refund') then 'plan'
  else 'granted' end`);

/** What a run made, unless its owner has deleted it. */
const itemQuery = raw(`
  select 'chat' as kind, s.id, s.title from chat_messages m join chat_sessions s on s.id = m.session_id
   where m.generation_id = p.generation_id and s.deleted_at is null and not s.temporary
  union all
  select w.feature, w.id, w.title from work_versions v join works w on w.id = v.work_id
   where v.generation_id = p.generation_id and w.deleted_at is null
  union all
  select w.feature, w.id, w.title from work_proposals v join works w on w.id = v.work_id
   where v.generation_id = p.generation_id and w.deleted_at is null
  union all
  select 'image', j.id, left(j.prompt, 120) from image_jobs j where j.id = p.generation_id and j.deleted_at is null
  union all
  select 'pdf', d.id, d.name from document_runs r join documents d on d.id = r.document_id
   where r.generation_id = p.generation_id and d.deleted_at is null
  limit 1`);

/** Computes the balance after each entry backwards from the current balance, so that the newest page reads few rows. */
export function entryRows(db: Database, query: EntryQuery): Promise<EntryRow[]> {
  const { userId, before, balance, entries, features, limit } = query;
  return db.rows<EntryRow>(sql`
    with start as (
      select coalesce(${balance}::int, (u.credits - coalesce((select sum(n.delta) from credit_ledger n
                        where n.user_id = u.id and n.id >= ${before}::bigint), 0))::int) as balance
        from users u where u.id = ${userId}),
    page as (
      select l.id, l.kind, l.delta, l.created_at, l.generation_id, g.feature, ${entryName} as entry,
             l.source, l.cause, case when l.generation_id is null then l.reason else '' end as reason,
             coalesce(g.state in ('failed', 'interrupted'), false) as failed
        from credit_ledger l left join generations g on g.id = l.generation_id
       where l.user_id = ${userId} and (${before}::bigint is null or l.id < ${before}::bigint)
         and (l.delta <> 0 or l.kind not in ('settle', 'release', 'refund'))
         and coalesce(g.counted, true)
         and (${entries}::text[] is null or ${entryName} = any(${entries}::text[]))
         and (${features}::text[] is null or g.feature = any(${features}::text[]))
       order by l.id desc limit ${limit}),
    span as (
      select s.id, sum(s.delta) over (order by s.id desc) - s.delta as newer from credit_ledger s
       where s.user_id = ${userId} and (${before}::bigint is null or s.id < ${before}::bigint)
         and s.id >= (select min(id) from page))
    select p.id, p.kind, p.delta, p.created_at, p.feature, p.entry, p.source, p.cause, p.reason, p.failed,
           (start.balance - span.newer)::int as balance, i.kind as item_kind, i.id as item_id, i.title as item_title
      from page p join span on span.id = p.id cross join start left join lateral (${itemQuery}) i on true
     order by p.id desc`);
}

export interface WorkOfRun {
  feature: Feature;
  kind: Feature;
  id: string;
  title: string;
  failed: boolean;
  /** Since the run's end. */
  seconds: number;
}

/**
 * Finds the work of a run that ended in the last `minutes` and was not started through the API.
 * @returns null for any other run, and if nothing shows what it made.
 */
export function findWorkOfRun(
  db: Database,
  generationId: string,
  minutes: number,
): Promise<WorkOfRun | null> {
  return db.row(sql`
    select g.feature, i.kind, i.id, i.title, g.state in ('failed', 'interrupted') as failed,
           extract(epoch from app_now() - g.finished_at)::int as seconds
      from (select ${generationId}::uuid as generation_id) p
      join generations g on g.id = p.generation_id and g.state in ('done', 'failed', 'interrupted')
                        and g.finished_at > app_now() - ${minutes}::int * interval '1 minute'
      cross join lateral (${itemQuery}) i
     where not exists (select from api_key_runs k where k.generation_id = g.id)`);
}

interface UsageRow {
  feature: Feature;
  /** 0 is the oldest day. */
  day: number;
  runs: number;
  credits: number;
}

/** `from` and `to` are days, as 2026-11-30; an open run counts with the credits that it holds. */
export async function usageOfDays(
  db: Database,
  userId: string,
  days: number,
): Promise<{ from: string; to: string; rows: UsageRow[] }> {
  const rows = await db.rows<{ from: string; to: string } & (UsageRow | { feature: null })>(sql`
    with first as (select (app_day() at time zone 'UTC')::date - ${days - 1}::int as day),
    used as (
      select feature, day, runs, credits from usage_days
       where user_id = ${userId} and day >= (select day from first)
      union all
      select feature, (created_at at time zone 'UTC')::date, 1, price from generations
       where user_id = ${userId} and counted and state in ('queued', 'running')
         and created_at >= (select day from first)::timestamp at time zone 'UTC'),
    sums as (
      select feature, day - (select day from first) as day, sum(runs)::int as runs, sum(credits)::int as credits
        from used where runs > 0 group by 1, 2)
    select to_char(first.day, 'YYYY-MM-DD') as "from", to_char(first.day + ${days - 1}::int, 'YYYY-MM-DD') as "to", sums.*
      from first left join sums on true`);
  const [row] = rows;
  if (!row) throw new Error('The database returned no day.');
  return { from: row.from, to: row.to, rows: rows.filter((each) => each.feature !== null) };
}
