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

const isLive = (mode: string | null | undefined, context: ParseContext): boolean =>
  mode ? mode === 'prod' || mode === 'live' : context.live;

function textOf(values: Metadata, key: string): string | null {
  const value = values?.[key];
  return typeof value === 'string' ? value : null;
}

export function readMetadata(value: unknown): Metadata {
  return z.object({ metadata }).safeParse(value).data?.metadata;
}

export function readSubscription(value: unknown, context: ParseContext): ProviderSubscription {
  const parsed = subscription.parse(value);
  const updatedAt = parsed.updated_at ?? context.updatedAt;
  const priced = pricedProduct.safeParse(parsed.product).data;
  const ownMetadata = textOf(parsed.metadata, 'checkoutId')
    ? parsed.metadata
    : (context.metadata ?? parsed.metadata);
  return {
    id: parsed.id,
    status: parsed.status,
    productId: typeof parsed.product === 'string' ? parsed.product : parsed.product.id,
    price: priced ? { cents: priced.price, currency: priced.currency } : null,
    customerId: parsed.customer,
    checkoutId: textOf(ownMetadata, 'checkoutId'),
    userId: textOf(ownMetadata, 'userId'),
    periodStart: parsed.current_period_start_date ?? null,
    periodEnd: parsed.current_period_end_date ?? null,
    canceledAt: parsed.canceled_at ?? null,
    lastPaymentId: parsed.last_transaction_id ?? null,
    lastPaymentAt: parsed.last_transaction_date ?? null,
    updatedAt: updatedAt ?? z.parse(time, parsed.updated_at),
    live: isLive(parsed.mode, context),
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
export function readPayment(value: unknown, context: ParseContext): ProviderPayment {
  const parsed = transaction.parse(value);
  const amountCents = parsed.amount_paid ?? parsed.amount;
  return {
    id: parsed.id,
    subscriptionId: parsed.subscription ?? null,
    orderId: parsed.order ?? null,
    customerId: parsed.customer ?? null,
    amountCents,
    discountCents: parsed.discount_amount ?? 0,
    refundedCents: Math.min(parsed.refunded_amount ?? 0, amountCents),
    currency: parsed.currency,
    state: paymentStates[parsed.status] ?? 'pending',
    periodStart: parsed.period_start ?? null,
    periodEnd: parsed.period_end ?? null,
    createdAt: parsed.created_at,
    live: isLive(parsed.mode, context),
  };
}

/** Values in SDK 1.13: `pending`, `requiresAction`, `succeeded`, `failed`, `canceled`. */
export function toRefundState(status: string): RefundState {
  if (status === 'succeeded') return 'succeeded';
  return status === 'failed' || status === 'canceled' ? 'failed' : 'pending';
}

/** Returns null for an unknown shape: a checkout of a plan needs no order. */
function readOrder(value: unknown, context: ParseContext): ProviderOrder | null {
  const parsed = order.safeParse(value).data;
  const createdAt = parsed?.created_at ?? context.updatedAt;
  if (!parsed || !createdAt) return null;
  return {
    id: parsed.id,
    productId: parsed.product,
    paymentId: parsed.transaction ?? null,
    amountCents: parsed.amount_paid ?? parsed.amount,
    currency: parsed.currency,
    isPaid: parsed.status === 'paid',
    createdAt,
    live: isLive(parsed.mode, context),
  };
}

export function readCheckout(value: unknown, context: ParseContext): ProviderCheckout {
  const parsed = checkout.parse(value);
  return {
    id: parsed.id,
    url: parsed.checkout_url ? readPageUrl(parsed.checkout_url) : null,
    state: parsed.status === 'completed' || parsed.status === 'expired' ? parsed.status : 'open',
    requestId: parsed.request_id ?? null,
    subscriptionId: parsed.subscription ?? null,
    customerId: parsed.customer ?? null,
    order: parsed.subscription ? null : readOrder(parsed.order, context),
  };
}

/** Accepts only http and https, because a browser is sent there. */
export function readPageUrl(value: unknown): string {
  return z.url({ protocol: /^https?$/ }).parse(value);
}

export function readProduct(value: unknown, context: ParseContext): ProviderProduct {
  const parsed = product.parse(value);
  return {
    id: parsed.id,
    name: parsed.name,
    priceCents: parsed.price,
    currency: parsed.currency,
    period: parsed.billing_period ?? '',
    isPaidOnce: parsed.billing_type ? parsed.billing_type === 'onetime' : parsed.billing_period === 'once',
    live: isLive(parsed.mode, context),
  };
}
