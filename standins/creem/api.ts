/** The table of calls under /creem/v1 (protocols.md 1.2). */
import type { Call } from '../http.ts';
import { isRecord } from '../http.ts';
import { BEHAVIORS, cancel, pause, refund, resume, upgrade } from './changes.ts';
import { newCheckout } from './checkout-request.ts';
import { PRODUCTS } from './products.ts';
import { CreemRefusal, page } from './reply.ts';
import { showCustomer, showOrder, showProduct, showTransaction } from './shapes.ts';
import type { Shop } from './shop.ts';
import { newId } from './store.ts';

/** One call as its handler sees it. */
export interface ApiCall {
  /** Address of this server, such as http://127.0.0.1:3001. */
  base: string;
  apiKey: string;
  params: Call['params'];
  query: URLSearchParams;
  /** The JSON body; an empty object where there is none. */
  body: Record<string, unknown>;
}

type Handler = (shop: Shop, call: ApiCall) => unknown;

/** Where a checkout is paid. */
export function payUrl(base: string, checkoutId: string): string {
  return `${base}/creem/pay/${checkoutId}`;
}

function listed<T>({ query }: ApiCall, items: T[]) {
  const number = Number(query.get('page_number') ?? '1');
  const size = Number(query.get('page_size') ?? '10');
  if (!Number.isInteger(number) || number < 1)
    throw new CreemRefusal(400, 'page_number must not be less than 1');
  if (!Number.isInteger(size) || size < 1 || size > 100)
    throw new CreemRefusal(400, 'page_size must not be greater than 100');
  return page(items, number, size);
}

/** Keeps the rows that agree with the query, where it names the field. */
function matching<T extends object>(call: ApiCall, rows: T[], fields: Partial<Record<string, keyof T>>): T[] {
  return rows
    .filter((row) =>
      Object.entries(fields).every(([name, field]) => {
        const wanted = call.query.get(name);
        return wanted === null || field === undefined || row[field] === wanted;
      }),
    )
    .reverse();
}

function oneOf<T extends string>(value: unknown, values: readonly T[], name: string, absent: T): T {
  if (value === undefined) return absent;
  const found = values.find((candidate) => candidate === value);
  if (!found)
    throw new CreemRefusal(400, `${name} must be one of the following values: ${values.join(', ')}`);
  return found;
}

/** Creem refuses properties that it does not know. */
export function onlyProperties(body: Record<string, unknown>, names: readonly string[]): void {
  const other = Object.keys(body).find((name) => !names.includes(name));
  if (other) throw new CreemRefusal(400, `property ${other} should not exist`);
}

const checkouts: Record<string, Handler> = {
  'POST /v1/checkouts': (shop, { body, apiKey, base }) => {
    const checkout = shop.store.checkouts.add(newCheckout(shop, body, apiKey));
    return shop.shapes.checkout(checkout, payUrl(base, checkout.id), false);
  },
  'GET /v1/checkouts': (shop, { query, base }) => {
    const checkout = shop.checkout(query.get('checkout_id'));
    return shop.shapes.checkout(checkout, payUrl(base, checkout.id), true);
  },
};

const products: Record<string, Handler> = {
  'GET /v1/products/search': (_shop, call) => listed(call, PRODUCTS.map(showProduct)),
  'GET /v1/products/:id': (shop, { params }) => showProduct(shop.product(params.id)),
  'GET /v1/products': (shop, { query }) => showProduct(shop.product(query.get('product_id'))),
};

function customerBy(shop: Shop, field: 'id' | 'email', value: unknown) {
  const found = shop.store.customers.all().find((customer) => customer[field] === value);
  if (!found) throw new CreemRefusal(404, 'Customer not found');
  return found;
}

const customers: Record<string, Handler> = {
  'POST /v1/customers/billing': (shop, { body, base }) => {
    onlyProperties(body, ['customer_id']);
    const customer = customerBy(shop, 'id', body.customer_id);
    const token = newId('portal');
    shop.store.portals.push({ token, customerId: customer.id, createdAt: shop.now() });
    shop.store.changed();
    return { customer_portal_link: `${base}/creem/portal/${token}` };
  },
  'GET /v1/customers/list': (shop, call) =>
    listed(call, matching(call, shop.store.customers.all(), {}).map(showCustomer)),
  'GET /v1/customers/:id/orders': (shop, call) =>
    listed(
      call,
      shop.store.orders
        .all()
        .filter(({ customerId }) => customerId === customerBy(shop, 'id', call.params.id).id)
        .map(showOrder),
    ),
  'GET /v1/customers/:id/subscriptions': (shop, call) =>
    listed(
      call,
      shop.store.subscriptions
        .all()
        .filter(({ customerId }) => customerId === customerBy(shop, 'id', call.params.id).id)
        .map((subscription) => shop.shapes.wholeSubscription(subscription)),
    ),
  'GET /v1/customers': (shop, { query }) =>
    showCustomer(
      query.has('customer_id')
        ? customerBy(shop, 'id', query.get('customer_id'))
        : customerBy(shop, 'email', query.get('email')),
    ),
};

const subscriptions: Record<string, Handler> = {
  'GET /v1/subscriptions/search': (shop, call) =>
    listed(
      call,
      matching(call, shop.store.subscriptions.all(), {
        status: 'status',
        customer_id: 'customerId',
        product_id: 'productId',
      }).map((subscription) => shop.shapes.wholeSubscription(subscription)),
    ),
  'GET /v1/subscriptions': (shop, { query }) =>
    shop.shapes.wholeSubscription(shop.subscription(query.get('subscription_id'))),
  'GET /v1/subscriptions/:id': (shop, { params }) =>
    shop.shapes.wholeSubscription(shop.subscription(params.id)),
  'POST /v1/subscriptions/:id/cancel': (shop, { params, body }) => {
    onlyProperties(body, ['mode', 'onExecute']);
    const subscription = shop.subscription(params.id);
    const mode = oneOf(body.mode, ['immediate', 'scheduled'], 'mode', 'immediate');
    const outcome = oneOf(body.onExecute, ['cancel', 'pause'], 'onExecute', 'cancel');
    cancel(shop, subscription, { scheduled: mode === 'scheduled', outcome });
    return shop.shapes.wholeSubscription(subscription);
  },
  'POST /v1/subscriptions/:id/pause': (shop, { params }) => {
    const subscription = shop.subscription(params.id);
    pause(shop, subscription);
    return shop.shapes.wholeSubscription(subscription);
  },
  'POST /v1/subscriptions/:id/resume': (shop, { params }) => {
    const subscription = shop.subscription(params.id);
    resume(shop, subscription);
    return shop.shapes.wholeSubscription(subscription);
  },
  'POST /v1/subscriptions/:id/upgrade': (shop, { params, body }) => {
    onlyProperties(body, ['product_id', 'update_behavior']);
    const subscription = shop.subscription(params.id);
    const behavior = oneOf(body.update_behavior, BEHAVIORS, 'update_behavior', BEHAVIORS[0]);
    upgrade(shop, subscription, shop.product(body.product_id), behavior);
    return shop.shapes.wholeSubscription(subscription);
  },
};

const money: Record<string, Handler> = {
  'GET /v1/transactions/search': (shop, call) =>
    listed(
      call,
      matching(call, shop.store.transactions.all(), {
        customer_id: 'customerId',
        order_id: 'orderId',
        product_id: 'productId',
      }).map((transaction) => showTransaction(transaction)),
    ),
  'GET /v1/transactions': (shop, { query }) => showTransaction(shop.transaction(query.get('transaction_id'))),
  'POST /v1/refunds': (shop, { body }) => {
    onlyProperties(body, ['transaction_id']);
    return { status: refund(shop, shop.transaction(body.transaction_id)).status };
  },
};

/** Every call by method and path; of two that fit, the first one answers. */
export const CALLS: Record<string, Handler> = {
  ...checkouts,
  ...products,
  ...customers,
  ...subscriptions,
  ...money,
};

/** The body as an object. @throws CreemRefusal 400 for JSON that is none */
export function objectOf(body: unknown): Record<string, unknown> {
  if (!isRecord(body)) throw new CreemRefusal(400, 'The body must be an object');
  return body;
}
