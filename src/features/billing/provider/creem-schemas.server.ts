import { z } from 'zod/mini';
import type {
  ProviderCheckout,
  ProviderOrder,
  ProviderPayment,
  ProviderProduct,
  ProviderSubscription,
  RefundState,
} from './payment-provider.ts';

// Only fields that we use are listed, and unknown values pass where Creem has an enum: its own documented samples fail
// the strict parser of its SDK (docs, code/webhooks.mdx).

const id = z.string().check(z.minLength(1), z.maxLength(200));
const nullish = <T extends z.ZodMiniType>(schema: T) => z.optional(z.nullable(schema));

/** End of the year 9999. No payment is later, or as far before 1970, and columns cannot hold every JavaScript date. */
export const LATEST_MS = Date.UTC(9999, 11, 31);

/** ISO text on most objects; milliseconds since 1970 on transactions, refunds, disputes and events. */
const time = z.pipe(
  z.union([z.number(), z.string()]),
  z.transform((value, context) => {
    const date = new Date(value);
    if (!(Math.abs(date.getTime()) <= LATEST_MS))
      context.issues.push({ code: 'custom', message: 'no time', input: value });
    return date;
  }),
);

const reference = z.pipe(
  z.union([id, z.object({ id })]),
  z.transform((value) => (typeof value === 'string' ? value : value.id)),
);

export const cents = z.int().check(z.maximum(2 ** 31 - 1));
const currency = z.pipe(
  z.string(),
  z.transform((text) => text.toUpperCase()),
);

const metadata = nullish(z.record(z.string(), z.unknown()));
type Metadata = z.output<typeof metadata>;

const product = z.object({
  id,
  name: z.string(),
  price: cents,
  currency,
  billing_type: nullish(z.string()),
  billing_period: nullish(z.string()),
  mode: nullish(z.string()),
});

const pricedProduct = z.object({ price: cents, currency });

const subscription = z.object({
  id,
  status: z.string(),
  product: z.union([id, z.looseObject({ id })]),
  customer: reference,
  metadata,
  current_period_start_date: nullish(time),
  current_period_end_date: nullish(time),
  canceled_at: nullish(time),
  last_transaction_id: nullish(id),
  last_transaction_date: nullish(time),
  updated_at: nullish(time),
  mode: nullish(z.string()),
});

const transaction = z.object({
  id,
  amount: cents,
  amount_paid: nullish(cents),
  discount_amount: nullish(cents),
  refunded_amount: nullish(cents),
  currency,
  status: z.string(),
  subscription: nullish(reference),
  order: nullish(reference),
  customer: nullish(reference),
  period_start: nullish(time),
  period_end: nullish(time),
  created_at: time,
  mode: nullish(z.string()),
});

const order = z.object({
  id,
  product: reference,
  transaction: nullish(reference),
  amount: cents,
  amount_paid: nullish(cents),
  currency,
  status: nullish(z.string()),
  created_at: nullish(time),
  mode: nullish(z.string()),
});

const checkout = z.object({
  id,
  status: nullish(z.string()),
  checkout_url: nullish(z.string()),
  request_id: nullish(z.string()),
  subscription: nullish(reference),
  customer: nullish(reference),
  order: nullish(z.unknown()),
});

/** `live`: the mode of our key, for objects without a `mode`. */
export interface ParseContext {
  live: boolean;
  /** For subscriptions without a version, which documented sample events lack. */
  updatedAt?: Date;
  metadata?: Metadata;
}

const isLive = (mode: string | null | undefined, reading: ParseContext): boolean =>
  mode ? mode === 'prod' || mode === 'live' : reading.live;

function textOf(from: Metadata, key: string): string | null {
  const value = from?.[key];
  return typeof value === 'string' ? value : null;
}

export function metadataOf(value: unknown): Metadata {
  return z.object({ metadata }).safeParse(value).data?.metadata;
}

export function readSubscription(value: unknown, reading: ParseContext): ProviderSubscription {
  const read = subscription.parse(value);
  const updatedAt = read.updated_at ?? reading.updatedAt;
  const priced = pricedProduct.safeParse(read.product).data;
  const ours = textOf(read.metadata, 'checkoutId') ? read.metadata : (reading.metadata ?? read.metadata);
  return {
    id: read.id,
    status: read.status,
    productId: typeof read.product === 'string' ? read.product : read.product.id,
    price: priced ? { cents: priced.price, currency: priced.currency } : null,
    customerId: read.customer,
    checkoutId: textOf(ours, 'checkoutId'),
    userId: textOf(ours, 'userId'),
    periodStart: read.current_period_start_date ?? null,
    periodEnd: read.current_period_end_date ?? null,
    canceledAt: read.canceled_at ?? null,
    lastPaymentId: read.last_transaction_id ?? null,
    lastPaymentAt: read.last_transaction_date ?? null,
    updatedAt: updatedAt ?? z.parse(time, read.updated_at),
    live: isLive(read.mode, reading),
  };
}

/** Includes the spellings of Creem's SDK and those of its samples. */
const paymentStates: Record<string, ProviderPayment['state']> = {
  pending: 'pending',
  paid: 'paid',
  refunded: 'refunded',
  partialRefund: 'partially_refunded',
  partially_refunded: 'partially_refunded',
  chargedBack: 'disputed',
  chargeback: 'disputed',
  uncollectible: 'failed',
  declined: 'failed',
  canceled: 'failed',
  void: 'failed',
};

/**
 * The amount is what was paid, taxes included, because refunds include them too. An unknown state becomes `pending`,
 * which has no effect until the payment is read again.
 */
export function readPayment(value: unknown, reading: ParseContext): ProviderPayment {
  const read = transaction.parse(value);
  const amountCents = read.amount_paid ?? read.amount;
  return {
    id: read.id,
    subscriptionId: read.subscription ?? null,
    orderId: read.order ?? null,
    customerId: read.customer ?? null,
    amountCents,
    discountCents: read.discount_amount ?? 0,
    refundedCents: Math.min(read.refunded_amount ?? 0, amountCents),
    currency: read.currency,
    state: paymentStates[read.status] ?? 'pending',
    periodStart: read.period_start ?? null,
    periodEnd: read.period_end ?? null,
    createdAt: read.created_at,
    live: isLive(read.mode, reading),
  };
}

/** Values in SDK 1.13: `pending`, `requiresAction`, `succeeded`, `failed`, `canceled`. */
export function refundStateOf(status: string): RefundState {
  if (status === 'succeeded') return 'succeeded';
  return status === 'failed' || status === 'canceled' ? 'failed' : 'pending';
}

/** Returns null for an unknown shape: a checkout of a plan needs no order. */
function readOrder(value: unknown, reading: ParseContext): ProviderOrder | null {
  const read = order.safeParse(value).data;
  const createdAt = read?.created_at ?? reading.updatedAt;
  if (!read || !createdAt) return null;
  return {
    id: read.id,
    productId: read.product,
    paymentId: read.transaction ?? null,
    amountCents: read.amount_paid ?? read.amount,
    currency: read.currency,
    isPaid: read.status === 'paid',
    createdAt,
    live: isLive(read.mode, reading),
  };
}

export function readCheckout(value: unknown, reading: ParseContext): ProviderCheckout {
  const read = checkout.parse(value);
  return {
    id: read.id,
    url: read.checkout_url ? readPageUrl(read.checkout_url) : null,
    state: read.status === 'completed' || read.status === 'expired' ? read.status : 'open',
    requestId: read.request_id ?? null,
    subscriptionId: read.subscription ?? null,
    customerId: read.customer ?? null,
    order: read.subscription ? null : readOrder(read.order, reading),
  };
}

/** Accepts only http and https, because a browser is sent there. */
export function readPageUrl(value: unknown): string {
  return z.url({ protocol: /^https?$/ }).parse(value);
}

export function readProduct(value: unknown, reading: ParseContext): ProviderProduct {
  const read = product.parse(value);
  return {
    id: read.id,
    name: read.name,
    priceCents: read.price,
    currency: read.currency,
    period: read.billing_period ?? '',
    isPaidOnce: read.billing_type ? read.billing_type === 'onetime' : read.billing_period === 'once',
    live: isLive(read.mode, reading),
  };
}
