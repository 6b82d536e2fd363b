/** What the payment provider knows. Times are epoch milliseconds of the stand-ins' clock, amounts are cents. */

export interface Customer {
  id: string;
  email: string;
  name: string;
  country: string;
  createdAt: number;
}

export interface Checkout {
  id: string;
  requestId: string | null;
  productId: string;
  units: number;
  /** Known from the start where the shop named one, else from the payment. */
  customerId: string | null;
  email: string | null;
  name: string | null;
  successUrl: string | null;
  metadata: Record<string, unknown>;
  status: 'pending' | 'completed' | 'expired';
  /** Key of the request that made it; it signs the way back. */
  apiKey: string;
  orderId: string | null;
  subscriptionId: string | null;
  createdAt: number;
}

export interface Order {
  id: string;
  checkoutId: string;
  customerId: string;
  productId: string;
  transactionId: string;
  amount: number;
  tax: number;
  createdAt: number;
}

export interface Subscription {
  id: string;
  checkoutId: string;
  customerId: string;
  productId: string;
  itemId: string;
  /** Product of its item, which lags behind for a moment when the plan changes. */
  itemProductId: string;
  status: 'active' | 'past_due' | 'paused' | 'scheduled_cancel' | 'canceled';
  metadata: Record<string, unknown>;
  /** Periods are counted from here, so that a 31st comes back after February. */
  anchor: number;
  cycle: number;
  periodStart: number;
  periodEnd: number;
  /** What the period was sold for, however much of it was paid out of credit. */
  periodWorth: number;
  lastTransactionId: string;
  lastTransactionAt: number;
  canceledAt: number | null;
  /** What a scheduled cancel does at the end of the period. */
  atPeriodEnd: 'cancel' | 'pause';
  /** How many of the next payments the card refuses. */
  cardFails: number;
  /** Payments tried again since the period ended. */
  retries: number;
  nextTryAt: number | null;
  /** Credit (positive) or debt (negative) that the next payment takes in. */
  balance: number;
  createdAt: number;
  /** Never goes back: each change is later than the one before. */
  updatedAt: number;
}

export interface Transaction {
  id: string;
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
  createdAt: number;
}

export interface Refund {
  id: string;
  transactionId: string;
  amount: number;
  status: 'pending' | 'succeeded' | 'failed';
  /** When a pending one comes to its end. */
  settleAt: number | null;
  createdAt: number;
}

export interface Dispute {
  id: string;
  transactionId: string;
  amount: number;
  createdAt: number;
}

/** An event as it was when it happened. */
export interface StoredEvent {
  id: string;
  type: string;
  createdAt: number;
  subscriptionId: string | null;
  /** The body, byte for byte as it is sent each time. */
  body: string;
}

interface Attempt {
  /** Machine's time, ISO. */
  at: string;
  status: number | null;
  error: string | null;
}

/** One sending of an event, with its tries. */
export interface Delivery {
  id: number;
  eventId: string;
  type: string;
  subscriptionId: string | null;
  kind: 'event' | 'copy' | 'forged' | 'resent';
  /** What is sent instead of the event's own body. */
  body: string | null;
  /** lost: never sent, by a switch. failed: all five tries were in vain. */
  state: 'held' | 'waiting' | 'delivered' | 'failed' | 'lost';
  /** The next try: the machine's time, or the stand-ins' clock, whichever comes first. */
  dueAt: number;
  dueClock: number | null;
  attempts: Attempt[];
}

/** A link to the customer's pages. */
export interface PortalLink {
  token: string;
  customerId: string;
  createdAt: number;
}

export type CardPlan = 'good' | 'fails-once' | 'fails';
