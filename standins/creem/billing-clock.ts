/** Runs everything that is due at its own time and in order, however far the clock jumps. */

import { monthsAfter } from './products.ts';
import { CHECKOUT_LIFETIME_MS } from './purchase.ts';
import type { Subscription } from './records.ts';
import type { Shop } from './shop.ts';
import { endSubscription, pauseSubscription, settleRefund, takePayment } from './subscription-changes.ts';

const DAY_MS = 86_400_000;

/** Days after the end of the period; after the last retry the subscription ends. */
const RETRY_DAYS = [1, 3, 5];

interface Due {
  at: number;
  run: () => void;
}

/** Charges for the next period, which follows the last one directly however late the payment is. */
function renew(shop: Shop, subscription: Subscription, at: number): void {
  const product = shop.product(subscription.productId);
  const start = subscription.periodEnd;
  const period = { start, end: monthsAfter(subscription.anchor, product.months * (subscription.cycle + 1)) };
  const { status } = takePayment(shop, subscription, { product, period, at });
  if (status === 'declined') {
    retryLater(shop, subscription, start, at);
    return;
  }
  const cycle = subscription.cycle + 1;
  Object.assign(subscription, { status: 'active', cycle, retries: 0, nextTryAt: null });
  shop.touch(subscription, at, 'subscription.paid');
}

function retryLater(shop: Shop, subscription: Subscription, start: number, at: number): void {
  const days = RETRY_DAYS[subscription.retries];
  if (days === undefined) {
    endSubscription(shop, subscription, at);
    return;
  }
  const first = subscription.status !== 'past_due';
  const retries = subscription.retries + 1;
  Object.assign(subscription, { status: 'past_due', retries, nextTryAt: start + days * DAY_MS });
  shop.touch(subscription, at);
  if (first) shop.emitSubscription('subscription.past_due', subscription, at);
  // Sent after the first day without payment; it is not final (protocols.md 1.4).
  else if (retries === 2) shop.emitSubscription('subscription.expired', subscription, at);
}

function dueOf(shop: Shop, subscription: Subscription): Due | null {
  const { status, periodEnd, nextTryAt } = subscription;
  if (status === 'active') return { at: periodEnd, run: () => renew(shop, subscription, periodEnd) };
  if (status === 'past_due' && nextTryAt !== null)
    return { at: nextTryAt, run: () => renew(shop, subscription, nextTryAt) };
  if (status !== 'scheduled_cancel') return null;
  const endAction = subscription.atPeriodEnd === 'pause' ? pauseSubscription : endSubscription;
  return { at: periodEnd, run: () => endAction(shop, subscription, periodEnd) };
}

function* allDue(shop: Shop): Iterable<Due> {
  for (const subscription of shop.store.subscriptions.all()) {
    const due = dueOf(shop, subscription);
    if (due) yield due;
  }
  for (const checkout of shop.store.checkouts.all()) {
    if (checkout.status !== 'pending') continue;
    const run = () => {
      checkout.status = 'expired';
      shop.store.changed();
    };
    yield { at: checkout.createdAt + CHECKOUT_LIFETIME_MS, run };
  }
  for (const refund of shop.store.refunds.all())
    if (refund.settleAt !== null)
      yield { at: refund.settleAt, run: () => settleRefund(shop, refund, 'succeeded') };
}

function next(shop: Shop, until: number): Due | null {
  let first: Due | null = null;
  for (const due of allDue(shop)) if (due.at <= until && (!first || due.at < first.at)) first = due;
  return first;
}

export function advance(shop: Shop): void {
  const now = shop.now();
  for (let due = next(shop, now); due; due = next(shop, now)) due.run();
}
