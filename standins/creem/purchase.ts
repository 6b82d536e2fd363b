import { createHmac } from 'node:crypto';
import { CreemRefusal } from './api-errors.ts';
import { isOnce, monthsAfter } from './products.ts';
import type { CardPlan, Checkout, Customer, Subscription } from './records.ts';
import type { Shop } from './shop.ts';
import { newId } from './store.ts';

export const CHECKOUT_LIFETIME_MS = 24 * 3_600_000;

const ALWAYS = 1e9;

export function failuresOf(card: CardPlan): number {
  return { good: 0, 'fails-once': 1, fails: ALWAYS }[card];
}

/** Returns the customer of an email address; each address is one customer, as at Creem. */
function customerOf(shop: Shop, checkout: Checkout, email: string, at: number): Customer {
  const existing = shop.store.customers.get(checkout.customerId);
  if (existing) return existing;
  const sameEmail = shop.store.customers.all().find((c) => c.email.toLowerCase() === email.toLowerCase());
  if (sameEmail) return sameEmail;
  const name = checkout.name ?? email.replace(/@.*$/, '');
  return shop.store.customers.add({ id: newId('cust'), email, name, country: 'DE', createdAt: at });
}

function buy(shop: Shop, checkout: Checkout, customerId: string, card: CardPlan, at: number) {
  const product = shop.product(checkout.productId);
  const common = { checkoutId: checkout.id, customerId, productId: product.id, createdAt: at };
  const orderId = newId('ord');
  const subscriptionId = isOnce(product) ? null : newId('sub');
  const period = { start: at, end: monthsAfter(at, product.months) };
  const amount = product.price * checkout.units;
  const ids = { customerId, productId: product.id, orderId, subscriptionId };
  const charge = { ...ids, amount, declined: false, period: subscriptionId ? period : null, at };
  const { id: transactionId, tax } = shop.charge(charge);
  const order = shop.store.orders.add({ id: orderId, ...common, transactionId, amount, tax });
  if (!subscriptionId) return { order, subscription: null };
  const subscription: Subscription = shop.store.subscriptions.add({
    id: subscriptionId,
    ...common,
    itemId: newId('sitem'),
    itemProductId: product.id,
    status: 'active',
    metadata: checkout.metadata,
    anchor: at,
    cycle: 1,
    periodStart: period.start,
    periodEnd: period.end,
    periodWorth: amount,
    lastTransactionId: transactionId,
    lastTransactionAt: at,
    canceledAt: null,
    atPeriodEnd: 'cancel',
    cardFails: failuresOf(card),
    retries: 0,
    nextTryAt: null,
    balance: 0,
    updatedAt: at,
  });
  return { order, subscription };
}

export interface PayInput {
  email: string | null;
  card: CardPlan;
}

function payer(shop: Shop, checkout: Checkout, email: string | null): Customer {
  const address = (email ?? checkout.email ?? '').trim();
  const known = checkout.customerId !== null;
  if (!known && !/^[^\s@]+@[^\s@]+$/.test(address)) throw new CreemRefusal(400, 'Enter an e-mail address.');
  return customerOf(shop, checkout, address, shop.now());
}

export function pay(shop: Shop, checkout: Checkout, { email, card }: PayInput, url: string): void {
  if (checkout.status === 'completed') return;
  if (checkout.status === 'expired') throw new CreemRefusal(400, 'This checkout has expired.');
  const at = shop.now();
  const customer = payer(shop, checkout, email);
  const { order, subscription } = buy(shop, checkout, customer.id, card, at);
  const ids = { customerId: customer.id, orderId: order.id, subscriptionId: subscription?.id ?? null };
  Object.assign(checkout, { status: 'completed', ...ids });
  shop.store.changed();
  const { checkout_url, success_url, ...object } = shop.objects.checkout(checkout, url, true);
  shop.emit('checkout.completed', object, at, subscription?.id ?? null);
  if (!subscription) return;
  shop.emitSubscription('subscription.active', subscription, at);
  shop.emitSubscription('subscription.paid', subscription, at);
}

export function decline(shop: Shop, checkout: Checkout, email: string | null): void {
  if (checkout.status !== 'pending') throw new CreemRefusal(400, 'This checkout is closed.');
  const { id: customerId } = payer(shop, checkout, email);
  const { id: productId, price } = shop.product(checkout.productId);
  const ids = { customerId, productId, orderId: null, subscriptionId: null };
  shop.charge({ ...ids, amount: price * checkout.units, declined: true, period: null, at: shop.now() });
}

/** Returns the signed URL that the browser is sent back to (protocols.md 1.3); null when the shop set none. */
export function returnUrl(checkout: Checkout): string | null {
  if (checkout.successUrl === null) return null;
  const ids: Record<string, string | null> = {
    checkout_id: checkout.id,
    order_id: checkout.orderId,
    customer_id: checkout.customerId,
    subscription_id: checkout.subscriptionId,
    product_id: checkout.productId,
    request_id: checkout.requestId,
  };
  const known = Object.entries(ids).filter((pair): pair is [string, string] => pair[1] !== null);
  const signed = known
    .map(([name, value]) => `${name}=${value}`)
    .sort()
    .join('&');
  const url = new URL(checkout.successUrl);
  for (const [name, value] of known) url.searchParams.set(name, value);
  url.searchParams.set('signature', createHmac('sha256', checkout.apiKey).update(signed).digest('hex'));
  return url.href;
}
