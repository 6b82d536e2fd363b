import type { Database } from '../../../platform/database/database.server.ts';
import { sql } from '../../../platform/database/sql.server.ts';
import type { PlanDuration } from '../../credits/contract.ts';

/** More of each than a person can have; what there is of events is read page by page. */
const MOST = 2_000;

export interface SubscriptionRow {
  id: string;
  provider: string;
  external_id: string;
  customer_id: string;
  plan: PlanDuration;
  status: string;
  period_start: Date | null;
  period_end: Date | null;
  canceled_at: Date | null;
  access_until: Date | null;
  created_at: Date;
}

/** Subscriptions of a person, oldest first. */
export function subscriptionsOf(db: Database, userId: string): Promise<SubscriptionRow[]> {
  return db.rows(sql`
    select id, provider, external_id, customer_id, plan, status, period_start, period_end, canceled_at, access_until, created_at
      from subscriptions where user_id = ${userId} order by created_at, id limit ${MOST}`);
}

export interface PaymentRow {
  id: string;
  subscription_id: string;
  provider: string;
  external_id: string;
  plan: PlanDuration;
  amount_cents: number;
  refunded_cents: number;
  currency: string;
  disputed: boolean;
  period_start: Date;
  period_end: Date;
  paid_at: Date;
}

/** Payments of a person, oldest first. */
export function paymentsOf(db: Database, userId: string): Promise<PaymentRow[]> {
  return db.rows(sql`
    select id, subscription_id, provider, external_id, plan, amount_cents, refunded_cents, currency, disputed,
           period_start, period_end, paid_at
      from payments where user_id = ${userId} order by paid_at, id limit ${MOST}`);
}

export interface RefundRow {
  id: string;
  payment_id: string;
  amount_cents: number;
  state: string;
  asked_by: 'person' | 'operator' | 'provider';
  reason: string;
  created_at: Date;
  settled_at: Date | null;
}

/** Refunds of a person's payments, oldest first. */
export function refundsOf(db: Database, userId: string): Promise<RefundRow[]> {
  return db.rows(sql`
    select r.id, r.payment_id, r.amount_cents, r.state, r.asked_by, r.reason, r.created_at, r.settled_at
      from refunds r join payments p on p.id = r.payment_id
     where p.user_id = ${userId} order by r.created_at, r.id limit ${MOST}`);
}

export interface CheckoutRow {
  id: string;
  plan: PlanDuration;
  provider: string;
  external_id: string | null;
  state: string;
  created_at: Date;
  closed_at: Date | null;
}

/** Checkouts that were opened for a person, oldest first. */
export function checkoutsOf(db: Database, userId: string): Promise<CheckoutRow[]> {
  return db.rows(sql`
    select id, plan, provider, external_id, state, created_at, closed_at
      from checkouts where user_id = ${userId} order by created_at, id limit ${MOST}`);
}

export interface PlanChangeRow {
  from_plan: string;
  to_plan: string;
  cause: string;
  created_at: Date;
}

/** What a person's plan was and became, oldest first. */
export function planChangesOf(db: Database, userId: string): Promise<PlanChangeRow[]> {
  return db.rows(sql`
    select from_plan, to_plan, cause, created_at from plan_changes where user_id = ${userId} order by id limit ${MOST}`);
}

export interface ActionRow {
  action: string;
  reason: string;
  created_at: Date;
}

/** What the operator did about a person, oldest first; who of them is not the person's data. */
export function actionsOf(db: Database, userId: string): Promise<ActionRow[]> {
  return db.rows(sql`
    select action, reason, created_at from operator_actions where user_id = ${userId} order by id limit ${MOST}`);
}

export interface SentMailRow {
  kind: string;
  facts: unknown;
  created_at: Date;
  sent_at: Date | null;
}

/** Mails about money to a person, oldest first. */
export function mailsOf(db: Database, userId: string): Promise<SentMailRow[]> {
  return db.rows(sql`
    select kind, facts, created_at, sent_at from billing_mails where user_id = ${userId} order by created_at, key limit ${MOST}`);
}

export interface EventRow {
  id: number;
  event_id: string;
  type: string;
  occurred_at: Date;
  outcome: string;
  payload: unknown;
}

/** Events of the payment provider about a person, in the order of their arrival, after one of them. */
export function eventsAfter(db: Database, userId: string, after: number, limit: number): Promise<EventRow[]> {
  return db.rows(sql`
    select id, event_id, type, occurred_at, outcome, payload from billing_events
     where user_id = ${userId} and id > ${after} order by id limit ${limit}`);
}

/**
 * Empties what holds a person's address or name: the provider's events (those too that could be brought to nobody but
 * name the person's id) and the mails. Subscriptions, payments, refunds and the operator's actions stay by the
 * tombstone, as the accounts need them.
 */
export async function eraseOf(tx: Database, userId: string): Promise<void> {
  await tx.run(sql`
    update billing_events set payload = null where payload is not null
       and (user_id = ${userId} or subscription_id in (select id from subscriptions where user_id = ${userId})
         or (user_id is null and strpos(payload::text, ${userId}::text) > 0))`);
  await tx.run(sql`update billing_mails set facts = '{}' where user_id = ${userId}`);
  await tx.run(sql`update checkouts set url = null where user_id = ${userId}`);
}

/** Empties the events that came after the erasure of their person. @returns their number. */
export function emptyLateEvents(db: Database): Promise<number> {
  return db.run(sql`
    update billing_events e set payload = null from users u
     where u.id = e.user_id and u.erased_at is not null and e.payload is not null
       and e.outcome in ('applied', 'ignored')`);
}
