/** Amounts are cents of `currency` (upper case). Lookups return null for an unknown id. */
export interface PaymentProvider {
  name: string;
  /** Whether the key moves real money; facts from the provider's other mode are ignored. */
  live: boolean;
  /** `id` (as request id and in the metadata) and `userId` link the purchase to our checkout and user. */
  createCheckout(input: NewCheckout): Promise<ProviderCheckout>;
  checkout(id: string): Promise<ProviderCheckout | null>;
  subscription(id: string): Promise<ProviderSubscription | null>;
  payments(customerId: string): Promise<ProviderPayment[]>;
  payment(id: string): Promise<ProviderPayment | null>;
  paymentsOfOrder(orderId: string): Promise<ProviderPayment[]>;
  product(id: string): Promise<ProviderProduct | null>;
  cancel(id: string, when: 'now' | 'period_end'): Promise<ProviderSubscription>;
  resume(id: string): Promise<ProviderSubscription>;
  /** Credits what is left of the last payment, and starts a new period today. */
  change(id: string, productId: string): Promise<ProviderSubscription>;
  customerEmail(id: string): Promise<string | null>;
  portal(customerId: string): Promise<string>;
  refund(paymentId: string): Promise<RefundState>;
  isSigned(body: Uint8Array, headers: Headers): boolean;
  readEvent(body: Uint8Array): ProviderEvent | null;
  /** @throws UnreadableEvent if a known type has an unknown shape. */
  readFacts(payload: unknown): ProviderFact[];
}

interface NewCheckout {
  id: string;
  userId: string;
  email: string;
  productId: string;
  successUrl: string;
}

export interface ProviderCheckout {
  id: string;
  url: string | null;
  state: 'open' | 'completed' | 'expired';
  requestId: string | null;
  subscriptionId: string | null;
  customerId: string | null;
  /** Only reported for a completed checkout. */
  order: ProviderOrder | null;
}

/** What a completed checkout bought; without a subscription it is paid once. */
export interface ProviderOrder {
  id: string;
  productId: string;
  paymentId: string | null;
  amountCents: number;
  currency: string;
  isPaid: boolean;
  createdAt: Date;
  live: boolean;
}

export interface ProviderProduct {
  id: string;
  name: string;
  priceCents: number;
  currency: string;
  period: string;
  isPaidOnce: boolean;
  live: boolean;
}

export interface ProviderSubscription {
  id: string;
  /** The provider's own status; see `knownStatuses`. */
  status: string;
  productId: string;
  price: { cents: number; currency: string } | null;
  customerId: string;
  checkoutId: string | null;
  userId: string | null;
  periodStart: Date | null;
  periodEnd: Date | null;
  canceledAt: Date | null;
  lastPaymentId: string | null;
  lastPaymentAt: Date | null;
  /** Version of the state: the later one is newer. */
  updatedAt: Date;
  live: boolean;
}

export interface ProviderPayment {
  id: string;
  subscriptionId: string | null;
  orderId: string | null;
  customerId: string | null;
  amountCents: number;
  /** Already deducted from the amount. */
  discountCents: number;
  refundedCents: number;
  currency: string;
  state: 'pending' | 'paid' | 'failed' | 'refunded' | 'partially_refunded' | 'disputed';
  periodStart: Date | null;
  periodEnd: Date | null;
  createdAt: Date;
  live: boolean;
}

export interface ProviderEvent {
  id: string;
  type: string;
  occurredAt: Date;
  payload: unknown;
}

export type RefundState = 'pending' | 'succeeded' | 'failed';

/** `occurredAt`: when the event happened, by the provider's clock. */
export type ProviderFact =
  | { kind: 'subscription'; subscription: ProviderSubscription; paid: boolean }
  | { kind: 'payment'; payment: ProviderPayment }
  | { kind: 'checkout'; checkout: ProviderCheckout }
  | {
      kind: 'refund';
      id: string;
      paymentId: string;
      amountCents: number;
      state: RefundState;
      occurredAt: Date;
    }
  | { kind: 'dispute'; id: string; paymentId: string };

/** Days for which payments are read again: the provider may refund for 60 days (its terms), and report it late. */
export const refundDays = 70;

/** Any other status leaves the access as it was, and triggers a refetch. */
export const knownStatuses = [
  'active',
  'trialing',
  'past_due',
  'unpaid',
  'paused',
  'scheduled_cancel',
  'canceled',
  'expired',
  'incomplete',
] as const;

/** `refused`: the provider declined and changed nothing. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly kind: 'refused' | 'unreachable' | 'unreadable';
  readonly status: number | null;
  constructor(kind: ProviderError['kind'], message: string, status: number | null = null, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
    this.status = status;
  }
}

export class UnreadableEvent extends Error {
  override readonly name = 'UnreadableEvent';
}
