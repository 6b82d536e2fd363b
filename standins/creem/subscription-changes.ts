import { CreemRefusal } from './api-errors.ts';
import { isOnce, monthsAfter, type Product } from './products.ts';
import type { Refund, Subscription, Transaction } from './records.ts';
import type { Shop } from './shop.ts';
import { newId } from './store.ts';

const DAY_MS = 86_400_000;

function only(subscription: Subscription, statuses: Subscription['status'][], verb: string): void {
  if (!statuses.includes(subscription.status))
    throw new CreemRefusal(400, `A subscription that is ${subscription.status} cannot be ${verb}.`);
}

export function endSubscription(shop: Shop, subscription: Subscription, at: number): void {
  Object.assign(subscription, { status: 'canceled', canceledAt: at, nextTryAt: null });
  shop.touch(subscription, at, 'subscription.canceled');
}

export function pauseSubscription(shop: Shop, subscription: Subscription, at: number): void {
  Object.assign(subscription, { status: 'paused', nextTryAt: null });
  shop.touch(subscription, at, 'subscription.paused');
}

/** @throws CreemRefusal 400 when it has ended, or is to end already */
export function cancel(
  shop: Shop,
  subscription: Subscription,
  { scheduled, outcome }: { scheduled: boolean; outcome: 'cancel' | 'pause' },
): void {
  const at = shop.now();
  // Where the period is over, its end is now.
  if (scheduled && subscription.periodEnd > at) {
    only(subscription, ['active'], 'canceled');
    Object.assign(subscription, { status: 'scheduled_cancel', atPeriodEnd: outcome });
    shop.touch(subscription, at, 'subscription.scheduled_cancel');
    return;
  }
  only(subscription, ['active', 'past_due', 'paused', 'scheduled_cancel'], 'canceled');
  if (outcome === 'pause') pauseSubscription(shop, subscription, at);
  else endSubscription(shop, subscription, at);
}

export function pause(shop: Shop, subscription: Subscription): void {
  only(subscription, ['active'], 'paused');
  pauseSubscription(shop, subscription, shop.now());
}

/** A paused one whose period is over pays for a new one that begins today. @throws CreemRefusal 400 */
export function resume(shop: Shop, subscription: Subscription): void {
  only(subscription, ['paused', 'scheduled_cancel'], 'resumed');
  const at = shop.now();
  if (subscription.periodEnd <= at) beginPeriod(shop, subscription, shop.product(subscription.productId), at);
  subscription.status = 'active';
  shop.touch(subscription, at, 'subscription.update');
}

/** The balance goes into the payment when it is paid. */
export function takePayment(
  shop: Shop,
  subscription: Subscription,
  { product, period, at }: { product: Product; period: { start: number; end: number }; at: number },
): Transaction {
  const declined = subscription.cardFails > 0;
  if (declined) subscription.cardFails -= 1;
  const due = product.price - subscription.balance;
  const transaction = shop.charge({
    customerId: subscription.customerId,
    productId: product.id,
    orderId: shop.store.checkouts.need(subscription.checkoutId).orderId,
    subscriptionId: subscription.id,
    amount: Math.max(0, due),
    declined,
    period,
    at,
  });
  if (!declined)
    Object.assign(subscription, {
      balance: Math.max(0, -due),
      periodStart: period.start,
      periodEnd: period.end,
      periodWorth: product.price,
      lastTransactionId: transaction.id,
      lastTransactionAt: at,
    });
  return transaction;
}

/** @throws CreemRefusal 400 when the card says no; nothing else has changed then */
function beginPeriod(shop: Shop, subscription: Subscription, product: Product, at: number): void {
  const period = { start: at, end: monthsAfter(at, product.months) };
  const { status } = takePayment(shop, subscription, { product, period, at });
  if (status === 'declined') throw new CreemRefusal(400, 'Payment failed: the card was declined.');
  Object.assign(subscription, { anchor: at, cycle: 1, productId: product.id, status: 'active' });
  shop.touch(subscription, at, 'subscription.paid');
}

/** Nothing once the payment was given back. */
function unusedWorth(shop: Shop, subscription: Subscription, at: number): number {
  const { lastTransactionId, periodStart, periodEnd, periodWorth } = subscription;
  if (shop.store.transactions.need(lastTransactionId).status !== 'paid') return 0;
  return Math.max(0, Math.round((periodWorth * (periodEnd - at)) / (periodEnd - periodStart)));
}

export const BEHAVIORS = ['proration-charge-immediately', 'proration-charge', 'proration-none'] as const;

/** protocols.md 1.2, change plan. @throws CreemRefusal 400 */
export function upgrade(
  shop: Shop,
  subscription: Subscription,
  product: Product,
  behavior: (typeof BEHAVIORS)[number],
): void {
  only(subscription, ['active'], 'upgraded');
  if (isOnce(product)) throw new CreemRefusal(400, 'A subscription cannot be on a one-time product.');
  if (subscription.productId === product.id)
    throw new CreemRefusal(400, 'The subscription is on this product already.');
  const at = shop.now();
  const unused = unusedWorth(shop, subscription, at);
  const { balance, periodStart, periodEnd } = subscription;
  if (behavior === 'proration-charge-immediately') {
    subscription.balance += unused;
    try {
      beginPeriod(shop, subscription, product, at);
    } catch (error) {
      subscription.balance = balance;
      throw error;
    }
  } else {
    const old = shop.product(subscription.productId);
    const share = (periodEnd - at) / (periodEnd - periodStart);
    if (behavior === 'proration-charge')
      subscription.balance += unused - Math.round((product.price * share * old.months) / product.months);
    // The cycle goes on to its end; periods are counted anew from there.
    Object.assign(subscription, { productId: product.id, anchor: periodEnd, cycle: 0 });
    shop.touch(subscription, at);
  }
  // The item still names the old product in this event: seen at Creem (protocols.md 1.4).
  shop.emitSubscription('subscription.update', subscription, at);
  subscription.itemProductId = product.id;
}

export function settleRefund(shop: Shop, refund: Refund, status: 'succeeded' | 'failed'): void {
  const transaction = shop.store.transactions.need(refund.transactionId);
  Object.assign(refund, { status, settleAt: null });
  if (status === 'succeeded') {
    transaction.refunded += refund.amount;
    const all = transaction.refunded >= transaction.amount + transaction.tax;
    transaction.status = all ? 'refunded' : 'partialRefund';
  }
  shop.store.changed();
}

const isRefundable = ({ status }: Transaction) => status === 'paid' || status === 'partialRefund';

/**
 * `amount` in cents, or what is left. A pending one settles after a day, silently: no event is known for that.
 * @throws CreemRefusal 400
 */
export function refund(shop: Shop, transaction: Transaction, amount?: number): Refund {
  const at = shop.now();
  const left = transaction.amount + transaction.tax - transaction.refunded;
  const open = shop.store.refunds
    .all()
    .some((other) => other.transactionId === transaction.id && other.status === 'pending');
  if (open || !isRefundable(transaction)) throw new CreemRefusal(400, 'Transaction cannot be refunded');
  const part = amount ?? left;
  if (part <= 0 || part > left) throw new CreemRefusal(400, 'Refund amount is wrong');
  const outcome = shop.switches().refunds;
  const made = shop.store.refunds.add({
    id: newId('ref'),
    transactionId: transaction.id,
    amount: part,
    status: 'pending',
    settleAt: at + DAY_MS,
    createdAt: at,
  });
  if (outcome !== 'pending') settleRefund(shop, made, outcome);
  if (outcome !== 'failed')
    shop.emit('refund.created', shop.objects.refund(made), at, transaction.subscriptionId);
  return made;
}

/** Silently, as no event is known for that: the bank has sent the money back, or the shop has won the dispute. */
export function keepMoney(shop: Shop, transaction: Transaction): void {
  for (const made of shop.store.refunds.all())
    if (made.transactionId === transaction.id) Object.assign(made, { status: 'failed', settleAt: null });
  Object.assign(transaction, { status: 'paid', refunded: 0 });
  shop.store.changed();
}

export function dispute(shop: Shop, transaction: Transaction): void {
  if (!isRefundable(transaction)) throw new CreemRefusal(400, 'Transaction cannot be disputed');
  const at = shop.now();
  const amount = transaction.amount + transaction.tax;
  Object.assign(transaction, { status: 'chargedBack', refunded: amount });
  const row = { id: newId('disp'), transactionId: transaction.id, amount, createdAt: at };
  const made = shop.store.disputes.add(row);
  shop.emit('dispute.created', shop.objects.dispute(made), at, transaction.subscriptionId);
}
