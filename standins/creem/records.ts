/** Times are epoch milliseconds of the stand-ins' clock; amounts are cents. */

interface Row {
  id: string;
  createdAt: number;
}

export interface Customer extends Row {
  email: string;
  name: string;
  country: string;
}

export interface Checkout extends Row {
  requestId: string | null;
  productId: string;
  units: number;
  customerId: string | null;
  email: string | null;
  name: string | null;
  successUrl: string | null;
  metadata: Record<string, unknown>;
  status: 'pending' | 'completed' | 'expired';
  /** Signs the return URL. */
  apiKey: string;
  orderId: string | null;
  subscriptionId: string | null;
}

export interface Order extends Row {
  checkoutId: string;
  customerId: string;
  productId: string;
  transactionId: string;
  amount: number;
  tax: number;
}

export interface Subscription extends Row {
  checkoutId: string;
  customerId: string;
  productId: string;
  itemId: string;
  /** Product of its item, which changes slightly later than the plan. */
  itemProductId: string;
  status: 'active' | 'past_due' | 'paused' | 'scheduled_cancel' | 'canceled';
  metadata: Record<string, unknown>;
  /** Periods are counted from here, so that a 31st returns after February. */
  anchor: number;
  cycle: number;
  periodStart: number;
  periodEnd: number;
  /** Full price of the period, even where credit paid part of it. */
  periodWorth: number;
  lastTransactionId: string;
  lastTransactionAt: number;
  canceledAt: number | null;
  atPeriodEnd: 'cancel' | 'pause';
  cardFails: number;
  retries: number;
  nextTryAt: number | null;
  /** Credit (positive) or debt (negative) that the next payment includes. */
  balance: number;
  /** Each change has a later time than the one before. */
  updatedAt: number;
}

export interface Transaction extends Row {
  orderId: string | null;
  subscriptionId: string | null;
  customerId: string;
  productId: string;
  amount: number;
  tax: number;
  status: 'paid' | 'declined' | 'refunded' | 'partialRefund' | 'chargedBack';
  refunded: number;
  description: string;
  periodStart: number | null;
  periodEnd: number | null;
}

export interface Refund extends Row {
  transactionId: string;
  amount: number;
  status: 'pending' | 'succeeded' | 'failed';
  settleAt: number | null;
}

export interface Dispute extends Row {
  transactionId: string;
  amount: number;
}

export interface StoredEvent extends Row {
  type: string;
  subscriptionId: string | null;
  body: string;
}

interface Attempt {
  /** The machine's time, ISO. */
  at: string;
  status: number | null;
  error: string | null;
}

export interface Delivery {
  id: number;
  eventId: string;
  type: string;
  subscriptionId: string | null;
  kind: 'event' | 'copy' | 'forged' | 'resent';
  body: string | null;
  /** lost: dropped by a switch. failed: all five tries failed. */
  state: 'held' | 'waiting' | 'delivered' | 'failed' | 'lost';
  /** The next try is due at `dueAt` of the machine's clock or `dueClock` of the stand-ins', whichever comes first. */
  dueAt: number;
  dueClock: number | null;
  attempts: Attempt[];
}

export interface PortalLink {
  token: string;
  customerId: string;
  createdAt: number;
}

export type CardPlan = 'good' | 'fails-once' | 'fails';
