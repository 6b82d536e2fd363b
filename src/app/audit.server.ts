import { eventTries } from '../features/billing/inbox/contract.ts';
import { mismatches as attachmentMismatches } from '../features/chat/attachments/upkeep/service.server.ts';
import { mismatches as pictureMismatches } from '../features/image/upkeep/service.server.ts';
import { documentMismatches } from '../features/pdf/upkeep/service.server.ts';
import { mailTries } from '../features/support/contact/contract.ts';
import type { Database } from '../platform/database/database.server.ts';
import { type Statement, sql } from '../platform/database/sql.server.ts';

export interface Invariant {
  id: string;
  /** What must hold. */
  says: string;
  /** Selects or looks for what violates it, up to 20; nothing means that it holds. */
  violations: Statement | ((db: Database, limit: number) => Promise<object[]>);
}

/** The invariants. I17 compares with the gateway's own log and is a test. */
export const invariants: readonly Invariant[] = [
  {
    id: 'I1',
    says: 'a balance is the sum of its ledger',
    violations: sql`select u.id, u.credits, coalesce(sum(l.delta), 0)::int as ledger from users u
      left join credit_ledger l on l.user_id = u.id group by u.id having u.credits <> coalesce(sum(l.delta), 0)`,
  },
  {
    id: 'I2',
    says: 'no balance is negative',
    violations: sql`select id, credits from users where credits < 0`,
  },
  {
    id: 'I3',
    says: 'the ledger is append-only',
    violations: sql`select t.name as missing from (values ('credit_ledger_append_only'), ('credit_ledger_no_truncate')) as t(name)
      where not exists (select 1 from pg_trigger g where g.tgname = t.name and g.tgenabled <> 'D')`,
  },
  {
    id: 'I4',
    says: 'a generation has one hold, and one closing entry exactly when it has ended',
    violations: sql`select g.id, g.state, count(*) filter (where l.kind = 'hold')::int as holds,
        count(*) filter (where l.kind in ('settle', 'release', 'refund'))::int as closings
      from generations g left join credit_ledger l on l.generation_id = g.id group by g.id
      having count(*) filter (where l.kind = 'hold') <> 1
          or count(*) filter (where l.kind in ('settle', 'release', 'refund')) <> (g.finished_at is not null)::int`,
  },
  {
    id: 'I5',
    says: 'a finished generation is settled',
    violations: sql`select g.id from generations g where g.state = 'done'
      and not exists (select 1 from credit_ledger l where l.generation_id = g.id and l.kind = 'settle')`,
  },
  {
    id: 'I6',
    says: 'what is settled has a stored result, and no hold stays open beyond the longest run',
    violations: sql`select g.id, g.state from generations g where
        (g.text is null and g.result is null and exists (select 1 from credit_ledger l where l.generation_id = g.id and l.kind = 'settle'))
        or (g.finished_at is null and g.created_at < app_now() - interval '40 minutes')`,
  },
  {
    id: 'I7',
    says: 'no generation runs under a lapsed lease (beyond the time of one sweep)',
    violations: sql`select g.id, g.owner from generations g left join engine_leases l on l.owner = g.owner
      where g.state in ('queued', 'running') and g.created_at < app_now() - interval '15 seconds'
        and (l.owner is null or l.lease_until < app_now() - interval '15 seconds')`,
  },
  {
    id: 'I21',
    says: 'what a run says that it took is what the ledger took, a whole number of units',
    violations: sql`select g.id, g.credits_charged, -sum(l.delta)::int as ledger from generations g
      join credit_ledger l on l.generation_id = g.id where g.finished_at is not null group by g.id
      having g.credits_charged <> -sum(l.delta) or (g.credits_charged * g.units) % greatest(g.price, 1) <> 0`,
  },
  {
    id: 'I8',
    says: 'a payment is there once, pays one period, and has its one entry in the ledger; an event is applied once',
    violations: sql`select 'ledger' as what, source || ' ' || external_id as id from credit_ledger group by source, external_id having count(*) > 1
      union all select 'event', event_id from billing_events where reason <> 'duplicate' group by provider, event_id having count(*) > 1
      union all select 'period', min(external_id) from payments group by subscription_id, period_start having count(*) > 1
      union all select 'payment', p.external_id from payments p where not exists
        (select 1 from credit_ledger l where l.source = 'payment' and l.external_id = p.provider || ':' || p.external_id and l.user_id = p.user_id)
      union all select 'entry', l.external_id from credit_ledger l where l.source = 'payment' and not exists
        (select 1 from payments p where l.external_id = p.provider || ':' || p.external_id and l.user_id = p.user_id)`,
  },
  {
    id: 'I9',
    says: 'a plan changes step by step, each with its cause, and an event that causes one was taken in',
    violations: sql`with steps as (select c.*, lag(to_plan) over w as before, lead(id) over w is null as last from plan_changes c
        window w as (partition by user_id order by id))
      select s.user_id, s.id::text as change from steps s join users u on u.id = s.user_id
       where s.from_plan <> coalesce(s.before, s.from_plan) or s.from_plan = s.to_plan or (s.last and s.to_plan <> u.plan)
          or s.cause_id = '' or (s.cause = 'event' and not exists (select 1 from billing_events e where e.event_id = s.cause_id))
      union all select u.id, 'none' from users u where u.plan <> 'free'
         and not exists (select 1 from plan_changes c where c.user_id = u.id)
         and not exists (select 1 from plan_grants g where g.user_id = u.id)`,
  },
  {
    id: 'I10',
    says: 'a person’s plan is the entitlement of now (beyond the time of one sweep of the clock)',
    violations: sql`select u.id, u.plan, e.plan as entitled from users u join entitlements e on e.user_id = u.id
      cross join lateral (select app_now() - interval '2 minutes' as since, app_now() as now) t
      where u.plan <> e.plan
        and not exists (select 1 from subscriptions s where s.user_id = u.id and s.access_until between t.since and t.now)
        and not exists (select 1 from plan_grants g where g.user_id = u.id
                          and (g.starts_at between t.since and t.now or g.ends_at between t.since and t.now))`,
  },
  {
    id: 'I11',
    says: 'a subscription never goes back to an earlier version',
    violations: sql`select t.name as missing from (values ('subscriptions_forward')) as t(name)
      where not exists (select 1 from pg_trigger g where g.tgname = t.name and g.tgenabled <> 'D')`,
  },
  {
    id: 'I12',
    says: 'one welcome grant a person, across deletion',
    violations: sql`select l.user_id from credit_ledger l where l.source = 'welcome'
      and not exists (select 1 from welcome_grants w where w.user_id = l.user_id)`,
  },
  {
    id: 'I13',
    says: 'no more of a payment counts as given back than was paid',
    violations: sql`select p.external_id, p.amount_cents, p.refunded_cents, sum(r.amount_cents - r.excess_cents)::bigint as refunds
      from payments p left join refunds r on r.payment_id = p.id and r.state = 'succeeded'
      group by p.id having p.refunded_cents > p.amount_cents or coalesce(sum(r.amount_cents - r.excess_cents), 0) > p.refunded_cents`,
  },
  {
    id: 'I14',
    says: 'nothing that an erased person said, made or signed in with is left',
    violations: sql`select u.id from users u where u.erased_at is not null
      and (u.email is not null or u.avatar_url is not null
        or exists (select 1 from sessions s where s.user_id = u.id)
        or exists (select 1 from identities i where i.user_id = u.id)
        or exists (select 1 from restore_offers o where o.user_id = u.id)
        or exists (select 1 from avatars a where a.user_id = u.id)
        or exists (select 1 from chat_sessions c where c.user_id = u.id)
        or exists (select 1 from works w where w.user_id = u.id)
        or exists (select 1 from documents d where d.user_id = u.id)
        or exists (select 1 from attachments a where a.user_id = u.id)
        or exists (select 1 from image_jobs j where j.user_id = u.id)
        or exists (select 1 from chat_messages m join generations g on g.id = m.generation_id where g.user_id = u.id)
        or exists (select 1 from prompts p where p.user_id = u.id)
        or exists (select 1 from prompt_likes l where l.user_id = u.id)
        or exists (select 1 from prompt_uses s where s.user_id = u.id)
        or exists (select 1 from prompt_reports r where r.user_id = u.id)
        or exists (select 1 from contact_messages c where c.user_id = u.id)
        or exists (select 1 from billing_events e where e.user_id = u.id and e.payload is not null and e.created_at < app_now() - interval '3 hours')
        or exists (select 1 from billing_mails m where m.user_id = u.id and m.facts <> '{}')
        or exists (select 1 from checkouts k where k.user_id = u.id and k.url is not null)
        or exists (select 1 from generations g where g.user_id = u.id
                    and (g.text <> '' or g.result is not null or g.input <> '{}' or g.error_message is not null))
        or exists (select 1 from generation_chunks k join generations g on g.id = k.generation_id where g.user_id = u.id))`,
  },
  {
    id: 'I15',
    says: 'every file has its row, and every row its file',
    violations: async (db, limit) => {
      const looks = [attachmentMismatches, pictureMismatches, documentMismatches];
      return (await Promise.all(looks.map((look) => look(db, limit)))).flat().slice(0, limit);
    },
  },
  {
    id: 'I16',
    says: 'an event that came in is applied, ignored with a reason, tried again, or given up after its tries',
    violations: sql`select e.id, e.event_id, e.outcome, e.reason from billing_events e where case e.outcome
        when 'received' then e.created_at < app_now() - interval '10 minutes'
        when 'failed' then e.next_try_at is null and e.attempts < ${eventTries}::int
        when 'ignored' then e.reason = '' or e.handled_at is null
        else e.handled_at is null end
      or (e.reason = 'duplicate' and not exists (select 1 from billing_events o
            where o.provider = e.provider and o.event_id = e.event_id and o.reason <> 'duplicate'))`,
  },
  {
    id: 'I18',
    says: 'a free person starts at most three conversations a day',
    violations: sql`select s.user_id, date_trunc('day', s.created_at, 'UTC') as day, count(*)::int as chats from chat_sessions s
      join users u on u.id = s.user_id where u.plan = 'free'
        and not exists (select 1 from plan_grants g where g.user_id = u.id and g.starts_at < date_trunc('day', s.created_at, 'UTC') + interval '1 day'
                          and (g.ends_at is null or g.ends_at > date_trunc('day', s.created_at, 'UTC')))
        and not exists (select 1 from payments p where p.user_id = u.id and p.period_start < date_trunc('day', s.created_at, 'UTC') + interval '1 day'
                          and p.period_end + interval '72 hours' > date_trunc('day', s.created_at, 'UTC'))
      group by s.user_id, date_trunc('day', s.created_at, 'UTC') having count(*) > 3`,
  },
  {
    id: 'I19',
    says: 'money and credits are integers',
    violations: sql`select table_name, column_name, data_type from information_schema.columns
      where table_schema = current_schema() and column_name in ('credits', 'delta', 'price', 'credits_charged', 'cost_micros', 'amount_cents', 'refunded_cents')
        and data_type not in ('integer', 'bigint')`,
  },
  {
    id: 'I20',
    says: 'tables take their time from the database’s clock',
    violations: sql`select table_name, column_name from information_schema.columns
      where table_schema = current_schema() and column_name = 'created_at' and column_default not like '%app_now()%'`,
  },
  {
    id: 'I22',
    says: 'a prompt has as many likes and ratings as it counts, and nobody rates their own',
    violations: sql`select 'likes' as what, p.id, p.likes as counted, count(l.user_id)::int as given from prompts p
        left join prompt_likes l on l.prompt_id = p.id group by p.id having p.likes <> count(l.user_id)
      union all select 'ratings', p.id, p.rating_count, count(u.stars)::int from prompts p
        left join prompt_uses u on u.prompt_id = p.id group by p.id
        having p.rating_count <> count(u.stars) or p.rating_sum <> coalesce(sum(u.stars), 0)
      union all select 'own', p.id, p.rating_count, u.stars from prompts p
        join prompt_uses u on u.prompt_id = p.id and u.user_id = p.user_id and u.stars is not null`,
  },
  {
    id: 'I23',
    says: 'a subscription gives Pro for what is paid and the grace after it, and none for what was given back or disputed',
    violations: sql`select s.external_id, s.status, s.access_until, p.period_end from subscriptions s
      join subscription_states t on t.subscription_id = s.id left join payments p on p.id = t.payment_id
      where s.access_until > p.period_end + interval '72 hours'
         or (s.access_until is not null and (t.state in ('refunded', 'disputed') or (p.id is null and s.status <> 'trialing')))`,
  },
  {
    id: 'I24',
    says: 'of who has left the newsletter hashes are kept and nothing is sent; what nobody confirmed in a week is gone (beyond two sweeps); what is due is sent',
    violations: sql`select 'left' as what, s.id::text as id from newsletter_subscribers s where s.left_at is not null
        and (num_nonnulls(s.email, s.wording, s.source, s.asked_at, s.asked_network, s.confirmed_at, s.confirmed_network) > 0
          or exists (select 1 from newsletter_deliveries d where d.subscriber_id = s.id and d.state = 'waiting'))
      union all select 'no consent', s.id::text from newsletter_subscribers s where s.left_at is null
        and num_nulls(s.email, s.wording, s.source, s.asked_at, s.asked_network, s.confirmed_at, s.confirmed_network) > 0
      union all select 'request', r.id::text from newsletter_requests r where r.expires_at < app_now() - interval '2 hours'
      union all select 'trial', d.id::text from newsletter_deliveries d
        where d.trial_address is not null and d.created_at < app_now() - interval '7 days 2 hours'
      union all select 'not sent', d.id::text from newsletter_deliveries d
        where d.state = 'waiting' and d.next_try_at < app_now() - interval '2 hours'
          and (d.trial_address is not null or exists (select 1 from newsletter_recipients r where r.id = d.subscriber_id))
          -- A long list takes its time, in the order in which it is due.
          and not exists (select 1 from newsletter_deliveries o where o.sent_at > app_now() - interval '2 hours')`,
  },
  {
    id: 'I25',
    says: 'a message to support is mailed there and acknowledged, or tried again, and is erased 24 months after it was seen to',
    violations: sql`select c.reference, 'mails' as what from contact_messages c left join contact_mails m on m.message_id = c.id
        group by c.id having count(m.kind) <> 2
      union all select c.reference, 'not tried' from contact_messages c join contact_mails m on m.message_id = c.id
        where m.sent_at is null and m.attempts < ${mailTries}::int and m.next_try_at < app_now() - interval '10 minutes'
      union all select reference, 'kept' from contact_messages where done_at < app_now() - interval '24 months 2 days'`,
  },
];

const MOST = 20;

export interface Finding {
  id: string;
  says: string;
  /** At most 20 of the rows that violate it; empty when it holds. */
  violations: object[];
}

/** Checks every invariant on the database. */
export async function audit(db: Database): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { id, says, violations } of invariants) {
    findings.push({
      id,
      says,
      violations:
        typeof violations === 'function'
          ? await violations(db, MOST)
          : await db.rows<object>(sql`select * from (${violations}) v limit ${MOST}`),
    });
  }
  return findings;
}
