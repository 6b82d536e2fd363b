import type { Database } from '../../../platform/database/database.server.ts';
import { sql } from '../../../platform/database/sql.server.ts';
import type { PlanDuration } from '../../credits/contract.ts';

/** Minutes for which an open checkout is given again. */
const AGAIN_MINUTES = 30;

/** Seconds after which a checkout that has no address is not being made any more: its process has gone. */
const MAKING_SECONDS = 20;

export interface CheckoutRow {
  id: string;
  external_id: string | null;
  url: string | null;
  state: 'open' | 'completed' | 'expired' | 'failed';
}

export interface NewRow {
  id: string;
  userId: string;
  plan: PlanDuration;
  productId: string;
  provider: string;
}

/** One at a time makes checkouts for a person, on every process, until the transaction ends. */
export async function lockBuyer(tx: Database, userId: string): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`checkout:${userId}`}::text, 0))`);
}

/** The open checkout of a person for this very product that can be given again, or is being made; null without one. */
export function openCheckoutOf(tx: Database, row: NewRow): Promise<CheckoutRow | null> {
  return tx.row<CheckoutRow>(sql`
    select id, external_id, url, state from checkouts
     where user_id = ${row.userId} and plan = ${row.plan} and product_id = ${row.productId}
       and provider = ${row.provider} and state = 'open' and retired_at is null
       and created_at > app_now() - ${AGAIN_MINUTES}::int * interval '1 minute'
       and (url is not null or created_at > app_now() - ${MAKING_SECONDS}::int * interval '1 second')
     order by created_at desc limit 1`);
}

export async function insertCheckout(tx: Database, row: NewRow): Promise<void> {
  await tx.run(sql`
    insert into checkouts (id, user_id, plan, product_id, provider)
    values (${row.id}, ${row.userId}, ${row.plan}, ${row.productId}, ${row.provider})`);
}

export function checkoutRow(db: Database, id: string): Promise<CheckoutRow | null> {
  return db.row<CheckoutRow>(sql`select id, external_id, url, state from checkouts where id = ${id}`);
}

/** Keeps what the provider answered. */
export async function checkoutMade(db: Database, id: string, externalId: string, url: string): Promise<void> {
  await db.run(sql`update checkouts set external_id = ${externalId}, url = ${url} where id = ${id}`);
}

export async function closeCheckout(db: Database, id: string, state: 'expired' | 'failed'): Promise<void> {
  await db.run(sql`
    update checkouts set state = ${state}, closed_at = app_now() where id = ${id} and state = 'open'`);
}

/** Gives a checkout to nobody again; it stays open at the provider. */
export async function retireCheckout(db: Database, id: string): Promise<void> {
  await db.run(sql`update checkouts set retired_at = app_now() where id = ${id} and retired_at is null`);
}

/** Whether a person has another checkout that they may have paid meanwhile. */
export async function hasEarlierOpen(db: Database, userId: string, id: string): Promise<boolean> {
  const row = await db.row(sql`
    select 1 from checkouts
     where user_id = ${userId} and id <> ${id} and state = 'open' and external_id is not null limit 1`);
  return row !== null;
}

/** A subscription of the person that would be paid for twice; the one that can be resumed first. */
export function runningSubscription(
  db: Database,
  userId: string,
): Promise<{ status: string; has_access: boolean } | null> {
  return db.row(sql`
    select status, coalesce(access_until > app_now(), false) as has_access from subscriptions
     where user_id = ${userId} and (access_until > app_now() or status in ('active', 'trialing', 'past_due'))
     order by status = 'scheduled_cancel' desc, access_until desc nulls last limit 1`);
}

/** Checkouts that have been open for a day, the oldest first; at most 500. `old`: for three days. */
export function lingeringCheckouts(db: Database): Promise<(CheckoutRow & { old: boolean })[]> {
  return db.rows(sql`
    select id, external_id, url, state, created_at < app_now() - interval '3 days' as old from checkouts
     where state = 'open' and created_at < app_now() - interval '1 day'
     order by created_at limit 500`);
}
