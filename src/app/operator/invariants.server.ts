import type { Database } from '#platform/database/database.server.ts';
import { raw, sql } from '#platform/database/sql.server.ts';
import type { Invariant } from '#platform/feature-module.server.ts';
import { features } from '../features.ts';

/** Tables that keep rows of erased people: money and counts, or rows whose text is cleared (I14 checks those). */
const RETAINED_TABLES = [
  'billing_events',
  'billing_mails',
  'checkouts',
  'credit_ledger',
  'generations',
  'operator_actions',
  'payments',
  'person_cost_days',
  'person_cost_months',
  'plan_changes',
  'plan_grants',
  'purchased_credits',
  'subscriptions',
  'usage_days',
  'welcome_grants',
];

/** Finds the tables in PostgreSQL's catalog, so that new tables are included. */
async function findErasedRemains(db: Database, limit: number): Promise<object[]> {
  const tables = await db.rows<{ name: string }>(sql`
    select quote_ident(c.relname) as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'user_id'
     where c.relkind in ('r', 'p') and c.relnamespace = current_schema()::regnamespace
       and not c.relname = any(${RETAINED_TABLES})`);
  const rows = tables.map(({ name }) => `or exists (select 1 from ${name} t where t.user_id = u.id)`);
  return db.rows(sql`select u.id from users u where u.erased_at is not null
    and (u.email is not null or u.avatar_url is not null ${raw(rows.join('\n'))}
      or exists (select 1 from billing_events e where e.user_id = u.id and e.payload is not null and e.created_at < app_now() - interval '3 hours')
      or exists (select 1 from billing_mails m where m.user_id = u.id and m.facts <> '{}')
      or exists (select 1 from checkouts k where k.user_id = u.id and k.url is not null)
      or exists (select 1 from generations g where g.user_id = u.id
                  and (g.text <> '' or g.result is not null or g.input <> '{}' or g.error_message is not null))
      or exists (select 1 from chat_messages m join generations g on g.id = m.generation_id where g.user_id = u.id)
      or exists (select 1 from thinking t join generations g on g.id = t.generation_id where g.user_id = u.id)
      or exists (select 1 from web_searches w join generations g on g.id = w.generation_id where g.user_id = u.id)
      or exists (select 1 from generation_chunks k join generations g on g.id = k.generation_id where g.user_id = u.id))
    limit ${limit}`);
}

const siteInvariants: readonly Invariant[] = [
  {
    id: 'I14',
    description: 'nothing that an erased person wrote, made or signed in with is left',
    violations: findErasedRemains,
  },
  {
    id: 'I19',
    description: 'money and credits are integers',
    violations: sql`select table_name, column_name, data_type from information_schema.columns
      where table_schema = current_schema() and column_name in ('credits', 'delta', 'price', 'credits_charged', 'cost_micros', 'amount_cents', 'refunded_cents')
        and data_type not in ('integer', 'bigint')`,
  },
  {
    id: 'I20',
    description: 'tables use the clock of the database',
    violations: sql`select table_name, column_name from information_schema.columns
      where table_schema = current_schema() and column_name = 'created_at' and column_default not like '%app_now()%'`,
  },
  {
    id: 'I28',
    description: 'the operator log is append-only and has every credit that operators granted or removed',
    violations: sql`
      select t.name as missing, null::bigint as entry from (values ('operator_actions_append_only'), ('operator_actions_no_truncate')) as t(name)
       where not exists (select 1 from pg_trigger g where g.tgname = t.name and g.tgenabled in ('A', 'O')
                           and g.tgrelid = 'operator_actions'::regclass)
      union all
      select null, l.id from credit_ledger l where l.source = 'operator'
         and not exists (select 1 from operator_actions a where a.user_id = l.user_id and a.action in ('grant', 'take')
                           and abs(l.delta) = (a.details->>'credits')::int)`,
  },
  {
    id: 'I29',
    description: 'a banned person has no session and no API key, and starts nothing',
    violations: sql`select u.id from users u where u.banned_at is not null
      and (exists (select 1 from sessions s where s.user_id = u.id)
        or exists (select 1 from api_keys k where k.user_id = u.id and k.revoked_at is null)
        or exists (select 1 from generations g where g.user_id = u.id and g.created_at > u.banned_at))`,
  },
  {
    id: 'I15',
    description: 'every file has a row, and every row has its file',
    nightly: true,
    violations: async (db, limit) => {
      const mismatches = await Promise.all(
        features.map(({ fileMismatches }) => fileMismatches?.(db, limit) ?? []),
      );
      return mismatches.flat().slice(0, limit);
    },
  },
];

/** Sorts by number, with the nightly ones last because they take the longest. */
const order = ({ id, nightly = false }: Invariant) => Number(nightly) * 1_000 + Number(id.slice(1));

/** I17 is a test instead, because it compares with the gateway's log. */
export const invariants: readonly Invariant[] = [
  ...siteInvariants,
  ...features.flatMap((feature) => feature.invariants ?? []),
].sort((one, other) => order(one) - order(other));
