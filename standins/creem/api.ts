/** The API: protocols.md 1.2. */
import type { IncomingMessage } from 'node:http';
import { baseOf, type Call, isRecord, readJson, sendJson } from '../http.ts';
import type { StandInParts } from '../standin.ts';
import { CreemRefusal, sendCreemError, sentFault } from './api-errors.ts';
import { showCustomer, showOrder, showProduct, showTransaction } from './api-objects.ts';
import { advance } from './billing-clock.ts';
import { newCheckout, onlyProperties } from './checkout-request.ts';
import { PRODUCTS } from './products.ts';
import type { Subscription } from './records.ts';
import type { Shop } from './shop.ts';
import { newId } from './store.ts';
import { BEHAVIORS, cancel, pause, refund, resume, upgrade } from './subscription-changes.ts';
import type { ApiFault } from './switches.ts';

type Json = Record<string, unknown>;

interface ApiCall {
  shop: Shop;
  base: string;
  apiKey: string;
  params: Call['params'];
  query: URLSearchParams;
  body: Json;
}

type Handler = (call: ApiCall) => unknown;

export function payUrl(base: string, checkoutId: string): string {
  return `${base}/creem/pay/${checkoutId}`;
}

/** Returns the API key; null for one that Creem answers with 403 and no message. */
export function keyOf(req: IncomingMessage): string | null {
  const key = String(req.headers['x-api-key'] ?? '');
  return /^creem_\S+$/.test(key) ? key : null;
}

function paginate<T>({ query }: ApiCall, items: T[]) {
  const page = Number(query.get('page_number') ?? '1');
  const size = Number(query.get('page_size') ?? '10');
  if (!Number.isInteger(page) || page < 1) throw new CreemRefusal(400, 'page_number must not be less than 1');
  if (!Number.isInteger(size) || size < 1 || size > 100)
    throw new CreemRefusal(400, 'page_size must not be greater than 100');
  const pages = Math.max(1, Math.ceil(items.length / size));
  const pagination = {
    total_records: items.length,
    total_pages: pages,
    current_page: page,
    next_page: page < pages ? page + 1 : null,
    prev_page: page > 1 ? page - 1 : null,
  };
  return { items: items.slice((page - 1) * size, page * size), pagination };
}

function matching<T extends object>({ query }: ApiCall, rows: T[], fields: Record<string, keyof T>): T[] {
  const filters = Object.entries(fields).filter(([name]) => query.has(name));
  return rows.filter((row) => filters.every(([name, field]) => row[field] === query.get(name))).reverse();
}

function oneOf<T extends string>(value: unknown, values: readonly [T, ...T[]], name: string): T {
  const found = value === undefined ? values[0] : values.find((candidate) => candidate === value);
  if (!found)
    throw new CreemRefusal(400, `${name} must be one of the following values: ${values.join(', ')}`);
  return found;
}

function customerBy(shop: Shop, field: 'id' | 'email', value: unknown) {
  const found = shop.store.customers.all().find((customer) => customer[field] === value);
  if (!found) throw new CreemRefusal(404, 'Customer not found');
  return found;
}

const changeHandler =
  (change: (call: ApiCall, subscription: Subscription) => void): Handler =>
  (call) => {
    const { shop, params } = call;
    const subscription = shop.subscription(params.id);
    change(call, subscription);
    return shop.objects.fullSubscription(subscription);
  };

/** The first match answers. */
const CALLS: Record<string, Handler> = {
  'POST /v1/checkouts': ({ shop, body, apiKey, base }) => {
    const checkout = shop.store.checkouts.add(newCheckout(shop, body, apiKey));
    return shop.objects.checkout(checkout, payUrl(base, checkout.id), false);
  },
  'GET /v1/checkouts': ({ shop, query, base }) => {
    const checkout = shop.checkout(query.get('checkout_id'));
    return shop.objects.checkout(checkout, payUrl(base, checkout.id), true);
  },

  'GET /v1/products/search': (call) => paginate(call, PRODUCTS.map(showProduct)),
  'GET /v1/products/:id': ({ shop, params }) => showProduct(shop.product(params.id)),
  'GET /v1/products': ({ shop, query }) => showProduct(shop.product(query.get('product_id'))),

  'POST /v1/customers/billing': ({ shop, body, base }) => {
    onlyProperties(body, ['customer_id']);
    const customer = customerBy(shop, 'id', body.customer_id);
    const token = newId('portal');
    shop.store.portals.push({ token, customerId: customer.id, createdAt: shop.now() });
    shop.store.changed();
    return { customer_portal_link: `${base}/creem/portal/${token}` };
  },
  'GET /v1/customers/list': (call) =>
    paginate(call, call.shop.store.customers.all().reverse().map(showCustomer)),
  'GET /v1/customers/:id/orders': (call) => {
    const { id } = customerBy(call.shop, 'id', call.params.id);
    const own = call.shop.store.orders.all().filter(({ customerId }) => customerId === id);
    return paginate(call, own.map(showOrder));
  },
  'GET /v1/customers/:id/subscriptions': (call) => {
    const { store, objects } = call.shop;
    const { id } = customerBy(call.shop, 'id', call.params.id);
    const own = store.subscriptions.all().filter(({ customerId }) => customerId === id);
    const views = own.map((subscription) => objects.fullSubscription(subscription));
    return paginate(call, views);
  },
  'GET /v1/customers': ({ shop, query }) =>
    showCustomer(
      query.has('customer_id')
        ? customerBy(shop, 'id', query.get('customer_id'))
        : customerBy(shop, 'email', query.get('email')),
    ),

  'GET /v1/subscriptions/search': (call) => {
    const { store, objects } = call.shop;
    const fields = { status: 'status', customer_id: 'customerId', product_id: 'productId' } as const;
    const found = matching(call, store.subscriptions.all(), fields);
    const views = found.map((subscription) => objects.fullSubscription(subscription));
    return paginate(call, views);
  },
  'GET /v1/subscriptions': ({ shop, query }) =>
    shop.objects.fullSubscription(shop.subscription(query.get('subscription_id'))),
  'GET /v1/subscriptions/:id': changeHandler(() => undefined),
  'POST /v1/subscriptions/:id/cancel': changeHandler(({ shop, body }, subscription) => {
    onlyProperties(body, ['mode', 'onExecute']);
    const mode = oneOf(body.mode, ['immediate', 'scheduled'], 'mode');
    const outcome = oneOf(body.onExecute, ['cancel', 'pause'], 'onExecute');
    cancel(shop, subscription, { scheduled: mode === 'scheduled', outcome });
  }),
  'POST /v1/subscriptions/:id/pause': changeHandler(({ shop }, subscription) => pause(shop, subscription)),
  'POST /v1/subscriptions/:id/resume': changeHandler(({ shop }, subscription) => resume(shop, subscription)),
  'POST /v1/subscriptions/:id/upgrade': changeHandler(({ shop, body }, subscription) => {
    onlyProperties(body, ['product_id', 'update_behavior']);
    const behavior = oneOf(body.update_behavior, BEHAVIORS, 'update_behavior');
    upgrade(shop, subscription, shop.product(body.product_id), behavior);
  }),

  'GET /v1/transactions/search': (call) => {
    const fields = { customer_id: 'customerId', order_id: 'orderId', product_id: 'productId' } as const;
    const found = matching(call, call.shop.store.transactions.all(), fields);
    const views = found.map((transaction) => showTransaction(transaction));
    return paginate(call, views);
  },
  'GET /v1/transactions': ({ shop, query }) => showTransaction(shop.transaction(query.get('transaction_id'))),
  'POST /v1/refunds': ({ shop, body }) => {
    onlyProperties(body, ['transaction_id']);
    return { status: refund(shop, shop.transaction(body.transaction_id)).status };
  },
};

async function bodyOf(req: IncomingMessage): Promise<Json> {
  const empty = (req.headers['content-length'] ?? '0') === '0';
  if (req.method === 'GET' || (empty && !req.headers['transfer-encoding'])) return {};
  const body = await readJson(req);
  if (!isRecord(body)) throw new CreemRefusal(400, 'The body must be an object');
  return body;
}

export function mountApi({ router, log, held }: StandInParts, shop: Shop): void {
  /** Calls that a fault was applied to; each POST /control creates a new object and restarts the count. */
  const applied = new WeakMap<ApiFault, number>();
  const faultOf = (path: string) => {
    const { api } = shop.switches();
    const count = api ? (applied.get(api) ?? 0) : 0;
    if (!api || !path.startsWith(api.path) || count >= api.times) return null;
    applied.set(api, count + 1);
    return api.fault;
  };

  const answer = async ({ req, res, url, params }: Call, handler: Handler): Promise<void> => {
    const body = await bodyOf(req);
    const query = url.searchParams;
    const detail = { kind: 'creem', query: Object.fromEntries(query), body };
    const entry = log.open(req, res, url.pathname, { detail });
    const apiKey = keyOf(req);
    if (apiKey === null) return sendCreemError(res, 403);
    const path = url.pathname.replace(/^\/creem/, '');
    const fault = faultOf(path);
    entry.view.mode = fault;
    if (await sentFault(fault, { res, held, name: path })) return;
    advance(shop);
    const result = handler({ shop, base: baseOf(req), apiKey, params, query, body });
    if (fault === 'lost') res.destroy();
    else sendJson(res, 200, result);
  };

  for (const [name, handler] of Object.entries(CALLS)) {
    const [method, path] = name.split(' ') as ['GET' | 'POST', string];
    router.on(method, `/creem${path}`, async (call) => {
      try {
        await answer(call, handler);
      } catch (error) {
        if (!(error instanceof CreemRefusal)) throw error;
        sendCreemError(call.res, error.status, [error.message]);
      }
    });
  }
}
