/** What is done to a subscription and its payments after the purchase. */
import type { Refund, Subscription, Transaction } from './model.ts';
import { monthsAfter, type Product } from './products.ts';
import { CreemRefusal } from './reply.ts';
import { type Shop, tell } from './shop.ts';
import { newId } from './store.ts';

const DAY_MS = 86_400_000;

/** Refuses a verb in a state that does not know it. */
function only(subscription: Subscription, statuses: Subscription['status'][], verb: string): void {
  if (!statuses.includes(subscription.status))
    throw new CreemRefusal(400, `A subscription that is ${subscription.status} cannot be ${verb}.`);
}

/** Ends it at `at`. */
export function end(shop: Shop, subscription: Subscription, at: number): void {
  subscription.status = 'canceled';
  subscription.canceledAt = at;
  subscription.nextTryAt = null;
  shop.touch(subscription, at);
  tell(shop, 'subscription.canceled', subscription, at);
}

/** Pauses it at `at`. */
export function hold(shop: Shop, subscription: Subscription, at: number): void {
  subscription.status = 'paused';
  subscription.nextTryAt = null;
  shop.touch(subscription, at);
  tell(shop, 'subscription.paused', subscription, at);
}

/** @throws CreemRefusal 400 when it has ended, or is to end already */
export function cancel(
  shop: Shop,
  subscription: Subscription,
  how: { scheduled: boolean; outcome: 'cancel' | 'pause' },
): void {
  const at = shop.now();
  // Where the period is over, its end is now.
  const scheduled = how.scheduled && subscription.periodEnd > at;
  only(
    subscription,
    scheduled ? ['active'] : ['active', 'past_due', 'paused', 'scheduled_cancel'],
    'canceled',
  );
  if (!scheduled) {
    const over = how.outcome === 'pause' ? hold : end;
    over(shop, subscription, at);
    return;
  }
  subscription.status = 'scheduled_cancel';
  subscription.atPeriodEnd = how.outcome;
  shop.touch(subscription, at);
  tell(shop, 'subscription.scheduled_cancel', subscription, at);
}

/** @throws CreemRefusal 400 */
export function pause(shop: Shop, subscription: Subscription): void {
  only(subscription, ['active'], 'paused');
  hold(shop, subscription, shop.now());
}

/** Goes on; a paused one whose period is over pays for a new one that begins today. @throws CreemRefusal 400 */
export function resume(shop: Shop, subscription: Subscription): void {
  only(subscription, ['paused', 'scheduled_cancel'], 'resumed');
  const at = shop.now();
  if (subscription.periodEnd <= at) {
    const product = shop.product(subscription.productId);
    begin(shop, subscription, { product, amount: product.price, at });
  }
  subscription.status = 'active';
  shop.touch(subscription, at);
  tell(shop, 'subscription.update', subscription, at);
}

/** Takes one payment of a subscription. Returns it, paid or declined; the balance goes into it when it is paid. */
export function take(
  shop: Shop,
  subscription: Subscription,
  what: { product: Product; amount: number; period: { start: number; end: number }; at: number },
): Transaction {
  const declined = subscription.cardFails > 0;
  if (declined) subscription.cardFails -= 1;
  const due = what.amount - subscription.balance;
  const transaction = shop.charge({
    customerId: subscription.customerId,
    productId: what.product.id,
    orderId: shop.store.checkouts.need(subscription.checkoutId).orderId,
    subscriptionId: subscription.id,
    amount: Math.max(0, due),
    declined,
    description: declined ? 'Your card was declined.' : 'Subscription payment',
    period: what.period,
    at: what.at,
  });
  if (declined) return transaction;
  subscription.balance = Math.max(0, -due);
  subscription.periodStart = what.period.start;
  subscription.periodEnd = what.period.end;
  subscription.periodWorth = what.amount;
  subscription.lastTransactionId = transaction.id;
  subscription.lastTransactionAt = what.at;
  return transaction;
}

/** Begins a new period today. @throws CreemRefusal 400 when the card says no; nothing else has changed then */
function begin(
  shop: Shop,
  subscription: Subscription,
  { product, amount, at }: { product: Product; amount: number; at: number },
): void {
  const period = { start: at, end: monthsAfter(at, product.months) };
  const { status } = take(shop, subscription, { product, amount, period, at });
  if (status === 'declined') throw new CreemRefusal(400, 'Payment failed: the card was declined.');
  Object.assign(subscription, { anchor: at, cycle: 1, productId: product.id, status: 'active' });
  shop.touch(subscription, at);
  tell(shop, 'subscription.paid', subscription, at);
}

/** What the rest of the period that was paid is worth; nothing once the payment was given back. */
function restOf(shop: Shop, subscription: Subscription, at: number): number {
  const { status } = shop.store.transactions.need(subscription.lastTransactionId);
  if (status !== 'paid') return 0;
  const { periodStart, periodEnd, periodWorth } = subscription;
  return Math.max(0, Math.round((periodWorth * (periodEnd - at)) / (periodEnd - periodStart)));
}

export const BEHAVIORS = ['proration-charge-immediately', 'proration-charge', 'proration-none'] as const;

/** Changes the product (protocols.md 1.2, change plan). @throws CreemRefusal 400 */
export function upgrade(
  shop: Shop,
  subscription: Subscription,
  product: Product,
  behavior: (typeof BEHAVIORS)[number],
): void {
  only(subscription, ['active'], 'upgraded');
  if (subscription.productId === product.id)
    throw new CreemRefusal(400, 'The subscription is on this product already.');
  const at = shop.now();
  const rest = restOf(shop, subscription, at);
  if (behavior === 'proration-charge-immediately') {
    const balance = subscription.balance;
    subscription.balance += rest;
    try {
      begin(shop, subscription, { product, amount: product.price, at });
    } catch (error) {
      subscription.balance = balance;
      throw error;
    }
  } else {
    const old = shop.product(subscription.productId);
    const share = (subscription.periodEnd - at) / (subscription.periodEnd - subscription.periodStart);
    if (behavior === 'proration-charge')
      subscription.balance += rest - Math.round((product.price * share * old.months) / product.months);
    // The cycle goes on to its end; periods are counted anew from there.
    Object.assign(subscription, { productId: product.id, anchor: subscription.periodEnd, cycle: 0 });
    shop.touch(subscription, at);
  }
  // The item still names the old product in this event: seen at Creem (protocols.md 1.4).
  tell(shop, 'subscription.update', subscription, at);
  subscription.itemProductId = product.id;
}

/** Brings a refund to its end. */
export function settle(shop: Shop, refund: Refund, status: 'succeeded' | 'failed'): void {
  const transaction = shop.store.transactions.need(refund.transactionId);
  refund.status = status;
  refund.settleAt = null;
  if (status === 'succeeded') {
    transaction.refunded += refund.amount;
    transaction.status =
      transaction.refunded >= transaction.amount + transaction.tax ? 'refunded' : 'partialRefund';
  }
  shop.store.changed();
}

/**
 * Gives money back: `amount` cents, or what is left. A pending one settles after a day, silently: no event is known
 * for that. @throws CreemRefusal 400 when there is nothing to give back
 */
export function refund(shop: Shop, transaction: Transaction, amount?: number): Refund {
  const at = shop.now();
  const paid = transaction.amount + transaction.tax;
  const open = shop.store.refunds
    .all()
    .some((other) => other.transactionId === transaction.id && other.status === 'pending');
  if (open || !['paid', 'partialRefund'].includes(transaction.status))
    throw new CreemRefusal(400, 'Transaction cannot be refunded');
  const part = amount ?? paid - transaction.refunded;
  if (part <= 0 || part > paid - transaction.refunded) throw new CreemRefusal(400, 'Refund amount is wrong');
  const outcome = shop.switches().refunds;
  const made = shop.store.refunds.add({
    id: newId('ref'),
    transactionId: transaction.id,
    amount: part,
    status: 'pending',
    settleAt: at + DAY_MS,
    createdAt: at,
  });
  if (outcome !== 'pending') settle(shop, made, outcome);
  if (outcome !== 'failed')
    shop.emit('refund.created', shop.shapes.refund(made), at, transaction.subscriptionId);
  return made;
}

/** The customer's bank takes a payment back. @throws CreemRefusal 400 */
export function dispute(shop: Shop, transaction: Transaction): void {
  if (!['paid', 'partialRefund'].includes(transaction.status))
    throw new CreemRefusal(400, 'Transaction cannot be disputed');
  const at = shop.now();
  const amount = transaction.amount + transaction.tax;
  transaction.status = 'chargedBack';
  transaction.refunded = amount;
  const made = shop.store.disputes.add({
    id: newId('disp'),
    transactionId: transaction.id,
    amount,
    createdAt: at,
  });
  shop.emit('dispute.created', shop.shapes.dispute(made), at, transaction.subscriptionId);
}
