import { randomUUID } from 'node:crypto';
import type { PlanDuration } from '#features/credits/contract.ts';
import type { Database } from '#platform/database/database.server.ts';
import { type Statement, sql } from '#platform/database/sql.server.ts';
import type { SubscriptionOwner } from '../store.server.ts';
import type { RefundCause } from './refund-reason.server.ts';

const REUSE_MINUTES = 30;

/** After this time a checkout without a URL is abandoned: the process that was creating it has ended. */
const CREATION_TIMEOUT_SECONDS = 20;

interface CheckoutRow {
  id: string;
  external_id: string | null;
  url: string | null;
  state: 'open' | 'completed' | 'expired' | 'failed';
}

export interface NewCheckoutRow {
  id: string;
  userId: string;
  /** Null for a pack, which has `credits`. */
  plan: PlanDuration | null;
  credits: number | null;
  productId: string;
  provider: string;
}

export async function lockBuyer(tx: Database, userId: string): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`checkout:${userId}`}::text, 0))`);
}

export function findOpenCheckout(tx: Database, row: NewCheckoutRow): Promise<CheckoutRow | null> {
  return tx.row<CheckoutRow>(sql`
    select id, external_id, url, state from checkouts
     where user_id = ${row.userId} and plan is not distinct from ${row.plan}::text
       and credits is not distinct from ${row.credits}::int and product_id = ${row.productId}
       and provider = ${row.provider} and state = 'open' and retired_at is null
       and created_at > app_now() - ${REUSE_MINUTES}::int * interval '1 minute'
       and (url is not null or created_at > app_now() - ${CREATION_TIMEOUT_SECONDS}::int * interval '1 second')
     order by created_at desc limit 1`);
}

export async function insertCheckout(tx: Database, row: NewCheckoutRow): Promise<void> {
  await tx.run(sql`
    insert into checkouts (id, user_id, plan, credits, product_id, provider)
    values (${row.id}, ${row.userId}, ${row.plan}, ${row.credits}, ${row.productId}, ${row.provider})`);
}

export function findCheckout(db: Database, id: string): Promise<CheckoutRow | null> {
  return db.row<CheckoutRow>(sql`select id, external_id, url, state from checkouts where id = ${id}`);
}

export async function recordCheckoutUrl(
  db: Database,
  id: string,
  externalId: string,
  url: string,
): Promise<void> {
  await db.run(sql`update checkouts set external_id = ${externalId}, url = ${url} where id = ${id}`);
}

export async function closeCheckout(db: Database, id: string, state: 'expired' | 'failed'): Promise<void> {
  await db.run(sql`
    update checkouts set state = ${state}, closed_at = app_now() where id = ${id} and state = 'open'`);
}

export async function retireCheckout(db: Database, id: string): Promise<void> {
  await db.run(sql`update checkouts set retired_at = app_now() where id = ${id} and retired_at is null`);
}

export async function hasOtherOpenCheckout(db: Database, userId: string, id: string): Promise<boolean> {
  const row = await db.row(sql`
    select 1 from checkouts
     where user_id = ${userId} and id <> ${id} and plan is not null and state = 'open' and external_id is not null limit 1`);
  return row !== null;
}

export function runningSubscription(
  db: Database,
  userId: string,
): Promise<{ status: string; has_access: boolean } | null> {
  return db.row(sql`
    select status, coalesce(access_until > app_now(), false) as has_access from subscriptions
     where user_id = ${userId} and (access_until > app_now() or status in ('active', 'trialing', 'past_due'))
     order by status = 'scheduled_cancel' desc, access_until desc nulls last limit 1`);
}

/**
 * Returns up to 500 checkouts that have been open for a day (`old`: three days), in random order, so that those whose
 * lookups keep failing never block the rest.
 */
export function staleCheckouts(db: Database): Promise<(CheckoutRow & { old: boolean })[]> {
  return db.rows(sql`
    select id, external_id, url, state, created_at < app_now() - interval '3 days' as old from checkouts
     where state = 'open' and created_at < app_now() - interval '1 day'
     order by random() limit 500`);
}

export type OpenCheckout = Pick<CheckoutRow, 'id'> & { external_id: string; is_pack: boolean };

/**
 * Returns checkouts that the provider knows and whose result is not known here, newest first. `userId` null: of all
 * users; `after`: only checkouts older than this one.
 */
export function openCheckouts(
  db: Database,
  page: { provider: string; userId: string | null; after: string | null; limit: number },
): Promise<OpenCheckout[]> {
  const { provider, userId, after, limit } = page;
  return db.rows<OpenCheckout>(sql`
    select c.id, c.external_id, c.plan is null as is_pack from checkouts c
     where c.provider = ${provider} and c.external_id is not null
       and (${userId}::uuid is null or c.user_id = ${userId})
       and (${after}::uuid is null
            or (c.created_at, c.id) < (select a.created_at, a.id from checkouts a where a.id = ${after}))
       and (c.state = 'open'
            or (c.state = 'completed' and not exists (select 1 from subscriptions s where s.checkout_id = c.id)
                and not exists (select 1 from payments p where p.checkout_id = c.id)))
     order by c.created_at desc, c.id desc limit ${limit}`);
}

/** @returns null if there is no such checkout, or the provider knows it by another id. */
export async function recordReportedState(
  tx: Database,
  checkout: { id: string; provider: string; externalId: string | null; state: string },
): Promise<{ user_id: string; changed: boolean } | null> {
  const { id, provider, externalId, state } = checkout;
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

export function retireOtherCheckouts(
  tx: Database,
  { userId, checkoutId }: SubscriptionOwner,
): Promise<number> {
  return tx.run(sql`
    update checkouts set retired_at = app_now()
     where user_id = ${userId} and plan is not null and state = 'open' and retired_at is null and id is distinct from ${checkoutId}::uuid`);
}

export interface RefundRequest {
  id: string;
  payment: string;
}

export interface NewRefund {
  paymentId: string;
  requestedBy: 'person' | 'operator';
  cause?: RefundCause;
  reason?: string;
}

export function insertRefundRequest(
  tx: Database,
  { paymentId, requestedBy, cause, reason }: NewRefund,
): Promise<RefundRequest | null> {
  return tx.row<RefundRequest>(sql`
    with payment as (
      select id, external_id, amount_cents - refunded_cents as left_cents from payments where id = ${paymentId}),
    asked as (
      insert into refunds (id, payment_id, amount_cents, state, asked_by, cause, reason)
      select ${randomUUID()}, id, left_cents, 'asked', ${requestedBy}, ${cause ?? null}::text, ${reason ?? ''} from payment where left_cents > 0
      on conflict do nothing returning id, payment_id)
    select a.id, p.external_id as payment from asked a join payment p on p.id = a.payment_id`);
}

export async function recordRefundResult(
  db: Database,
  id: string,
  state: 'pending' | 'succeeded' | 'failed',
): Promise<void> {
  await db.run(sql`
    update refunds set state = ${state}, settled_at = case when ${state} <> 'pending' then app_now() end
     where id = ${id} and state = 'asked'`);
}

export async function refundablePayments(db: Database, subscriptionId: string): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    select id from payments
     where subscription_id = ${subscriptionId} and refunded_cents < amount_cents and not disputed
     order by period_start desc, paid_at desc`);
  return rows.map(({ id }) => id);
}

/** `asked`: requested, but the provider has not answered; null: not requested, or failed. */
export async function refundProgress(
  db: Database,
  subscriptionId: string,
): Promise<'asked' | 'pending' | 'succeeded' | null> {
  const row = await db.row<{ state: 'asked' | 'pending' | 'succeeded' }>(sql`
    select r.state from refunds r join payments p on p.id = r.payment_id
     where p.subscription_id = ${subscriptionId} and r.asked_by = 'person' and r.state <> 'failed'
     order by r.state = 'asked' desc limit 1`);
  return row?.state ?? null;
}

/**
 * Returns subscriptions with a refund that the provider has not answered for a minute, or that is pending there.
 * Pending refunds take days: they are read again after a tenth of their age, at least once an hour.
 */
export function openRefunds(db: Database, provider: string): Promise<{ external_id: string }[]> {
  return db.rows(sql`
    select s.external_id
      from subscriptions s
     where s.provider = ${provider} and exists (
       select 1 from refunds r join payments p on p.id = r.payment_id
        where p.subscription_id = s.id and r.asked_by <> 'provider'
          and ((r.state = 'asked' and r.created_at < app_now() - interval '1 minute')
               or (r.state = 'pending' and coalesce(s.reconciled_at, r.created_at)
                     <= app_now() - least((app_now() - r.created_at) / 10, interval '1 hour'))))
     order by s.reconciled_at nulls first limit 100`);
}

/** Subscriptions that would renew although their newest payment was disputed, or refunded here or at the provider. */
export function refundedButRunning(db: Database, provider: string): Promise<{ external_id: string }[]> {
  return db.rows(sql`
    select s.external_id
      from subscriptions s
      cross join lateral (select id, disputed, amount_cents > 0 and refunded_cents = amount_cents as refunded
                            from payments where subscription_id = s.id
                           order by period_start desc, paid_at desc, external_id limit 1) p
     where s.provider = ${provider} and s.status not in ('canceled', 'expired')
       and (p.disputed or p.refunded
            or exists (select 1 from refunds r where r.payment_id = p.id and r.asked_by <> 'provider'
                         and r.state in ('pending', 'succeeded')))
     limit 100`);
}

/**
 * Fails refunds of payments `p` (`condition`) that the provider, just read, does not report as fully refunded.
 * `minutes`: limit for refunds without an answer; `days`: for pending ones.
 */
export function giveUpRefunds(
  tx: Database,
  condition: Statement,
  { minutes, days }: { minutes: number; days: number },
): Promise<Array<{ payment: string; asked_by: string }>> {
  return tx.rows(sql`
    update refunds r set state = 'failed', settled_at = app_now() from payments p
     where p.id = r.payment_id and ${condition} and r.asked_by <> 'provider'
       and p.refunded_cents < p.amount_cents
       and ((r.state = 'asked' and r.created_at < app_now() - ${minutes}::int * interval '1 minute')
            or (r.state = 'pending' and r.created_at < app_now() - ${days}::int * interval '1 day'))
    returning p.external_id as payment, r.asked_by`);
}

interface PaymentAfterDeletion {
  id: string;
  payment: string;
  /** Null for a pack, which was bought through `checkout`. */
  subscription: string | null;
  checkout: string | null;
  user_id: string;
}

/** Payments by deleted accounts without a refund request; if one failed, they are returned again after a day. */
export function paymentsAfterDeletion(db: Database, provider: string): Promise<PaymentAfterDeletion[]> {
  return db.rows<PaymentAfterDeletion>(sql`
    select p.id, p.external_id as payment, s.external_id as subscription, p.checkout_id as checkout, p.user_id
      from payments p join users u on u.id = p.user_id left join subscriptions s on s.id = p.subscription_id
     where p.provider = ${provider} and p.paid_at > u.deleted_at
       and p.refunded_cents < p.amount_cents and not p.disputed
       and not exists (select 1 from refunds r where r.payment_id = p.id and r.asked_by <> 'provider'
                          and (r.state <> 'failed' or r.created_at > app_now() - interval '1 day'))
     order by p.paid_at limit 100`);
}
