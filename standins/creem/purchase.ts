/** A checkout from its making to the payment. */
import { createHmac } from 'node:crypto';
import type { CardPlan, Checkout, Customer, Order, Subscription, Transaction } from './model.ts';
import { monthsAfter } from './products.ts';
import { CreemRefusal } from './reply.ts';
import { type Shop, tell } from './shop.ts';
import { newId } from './store.ts';

/** An open checkout is void after a day. */
export const CHECKOUT_LIVES_MS = 24 * 3_600_000;

/** As many payments as there may ever be. */
const ALL = 1e9;

/** How many of the next payments a card refuses. */
export function failuresOf(card: CardPlan): number {
  return { good: 0, 'fails-once': 1, fails: ALL }[card];
}

/** The customer with that address, made where there is none: one address is one customer, as at Creem. */
function customerOf(shop: Shop, checkout: Checkout, email: string, at: number): Customer {
  const named = shop.store.customers.get(checkout.customerId);
  if (named) return named;
  const known = shop.store.customers.all().find((c) => c.email.toLowerCase() === email.toLowerCase());
  if (known) return known;
  const name = checkout.name ?? email.replace(/@.*$/, '');
  return shop.store.customers.add({ id: newId('cust'), email, name, country: 'DE', createdAt: at });
}

interface Payment {
  checkout: Checkout;
  customer: Customer;
  card: CardPlan;
  at: number;
}

interface Bought {
  order: Order;
  subscription: Subscription;
}

/** Writes the order, the subscription and its first payment, which name each other. */
function buy(shop: Shop, { checkout, customer, card, at }: Payment): Bought {
  const product = shop.product(checkout.productId);
  const ids = { order: newId('ord'), subscription: newId('sub') };
  const period = { start: at, end: monthsAfter(at, product.months) };
  const transaction: Transaction = shop.charge({
    customerId: customer.id,
    productId: product.id,
    orderId: ids.order,
    subscriptionId: ids.subscription,
    amount: product.price * checkout.units,
    declined: false,
    description: 'Subscription payment',
    period,
    at,
  });
  const order = shop.store.orders.add({
    id: ids.order,
    checkoutId: checkout.id,
    customerId: customer.id,
    productId: product.id,
    transactionId: transaction.id,
    amount: transaction.amount,
    tax: transaction.tax,
    createdAt: at,
  });
  const subscription = shop.store.subscriptions.add({
    id: ids.subscription,
    checkoutId: checkout.id,
    customerId: customer.id,
    productId: product.id,
    itemId: newId('sitem'),
    itemProductId: product.id,
    status: 'active',
    metadata: checkout.metadata,
    anchor: at,
    cycle: 1,
    periodStart: period.start,
    periodEnd: period.end,
    periodWorth: transaction.amount,
    lastTransactionId: transaction.id,
    lastTransactionAt: at,
    canceledAt: null,
    atPeriodEnd: 'cancel',
    cardFails: failuresOf(card),
    retries: 0,
    nextTryAt: null,
    balance: 0,
    createdAt: at,
    updatedAt: at,
  });
  return { order, subscription };
}

/** What the pay page asks for. */
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

/** Pays an open checkout. @throws CreemRefusal 400 without an address, or when it has expired */
export function pay(shop: Shop, checkout: Checkout, { email, card }: PayInput, url: string): void {
  if (checkout.status === 'completed') return;
  if (checkout.status === 'expired') throw new CreemRefusal(400, 'This checkout has expired.');
  const at = shop.now();
  const customer = payer(shop, checkout, email);
  const { order, subscription } = buy(shop, { checkout, customer, card, at });
  Object.assign(checkout, {
    status: 'completed',
    customerId: customer.id,
    orderId: order.id,
    subscriptionId: subscription.id,
  });
  shop.store.changed();
  const { checkout_url, success_url, ...told } = shop.shapes.checkout(checkout, url, true);
  shop.emit('checkout.completed', told, at, subscription.id);
  tell(shop, 'subscription.active', subscription, at);
  tell(shop, 'subscription.paid', subscription, at);
}

/** A card that is refused: a declined payment, and nothing else. @throws CreemRefusal as `pay` */
export function decline(shop: Shop, checkout: Checkout, email: string | null): void {
  if (checkout.status !== 'pending') throw new CreemRefusal(400, 'This checkout is closed.');
  const customer = payer(shop, checkout, email);
  const product = shop.product(checkout.productId);
  shop.charge({
    customerId: customer.id,
    productId: product.id,
    orderId: null,
    subscriptionId: null,
    amount: product.price * checkout.units,
    declined: true,
    description: 'Your card was declined.',
    period: null,
    at: shop.now(),
  });
}

/** The shop's address with the six ids and the signature (protocols.md 1.3); null where the shop named none. */
export function wayBack(checkout: Checkout): string | null {
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
