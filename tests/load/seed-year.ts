import pg from 'pg';
import { seedRuns, withoutIndexesAndKeys } from './seed-growth.ts';

export const yearSize = {
  people: 1_000,
  /** How many of them pay each month. */
  payers: 300,
  /** Runs of each person per day. */
  runs: 3,
};

interface Days {
  /** Days ago; `to` is the more recent end. */
  to: number;
  from: number;
}

const days = ({ to, from }: Days) => `generate_series(${to}, ${from - 1}) d`;
/** Times within a day, one second apart. */
const time = (n: string) => `app_now() - d * interval '1 day' - (${n}) * interval '1 second'`;
const table = [
  'generations',
  'credit_ledger',
  'gateway_calls',
  'payments',
  'billing_events',
  'operator_actions',
];

/** Inserts people and subscriptions, before any of their days. */
export async function seedPeople(databaseUrl: string, personId: string): Promise<void> {
  const db = new pg.Client({ connectionString: databaseUrl });
  await db.connect();
  await db.query(`
    create table worker as select n, gen_random_uuid() as id from generate_series(1, ${yearSize.people - 1}) n
      union all select ${yearSize.people}, '${personId}'::uuid`);
  await db.query(`
    insert into users (id, email, name) select id, n || '@year.example', 'Person ' || n from worker where id <> '${personId}'`);
  await db.query(`
    insert into subscriptions (id, user_id, provider, external_id, customer_id, product_id, plan, status, version_at)
    select gen_random_uuid(), id, 'creem', 'sub_' || n, 'cust_' || n, 'prod', 'monthly', 'active', app_now()
      from worker where n <= ${yearSize.payers}`);
  await db.end();
}

/** Inserts activity of these days: runs with their calls and ledger entries, payments and their events. */
export async function seedDays(databaseUrl: string, range: Days): Promise<void> {
  const db = new pg.Client({ connectionString: databaseUrl });
  await db.connect();
  await withoutIndexesAndKeys(db, table, async () => {
    await db.query('alter table generations disable trigger user');
    for (const [feature, part] of [
      ['chat', '(w.n + d + r) % 10 < 7'],
      ['writer', '(w.n + d + r) % 10 in (7, 8)'],
      ['image', '(w.n + d + r) % 10 = 9'],
    ] as const)
      await seedRuns(
        db,
        `select gen_random_uuid() as id, w.id as user_id, '' as text, ${time('w.n * 10 + r')} as created_at
           from worker w, ${days(range)}, generate_series(1, ${yearSize.runs}) r where ${part}`,
        feature,
      );
    await db.query('alter table generations enable trigger user');
    await db.query(`
      insert into gateway_calls (id, generation_id, purpose, model, outcome, http_status, prompt_tokens, completion_tokens,
                                 cost_micros, started_at, finished_at, duration_ms)
      select gen_random_uuid(), g.id, g.feature, 'maker/model-' || get_byte(uuid_send(g.id), 0) % 4, 'stop', 200, 700, 400, 900,
             g.created_at, g.created_at, 1000
        from generations g
       where g.created_at <= app_now() - ${range.to} * interval '1 day' and g.created_at > app_now() - ${range.from} * interval '1 day'`);
    await db.query(`
      insert into payments (id, subscription_id, user_id, provider, external_id, plan, amount_cents, currency, period_start, period_end, paid_at)
      select gen_random_uuid(), s.id, s.user_id, 'creem', 'pay_' || s.external_id || '_' || d, 'monthly', 1999, 'USD',
             ${time('0')}, ${time('0')} + interval '30 days', ${time('0')}
        from subscriptions s, ${days(range)} where s.provider = 'creem' and (substr(s.external_id, 5)::int + d) % 30 = 0`);
    await db.query(`
      insert into billing_events (provider, event_id, type, occurred_at, payload, outcome, user_id, subscription_id, created_at, handled_at)
      select 'creem', 'evt_' || p.external_id || '_' || k, 'subscription.paid', p.paid_at, '{}', 'applied', p.user_id, p.subscription_id, p.paid_at, p.paid_at
        from payments p, generate_series(1, 2) k
       where p.paid_at <= app_now() - ${range.to} * interval '1 day' and p.paid_at > app_now() - ${range.from} * interval '1 day'`);
    await db.query(`
      insert into operator_actions (operator, action, user_id, created_at)
      select 'operator@example.com', 'credits', (select id from worker where n = 1 + d % 1000), ${time('k')}
        from ${days(range)}, generate_series(1, 5) k`);
  });
  await db.query(`
    insert into contact_messages (reference, kind, name, email, message, digest, created_at)
    select format('C-%s-%s', substr(t.code, 1, 4), substr(t.code, 5, 4)), 'question', 'Person', 'a@year.example', 'How?', '', t.at
      from (select translate(upper(md5(d || '.' || k)), '0158ABE', '23467' || '9C') as code, ${time('k')} as at
              from ${days(range)}, generate_series(1, 2) k) t on conflict do nothing`);
  await db.query(`
    insert into page_counts (day, fact, value, views)
    select (app_now() - d * interval '1 day')::date, 'page', '/page-' || k, 1 + k from ${days(range)}, generate_series(1, 60) k
    on conflict do nothing`);
  await db.query(`
    insert into usage_days (user_id, day, feature, runs, credits)
    select user_id, (created_at at time zone 'UTC')::date, feature, count(*), sum(credits_charged) from generations
     where owner = 'seed' group by 1, 2, 3 on conflict (user_id, day, feature) do update set runs = excluded.runs`);
  await db.query('vacuum analyze');
  await db.end();
}
