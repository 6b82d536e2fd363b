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

export interface SubscriptionState {
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
export function subscriptionObject(purchased: Purchase, state: SubscriptionState): object {
  const { start = state.at, end = start + days(30), product = purchased.product } = state;
  const iso = (ms: number) => new Date(ms).toISOString();
  return {
    id: purchased.subscription,
    object: 'subscription',
    mode: state.mode ?? 'test',
    product: {
      id: product,
      object: 'product',
      price: state.price ?? prices[product] ?? 1999,
      currency: state.currency ?? 'USD',
      mode: state.mode ?? 'test',
    },
    customer: { id: purchased.customer, object: 'customer', email: purchased.person.email },
    status: state.status ?? 'active',
    ...(state.payment ? { last_transaction_id: state.payment, last_transaction_date: iso(start) } : {}),
    current_period_start_date: iso(start),
    current_period_end_date: iso(end),
    canceled_at: state.status === 'canceled' ? iso(state.at) : null,
    created_at: iso(start),
    updated_at: iso(state.at),
    metadata: state.metadata ?? { userId: purchased.person.id, checkoutId: purchased.checkoutId },
  };
}

/** Returns the body of an event. */
export const eventBody = (eventType: string, object: object, id = `evt_${randomUUID()}`): string =>
  JSON.stringify({ id, eventType, created_at: Date.now(), object });

/** Returns the body of `subscription.TYPE` for a purchase. */
export const subscriptionEvent = (
  type: string,
  purchased: Purchase,
  state: SubscriptionState,
  id?: string,
): string => eventBody(`subscription.${type}`, subscriptionObject(purchased, state), id);

/** Returns the body of `refund.created` for a payment; a full refund by default. */
export function refundEvent(
  purchased: Purchase,
  { payment, amount = 1999, paid = 1999 }: { payment: string; amount?: number; paid?: number },
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
      amount: paid,
      amount_paid: paid,
      currency: 'USD',
      type: 'invoice',
      status: amount === paid ? 'refunded' : 'partialRefund',
      refunded_amount: amount,
      subscription: purchased.subscription,
      customer: purchased.customer,
      created_at: Date.now(),
    },
    created_at: Date.now(),
  });
}
