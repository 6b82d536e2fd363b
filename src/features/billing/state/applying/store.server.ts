import type { Database } from '../../../../platform/database/database.server.ts';
import { sql } from '../../../../platform/database/sql.server.ts';
import type { PlanDuration } from '../../../credits/contract.ts';
import type { Facts, PaymentFact, RefundFact, SubscriptionFact } from '../contract.ts';
import { paysOn } from '../store.server.ts';

export interface Place {
  id: string;
  userId: string;
  checkoutId: string | null;
}

/** Holds a subscription of the provider, known or not, until the transaction ends. @returns the time that decides. */
export async function lockExternal(tx: Database, provider: string, externalId: string): Promise<Date> {
  await tx.row(sql`select pg_advisory_xact_lock(hashtextextended(${`${provider}:${externalId}`}, 8))`);
  const row = await tx.row<{ now: Date }>(sql`select app_now() as now`);
  if (!row) throw new Error('The clock answered no row.');
  return row.now;
}

/** Holds a person's row, so that two of their subscriptions do not reckon the plan side by side. */
export async function lockPerson(
  tx: Database,
  userId: string,
): Promise<{ firstPaidAt: Date | null; hasAskedBack: boolean }> {
  await tx.row(sql`select 1 from users where id = ${userId} for no key update`);
  const row = await tx.row<{ firstPaidAt: Date | null; hasAskedBack: boolean }>(sql`
    select (select min(paid_at) from payments where user_id = ${userId}) as "firstPaidAt",
           exists (select 1 from refunds r join payments p on p.id = r.payment_id
                    where p.user_id = ${userId} and r.asked_by = 'person' and r.state <> 'failed') as "hasAskedBack"`);
  return row ?? { firstPaidAt: null, hasAskedBack: false };
}

/** Whether anything gives the person Pro or Business. */
export async function isEntitled(tx: Database, userId: string): Promise<boolean> {
  return (
    (await tx.row(sql`select 1 from entitlements where user_id = ${userId} and plan <> 'free'`)) !== null
  );
}

interface SubscriptionRow {
  id: string;
  user_id: string;
  checkout_id: string | null;
  customer_id: string;
  product_id: string;
  plan: PlanDuration;
  status: string;
  period_start: Date | null;
  period_end: Date | null;
  canceled_at: Date | null;
  version_at: Date;
  access_until: Date | null;
}

const factOf = (row: SubscriptionRow): SubscriptionFact => ({
  customerId: row.customer_id,
  productId: row.product_id,
  plan: row.plan,
  status: row.status,
  periodStart: row.period_start,
  periodEnd: row.period_end,
  canceledAt: row.canceled_at,
  versionAt: row.version_at,
  accessUntil: row.access_until,
});

/** The stored facts of a subscription, its row held until the transaction ends. */
export async function factsOf(
  tx: Database,
  provider: string,
  externalId: string,
): Promise<{ place: Place | null; facts: Facts }> {
  const row = await tx.row<SubscriptionRow>(sql`
    select * from subscriptions where provider = ${provider} and external_id = ${externalId} for update`);
  if (!row) return { place: null, facts: { subscription: null, payments: [], refunds: [] } };
  const payments = await tx.rows<PaymentFact>(sql`
    select external_id as "externalId", plan, amount_cents as "amountCents", currency,
           refunded_cents as "refundedCents", disputed, period_start as "periodStart", period_end as "periodEnd",
           paid_at as "paidAt"
      from payments where subscription_id = ${row.id} order by period_start, paid_at, external_id`);
  const refunds = await tx.rows<RefundFact>(sql`
    select r.id, r.external_id as "externalId", p.external_id as "paymentId", r.amount_cents as "amountCents", r.state,
           r.asked_by as "askedBy", r.told_at as "toldAt", r.excess_cents as "excessCents", r.reversed
      from refunds r join payments p on p.id = r.payment_id where p.subscription_id = ${row.id} order by r.created_at, r.id`);
  return {
    place: { id: row.id, userId: row.user_id, checkoutId: row.checkout_id },
    facts: { subscription: factOf(row), payments, refunds },
  };
}

/** Writes a subscription as it is now; `read`: the provider was just asked. */
export async function putSubscription(
  tx: Database,
  place: Place,
  { provider, externalId, read }: { provider: string; externalId: string; read: boolean },
  fact: SubscriptionFact,
): Promise<void> {
  await tx.run(sql`
    insert into subscriptions as s (id, user_id, checkout_id, provider, external_id, customer_id, product_id, plan, status,
      period_start, period_end, canceled_at, version_at, access_until, reconciled_at)
    values (${place.id}, ${place.userId}, ${place.checkoutId}, ${provider}, ${externalId}, ${fact.customerId},
      ${fact.productId}, ${fact.plan}, ${fact.status}, ${fact.periodStart}, ${fact.periodEnd}, ${fact.canceledAt},
      ${fact.versionAt}, ${fact.accessUntil}, case when ${read}::boolean then app_now() end)
    on conflict (provider, external_id) do update set
      customer_id = excluded.customer_id, product_id = excluded.product_id, plan = excluded.plan,
      status = excluded.status, period_start = excluded.period_start, period_end = excluded.period_end,
      canceled_at = excluded.canceled_at, version_at = excluded.version_at, access_until = excluded.access_until,
      reconciled_at = coalesce(excluded.reconciled_at, s.reconciled_at)`);
}

/** Of the provider's ids of payments those that are stored as another subscription's. */
export async function paymentsElsewhere(
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

/** Writes a payment as it is now. @throws when it is another subscription's by now. */
export async function putPayment(
  tx: Database,
  place: Place,
  provider: string,
  fact: PaymentFact & { id: string },
): Promise<void> {
  const written = await tx.run(sql`
    insert into payments (id, subscription_id, user_id, provider, external_id, plan, amount_cents, currency,
      refunded_cents, disputed, period_start, period_end, paid_at)
    values (${fact.id}, ${place.id}, ${place.userId}, ${provider}, ${fact.externalId}, ${fact.plan}, ${fact.amountCents},
      ${fact.currency}, ${fact.refundedCents}, ${fact.disputed}, ${fact.periodStart}, ${fact.periodEnd}, ${fact.paidAt})
    on conflict (provider, external_id) do update set
      plan = excluded.plan, amount_cents = excluded.amount_cents, currency = excluded.currency,
      refunded_cents = excluded.refunded_cents, disputed = excluded.disputed, period_start = excluded.period_start,
      period_end = excluded.period_end, paid_at = excluded.paid_at
    where payments.subscription_id = excluded.subscription_id`);
  if (written === 0) throw new Error('A payment belongs to another subscription.');
}

/** An event about a payment that had not come yet. */
export interface WaitingEvent {
  id: number;
  event_id: string;
  payload: unknown;
}

async function lockPayment(tx: Database, provider: string, paymentId: string): Promise<void> {
  await tx.row(sql`select pg_advisory_xact_lock(hashtextextended(${`${provider}:${paymentId}`}, 9))`);
}

/**
 * Lets an event wait for its payment. Payments that are being stored at the same moment are waited for.
 * @returns false when the payment is here by now.
 */
export async function awaitPayment(
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

/** Events that wait for payments which are new now, in the order of the provider; none can begin to wait meanwhile. */
export async function eventsAwaiting(
  tx: Database,
  provider: string,
  paymentIds: string[],
): Promise<WaitingEvent[]> {
  for (const id of paymentIds.toSorted()) await lockPayment(tx, provider, id);
  return tx.rows<WaitingEvent>(sql`
    select id, event_id, payload from billing_events
     where provider = ${provider} and awaits_payment = any(${paymentIds}::text[]) and payload is not null
     order by occurred_at, id for update`);
}

/** Notes that an event was applied with the payment for which it waited. */
export async function settleAwaiting(tx: Database, ids: number[], { id, userId }: Place): Promise<void> {
  await tx.run(sql`
    update billing_events set outcome = 'applied', reason = '', awaits_payment = null, next_try_at = null,
           user_id = ${userId}, subscription_id = ${id}, handled_at = app_now()
     where id = any(${ids}::bigint[])`);
}

/** Writes a refund as it is now. */
export async function putRefund(
  tx: Database,
  provider: string,
  fact: RefundFact & { id: string },
): Promise<void> {
  const settled = fact.state === 'succeeded' || fact.state === 'failed';
  await tx.run(sql`
    insert into refunds as r (id, payment_id, external_id, amount_cents, state, asked_by, told_at, excess_cents, reversed, settled_at)
    select ${fact.id}, p.id, ${fact.externalId}, ${fact.amountCents}, ${fact.state}, ${fact.askedBy},
           ${fact.toldAt}::timestamptz, ${fact.excessCents}::int, ${fact.reversed}::boolean, case when ${settled}::boolean then app_now() end
      from payments p where p.provider = ${provider} and p.external_id = ${fact.paymentId}
    on conflict (id) do update set external_id = excluded.external_id, amount_cents = excluded.amount_cents, state = excluded.state,
      told_at = excluded.told_at, excess_cents = excluded.excess_cents, reversed = excluded.reversed,
      settled_at = coalesce(r.settled_at, excluded.settled_at)`);
}

export interface RenewingPlan {
  id: string;
  /** The provider's id. */
  external_id: string;
  plan: PlanDuration;
  renews_at: Date | null;
  /** When it was first paid for; null during a trial. */
  paid_at: Date | null;
}

/** The plans of a person that will be charged again, of which nobody needs two; the one bought first comes first. */
export function renewingPlans(tx: Database, userId: string): Promise<RenewingPlan[]> {
  return tx.rows<RenewingPlan>(sql`
    select s.id, s.external_id, s.plan, coalesce(p.period_end, s.period_end) as renews_at,
           (select min(f.paid_at) from payments f where f.subscription_id = s.id) as paid_at
      from subscription_states t join subscriptions s on s.id = t.subscription_id
      left join payments p on p.id = t.payment_id
     where t.user_id = ${userId} and ${paysOn}
     order by paid_at nulls last, s.external_id`);
}

/** A person who has paid by one checkout is given no other one that is open; their number. */
export function retireOtherCheckouts(tx: Database, { userId, checkoutId }: Place): Promise<number> {
  return tx.run(sql`
    update checkouts set retired_at = app_now()
     where user_id = ${userId} and state = 'open' and retired_at is null and id is distinct from ${checkoutId}::uuid`);
}

/** The subscription that a payment belongs to; null for a payment that was never told of. */
export async function subscriptionOfPayment(
  tx: Database,
  provider: string,
  paymentId: string,
): Promise<string | null> {
  const row = await tx.row<{ external_id: string }>(sql`
    select s.external_id from payments p join subscriptions s on s.id = p.subscription_id
     where p.provider = ${provider} and p.external_id = ${paymentId}`);
  return row?.external_id ?? null;
}

/** The person for whom a checkout of ours was made. */
export async function personOfCheckout(
  tx: Database,
  provider: string,
  checkoutId: string,
): Promise<string | null> {
  const row = await tx.row<{ user_id: string }>(
    sql`select user_id from checkouts where id = ${checkoutId} and provider = ${provider}`,
  );
  return row?.user_id ?? null;
}

/**
 * Closes a checkout of ours. @returns its person and whether that changed it; null when there is none, or it is another
 * one at the provider.
 */
export async function closeCheckout(
  tx: Database,
  {
    id,
    provider,
    externalId,
    state,
  }: { id: string; provider: string; externalId: string | null; state: string },
): Promise<{ user_id: string; changed: boolean } | null> {
  return tx.row(sql`
    with known as (select id, user_id, state from checkouts
                    where id = ${id} and provider = ${provider}
                      and (${externalId}::text is null or external_id is null or external_id = ${externalId})
                      for update),
    closed as (update checkouts c set state = ${state}, closed_at = app_now(),
                      external_id = coalesce(c.external_id, ${externalId})
                 from known where c.id = known.id and known.state <> ${state} and known.state <> 'completed' returning c.id)
    select user_id, exists (select 1 from closed) as changed from known`);
}

/** Brings `users.subscription_status` to the state of the newest subscription, for one person or, with null, for all. */
export async function mirrorStatus(db: Database, userId: string | null): Promise<void> {
  await db.run(sql`
    update users u set subscription_status = t.state
      from (select distinct on (user_id) user_id, state from subscription_states
             where ${userId}::uuid is null or user_id = ${userId}
             order by user_id, created_at desc, subscription_id) t
     where t.user_id = u.id and u.subscription_status <> t.state`);
}

/**
 * Gives up refunds of ours that were not made, once the provider was just read and says that something is left of the
 * payment: one that it did not answer after so many minutes, one that it took to make later after so many days.
 * @returns them.
 */
export function giveUpRefunds(
  tx: Database,
  subscriptionId: string,
  { minutes, days }: { minutes: number; days: number },
): Promise<Array<{ payment: string; asked_by: string }>> {
  return tx.rows(sql`
    update refunds r set state = 'failed', settled_at = app_now() from payments p
     where p.id = r.payment_id and p.subscription_id = ${subscriptionId} and r.asked_by <> 'provider'
       and p.refunded_cents < p.amount_cents
       and ((r.state = 'asked' and r.created_at < app_now() - ${minutes}::int * interval '1 minute')
            or (r.state = 'pending' and r.created_at < app_now() - ${days}::int * interval '1 day'))
    returning p.external_id as payment, r.asked_by`);
}
