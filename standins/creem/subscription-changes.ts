import { CreemRefusal } from './api-errors.ts';
import { isOnce, monthsAfter, type Product } from './products.ts';
import type { Refund, Subscription, Transaction } from './records.ts';
import type { Shop } from './shop.ts';
import { newId } from './store.ts';

const DAY_MS = 86_400_000;

function requireStatus(subscription: Subscription, statuses: Subscription['status'][], verb: string): void {
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

/**
 * Cancels or pauses now or at the end of the period. @throws CreemRefusal 400 when it has ended or is already scheduled
 * to
 */
export function cancel(
  shop: Shop,
  subscription: Subscription,
  { scheduled, outcome }: { scheduled: boolean; outcome: 'cancel' | 'pause' },
): void {
  const at = shop.now();
  // When the period is over, a scheduled change happens now.
  if (scheduled && subscription.periodEnd > at) {
    requireStatus(subscription, ['active'], 'canceled');
    Object.assign(subscription, { status: 'scheduled_cancel', atPeriodEnd: outcome });
    shop.touch(subscription, at, 'subscription.scheduled_cancel');
    return;
  }
  requireStatus(subscription, ['active', 'past_due', 'paused', 'scheduled_cancel'], 'canceled');
  if (outcome === 'pause') pauseSubscription(shop, subscription, at);
  else endSubscription(shop, subscription, at);
}

export function pause(shop: Shop, subscription: Subscription): void {
  requireStatus(subscription, ['active'], 'paused');
  pauseSubscription(shop, subscription, shop.now());
}

/**
 * Resumes a subscription; after the paid period, it charges for a new one that starts today. @throws CreemRefusal 400
 */
export function resume(shop: Shop, subscription: Subscription): void {
  requireStatus(subscription, ['paused', 'scheduled_cancel'], 'resumed');
  const at = shop.now();
  if (subscription.periodEnd <= at) startPeriod(shop, subscription, shop.product(subscription.productId), at);
  subscription.status = 'active';
  shop.touch(subscription, at, 'subscription.update');
}

/** Charges for a period. A successful payment uses up the balance. */
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
    orderId: shop.store.checkouts.getRequired(subscription.checkoutId).orderId,
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

/**
 * Charges for a new period and starts it. @throws CreemRefusal 400 when the card is declined; nothing else changes then
 */
function startPeriod(shop: Shop, subscription: Subscription, product: Product, at: number): void {
  const period = { start: at, end: monthsAfter(at, product.months) };
  const { status } = takePayment(shop, subscription, { product, period, at });
  if (status === 'declined') throw new CreemRefusal(400, 'Payment failed: the card was declined.');
  Object.assign(subscription, { anchor: at, cycle: 1, productId: product.id, status: 'active' });
  shop.touch(subscription, at, 'subscription.paid');
}

/** Returns the unused part of the period in cents; 0 once the payment was refunded. */
function unusedValue(shop: Shop, subscription: Subscription, at: number): number {
  const { lastTransactionId, periodStart, periodEnd, periodWorth } = subscription;
  if (shop.store.transactions.getRequired(lastTransactionId).status !== 'paid') return 0;
  return Math.max(0, Math.round((periodWorth * (periodEnd - at)) / (periodEnd - periodStart)));
}

export const BEHAVIORS = ['proration-charge-immediately', 'proration-charge', 'proration-none'] as const;

/** Changes the plan: protocols.md 1.2. @throws CreemRefusal 400 */
export function upgrade(
  shop: Shop,
  subscription: Subscription,
  product: Product,
  behavior: (typeof BEHAVIORS)[number],
): void {
  requireStatus(subscription, ['active'], 'upgraded');
  if (isOnce(product)) throw new CreemRefusal(400, 'A subscription cannot be on a one-time product.');
  if (subscription.productId === product.id)
    throw new CreemRefusal(400, 'The subscription is on this product already.');
  const at = shop.now();
  const unused = unusedValue(shop, subscription, at);
  const { balance, periodStart, periodEnd } = subscription;
  if (behavior === 'proration-charge-immediately') {
    subscription.balance += unused;
    try {
      startPeriod(shop, subscription, product, at);
    } catch (error) {
      subscription.balance = balance;
      throw error;
    }
  } else {
    const old = shop.product(subscription.productId);
    const share = (periodEnd - at) / (periodEnd - periodStart);
    if (behavior === 'proration-charge')
      subscription.balance += unused - Math.round((product.price * share * old.months) / product.months);
    // The current cycle runs to its end; later periods are counted from there.
    Object.assign(subscription, { productId: product.id, anchor: periodEnd, cycle: 0 });
    shop.touch(subscription, at);
  }
  // In this event the item still names the old product, as seen at Creem (protocols.md 1.4).
  shop.emitSubscription('subscription.update', subscription, at);
  subscription.itemProductId = product.id;
}

export function settleRefund(shop: Shop, refund: Refund, status: 'succeeded' | 'failed'): void {
  const transaction = shop.store.transactions.getRequired(refund.transactionId);
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
 * Refunds `amount` cents, or everything not yet refunded. A pending refund settles after a day, without an event: none
 * is known for that.
 * @throws CreemRefusal 400
 */
export function refund(shop: Shop, transaction: Transaction, amount?: number): Refund {
  const at = shop.now();
  const remaining = transaction.amount + transaction.tax - transaction.refunded;
  const isPending = shop.store.refunds
    .all()
    .some((other) => other.transactionId === transaction.id && other.status === 'pending');
  if (isPending || !isRefundable(transaction)) throw new CreemRefusal(400, 'Transaction cannot be refunded');
  const part = amount ?? remaining;
  if (part <= 0 || part > remaining) throw new CreemRefusal(400, 'Refund amount is wrong');
  const outcome = shop.switches().refunds;
  const created = shop.store.refunds.add({
    id: newId('ref'),
    transactionId: transaction.id,
    amount: part,
    status: 'pending',
    settleAt: at + DAY_MS,
    createdAt: at,
  });
  if (outcome !== 'pending') settleRefund(shop, created, outcome);
  if (outcome !== 'failed')
    shop.emit('refund.created', shop.objects.refund(created), at, transaction.subscriptionId);
  return created;
}

/**
 * Reverses refunds and a dispute: the bank returned the money, or the shop won. Sends no event, since none is known.
 */
export function reverseRefunds(shop: Shop, transaction: Transaction): void {
  for (const each of shop.store.refunds.all())
    if (each.transactionId === transaction.id) Object.assign(each, { status: 'failed', settleAt: null });
  Object.assign(transaction, { status: 'paid', refunded: 0 });
  shop.store.changed();
}

export function dispute(shop: Shop, transaction: Transaction): void {
  if (!isRefundable(transaction)) throw new CreemRefusal(400, 'Transaction cannot be disputed');
  const at = shop.now();
  const amount = transaction.amount + transaction.tax;
  Object.assign(transaction, { status: 'chargedBack', refunded: amount });
  const row = { id: newId('disp'), transactionId: transaction.id, amount, createdAt: at };
  const created = shop.store.disputes.add(row);
  shop.emit('dispute.created', shop.objects.dispute(created), at, transaction.subscriptionId);
}
