import { randomUUID } from 'node:crypto';
import { type PlanDuration, priceTable } from '#features/credits/contract.ts';
import type { Person } from './people.ts';
import type { TestServer } from './server.ts';

interface Seed {
  plan?: PlanDuration;
  /** The status in the provider's terms. */
  status?: string;
  /** Days from now to the start and end of the paid period and to the end of Pro; null: no Pro. */
  from?: number;
  to?: number;
  until?: number | null;
  /** Refunded cents of the payment. */
  refunded?: number;
  disputed?: boolean;
  /** State of a full refund that the person requested on the site. */
  refundState?: 'pending' | 'succeeded';
}

const days = (count: number | null) => (count === null ? null : new Date(Date.now() + count * 86_400_000));

/** Inserts a person's subscription and its payment, as the provider's events would; the plan changes at once. */
export async function seedPlan(
  { database }: TestServer,
  { id: user }: Person,
  { plan = 'yearly', status = 'active', from = 0, to = 365, until = 368, ...seed }: Seed = {},
): Promise<{ subscription: string; payment: string }> {
  const [subscription, payment] = [randomUUID(), randomUUID()];
  const { refunded = 0, disputed = false } = seed;
  await database.query(
    `insert into subscriptions (id, user_id, provider, external_id, customer_id, product_id, plan, status, period_start, period_end, version_at, access_until)
     values ($1::uuid, $2::uuid, 'creem', 'sub_' || $1::text, 'cust_' || $2::text, 'prod_' || $3::text, $3::text, $4, $5, $6, app_now(), $7)`,
    [subscription, user, plan, status, days(from), days(to), days(until)],
  );
  await database.query(
    `insert into payments (id, subscription_id, user_id, provider, external_id, plan, amount_cents, currency, refunded_cents, disputed, period_start, period_end, paid_at)
     values ($1::uuid, $2, $3, 'creem', 'tran_' || $1::text, $4, $5, 'USD', $6, $7, $8, $9, $8)`,
    [
      payment,
      subscription,
      user,
      plan,
      priceTable[plan].priceCents,
      refunded,
      disputed,
      days(from),
      days(to),
    ],
  );
  if (seed.refundState)
    await database.query(
      `insert into refunds (id, payment_id, amount_cents, state, asked_by) values (gen_random_uuid(), $1, $2, $3, 'person')`,
      [payment, priceTable[plan].priceCents, seed.refundState],
    );
  await database.query(
    `insert into credit_ledger (user_id, delta, kind, source, external_id, reason) values ($1, 0, 'grant', 'payment', $2, $3)`,
    [user, payment, `Pro, ${priceTable[plan].period}: paid`],
  );
  await database.query(`select refresh_plans($1, 'event', $2)`, [user, subscription]);
  return { subscription, payment };
}
