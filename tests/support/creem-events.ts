import { createHmac, randomUUID } from 'node:crypto';
import type { Person } from './people.ts';
import type { TestServer } from './server.ts';

/** The secret with which the payment stand-in signs and the site verifies. */
export const WEBHOOK_SECRET = 'whsec_c3RhbmQtaW4tb2YtdGhlLXBheW1lbnQtcHJvdmlkZXI=';

const prices: Record<string, number> = { prod_monthly: 1999, prod_quarterly: 3999, prod_yearly: 6999 };
const DAY = 86_400_000;
export const days = (count: number) => count * DAY;

/** Returns the signature of a body in Creem's format. */
export const sign = (body: string, key: string = WEBHOOK_SECRET) =>
  createHmac('sha256', key).update(body).digest('hex');

/** Posts a body to the webhook, correctly signed unless other headers are given. */
export const deliver = (
  server: Pick<TestServer, 'url'>,
  body: string,
  headers: HeadersInit = { 'creem-signature': sign(body) },
) => fetch(`${server.url}/api/webhooks/creem`, { method: 'POST', headers, body });

/** A checkout that exists for a person, as if they had pressed the button. */
export interface Purchase {
  person: Person;
  checkoutId: string;
  subscription: string;
  customer: string;
  product: string;
}

/** Inserts the checkout that a subscription will refer to. */
export async function purchase(
  server: TestServer,
  person: Person,
  plan: 'monthly' | 'quarterly' | 'yearly' = 'monthly',
): Promise<Purchase> {
  const checkoutId = randomUUID();
  const tag = randomUUID().slice(0, 8);
  await server.database.query(
    `insert into checkouts (id, user_id, plan, product_id, provider, external_id) values ($1, $2, $3, $4, 'creem', $5)`,
    [checkoutId, person.id, plan, `prod_${plan}`, `ch_${tag}`],
  );
  const product = `prod_${plan}`;
  return { person, checkoutId, subscription: `sub_${tag}`, customer: `cust_${tag}`, product };
}

export interface Told {
  /** Time of the reported state, in milliseconds since 1970. */
  at: number;
  status?: string;
  start?: number;
  end?: number;
  payment?: string;
  mode?: string;
  product?: string;
  price?: number;
  currency?: string;
  metadata?: object;
}

/** Returns a subscription as Creem's events contain it. */
export function subscriptionObject(bought: Purchase, told: Told): object {
  const { start = told.at, end = start + days(30), product = bought.product } = told;
  const iso = (ms: number) => new Date(ms).toISOString();
  return {
    id: bought.subscription,
    object: 'subscription',
    mode: told.mode ?? 'test',
    product: {
      id: product,
      object: 'product',
      price: told.price ?? prices[product] ?? 1999,
      currency: told.currency ?? 'USD',
      mode: told.mode ?? 'test',
    },
    customer: { id: bought.customer, object: 'customer', email: bought.person.email },
    status: told.status ?? 'active',
    ...(told.payment ? { last_transaction_id: told.payment, last_transaction_date: iso(start) } : {}),
    current_period_start_date: iso(start),
    current_period_end_date: iso(end),
    canceled_at: told.status === 'canceled' ? iso(told.at) : null,
    created_at: iso(start),
    updated_at: iso(told.at),
    metadata: told.metadata ?? { userId: bought.person.id, checkoutId: bought.checkoutId },
  };
}

/** Returns the body of an event. */
export const eventBody = (eventType: string, object: object, id = `evt_${randomUUID()}`): string =>
  JSON.stringify({ id, eventType, created_at: Date.now(), object });

/** Returns the body of `subscription.TYPE` for a purchase. */
export const subscriptionEvent = (type: string, bought: Purchase, told: Told, id?: string): string =>
  eventBody(`subscription.${type}`, subscriptionObject(bought, told), id);

/** Returns the body of `refund.created` for a payment; a full refund by default. */
export function refundEvent(
  bought: Purchase,
  { payment, amount = 1999, of = 1999 }: { payment: string; amount?: number; of?: number },
): string {
  return eventBody('refund.created', {
    id: `ref_${randomUUID().slice(0, 8)}`,
    object: 'refund',
    mode: 'test',
    status: 'succeeded',
    refund_amount: amount,
    refund_currency: 'USD',
    reason: 'requested_by_customer',
    transaction: {
      id: payment,
      object: 'transaction',
      mode: 'test',
      amount: of,
      amount_paid: of,
      currency: 'USD',
      type: 'invoice',
      status: amount === of ? 'refunded' : 'partialRefund',
      refunded_amount: amount,
      subscription: bought.subscription,
      customer: bought.customer,
      created_at: Date.now(),
    },
    created_at: Date.now(),
  });
}
