import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import { refundDays } from '../provider/payment-provider.ts';
import type { RefundFact } from '../subscriptions/subscription-facts.ts';
import type { PackFacts, PackPayment } from './reduce-pack.server.ts';

export interface PackCheckout {
  id: string;
  userId: string;
  productId: string;
  credits: number;
}

interface ReadablePack {
  id: string;
  external_id: string;
}

/** Finds the checkout by our id of it, or by a known order or payment. */
export async function findPackCheckout(
  tx: Database,
  provider: string,
  ids: { checkoutIds: string[]; orderIds: string[]; paymentIds: string[] },
): Promise<string | null> {
  const row = await tx.row<{ id: string }>(sql`
    select id from checkouts
     where provider = ${provider} and credits is not null and id = any(${ids.checkoutIds}::uuid[])
    union all
    select checkout_id from payments
     where provider = ${provider} and credits is not null
       and (order_id = any(${ids.orderIds}::text[]) or external_id = any(${ids.paymentIds}::text[]))
    limit 1`);
  return row?.id ?? null;
}

/** Null until the provider has answered with its own id. */
export function findPackCheckoutById(db: Database, id: string): Promise<ReadablePack | null> {
  return db.row<ReadablePack>(sql`
    select id, external_id from checkouts where id = ${id} and credits is not null and external_id is not null`);
}

/** Locks the checkout until the transaction ends. @returns also the time to use in this update. */
export async function lockPackCheckout(tx: Database, id: string): Promise<PackCheckout | null> {
  await tx.row(sql`select pg_advisory_xact_lock(hashtextextended(${`pack:${id}`}::text, 8))`);
  return tx.row<PackCheckout>(sql`
    select id, user_id as "userId", product_id as "productId", credits
      from checkouts where id = ${id} and credits is not null for update`);
}

export async function loadPackFacts(tx: Database, checkoutId: string): Promise<PackFacts> {
  const payment = await tx.row<PackPayment>(sql`
    select external_id as "externalId", amount_cents as "amountCents", currency, refunded_cents as "refundedCents",
           disputed, paid_at as "paidAt", order_id as "orderId"
      from payments where checkout_id = ${checkoutId} for update`);
  const refunds = await tx.rows<RefundFact>(sql`
    select r.id, r.external_id as "externalId", p.external_id as "paymentId", r.amount_cents as "amountCents", r.state,
           r.asked_by as "askedBy", r.told_at as "reportedAt", r.excess_cents as "excessCents", r.reversed
      from refunds r join payments p on p.id = r.payment_id
     where p.checkout_id = ${checkoutId} order by r.created_at, r.id`);
  return { payment, refunds };
}

/** @returns how many of the pack's credits must be taken back because of refunds or a dispute. */
export async function upsertPackPayment(
  tx: Database,
  { id, userId, credits }: PackCheckout,
  payment: PackPayment & { id: string; provider: string; isSnapshot: boolean },
): Promise<number> {
  const row = await tx.row<{ due: number }>(sql`
    insert into payments as p (id, checkout_id, order_id, credits, user_id, provider, external_id, amount_cents, currency,
      refunded_cents, disputed, paid_at, reconciled_at)
    values (${payment.id}, ${id}, ${payment.orderId}, ${credits}, ${userId}, ${payment.provider}, ${payment.externalId},
      ${payment.amountCents}, ${payment.currency}, ${payment.refundedCents}, ${payment.disputed}, ${payment.paidAt},
      case when ${payment.isSnapshot}::boolean then app_now() end)
    on conflict (provider, external_id) do update set
      amount_cents = excluded.amount_cents, currency = excluded.currency, refunded_cents = excluded.refunded_cents,
      disputed = excluded.disputed, paid_at = excluded.paid_at,
      reconciled_at = coalesce(excluded.reconciled_at, p.reconciled_at)
    where p.checkout_id = excluded.checkout_id
    returning credits_due as due`);
  if (!row) throw new Error('A payment belongs to something else.');
  return row.due;
}

/** Paid packs that may still change and were not read since `startedAt`, least recently read first. */
export function changeablePacks(
  db: Database,
  { provider, startedAt, limit }: { provider: string; startedAt: Date; limit: number },
): Promise<ReadablePack[]> {
  return db.rows(sql`
    select c.id, c.external_id from payments p join checkouts c on c.id = p.checkout_id
     where p.provider = ${provider} and c.external_id is not null
       and (p.reconciled_at is null or p.reconciled_at < ${startedAt})
       and (p.reconciled_at is null or p.paid_at > app_now() - ${refundDays}::int * interval '1 day'
            or exists (select 1 from refunds r where r.payment_id = p.id and r.state in ('asked', 'pending')))
     order by p.reconciled_at nulls first, p.id limit ${limit}`);
}

export async function markPackRead(db: Database, id: string): Promise<void> {
  await db.run(sql`update payments set reconciled_at = app_now() where checkout_id = ${id}`);
}

/** Refunds without an answer for a minute, or pending: read after a tenth of their age, at least once an hour. */
export function packsWithOpenRefunds(db: Database, provider: string): Promise<ReadablePack[]> {
  return db.rows(sql`
    select c.id, c.external_id from payments p join checkouts c on c.id = p.checkout_id
     where p.provider = ${provider} and c.external_id is not null and exists (
       select 1 from refunds r
        where r.payment_id = p.id and r.asked_by <> 'provider'
          and ((r.state = 'asked' and r.created_at < app_now() - interval '1 minute')
               or (r.state = 'pending' and coalesce(p.reconciled_at, r.created_at)
                     <= app_now() - least((app_now() - r.created_at) / 10, interval '1 hour'))))
     order by p.reconciled_at nulls first limit 100`);
}

/** Packs that were refunded while a run held their credits, and whose credits have been released since. */
export async function packsToTakeBack(db: Database): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    select p.checkout_id as id from payments p
      join purchased_credits g on g.external_id = concat(p.provider, ':', p.order_id)
     where p.credits_due > 0 and p.credits_due > g.taken and g.unused > 0 limit 100`);
  return rows.map(({ id }) => id);
}
