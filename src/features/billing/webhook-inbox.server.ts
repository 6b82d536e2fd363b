import { config } from '#platform/config/config.server.ts';
import { database, transaction } from '#platform/database/database.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import { log } from '#platform/log.server.ts';
import { traced, traceparent } from '#platform/tracing/tracing.server.ts';
import { cleanText } from '#shared/clean-text.ts';
import { applyPackFacts } from './packs/apply-pack.server.ts';
import { findPackCheckoutById } from './packs/pack-store.server.ts';
import { readPack } from './packs/read-packs.server.ts';
import { paymentProvider } from './provider/configured-provider.server.ts';
import { type PaymentProvider, type ProviderFact, UnreadableEvent } from './provider/payment-provider.ts';
import {
  deferUntilPayment,
  type EventOutcome,
  findEvent,
  insertDelivery,
  pendingEvents,
  pruneDuplicates,
  recordOutcome,
  type StoredEvent,
  scheduleRetry,
  storedEvents,
} from './store.server.ts';
import { type Applied, applyFacts } from './subscriptions/apply-update.server.ts';
import { type RefetchResult, refetchSubscription } from './subscriptions/reconcile.server.ts';
import { countBillingEvent, countWebhook } from './webhook-metrics.server.ts';

/** The provider also sends these for intermediate states that it then reverts, so they only trigger a refetch. */
const refetchOnlyEvents = new Set(['subscription.update', 'subscription.updated']);

const MAX_DEPTH = 64;

const invalidEvent = () => new Problem('bad_request', 'This is not an event.');

/** `jsonb` accepts neither NUL characters nor lone surrogates. */
function toStorableJson(value: unknown, depth = 0): unknown {
  if (depth > MAX_DEPTH) throw invalidEvent();
  if (typeof value === 'string') return cleanText(value);
  if (Array.isArray(value)) return value.map((inner) => toStorableJson(inner, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [cleanText(key), toStorableJson(inner, depth + 1)]),
  );
}

/**
 * Stores a delivery and, if the event is new, applies it in the background. Database errors are thrown, so that the
 * provider sends the event again.
 */
export async function receiveWebhook(body: Uint8Array, headers: Headers): Promise<void> {
  const port = paymentProvider();
  if (!port || !config().CREEM_WEBHOOK_SECRET)
    throw new Problem('unavailable', 'Payments are not set up on this site.');
  if (!port.isSigned(body, headers)) {
    countWebhook('unsigned');
    log.warn({ bytes: body.byteLength }, 'a webhook without a valid signature was rejected');
    throw new Problem('unauthorized', 'The signature is not valid.');
  }
  const event = port.readEvent(body);
  if (!event) {
    countWebhook('unreadable');
    throw invalidEvent();
  }
  const cleaned = {
    id: cleanText(event.id),
    type: cleanText(event.type),
    occurredAt: event.occurredAt,
    payload: toStorableJson(event.payload),
  };
  // An event without an id or a type cannot be identified.
  if (cleaned.id.trim() === '' || cleaned.type.trim() === '') throw invalidEvent();
  const id = await insertDelivery(database(), port.name, cleaned);
  countWebhook(id === null ? 'duplicate' : 'accepted');
  if (id !== null) enqueueEvent(id);
}

/** Events to apply in this process, a few at a time: each takes a connection and may call the provider. */
const waiting: Array<{ id: number; trace: string | undefined }> = [];
const MAX_CONCURRENT = 3;
let running = 0;

function enqueueEvent(id: number): void {
  waiting.push({ id, trace: traceparent() });
  if (running >= MAX_CONCURRENT) return;
  running++;
  void drainQueue().finally(() => {
    running--;
  });
}

async function drainQueue(): Promise<void> {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { id, trace } = next;
    const applied = traced('apply billing event', { parent: trace ?? null }, async (span) => {
      const outcome = await applyEvent(id);
      span.set({ 'site.billing.outcome': outcome === null ? 'failed' : outcome?.outcome });
    });
    // The job that runs every minute retries it.
    await applied.catch((error: unknown) =>
      log.error({ error, event: id }, 'a billing event could not be applied yet'),
    );
  }
}

const ignored = (reason: string): EventOutcome => ({
  outcome: 'ignored',
  reason,
  userId: null,
  subscriptionId: null,
});

function outcomeOf({ rejections, changes, stale, userId, subscriptionId }: Applied): EventOutcome {
  const ids = { userId, subscriptionId };
  const [rejection] = rejections;
  if (rejection && changes.length === 0) return { outcome: 'ignored', reason: rejection, ...ids };
  if (stale && changes.length === 0) return { outcome: 'ignored', reason: 'stale', ...ids };
  return { outcome: 'applied', reason: rejection ?? '', ...ids };
}

const outcomeOfRefetch = (refetched: RefetchResult): EventOutcome =>
  refetched.found
    ? { ...outcomeOf(refetched), outcome: refetched.rejections.length > 0 ? 'ignored' : 'applied' }
    : ignored('unmatched');

async function fetchSubscriptionId(port: PaymentProvider, facts: ProviderFact[]): Promise<string | null> {
  for (const fact of facts) {
    if (fact.kind !== 'refund' && fact.kind !== 'dispute') continue;
    const payment = await port.payment(fact.paymentId);
    if (payment?.subscriptionId) return payment.subscriptionId;
  }
  return null;
}

interface EventContext {
  port: PaymentProvider;
  event: StoredEvent;
  facts: ProviderFact[];
}

async function applyOnce({ port, event, facts }: EventContext, acceptListPrice = false): Promise<Applied> {
  const update = {
    provider: port,
    facts,
    isSnapshot: false,
    acceptListPrice,
    cause: { kind: 'event', id: event.event_id },
  } as const;
  return transaction(async (tx) => (await applyPackFacts(tx, update)) ?? applyFacts(tx, update));
}

async function refetchPack({ port }: EventContext, applied: Applied, id: string): Promise<EventOutcome> {
  const pack = await findPackCheckoutById(database(), id);
  const refetched = pack && (await readPack(port, pack));
  // Completed, but its payment is not reported yet: the error makes the event be retried.
  if (refetched?.refetchReason) throw new Error('The event of a pack does not contain its payment.');
  return refetched
    ? outcomeOf({ ...refetched, changes: [...applied.changes, ...refetched.changes] })
    : ignored('unmatched');
}

async function refetchAndApply(context: EventContext, applied: Applied): Promise<EventOutcome> {
  const { port, event, facts } = context;
  if (applied.packCheckoutId) return refetchPack(context, applied, applied.packCheckoutId);
  const externalId = applied.externalId ?? (await fetchSubscriptionId(port, facts));
  if (!externalId) return ignored('unmatched');
  const refetched = await refetchSubscription(externalId, 'event', event.event_id);
  if (applied.refetchReason === 'amount' && !refetched.found) await applyOnce(context, true);
  if (applied.refetchReason !== 'unknown')
    return refetched.found ? outcomeOfRefetch(refetched) : outcomeOf(applied);
  if (!refetched.found || refetched.rejections.length > 0) return outcomeOfRefetch(refetched);
  const retried = await applyOnce(context);
  return retried.refetchReason === 'unknown'
    ? ignored('unmatched')
    : { ...outcomeOf(retried), outcome: 'applied' };
}

/** Makes a refund or dispute of an unknown payment wait for it. @returns false if the payment has arrived meanwhile. */
async function deferIfPaymentMissing(
  { port, event, facts }: EventContext,
  applied: Applied,
): Promise<boolean> {
  const fact = facts.find(({ kind }) => kind === 'refund' || kind === 'dispute');
  const isUnmatched = applied.refetchReason === 'unknown' || applied.rejections.includes('unmatched');
  if (!isUnmatched || (fact?.kind !== 'refund' && fact?.kind !== 'dispute')) return true;
  const { paymentId } = fact;
  return transaction((tx) => deferUntilPayment(tx, { provider: port.name, paymentId, eventId: event.id }));
}

/** Applies an event, and reads from the provider where its facts leave a doubt. */
async function decideOutcome(context: EventContext): Promise<EventOutcome> {
  const { event, facts } = context;
  const [first] = facts;
  if (!first) return ignored('unknown type');
  if (refetchOnlyEvents.has(event.type) && first.kind === 'subscription')
    return outcomeOfRefetch(await refetchSubscription(first.subscription.id, 'event', event.event_id));
  let applied = await applyOnce(context);
  if (!(await deferIfPaymentMissing(context, applied))) applied = await applyOnce(context);
  return applied.refetchReason ? refetchAndApply(context, applied) : outcomeOf(applied);
}

const alertReasons = ['unmatched', 'mode', 'product', 'price', 'currency'];

function logOutcome({ event_id, type }: StoredEvent, { outcome, reason, userId }: EventOutcome): void {
  const details = { event: event_id, type, reason, userId };
  const grantsNothing = alertReasons.includes(reason);
  countBillingEvent(grantsNothing ? 'unmatched' : outcome === 'applied' ? 'applied' : 'ignored');
  if (grantsNothing) log.error(details, 'a billing event was rejected and grants nothing');
  else if (reason === 'unknown type') log.warn(details, 'a billing event of an unknown type was stored');
  else log.info({ ...details, outcome }, 'a billing event was handled');
}

async function processEvent(event: StoredEvent): Promise<EventOutcome | null> {
  const port = paymentProvider();
  try {
    if (!port) throw new Error('No key of a payment provider is set.');
    const outcome = await decideOutcome({ port, event, facts: port.readFacts(event.payload) });
    await recordOutcome(database(), event.id, outcome);
    logOutcome(event, outcome);
    return outcome;
  } catch (error) {
    const unreadable = error instanceof UnreadableEvent;
    const reason = unreadable ? `unreadable: ${error.message.slice(0, 200)}` : (error as Error).name;
    const details = { event: event.event_id, type: event.type };
    log.error({ ...details, error, attempt: event.attempts + 1 }, 'a billing event failed');
    countBillingEvent('failed');
    if (await scheduleRetry(database(), event.id, reason)) {
      countBillingEvent('given_up');
      log.error({ ...details, reason }, 'a billing event failed and will not be retried');
    }
    return null;
  }
}

/** Failures are recorded and retried by a job. @returns null on failure, undefined when there was nothing to apply. */
async function applyEvent(id: number): Promise<EventOutcome | null | undefined> {
  const event = await findEvent(database(), id);
  if (event?.outcome === 'received' || event?.outcome === 'failed') return processEvent(event);
  return undefined;
}

const PENDING_SECONDS = 30;
const BATCH = 100;

/** Applies events whose next try is due, or whose process ended before it applied them. */
export async function applyPendingEvents(seconds = PENDING_SECONDS): Promise<void> {
  for (const id of await pendingEvents(database(), seconds, BATCH)) await applyEvent(id);
}

export interface ReplayResult {
  events: number;
  failed: number;
}

/** Replays events in the order of their arrival. An event that was applied before changes nothing. */
export async function replayStoredEvents(
  selection: { eventId?: string; since?: Date; failed?: boolean } = {},
): Promise<ReplayResult> {
  const { eventId = null, since = null, failed = false } = selection;
  const counts: ReplayResult = { events: 0, failed: 0 };
  for (let after = 0; ; ) {
    const ids = await storedEvents(database(), { eventId, since, failed, after, limit: BATCH });
    for (const id of ids) {
      const event = await findEvent(database(), id);
      if (!event) continue;
      counts.events++;
      if ((await processEvent(event)) === null) counts.failed++;
    }
    after = ids.at(-1) ?? 0;
    if (ids.length < BATCH) return counts;
  }
}

const DUPLICATES_DAYS = 90;

export async function pruneDuplicateEvents(): Promise<void> {
  const rows = await pruneDuplicates(database(), DUPLICATES_DAYS);
  if (rows > 0) log.info({ rows }, 'old duplicates of billing events were removed');
}
