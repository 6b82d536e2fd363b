import type { Database } from '../../../platform/database/database.server.ts';
import { sql } from '../../../platform/database/sql.server.ts';
import type { Plan, PlanDuration } from '../../credits/contract.ts';
import type { InvoiceRow, SubscriptionState } from '../contract.ts';

export interface StateRow {
  id: string;
  checkout_id: string | null;
  plan: PlanDuration;
  status: string;
  state: SubscriptionState;
  /** The newest payment's period; null before one. */
  paid_start: Date | null;
  paid_end: Date | null;
  paid_cents: number | null;
  period_end: Date | null;
  access_until: Date | null;
  canceled_at: Date | null;
  version_at: Date;
  refunded_at: Date | null;
  in_force: boolean;
  /** Whether the newest payment's period is over. */
  paid_over: boolean;
  /** Whether all of the newest payment is being given back. */
  refund_pending: boolean;
  /** What is left of its payments to give back. */
  back_cents: number;
  /** Whether the period of the provider is over. */
  period_over: boolean;
  /** Whether the person has had the money of this one back. */
  own_back: boolean;
  /** Whether the person has had the money of another one back before this was bought. */
  had_back: boolean;
  /** Until when it can be given back because another plan renews beside it; null when none does, or that is over. */
  doubled_until: Date | null;
}

/** Of `subscription_states t` those that will be charged again, and whose newest payment is not on its way back. */
export const paysOn = sql`t.state in ('active', 'trialing', 'past_due')
  and not exists (select 1 from refunds r join payments p on p.id = r.payment_id
                   where p.id = t.payment_id and r.state in ('asked', 'pending')
                     and r.amount_cents >= p.amount_cents - p.refunded_cents)`;

/** Lets every read of a transaction see one moment, so that a plan and the payment behind it come together. */
export async function holdMoment(tx: Database): Promise<void> {
  await tx.run(sql`set transaction isolation level repeatable read, read only`);
}

/** The subscriptions that give or gave Pro, the one in force first, then the newest; at most 5. */
export function stateRows(db: Database, userId: string, moneyBackDays: number): Promise<StateRow[]> {
  return db.rows<StateRow>(sql`
    with paying as (
      select subscription_id from subscription_states t where user_id = ${userId} and ${paysOn})
    select s.id, s.checkout_id, s.plan, s.status, t.state, p.period_start as paid_start, p.period_end as paid_end,
           p.amount_cents as paid_cents, s.period_end, s.access_until, s.canceled_at, s.version_at,
           (select max(r.settled_at) from refunds r where r.payment_id = p.id) as refunded_at,
           coalesce(s.access_until > app_now(), false) as in_force, coalesce(p.period_end <= app_now(), false) as paid_over,
           exists (select 1 from refunds r where r.payment_id = p.id and r.state in ('asked', 'pending')
                     and p.refunded_cents < p.amount_cents and r.amount_cents >= p.amount_cents - p.refunded_cents) as refund_pending,
           (select coalesce(sum(b.amount_cents - b.refunded_cents), 0)::int from payments b
             where b.subscription_id = s.id and not b.disputed) as back_cents,
           coalesce(s.period_end, p.period_end) <= app_now() as period_over,
           exists (select 1 from refunds r join payments b on b.id = r.payment_id
                    where b.subscription_id = s.id and r.asked_by = 'person' and r.state <> 'failed') as own_back,
           exists (select 1 from refunds r join payments b on b.id = r.payment_id
                    where b.user_id = s.user_id and r.asked_by = 'person' and r.state <> 'failed'
                      and r.created_at <= (select min(f.paid_at) from payments f where f.subscription_id = s.id)) as had_back,
           (select b.until from (select min(f.paid_at) + ${moneyBackDays}::int * interval '1 day' as until
                                   from payments f where f.subscription_id = s.id) b
             where b.until > app_now() and s.id in (select subscription_id from paying)
               and (select count(*) from paying) > 1) as doubled_until
      from subscription_states t join subscriptions s on s.id = t.subscription_id
      left join payments p on p.id = t.payment_id
     where s.user_id = ${userId}
     order by in_force desc, s.access_until desc nulls last, s.created_at desc, s.id limit 5`);
}

export interface Standing {
  plan: Plan;
  grant_plan: Plan | null;
  grant_ends_at: Date | null;
  pending_id: string | null;
  pending_plan: PlanDuration | null;
  pending_since: Date | null;
  portal: boolean;
  /** The end of the days in which the first payment ever can be taken back; null when they are over. */
  money_back_until: Date | null;
  /** Whether those days are over. */
  first_days_over: boolean;
}

/** What is true of a person beside their subscriptions. */
export function standing(db: Database, userId: string, moneyBackDays: number): Promise<Standing | null> {
  return db.row<Standing>(sql`
    select e.plan, g.plan as grant_plan, g.ends_at as grant_ends_at, c.id as pending_id, c.plan as pending_plan,
           c.created_at as pending_since,
           coalesce((select not exists (select 1 from subscriptions o where o.provider = s.provider
                                          and o.customer_id = s.customer_id and o.user_id <> s.user_id)
                       from subscriptions s where s.user_id = e.user_id
                      order by coalesce(s.access_until > app_now(), false) desc, s.created_at desc limit 1), false) as portal,
           (select b.until from (select min(p.paid_at) + ${moneyBackDays}::int * interval '1 day' as until
                                   from payments p where p.user_id = e.user_id) b
             where b.until > app_now()) as money_back_until,
           coalesce((select min(p.paid_at) + ${moneyBackDays}::int * interval '1 day' <= app_now()
                       from payments p where p.user_id = e.user_id), false) as first_days_over
      from entitlements e
      left join lateral (select plan, ends_at from plan_grants
                          where user_id = e.user_id and starts_at <= app_now() and (ends_at is null or ends_at > app_now())
                          order by plan, ends_at desc nulls first limit 1) g on true
      left join lateral (select k.id, k.plan, k.created_at from checkouts k
                          where k.user_id = e.user_id and k.state in ('open', 'completed') and k.external_id is not null
                            and k.retired_at is null
                            and k.created_at > app_now() - interval '1 hour'
                            and not exists (select 1 from subscriptions s join payments p on p.subscription_id = s.id
                                             where s.checkout_id = k.id)
                          order by k.created_at desc limit 1) c on true
     where e.user_id = ${userId}`);
}

/** Payments of a person, newest first, older than the row `before` when given. Times are ISO. */
export async function invoiceRows(
  db: Database,
  { userId, before, limit }: { userId: string; before: string | null; limit: number },
): Promise<InvoiceRow[]> {
  interface Row extends Omit<InvoiceRow, 'paidAt' | 'periodStart' | 'periodEnd'> {
    paidAt: Date;
    periodStart: Date;
    periodEnd: Date;
  }
  const rows = await db.rows<Row>(sql`
    select p.id, p.paid_at as "paidAt", p.plan, p.amount_cents as "amountCents", p.refunded_cents as "refundedCents",
           p.currency, p.period_start as "periodStart", p.period_end as "periodEnd",
           case when p.disputed then 'disputed'
                when p.refunded_cents = p.amount_cents and p.amount_cents > 0 then 'refunded'
                when exists (select 1 from refunds r where r.payment_id = p.id and r.state in ('asked', 'pending'))
                  then 'refund_pending'
                when p.refunded_cents = 0 then 'paid'
                else 'partially_refunded' end as state
      from payments p
     where p.user_id = ${userId}
       and (${before}::uuid is null or (p.paid_at, p.id) < (select b.paid_at, b.id from payments b where b.id = ${before} and b.user_id = ${userId}))
     order by p.paid_at desc, p.id desc limit ${limit}`);
  return rows.map((row) => ({
    ...row,
    paidAt: row.paidAt.toISOString(),
    periodStart: row.periodStart.toISOString(),
    periodEnd: row.periodEnd.toISOString(),
  }));
}
