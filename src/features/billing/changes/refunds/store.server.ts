import { randomUUID } from 'node:crypto';
import type { Database } from '../../../../platform/database/database.server.ts';
import { sql } from '../../../../platform/database/sql.server.ts';

export interface AskedRefund {
  id: string;
  /** The provider's id of the payment. */
  payment: string;
}

/** Writes down that the rest of a payment is asked back; null when it was before, or nothing is left of it. */
export function askRefund(
  tx: Database,
  { paymentId, by, reason }: { paymentId: string; by: 'person' | 'operator'; reason: string },
): Promise<AskedRefund | null> {
  return tx.row<AskedRefund>(sql`
    with payment as (
      select id, external_id, amount_cents - refunded_cents as left_cents from payments where id = ${paymentId}),
    asked as (
      insert into refunds (id, payment_id, amount_cents, state, asked_by, reason)
      select ${randomUUID()}, id, left_cents, 'asked', ${by}, ${reason} from payment where left_cents > 0
      on conflict do nothing returning id, payment_id)
    select a.id, p.external_id as payment from asked a join payment p on p.id = a.payment_id`);
}

/** Keeps what became of a refund, unless an event of the provider has said so before. */
export async function refundAnswered(
  db: Database,
  id: string,
  state: 'pending' | 'succeeded' | 'failed',
): Promise<void> {
  await db.run(sql`
    update refunds set state = ${state}, settled_at = case when ${state} <> 'pending' then app_now() end
     where id = ${id} and state = 'asked'`);
}

/** Payments of a subscription of which something is left to give back, the newest first. */
export async function refundablePayments(db: Database, subscriptionId: string): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    select id from payments
     where subscription_id = ${subscriptionId} and refunded_cents < amount_cents and not disputed
     order by period_start desc, paid_at desc`);
  return rows.map(({ id }) => id);
}

/** How far a person has come with the money of a subscription: `asked` is not answered; null: not asked, or refused. */
export async function askedBack(
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
 * The provider's ids of subscriptions with a refund of ours that is open: not answered for a minute, or pending there,
 * those read longest ago first. A pending one takes days: it is read after a tenth of its age, at least once an hour.
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

/**
 * The provider's ids of subscriptions that would renew although their newest payment was given back, by us or in the
 * provider's own pages, or disputed.
 */
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
