import { sql } from '#platform/database/sql.server.ts';
import type { Invariant } from '#platform/feature-module.server.ts';
import { graceHours } from './contract.ts';
import { maxEventAttempts } from './store.server.ts';

export const billingInvariants: readonly Invariant[] = [
  {
    id: 'I8',
    description:
      'a payment exists once, pays for one period and has one ledger entry; an event is applied once',
    violations: sql`select 'ledger' as what, t.name as id from (values ('credit_ledger_source_external_id_key')) as t(name)
        where not exists (select 1 from pg_index i where i.indexrelid = to_regclass(t.name) and i.indisunique and i.indisvalid
                            and i.indrelid = 'credit_ledger'::regclass)
      union all select 'event', event_id from billing_events where reason <> 'duplicate' group by provider, event_id having count(*) > 1
      union all select 'period', min(external_id) from payments where subscription_id is not null group by subscription_id, period_start having count(*) > 1
      union all select 'payment', p.external_id from payments p where p.subscription_id is not null and not exists
        (select 1 from credit_ledger l where l.source = 'payment' and l.external_id = p.provider || ':' || p.external_id and l.user_id = p.user_id)
      union all select 'entry', l.external_id from credit_ledger l where l.source = 'payment' and not exists
        (select 1 from payments p where l.external_id = p.provider || ':' || p.external_id and l.user_id = p.user_id)`,
  },
  {
    id: 'I30',
    description:
      'a paid pack granted its credits once, and its refund or dispute removed what was due, as far as it was unused',
    violations: sql`select 'grant' as what, coalesce(p.external_id, g.external_id) as id, p.credits, g.bought, p.credits_due, g.taken, g.unused
       from (select * from payments where credits is not null) p
       full join purchased_credits g on g.external_id = concat(p.provider, ':', p.order_id) and g.user_id = p.user_id
      where p.credits is distinct from g.bought or g.taken > p.credits_due
         -- What a run gives back after the refund is taken by the next settling.
         or (g.taken < p.credits_due and g.unused > 0
             and not exists (select 1 from credit_ledger l where l.user_id = p.user_id and l.created_at > app_now() - interval '10 minutes'))`,
  },
  {
    id: 'I9',
    description:
      'a plan changes step by step, each step has a cause, and an event that is a cause was stored',
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
    id: 'I11',
    description: 'a subscription never goes back to an earlier version',
    violations: sql`select t.name as missing from (values ('subscriptions_forward')) as t(name)
      where not exists (select 1 from pg_trigger g where g.tgname = t.name and g.tgenabled <> 'D')`,
  },
  {
    id: 'I13',
    description: 'no more of a payment counts as refunded than was paid',
    violations: sql`select p.external_id, p.amount_cents, p.refunded_cents, sum(r.amount_cents - r.excess_cents)::bigint as refunds
      from payments p left join refunds r on r.payment_id = p.id and r.state = 'succeeded'
      group by p.id having p.refunded_cents > p.amount_cents or coalesce(sum(r.amount_cents - r.excess_cents), 0) > p.refunded_cents`,
  },
  {
    id: 'I16',
    description:
      'every event is applied, ignored with a reason, retried, or marked as failed after its last attempt',
    violations: sql`select e.id, e.event_id, e.outcome, e.reason from billing_events e where case e.outcome
        when 'received' then e.created_at < app_now() - interval '10 minutes'
        when 'failed' then e.next_try_at is null and e.attempts < ${maxEventAttempts}::int
        when 'ignored' then e.reason = '' or e.handled_at is null
        else e.handled_at is null end
      or (e.reason = 'duplicate' and not exists (select 1 from billing_events o
            where o.provider = e.provider and o.event_id = e.event_id and o.reason <> 'duplicate'))`,
  },
  {
    id: 'I23',
    description:
      'a subscription gives Pro for what is paid and the grace period after it, and none for what was refunded or disputed',
    violations: sql`select s.external_id, s.status, s.access_until, p.period_end from subscriptions s
      join subscription_states t on t.subscription_id = s.id left join payments p on p.id = t.payment_id
      where s.access_until > p.period_end + ${graceHours}::int * interval '1 hour'
         or (s.access_until is not null and (t.state in ('refunded', 'disputed') or (p.id is null and s.status <> 'trialing')))`,
  },
];
