import { z } from 'zod/mini';
import {
  cents,
  LATEST_MS,
  type ParseContext,
  readCheckout,
  readMetadata,
  readPayment,
  readSubscription,
  toRefundState,
} from './creem-schemas.server.ts';
import { type ProviderEvent, type ProviderFact, UnreadableEvent } from './payment-provider.ts';

const instant = z.union([
  z.number().check(z.minimum(0), z.maximum(LATEST_MS)),
  z.string().check(z.refine((text) => Math.abs(Date.parse(text)) <= LATEST_MS)),
]);

/** Has both of Creem's field names: its own and those of Standard Webhooks. */
const envelope = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(200)),
  eventType: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
  type: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
  created_at: z.optional(instant),
  timestamp: z.optional(instant),
  object: z.optional(z.unknown()),
  data: z.optional(z.unknown()),
});

interface ParsedEvent extends ProviderEvent {
  object: unknown;
}

function parseEnvelope(payload: unknown): ParsedEvent | null {
  const parsed = envelope.safeParse(payload).data;
  const type = parsed?.eventType ?? parsed?.type;
  const time = parsed?.created_at ?? parsed?.timestamp;
  if (!parsed || !type || time === undefined) return null;
  return { id: parsed.id, type, occurredAt: new Date(time), payload, object: parsed.object ?? parsed.data };
}

/** @returns null if the body is not JSON, or has no id, type or time. */
export function readCreemEvent(body: Uint8Array): ProviderEvent | null {
  try {
    const event = parseEnvelope(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)));
    return event && { id: event.id, type: event.type, occurredAt: event.occurredAt, payload: event.payload };
  } catch {
    return null;
  }
}

const refund = z.object({
  id: z.string(),
  status: z.string(),
  refund_amount: cents.check(z.positive()),
  transaction: z.unknown(),
  subscription: z.optional(z.unknown()),
  checkout: z.optional(z.unknown()),
});

const dispute = z.object({
  id: z.string(),
  transaction: z.unknown(),
  subscription: z.optional(z.unknown()),
  checkout: z.optional(z.unknown()),
});

const completedCheckout = z.object({ subscription: z.optional(z.unknown()) });

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const idOf = (value: unknown): string =>
  typeof value === 'string' ? value : z.object({ id: z.string() }).parse(value).id;

function embeddedSubscription(value: unknown, checkout: unknown, context: ParseContext): ProviderFact[] {
  if (!isObject(value)) return [];
  const subscription = readSubscription(value, { ...context, metadata: readMetadata(checkout) });
  return [{ kind: 'subscription', subscription, paid: false }];
}

function embeddedPayment(value: unknown, context: ParseContext): ProviderFact[] {
  return isObject(value) ? [{ kind: 'payment', payment: readPayment(value, context) }] : [];
}

function subscriptionFacts(object: unknown, context: ParseContext, paid: boolean): ProviderFact[] {
  const lastTransaction = isObject(object)
    ? (object as { last_transaction?: unknown }).last_transaction
    : null;
  return [
    { kind: 'subscription', subscription: readSubscription(object, context), paid },
    ...embeddedPayment(lastTransaction, context),
  ];
}

function checkoutFacts(object: unknown, context: ParseContext & { updatedAt: Date }): ProviderFact[] {
  const { subscription } = completedCheckout.parse(object);
  return [
    { kind: 'checkout', checkout: readCheckout(object, context) },
    ...embeddedSubscription(subscription, object, context),
  ];
}

function refundFacts(object: unknown, context: ParseContext & { updatedAt: Date }): ProviderFact[] {
  const { id, status, refund_amount, transaction, subscription, checkout } = refund.parse(object);
  return [
    ...embeddedSubscription(subscription, checkout, context),
    ...embeddedPayment(transaction, context),
    {
      kind: 'refund',
      id,
      paymentId: idOf(transaction),
      amountCents: refund_amount,
      state: toRefundState(status),
      occurredAt: context.updatedAt,
    },
  ];
}

function disputeFacts(object: unknown, context: ParseContext): ProviderFact[] {
  const { id, transaction, subscription, checkout } = dispute.parse(object);
  return [
    ...embeddedSubscription(subscription, checkout, context),
    ...embeddedPayment(transaction, context),
    { kind: 'dispute', id, paymentId: idOf(transaction) },
  ];
}

/** `subscription.updated`: a picture in the documentation spells `update` like this. */
const subscriptionEvents = new Set(
  [
    ...['active', 'paid', 'trialing', 'update', 'updated', 'scheduled_cancel', 'canceled'],
    ...['past_due', 'unpaid', 'expired', 'paused', 'resumed', 'incomplete'],
  ].map((word) => `subscription.${word}`),
);

function eventFacts(
  { type, object }: ParsedEvent,
  context: ParseContext & { updatedAt: Date },
): ProviderFact[] {
  if (type === 'checkout.completed') return checkoutFacts(object, context);
  if (type === 'refund.created') return refundFacts(object, context);
  if (type === 'dispute.created') return disputeFacts(object, context);
  if (!subscriptionEvents.has(type)) return [];
  return subscriptionFacts(object, context, type === 'subscription.paid');
}

/**
 * Returns nothing for an unknown type. @param live mode for objects that name none. @throws UnreadableEvent if a known
 * type has an unknown shape.
 */
export function readCreemFacts(payload: unknown, live: boolean): ProviderFact[] {
  const event = parseEnvelope(payload);
  if (!event) throw new UnreadableEvent('it is no event');
  try {
    return eventFacts(event, { live, updatedAt: event.occurredAt });
  } catch (error) {
    const issue = error instanceof z.core.$ZodError ? error.issues[0] : null;
    if (!issue) throw error;
    throw new UnreadableEvent(`${event.type}: ${issue.path.join('.')}: ${issue.message}`, { cause: error });
  }
}
