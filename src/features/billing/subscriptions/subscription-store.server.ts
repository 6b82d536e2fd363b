import type { Plan, PlanDuration } from '#features/credits/contract.ts';
import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import type { InvoiceRow, SubscriptionState } from '../contract.ts';
import { refundDays } from '../provider/payment-provider.ts';

export interface OwnSubscription {
  provider: string;
  external_id: string;
  customer_id: string;
}

export function ownSubscription(db: Database, userId: string, id: string): Promise<OwnSubscription | null> {
  return db.row<OwnSubscription>(sql`
    select provider, external_id, customer_id from subscriptions where id = ${id} and user_id = ${userId}`);
}

/**
 * Returns the subscription that gives Pro, else the newest one. `shared`: another user here is the same customer at the
 * provider, which happens when a buyer types that user's email address.
 */
export function mainSubscription(
  db: Database,
  userId: string,
): Promise<(OwnSubscription & { shared: boolean }) | null> {
  return db.row(sql`
    select s.provider, s.external_id, s.customer_id,
           exists (select 1 from subscriptions o where o.provider = s.provider and o.customer_id = s.customer_id
                                                   and o.user_id <> s.user_id) as shared
      from subscriptions s where s.user_id = ${userId}
     order by coalesce(s.access_until > app_now(), false) desc, s.created_at desc limit 1`);
}

export interface StateRow {
  id: string;
  checkout_id: string | null;
  plan: PlanDuration;
  status: string;
  state: SubscriptionState;
  paid_start: Date | null;
  paid_end: Date | null;
  paid_cents: number | null;
  renewal_cents: number | null;
  period_end: Date | null;
  access_until: Date | null;
  canceled_at: Date | null;
  version_at: Date;
  refunded_at: Date | null;
  in_force: boolean;
  paid_over: boolean;
  refund_pending: boolean;
  refundable_cents: number;
  period_over: boolean;
  refund_requested: boolean;
  /** The user requested a refund of another subscription before buying this one. */
  earlier_refund_requested: boolean;
  /** Until when this one can be refunded because another plan also renews; null if none does, or the time is over. */
  duplicate_refund_until: Date | null;
}

/** Condition on `subscription_states t`: it will be charged again, and no full refund of its newest payment is open. */
const willRenew = sql`t.state in ('active', 'trialing', 'past_due')
  and not exists (select 1 from refunds r join payments p on p.id = r.payment_id
                   where p.id = t.payment_id and r.state in ('asked', 'pending')
                     and r.amount_cents >= p.amount_cents - p.refunded_cents)`;

/** A select of the columns of `StateRow`, with their `position`: the plans in force first, at most 5. */
const selectStates = (userId: string, moneyBackDays: number) => sql`
    with paying as (
      select subscription_id from subscription_states t where user_id = ${userId} and ${willRenew})
    select row_number() over (order by coalesce(s.access_until > app_now(), false) desc, s.access_until desc nulls last,
                              s.created_at desc, s.id) as position,
           s.id, s.checkout_id, s.plan, s.status, t.state, p.period_start as paid_start, p.period_end as paid_end,
           p.amount_cents as paid_cents, s.renewal_cents, s.period_end, s.access_until, s.canceled_at, s.version_at,
           (select max(r.settled_at) from refunds r where r.payment_id = p.id) as refunded_at,
           coalesce(s.access_until > app_now(), false) as in_force, coalesce(p.period_end <= app_now(), false) as paid_over,
           exists (select 1 from refunds r where r.payment_id = p.id and r.state in ('asked', 'pending')
                     and p.refunded_cents < p.amount_cents and r.amount_cents >= p.amount_cents - p.refunded_cents) as refund_pending,
           (select coalesce(sum(b.amount_cents - b.refunded_cents), 0)::int from payments b
             where b.subscription_id = s.id and not b.disputed) as refundable_cents,
           coalesce(s.period_end, p.period_end) <= app_now() as period_over,
           exists (select 1 from refunds r join payments b on b.id = r.payment_id
                    where b.subscription_id = s.id and r.asked_by = 'person' and r.state <> 'failed') as refund_requested,
           exists (select 1 from refunds r join payments b on b.id = r.payment_id
                    where b.user_id = s.user_id and r.asked_by = 'person' and r.state <> 'failed'
                      and r.created_at <= (select min(f.paid_at) from payments f where f.subscription_id = s.id)) as earlier_refund_requested,
           (select b.until from (select min(f.paid_at) + ${moneyBackDays}::int * interval '1 day' as until
                                   from payments f where f.subscription_id = s.id) b
             where b.until > app_now() and s.id in (select subscription_id from paying)
               and (select count(*) from paying) > 1) as duplicate_refund_until
      from subscription_states t join subscriptions s on s.id = t.subscription_id
      left join payments p on p.id = t.payment_id
     where s.user_id = ${userId}
     order by position limit 5`;

/** Times are as in PostgreSQL's JSON. */
export interface BillingSummary {
  plan: Plan;
  grant_plan: Plan | null;
  grant_ends_at: string | null;
  pending_id: string | null;
  pending_plan: PlanDuration | null;
  pending_since: string | null;
  portal: boolean;
  /** End of the money-back days, which start with the first payment ever for a plan; null when they are over. */
  money_back_until: string | null;
  first_days_over: boolean;
  /** The newest paid ones, at most 5. */
  packs: { checkoutId: string; credits: number; paidAt: string }[];
}

/** A select of one row, the columns of `BillingSummary`; none if there is no such user. */
const selectSummary = (userId: string, moneyBackDays: number) => sql`
    select e.plan, g.plan as grant_plan, g.ends_at as grant_ends_at, c.id as pending_id, c.plan as pending_plan,
           c.created_at as pending_since,
           coalesce((select not exists (select 1 from subscriptions o where o.provider = s.provider
                                          and o.customer_id = s.customer_id and o.user_id <> s.user_id)
                       from subscriptions s where s.user_id = e.user_id
                      order by coalesce(s.access_until > app_now(), false) desc, s.created_at desc limit 1), false) as portal,
           (select b.until from (select min(p.paid_at) + ${moneyBackDays}::int * interval '1 day' as until
                                   from payments p where p.user_id = e.user_id and p.plan is not null) b
             where b.until > app_now()) as money_back_until,
           coalesce((select min(p.paid_at) + ${moneyBackDays}::int * interval '1 day' <= app_now()
                       from payments p where p.user_id = e.user_id and p.plan is not null), false) as first_days_over,
           (select coalesce(json_agg(json_build_object('checkoutId', b.checkout_id, 'credits', b.credits, 'paidAt', b.paid_at)
                                     order by b.paid_at desc, b.id desc), '[]')
              from (select id, checkout_id, credits, paid_at from payments p
                     where p.user_id = e.user_id and p.credits is not null
                     order by p.paid_at desc, p.id desc limit 5) b) as packs
      from entitlements e
      left join lateral (select plan, ends_at from plan_grants
                          where user_id = e.user_id and starts_at <= app_now() and (ends_at is null or ends_at > app_now())
                          order by plan, ends_at desc nulls first limit 1) g on true
      left join lateral (select k.id, k.plan, k.created_at from checkouts k
                          where k.user_id = e.user_id and k.plan is not null and k.state in ('open', 'completed') and k.external_id is not null
                            and k.retired_at is null
                            and k.created_at > app_now() - interval '1 hour'
                            and not exists (select 1 from subscriptions s join payments p on p.subscription_id = s.id
                                             where s.checkout_id = k.id)
                          order by k.created_at desc limit 1) c on true
     where e.user_id = ${userId}`;

/** Reads a person's plans and what is around them in one statement, so that a plan matches the payment behind it. */
export async function billingState(
  db: Database,
  userId: string,
  moneyBackDays: number,
): Promise<{ person: BillingSummary | null; states: StateRow[] }> {
  const rows = await db.rows<{ person: BillingSummary } & (StateRow | { id: null })>(sql`
    with person as (${selectSummary(userId, moneyBackDays)}),
         states as (${selectStates(userId, moneyBackDays)})
    select to_json(person) as person, states.*
      from person left join states on true order by position`);
  return { person: rows[0]?.person ?? null, states: rows.filter((row) => row.id !== null) };
}

export async function invoiceRows(
  db: Database,
  { userId, before, limit }: { userId: string; before: string | null; limit: number },
): Promise<InvoiceRow[]> {
  interface Row extends Omit<InvoiceRow, 'paidAt' | 'periodStart' | 'periodEnd'> {
    paidAt: Date;
    periodStart: Date | null;
    periodEnd: Date | null;
  }
  const rows = await db.rows<Row>(sql`
    select p.id, p.paid_at as "paidAt", p.plan, p.credits, p.amount_cents as "amountCents", p.refunded_cents as "refundedCents",
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
    periodStart: row.periodStart?.toISOString() ?? null,
    periodEnd: row.periodEnd?.toISOString() ?? null,
  }));
}

interface RenewingPlan {
  id: string;
  external_id: string;
  plan: PlanDuration;
  renewal_cents: number | null;
  renews_at: Date | null;
  paid_at: Date | null;
}

export function renewingPlans(tx: Database, userId: string): Promise<RenewingPlan[]> {
  return tx.rows<RenewingPlan>(sql`
    select s.id, s.external_id, s.plan, s.renewal_cents, coalesce(p.period_end, s.period_end) as renews_at,
           (select min(f.paid_at) from payments f where f.subscription_id = s.id) as paid_at
      from subscription_states t join subscriptions s on s.id = t.subscription_id
      left join payments p on p.id = t.payment_id
     where t.user_id = ${userId} and ${willRenew}
     order by paid_at nulls last, s.external_id`);
}

/** Copies the state of the newest subscription to the user; `userId` null: for all users. */
export async function cacheStatus(db: Database, userId: string | null): Promise<void> {
  await db.run(sql`
    update users u set subscription_status = t.state
      from (select distinct on (user_id) user_id, state from subscription_states
             where ${userId}::uuid is null or user_id = ${userId}
             order by user_id, created_at desc, subscription_id) t
     where t.user_id = u.id and u.subscription_status <> t.state`);
}

interface EndedPlan {
  user_id: string;
  provider: string;
  external_id: string;
  plan: PlanDuration;
  status: string;
  ended_at: Date;
}

/**
 * Returns the last plan of each user who lost Pro with it and was not notified. A mail about a cancellation or failed
 * payment that was written after the end already says so.
 */
export function unnotifiedEndedPlans(db: Database, days: number): Promise<EndedPlan[]> {
  return db.rows<EndedPlan>(sql`
    select s.user_id, s.provider, s.external_id, s.plan, s.status, s.access_until as ended_at
      from subscription_states t join subscriptions s on s.id = t.subscription_id
      join entitlements e on e.user_id = s.user_id
      join users u on u.id = s.user_id
     where t.state = 'expired' and e.plan = 'free' and u.deleted_at is null
       and s.access_until > app_now() - ${days}::int * interval '1 day'
       and not exists (select 1 from subscriptions o where o.user_id = s.user_id and o.access_until > s.access_until)
       and not exists (
         select 1 from billing_mails m
          where m.user_id = s.user_id
            and ((m.kind = 'ended' and starts_with(m.key, concat('ended:', s.provider, ':', s.external_id, ':'))
                  and (m.facts->>'endedAt')::timestamptz = s.access_until)
              or (m.kind = 'cancelled' and starts_with(m.key, concat('cancelled:', s.provider, ':', s.external_id, ':'))
                  and m.facts->>'endsAt' is null)
              or (m.kind = 'payment_failed' and starts_with(m.key, concat('payment_failed:', s.provider, ':', s.external_id, ':'))
                  and m.facts->>'accessUntil' is null and m.created_at >= s.access_until)))
     order by s.access_until, s.id limit 200`);
}

/** Subscriptions that may still change, least recently read first, without those read since `startedAt`. */
export function changeableSubscriptions(
  db: Database,
  { provider, startedAt, limit }: { provider: string; startedAt: Date; limit: number },
): Promise<Array<{ external_id: string }>> {
  return db.rows(sql`
    select external_id from subscriptions
     where provider = ${provider} and (reconciled_at is null or reconciled_at < ${startedAt})
       and (status not in ('canceled', 'expired')
            or reconciled_at is null
            or reconciled_at < greatest(access_until, period_end, version_at) + ${refundDays}::int * interval '1 day')
     order by reconciled_at nulls first, id limit ${limit}`);
}

export async function appNow(db: Database): Promise<Date> {
  const row = await db.row<{ now: Date }>(sql`select app_now() as now`);
  if (!row) throw new Error('The clock answered no row.');
  return row.now;
}

export async function markAttempted(db: Database, provider: string, externalId: string): Promise<void> {
  await db.run(sql`
    update subscriptions set reconciled_at = app_now() where provider = ${provider} and external_id = ${externalId}`);
}

export function subscriptionsAtProvider(
  db: Database,
  { provider, userId }: { provider: string; userId: string },
): Promise<Pick<OwnSubscription, 'external_id' | 'customer_id'>[]> {
  return db.rows(sql`
    select external_id, customer_id from subscriptions where provider = ${provider} and user_id = ${userId}
     order by created_at desc`);
}

export function subscriptionsOfDeleted(
  db: Database,
  provider: string,
): Promise<Array<{ external_id: string; user_id: string; status: string }>> {
  return db.rows(sql`
    select s.external_id, s.user_id, s.status from subscriptions s join users u on u.id = s.user_id
     where s.provider = ${provider} and u.deleted_at is not null
       and s.status not in ('scheduled_cancel', 'canceled', 'expired', 'incomplete')
     order by s.version_at limit 100`);
}
