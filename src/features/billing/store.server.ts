import type { PlanDuration } from '#features/credits/contract.ts';
import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import type { ProviderEvent } from './provider/payment-provider.ts';
import type { Facts, PaymentFact, RefundFact, SubscriptionFact } from './subscriptions/subscription-facts.ts';

/** Retries over about three days: the provider or the database may be down for a weekend. */
export const maxEventAttempts = 18;

export interface StoredEvent {
  id: number;
  event_id: string;
  type: string;
  payload: unknown;
  outcome: 'received' | 'applied' | 'ignored' | 'failed';
  attempts: number;
}

export async function insertDelivery(
  db: Database,
  provider: string,
  event: ProviderEvent,
): Promise<number | null> {
  const { id, type, occurredAt, payload } = event;
  const row = await db.row<{ id: number; fresh: boolean }>(sql`
    with fresh as (
      insert into billing_events (provider, event_id, type, occurred_at, payload)
      values (${provider}, ${id}, ${type}, ${occurredAt}, ${JSON.stringify(payload)}::jsonb)
      on conflict (provider, event_id) where reason <> 'duplicate' do nothing returning id),
    again as (
      insert into billing_events (provider, event_id, type, occurred_at, outcome, reason, handled_at)
      select ${provider}, ${id}, ${type}, ${occurredAt}, 'ignored', 'duplicate', app_now()
       where not exists (select 1 from fresh) returning id)
    select id, true as fresh from fresh union all select id, false from again`);
  if (!row) throw new Error('The inbox answered no row.');
  return row.fresh ? row.id : null;
}

export function findEvent(db: Database, id: number): Promise<StoredEvent | null> {
  return db.row<StoredEvent>(sql`
    select id, event_id, type, payload, outcome, attempts from billing_events where id = ${id} and payload is not null`);
}

export interface EventOutcome {
  outcome: 'applied' | 'ignored';
  reason: string;
  userId: string | null;
  subscriptionId: string | null;
}

/** An applied event stays applied, however often it is replayed. */
export async function recordOutcome(db: Database, id: number, result: EventOutcome): Promise<void> {
  await db.run(sql`
    update billing_events set outcome = ${result.outcome}, reason = ${result.reason}, next_try_at = null,
           user_id = coalesce(${result.userId}::uuid, user_id), subscription_id = coalesce(${result.subscriptionId}::uuid, subscription_id),
           handled_at = app_now(), attempts = attempts + 1
     where id = ${id} and outcome <> 'applied'`);
}

/**
 * Schedules the next try after 15 s, 1 min, 4 min and so on, up to 6 h; after `maxEventAttempts` only the operator
 * replays the event. @returns whether the event is given up.
 */
export async function scheduleRetry(db: Database, id: number, reason: string): Promise<boolean> {
  const row = await db.row<{ given_up: boolean }>(sql`
    update billing_events set outcome = 'failed', reason = ${reason}, attempts = attempts + 1,
           next_try_at = case when attempts + 1 < ${maxEventAttempts}::int
             then app_now() + least(15 * 4 ^ least(attempts, 8), 21600) * interval '1 second' end
     where id = ${id} and outcome in ('received', 'failed')
    returning next_try_at is null as given_up`);
  return row?.given_up ?? false;
}

/** Returns events whose next try is due, or that nobody has handled within `seconds` of their arrival. */
export async function pendingEvents(db: Database, seconds: number, limit: number): Promise<number[]> {
  const rows = await db.rows<{ id: number }>(sql`
    select id from billing_events
     where payload is not null
       and ((outcome = 'failed' and next_try_at <= app_now())
            or (outcome = 'received' and created_at <= app_now() - ${seconds}::int * interval '1 second'))
     order by id limit ${limit}`);
  return rows.map(({ id }) => id);
}

/** `waiting`: not tried yet; `failed` includes events that are given up until the operator replays them. */
export async function countOpenEvents(db: Database): Promise<{ waiting: number; failed: number }> {
  const row = await db.row<{ waiting: number; failed: number }>(sql`
    select count(*) filter (where outcome = 'received')::int as waiting,
           count(*) filter (where outcome = 'failed')::int as failed
      from billing_events where outcome in ('received', 'failed')`);
  return row ?? { waiting: 0, failed: 0 };
}

export async function storedEvents(
  db: Database,
  selection: { eventId: string | null; since: Date | null; failed: boolean; after: number; limit: number },
): Promise<number[]> {
  const rows = await db.rows<{ id: number }>(sql`
    select id from billing_events
     where payload is not null and id > ${selection.after}
       and (${selection.eventId}::text is null or event_id = ${selection.eventId})
       and (${selection.since}::timestamptz is null or created_at >= ${selection.since})
       and (not ${selection.failed}::boolean or outcome = 'failed')
     order by id limit ${selection.limit}`);
  return rows.map(({ id }) => id);
}

export function pruneDuplicates(db: Database, days: number): Promise<number> {
  return db.run(sql`
    delete from billing_events where reason = 'duplicate' and created_at < app_now() - ${days}::int * interval '1 day'`);
}

interface DeferredEvent {
  id: number;
  event_id: string;
  payload: unknown;
}

async function lockPayment(tx: Database, provider: string, paymentId: string): Promise<void> {
  await tx.row(sql`select pg_advisory_xact_lock(hashtextextended(${`${provider}:${paymentId}`}, 9))`);
}

/** Waits while the payment is being stored by another transaction. @returns false if the payment is known by now. */
export async function deferUntilPayment(
  tx: Database,
  { provider, paymentId, eventId }: { provider: string; paymentId: string; eventId: number },
): Promise<boolean> {
  await lockPayment(tx, provider, paymentId);
  const known = await tx.row(
    sql`select 1 from payments where provider = ${provider} and external_id = ${paymentId}`,
  );
  if (known) return false;
  await tx.run(sql`
    update billing_events set awaits_payment = ${paymentId} where id = ${eventId} and outcome <> 'applied'`);
  return true;
}

/** Returns events in the provider's order; the locks keep others from starting to wait for these payments. */
export async function deferredEvents(
  tx: Database,
  provider: string,
  paymentIds: string[],
): Promise<DeferredEvent[]> {
  for (const id of paymentIds.toSorted()) await lockPayment(tx, provider, id);
  return tx.rows<DeferredEvent>(sql`
    select id, event_id, payload from billing_events
     where provider = ${provider} and awaits_payment = any(${paymentIds}::text[]) and payload is not null
     order by occurred_at, id for update`);
}

export async function settleDeferredEvents(
  tx: Database,
  ids: number[],
  { subscriptionId, userId }: { subscriptionId: string | null; userId: string },
): Promise<void> {
  await tx.run(sql`
    update billing_events set outcome = 'applied', reason = '', awaits_payment = null, next_try_at = null,
           user_id = ${userId}, subscription_id = ${subscriptionId}, handled_at = app_now()
     where id = any(${ids}::bigint[])`);
}

export interface SubscriptionOwner {
  id: string;
  userId: string;
  checkoutId: string | null;
}

/** Locks a subscription, known or not, until the transaction ends. @returns the time to use in this update. */
export async function lockSubscription(tx: Database, provider: string, externalId: string): Promise<Date> {
  await tx.row(sql`select pg_advisory_xact_lock(hashtextextended(${`${provider}:${externalId}`}, 8))`);
  const row = await tx.row<{ now: Date }>(sql`select app_now() as now`);
  if (!row) throw new Error('The clock answered no row.');
  return row.now;
}

/** Locks a user, so that two of their subscriptions do not compute the plan concurrently. */
export async function lockUser(
  tx: Database,
  userId: string,
): Promise<{ firstPaidAt: Date | null; hasRequestedRefund: boolean }> {
  await tx.row(sql`select 1 from users where id = ${userId} for no key update`);
  const row = await tx.row<{ firstPaidAt: Date | null; hasRequestedRefund: boolean }>(sql`
    select (select min(paid_at) from payments where user_id = ${userId} and plan is not null) as "firstPaidAt",
           exists (select 1 from refunds r join payments p on p.id = r.payment_id
                    where p.user_id = ${userId} and p.plan is not null and r.asked_by = 'person' and r.state <> 'failed') as "hasRequestedRefund"`);
  return row ?? { firstPaidAt: null, hasRequestedRefund: false };
}

export async function isEntitled(tx: Database, userId: string): Promise<boolean> {
  return (
    (await tx.row(sql`select 1 from entitlements where user_id = ${userId} and plan <> 'free'`)) !== null
  );
}

export async function findSubscriptionOfPayment(
  tx: Database,
  provider: string,
  paymentId: string,
): Promise<string | null> {
  const row = await tx.row<{ external_id: string }>(sql`
    select s.external_id from payments p join subscriptions s on s.id = p.subscription_id
     where p.provider = ${provider} and p.external_id = ${paymentId}`);
  return row?.external_id ?? null;
}

export async function findUserOfCheckout(
  tx: Database,
  provider: string,
  checkoutId: string,
): Promise<string | null> {
  const row = await tx.row<{ user_id: string }>(
    sql`select user_id from checkouts where id = ${checkoutId} and provider = ${provider} and plan is not null`,
  );
  return row?.user_id ?? null;
}

interface SubscriptionRow {
  id: string;
  user_id: string;
  checkout_id: string | null;
  customer_id: string;
  product_id: string;
  renewal_cents: number | null;
  plan: PlanDuration;
  status: string;
  period_start: Date | null;
  period_end: Date | null;
  canceled_at: Date | null;
  version_at: Date;
  access_until: Date | null;
}

const toFact = (row: SubscriptionRow): SubscriptionFact => ({
  customerId: row.customer_id,
  productId: row.product_id,
  priceCents: row.renewal_cents,
  plan: row.plan,
  status: row.status,
  periodStart: row.period_start,
  periodEnd: row.period_end,
  canceledAt: row.canceled_at,
  versionAt: row.version_at,
  accessUntil: row.access_until,
});

export async function loadFacts(
  tx: Database,
  provider: string,
  externalId: string,
): Promise<{ owner: SubscriptionOwner | null; facts: Facts }> {
  const row = await tx.row<SubscriptionRow>(sql`
    select * from subscriptions where provider = ${provider} and external_id = ${externalId} for update`);
  if (!row) return { owner: null, facts: { subscription: null, payments: [], refunds: [] } };
  const payments = await tx.rows<PaymentFact>(sql`
    select external_id as "externalId", plan, amount_cents as "amountCents", currency,
           refunded_cents as "refundedCents", disputed, period_start as "periodStart", period_end as "periodEnd",
           paid_at as "paidAt"
      from payments where subscription_id = ${row.id} order by period_start, paid_at, external_id`);
  const refunds = await tx.rows<RefundFact>(sql`
    select r.id, r.external_id as "externalId", p.external_id as "paymentId", r.amount_cents as "amountCents", r.state,
           r.asked_by as "askedBy", r.told_at as "reportedAt", r.excess_cents as "excessCents", r.reversed
      from refunds r join payments p on p.id = r.payment_id where p.subscription_id = ${row.id} order by r.created_at, r.id`);
  return {
    owner: { id: row.id, userId: row.user_id, checkoutId: row.checkout_id },
    facts: { subscription: toFact(row), payments, refunds },
  };
}

export async function upsertSubscription(
  tx: Database,
  owner: SubscriptionOwner,
  { provider, externalId, isSnapshot }: { provider: string; externalId: string; isSnapshot: boolean },
  fact: SubscriptionFact,
): Promise<void> {
  await tx.run(sql`
    insert into subscriptions as s (id, user_id, checkout_id, provider, external_id, customer_id, product_id, plan, status,
      period_start, period_end, canceled_at, version_at, access_until, reconciled_at, price_cents, priced_product_id)
    values (${owner.id}, ${owner.userId}, ${owner.checkoutId}, ${provider}, ${externalId}, ${fact.customerId},
      ${fact.productId}, ${fact.plan}, ${fact.status}, ${fact.periodStart}, ${fact.periodEnd}, ${fact.canceledAt},
      ${fact.versionAt}, ${fact.accessUntil}, case when ${isSnapshot}::boolean then app_now() end, ${fact.priceCents}, ${fact.productId})
    on conflict (provider, external_id) do update set
      customer_id = excluded.customer_id, product_id = excluded.product_id, plan = excluded.plan,
      status = excluded.status, period_start = excluded.period_start, period_end = excluded.period_end,
      canceled_at = excluded.canceled_at, version_at = excluded.version_at, access_until = excluded.access_until,
      price_cents = excluded.price_cents, priced_product_id = excluded.priced_product_id,
      reconciled_at = coalesce(excluded.reconciled_at, s.reconciled_at)`);
}

export async function paymentsOfOtherSubscriptions(
  tx: Database,
  provider: string,
  externalId: string,
  paymentIds: string[],
): Promise<Set<string>> {
  const rows = await tx.rows<{ external_id: string }>(sql`
    select p.external_id from payments p join subscriptions s on s.id = p.subscription_id
     where p.provider = ${provider} and p.external_id = any(${paymentIds}) and s.external_id <> ${externalId}`);
  return new Set(rows.map(({ external_id }) => external_id));
}

export async function upsertPayment(
  tx: Database,
  owner: SubscriptionOwner,
  provider: string,
  fact: PaymentFact & { id: string },
): Promise<void> {
  const written = await tx.run(sql`
    insert into payments (id, subscription_id, user_id, provider, external_id, plan, amount_cents, currency,
      refunded_cents, disputed, period_start, period_end, paid_at)
    values (${fact.id}, ${owner.id}, ${owner.userId}, ${provider}, ${fact.externalId}, ${fact.plan}, ${fact.amountCents},
      ${fact.currency}, ${fact.refundedCents}, ${fact.disputed}, ${fact.periodStart}, ${fact.periodEnd}, ${fact.paidAt})
    on conflict (provider, external_id) do update set
      plan = excluded.plan, amount_cents = excluded.amount_cents, currency = excluded.currency,
      refunded_cents = excluded.refunded_cents, disputed = excluded.disputed, period_start = excluded.period_start,
      period_end = excluded.period_end, paid_at = excluded.paid_at
    where payments.subscription_id = excluded.subscription_id`);
  if (written === 0) throw new Error('A payment belongs to another subscription.');
}

export async function upsertRefund(
  tx: Database,
  provider: string,
  fact: RefundFact & { id: string },
): Promise<void> {
  const settled = fact.state === 'succeeded' || fact.state === 'failed';
  await tx.run(sql`
    insert into refunds as r (id, payment_id, external_id, amount_cents, state, asked_by, told_at, excess_cents, reversed, settled_at)
    select ${fact.id}, p.id, ${fact.externalId}, ${fact.amountCents}, ${fact.state}, ${fact.askedBy},
           ${fact.reportedAt}::timestamptz, ${fact.excessCents}::int, ${fact.reversed}::boolean, case when ${settled}::boolean then app_now() end
      from payments p where p.provider = ${provider} and p.external_id = ${fact.paymentId}
    on conflict (id) do update set external_id = excluded.external_id, amount_cents = excluded.amount_cents, state = excluded.state,
      told_at = excluded.told_at, excess_cents = excluded.excess_cents, reversed = excluded.reversed,
      settled_at = coalesce(r.settled_at, excluded.settled_at)`);
}
