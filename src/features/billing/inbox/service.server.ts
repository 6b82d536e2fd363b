import { config } from '../../../platform/config/config.server.ts';
import { database, transaction } from '../../../platform/database/database.server.ts';
import { Problem } from '../../../platform/http/problem.server.ts';
import { log } from '../../../platform/log/log.server.ts';
import { cleanText } from '../../../shared/clean-text.ts';
import { type PaymentProvider, type ProviderFact, UnreadableEvent } from '../provider/contract.ts';
import { provider } from '../provider/service.server.ts';
import { type Pulled, pullSubscription } from '../reconcile/service.server.ts';
import { type Applied, applyFacts } from '../state/applying/service.server.ts';
import { awaitPayment } from '../state/applying/store.server.ts';
import {
  eventRow,
  insertDelivery,
  openEvents,
  pruneDuplicates,
  putOff,
  type StoredEvent,
  settle,
  storedEvents,
} from './store.server.ts';

/** Events that the provider also sends for states in between, which it then takes back: they only say to look. */
const onlySaysToLook = new Set(['subscription.update', 'subscription.updated']);

/** No event of the provider is nested by far as deep. */
const DEEPEST = 64;

const noEvent = () => new Problem('bad_request', 'This is not an event.');

/** PostgreSQL's JSON holds neither NUL nor half of a character. @throws Problem bad_request for one nested too deep. */
function storable(value: unknown, depth = 0): unknown {
  if (depth > DEEPEST) throw noEvent();
  if (typeof value === 'string') return cleanText(value);
  if (Array.isArray(value)) return value.map((inner) => storable(inner, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [cleanText(key), storable(inner, depth + 1)]),
  );
}

/**
 * Takes one delivery of a webhook: stores it, once for an event, and applies it in the background.
 * @returns when it is stored. @throws Problem: unavailable without a secret, unauthorized for a bad signature,
 * bad_request for what is no event; any error of the database, so that the provider sends it again.
 */
export async function receive(body: Uint8Array, headers: Headers): Promise<void> {
  const port = provider();
  if (!port || !config().CREEM_WEBHOOK_SECRET)
    throw new Problem('unavailable', 'Payments are not set up on this site.');
  if (!port.isSigned(body, headers)) {
    log.warn({ bytes: body.byteLength }, 'a webhook without a good signature was refused');
    throw new Problem('unauthorized', 'The signature is not valid.');
  }
  const event = port.readEvent(body);
  if (!event) throw noEvent();
  const cleaned = {
    id: cleanText(event.id),
    type: cleanText(event.type),
    occurredAt: event.occurredAt,
    payload: storable(event.payload),
  };
  // Under no name an event cannot be told from another one.
  if (cleaned.id.trim() === '' || cleaned.type.trim() === '') throw noEvent();
  const id = await insertDelivery(database(), port.name, cleaned);
  if (id !== null) soon(id);
}

/** Rows to apply in this process, few at once: each takes a connection, and may ask the provider. */
const waiting: number[] = [];
const AT_ONCE = 3;
let running = 0;

function soon(id: number): void {
  waiting.push(id);
  if (running >= AT_ONCE) return;
  running++;
  void work().finally(() => {
    running--;
  });
}

async function work(): Promise<void> {
  for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
    // What fails here is tried again by the minute's job.
    await applyEvent(id).catch((error: unknown) => log.error({ error, event: id }, 'an event waits'));
  }
}

interface Verdict {
  outcome: 'applied' | 'ignored';
  reason: string;
  userId: string | null;
  subscriptionId: string | null;
}

const ignored = (reason: string): Verdict => ({
  outcome: 'ignored',
  reason,
  userId: null,
  subscriptionId: null,
});

function verdictOf({ refusals, changes, stale, userId, subscriptionId }: Applied): Verdict {
  const about = { userId, subscriptionId };
  const [refusal] = refusals;
  if (refusal && changes.length === 0) return { outcome: 'ignored', reason: refusal, ...about };
  if (stale && changes.length === 0) return { outcome: 'ignored', reason: 'stale', ...about };
  return { outcome: 'applied', reason: refusal ?? '', ...about };
}

const verdictOfPull = (pulled: Pulled): Verdict =>
  pulled.found
    ? { ...verdictOf(pulled), outcome: pulled.refusals.length > 0 ? 'ignored' : 'applied' }
    : ignored('unmatched');

/** The provider's id of the subscription that facts of an unknown payment belong to. */
async function subscriptionBehind(port: PaymentProvider, facts: ProviderFact[]): Promise<string | null> {
  for (const fact of facts) {
    if (fact.kind !== 'refund' && fact.kind !== 'dispute') continue;
    const payment = await port.payment(fact.paymentId);
    if (payment?.subscriptionId) return payment.subscriptionId;
  }
  return null;
}

/** An event at hand. */
interface Handling {
  port: PaymentProvider;
  event: StoredEvent;
  facts: ProviderFact[];
}

async function applyOnce({ port, event, facts }: Handling, nameSuffices = false): Promise<Applied> {
  const telling = {
    provider: port,
    facts,
    isSnapshot: false,
    nameSuffices,
    cause: { kind: 'event', id: event.event_id },
  } as const;
  return transaction((tx) => applyFacts(tx, telling));
}

/** Asks the provider for the subscription that is in doubt; what could not be placed before has its place then. */
async function resolve(handling: Handling, applied: Applied): Promise<Verdict> {
  const { port, event, facts } = handling;
  const externalId = applied.externalId ?? (await subscriptionBehind(port, facts));
  if (!externalId) return ignored('unmatched');
  const pulled = await pullSubscription(externalId, 'event', event.event_id);
  if (applied.doubt === 'amount' && !pulled.found) await applyOnce(handling, true);
  if (applied.doubt !== 'unknown') return pulled.found ? verdictOfPull(pulled) : verdictOf(applied);
  if (!pulled.found || pulled.refusals.length > 0) return verdictOfPull(pulled);
  const again = await applyOnce(handling);
  return again.doubt === 'unknown' ? ignored('unmatched') : { ...verdictOf(again), outcome: 'applied' };
}

/**
 * Lets a refund or dispute whose payment nobody has told of wait for it, so that it is applied with it.
 * @returns false when the payment has come meanwhile.
 */
async function mayWait({ port, event, facts }: Handling, applied: Applied): Promise<boolean> {
  const fact = facts.find(({ kind }) => kind === 'refund' || kind === 'dispute');
  const isUnplaced = applied.doubt === 'unknown' || applied.refusals.includes('unmatched');
  if (!isUnplaced || (fact?.kind !== 'refund' && fact?.kind !== 'dispute')) return true;
  const { paymentId } = fact;
  return transaction((tx) => awaitPayment(tx, { provider: port.name, paymentId, eventId: event.id }));
}

/** Applies an event's facts, and asks the provider where they leave a doubt. @throws whatever keeps it from that. */
async function judge(handling: Handling): Promise<Verdict> {
  const { event, facts } = handling;
  const [first] = facts;
  if (!first) return ignored('unknown type');
  if (onlySaysToLook.has(event.type) && first.kind === 'subscription')
    return verdictOfPull(await pullSubscription(first.subscription.id, 'event', event.event_id));
  let applied = await applyOnce(handling);
  if (!(await mayWait(handling, applied))) applied = await applyOnce(handling);
  return applied.doubt ? resolve(handling, applied) : verdictOf(applied);
}

const alarming = ['unmatched', 'mode', 'product', 'price', 'currency'];

function tell({ event_id, type }: StoredEvent, { outcome, reason, userId }: Verdict): void {
  const about = { event: event_id, type, reason, userId };
  if (alarming.includes(reason)) log.error(about, 'an event about money grants nothing here');
  else if (reason === 'unknown type') log.warn(about, 'an event of an unknown type was stored');
  else log.info({ ...about, outcome }, 'an event about money was handled');
}

async function handle(event: StoredEvent): Promise<Verdict | null> {
  const port = provider();
  try {
    if (!port) throw new Error('No key of a payment provider is set.');
    const verdict = await judge({ port, event, facts: port.readFacts(event.payload) });
    await settle(database(), event.id, verdict);
    tell(event, verdict);
    return verdict;
  } catch (error) {
    const unreadable = error instanceof UnreadableEvent;
    const reason = unreadable ? `unreadable: ${error.message.slice(0, 200)}` : (error as Error).name;
    log.error(
      { error, event: event.event_id, type: event.type, attempt: event.attempts + 1 },
      'an event about money failed',
    );
    if (await putOff(database(), event.id, reason))
      log.error({ event: event.event_id, type: event.type, reason }, 'an event about money is given up');
    return null;
  }
}

/** Applies an event that waits; nothing when it is done. A failure is noted and tried again by the minute's job. */
export async function applyEvent(id: number): Promise<void> {
  const event = await eventRow(database(), id);
  if (event?.outcome === 'received' || event?.outcome === 'failed') await handle(event);
}

const LEFT_SECONDS = 30;
const BATCH = 100;

/** Applies what is left: events whose next try is due, and those whose process ended before it came to them. */
export async function applyLeft(seconds = LEFT_SECONDS): Promise<void> {
  for (const id of await openEvents(database(), seconds, BATCH)) await applyEvent(id);
}

/** What a replay came to. */
export interface Replayed {
  events: number;
  failed: number;
}

/**
 * Applies stored events again, in the order in which they came: one by the provider's id, those since a time, the
 * failed, or all. What was applied before changes nothing.
 */
export async function replay(
  which: { eventId?: string; since?: Date; failed?: boolean } = {},
): Promise<Replayed> {
  const { eventId = null, since = null, failed = false } = which;
  const counts: Replayed = { events: 0, failed: 0 };
  for (let after = 0; ; ) {
    const ids = await storedEvents(database(), { eventId, since, failed, after, limit: BATCH });
    for (const id of ids) {
      const event = await eventRow(database(), id);
      if (!event) continue;
      counts.events++;
      if ((await handle(event)) === null) counts.failed++;
    }
    after = ids.at(-1) ?? 0;
    if (ids.length < BATCH) return counts;
  }
}

const DUPLICATES_DAYS = 90;

/** Removes what says only that an event came again. */
export async function prune(): Promise<void> {
  const rows = await pruneDuplicates(database(), DUPLICATES_DAYS);
  if (rows > 0) log.info({ rows }, 'old duplicates of events were removed');
}
