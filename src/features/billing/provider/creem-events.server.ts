import { z } from 'zod/mini';
import {
  cents,
  LATEST_MS,
  metadataOf,
  type ParseContext,
  readCheckout,
  readPayment,
  readSubscription,
  refundStateOf,
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
  const read = envelope.safeParse(payload).data;
  const type = read?.eventType ?? read?.type;
  const at = read?.created_at ?? read?.timestamp;
  if (!read || !type || at === undefined) return null;
  return { id: read.id, type, occurredAt: new Date(at), payload, object: read.object ?? read.data };
}

/** @returns null if the body is not JSON, or has no id, type or time. */
export function readCreemEvent(body: Uint8Array): ProviderEvent | null {
  try {
    const opened = parseEnvelope(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)));
    return (
      opened && { id: opened.id, type: opened.type, occurredAt: opened.occurredAt, payload: opened.payload }
    );
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

const completed = z.object({ subscription: z.optional(z.unknown()) });

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const idOf = (value: unknown): string =>
  typeof value === 'string' ? value : z.object({ id: z.string() }).parse(value).id;

function embeddedSubscription(value: unknown, checkout: unknown, reading: ParseContext): ProviderFact[] {
  if (!isObject(value)) return [];
  const subscription = readSubscription(value, { ...reading, metadata: metadataOf(checkout) });
  return [{ kind: 'subscription', subscription, paid: false }];
}

function embeddedPayment(value: unknown, reading: ParseContext): ProviderFact[] {
  return isObject(value) ? [{ kind: 'payment', payment: readPayment(value, reading) }] : [];
}

function subscriptionFacts(object: unknown, reading: ParseContext, paid: boolean): ProviderFact[] {
  const held = isObject(object) ? (object as { last_transaction?: unknown }).last_transaction : null;
  return [
    { kind: 'subscription', subscription: readSubscription(object, reading), paid },
    ...embeddedPayment(held, reading),
  ];
}

function checkoutFacts(object: unknown, reading: ParseContext & { updatedAt: Date }): ProviderFact[] {
  const { subscription } = completed.parse(object);
  return [
    { kind: 'checkout', checkout: readCheckout(object, reading) },
    ...embeddedSubscription(subscription, object, reading),
  ];
}

function refundFacts(object: unknown, reading: ParseContext & { updatedAt: Date }): ProviderFact[] {
  const { id, status, refund_amount, transaction, subscription, checkout } = refund.parse(object);
  return [
    ...embeddedSubscription(subscription, checkout, reading),
    ...embeddedPayment(transaction, reading),
    {
      kind: 'refund',
      id,
      paymentId: idOf(transaction),
      amountCents: refund_amount,
      state: refundStateOf(status),
      at: reading.updatedAt,
    },
  ];
}

function disputeFacts(object: unknown, reading: ParseContext): ProviderFact[] {
  const { id, transaction, subscription, checkout } = dispute.parse(object);
  return [
    ...embeddedSubscription(subscription, checkout, reading),
    ...embeddedPayment(transaction, reading),
    { kind: 'dispute', id, paymentId: idOf(transaction) },
  ];
}

/** `subscription.updated`: a picture in the documentation spells `update` like this. */
const ofSubscription = new Set(
  [
    ...['active', 'paid', 'trialing', 'update', 'updated', 'scheduled_cancel', 'canceled'],
    ...['past_due', 'unpaid', 'expired', 'paused', 'resumed', 'incomplete'],
  ].map((word) => `subscription.${word}`),
);

function factsOf({ type, object }: ParsedEvent, reading: ParseContext & { updatedAt: Date }): ProviderFact[] {
  if (type === 'checkout.completed') return checkoutFacts(object, reading);
  if (type === 'refund.created') return refundFacts(object, reading);
  if (type === 'dispute.created') return disputeFacts(object, reading);
  if (!ofSubscription.has(type)) return [];
  return subscriptionFacts(object, reading, type === 'subscription.paid');
}

/**
 * Returns nothing for an unknown type. @param live mode for objects that name none. @throws UnreadableEvent if a known
 * type has an unknown shape.
 */
export function readCreemFacts(payload: unknown, live: boolean): ProviderFact[] {
  const opened = parseEnvelope(payload);
  if (!opened) throw new UnreadableEvent('it is no event');
  try {
    return factsOf(opened, { live, updatedAt: opened.occurredAt });
  } catch (error) {
    const issue = error instanceof z.core.$ZodError ? error.issues[0] : null;
    if (!issue) throw error;
    throw new UnreadableEvent(`${opened.type}: ${issue.path.join('.')}: ${issue.message}`, { cause: error });
  }
}
