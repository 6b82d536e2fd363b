import { createHmac } from 'node:crypto';
import type { Delivery, StoredEvent } from './records.ts';
import { type CreemStore, newId } from './store.ts';
import type { CreemSwitches } from './switches.ts';

/** Delays before the second to fifth try. */
const RETRY_MS = [30_000, 60_000, 300_000, 3_600_000];
const RESPONSE_TIMEOUT_MS = 10_000;
const MAX_CONCURRENT = 16;
/** A batch to be shuffled is sent when nothing was added for this long. */
const BATCH_IDLE_MS = 400;
const CHECK_INTERVAL_MS = 50;
const PATH = '/api/webhooks/creem';
const UNKNOWN_TYPE = 'subscription.celebrated';

interface DeliveryParts {
  store: CreemStore;
  now: () => number;
  switches: () => Readonly<CreemSwitches>;
  siteUrl: string | null;
  secret: string | null;
}

/** mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Returns the headers that sign a body. Creem's form is hex, and the key is the whole secret as written (protocols.md
 * 1.4). Standard Webhooks is base64, the key is the part after whsec_, and the time is the machine's.
 */
function signatureHeaders(
  form: CreemSwitches['signatureForm'],
  id: string,
  body: string,
  secret: string,
): Record<string, string> {
  if (form === 'creem') {
    const signature = createHmac('sha256', secret).update(body).digest('hex');
    return { 'creem-signature': signature };
  }
  const seconds = String(Math.floor(Date.now() / 1000));
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': `v1,${signature}` };
}

const isOpen = ({ state }: Delivery) => state === 'held' || state === 'waiting';

export class WebhookDeliveries {
  readonly #parts: DeliveryParts;
  readonly #busy = new Set<string>();
  readonly #timer: NodeJS.Timeout;
  /** Unfinished deliveries; finished ones are removed at the next check. */
  #open: Delivery[];
  #soon = false;
  #lastHeldAt = 0;
  #serial: number;
  #seed: number | null = null;
  #generator = randomFrom(0);

  constructor(parts: DeliveryParts) {
    this.#parts = parts;
    const { deliveries } = parts.store;
    this.#serial = deliveries.reduce((max, { id }) => Math.max(max, id), 0);
    this.#open = deliveries.filter(isOpen);
    this.#timer = setInterval(() => this.startDue(), CHECK_INTERVAL_MS);
  }

  counts(): Record<'pending' | 'delivered' | 'failed' | 'lost', number> {
    const count = { pending: 0, delivered: 0, failed: 0, lost: 0 };
    for (const { state } of this.#parts.store.deliveries)
      count[state === 'held' || state === 'waiting' ? 'pending' : state] += 1;
    return count;
  }

  #random(): () => number {
    const { seed } = this.#parts.switches();
    if (seed !== this.#seed) {
      this.#seed = seed;
      this.#generator = randomFrom(seed);
    }
    return this.#generator;
  }

  #add(event: StoredEvent, kind: Delivery['kind'], fields: Partial<Delivery> = {}): void {
    this.#serial += 1;
    const delivery: Delivery = {
      ...{ id: this.#serial, eventId: event.id, type: event.type, subscriptionId: event.subscriptionId },
      ...{ kind, body: null, state: 'waiting', dueAt: Date.now(), dueClock: null, attempts: [] },
      ...fields,
    };
    this.#parts.store.deliveries.push(delivery);
    if (delivery.state !== 'lost') this.#open.push(delivery);
    this.#parts.store.changed();
  }

  #isLost(type: string): boolean {
    const { lose, webhooks, siteUrl } = this.#parts.switches();
    if (!webhooks || !this.#parts.secret || !(siteUrl ?? this.#parts.siteUrl)) return true;
    if (Array.isArray(lose)) return lose.includes(type);
    return lose > 0 && this.#random()() < lose;
  }

  enqueue(event: StoredEvent): void {
    const { duplicate, reorder, delay, forge, unknownEvent } = this.#parts.switches();
    const state = reorder > 0 ? 'held' : 'waiting';
    const dueAt = Date.now() + delay;
    if (state === 'held') this.#lastHeldAt = Date.now();
    for (let copy = 0; copy < Math.round(duplicate); copy += 1) {
      const kind = copy === 0 ? 'event' : 'copy';
      this.#add(event, kind, { state: this.#isLost(event.type) ? 'lost' : state, dueAt });
    }
    if (forge) this.#add(event, 'forged', { state, dueAt, body: forgedBody(event) });
    if (unknownEvent) {
      const id = newId('evt');
      const body = JSON.stringify({ ...JSON.parse(event.body), id, eventType: UNKNOWN_TYPE });
      const unknown = this.#parts.store.events.add({ ...event, id, type: UNKNOWN_TYPE, body });
      this.#add(unknown, 'event', { state, dueAt });
    }
    this.#parts.store.trim();
  }

  resend(selection: string): number {
    const { store } = this.#parts;
    const delivered = new Set(store.deliveries.filter((d) => d.state === 'delivered').map((d) => d.eventId));
    const events = store.events
      .all()
      .filter(
        ({ id }) => selection === 'all' || (selection === 'lost' ? !delivered.has(id) : id === selection),
      );
    for (const event of events) this.#add(event, 'resent');
    return events.length;
  }

  #releaseBatch(): void {
    const held = this.#open.filter(({ state }) => state === 'held');
    if (held.length === 0) return;
    const { reorder } = this.#parts.switches();
    if (held.length < reorder && Date.now() - this.#lastHeldAt < BATCH_IDLE_MS) return;
    const others = this.#open.filter(({ state }) => state !== 'held');
    for (const delivery of held) delivery.state = 'waiting';
    const random = this.#random();
    const shuffled = held.map((delivery) => ({ delivery, at: random() })).sort((a, b) => a.at - b.at);
    this.#open = [...others, ...shuffled.map(({ delivery }) => delivery)];
  }

  #isDue(delivery: Delivery): boolean {
    if (delivery.state !== 'waiting') return false;
    const byClock = delivery.dueClock !== null && this.#parts.now() >= delivery.dueClock;
    return byClock || Date.now() >= delivery.dueAt;
  }

  /** Checks for due deliveries once, however many responses arrive together. */
  #startDueSoon(): void {
    if (this.#soon) return;
    this.#soon = true;
    setImmediate(() => {
      this.#soon = false;
      this.startDue();
    });
  }

  startDue(): void {
    this.#open = this.#open.filter(isOpen);
    this.#releaseBatch();
    for (const delivery of this.#open) {
      if (this.#busy.size >= MAX_CONCURRENT) return;
      const group = delivery.subscriptionId ?? delivery.eventId;
      if (!this.#isDue(delivery) || this.#busy.has(group)) continue;
      this.#busy.add(group);
      this.#try(delivery).finally(() => {
        this.#busy.delete(group);
        this.#parts.store.changed();
        this.#startDueSoon();
      });
    }
  }

  async #try(delivery: Delivery): Promise<void> {
    const at = new Date().toISOString();
    const { status, error } = await this.#post(delivery);
    delivery.attempts.push({ at, status, error });
    const ok = status !== null && status >= 200 && status < 300;
    const retryDelay = delivery.kind === 'forged' ? undefined : RETRY_MS[delivery.attempts.length - 1];
    if (ok || retryDelay === undefined) {
      delivery.state = ok ? 'delivered' : 'failed';
      return;
    }
    delivery.dueAt = Date.now() + retryDelay / this.#parts.switches().retryScale;
    delivery.dueClock = this.#parts.now() + retryDelay;
  }

  async #post(delivery: Delivery): Promise<{ status: number | null; error: string | null }> {
    const { signatureForm, siteUrl } = this.#parts.switches();
    const { secret, store } = this.#parts;
    const { eventId, kind } = delivery;
    const site = siteUrl ?? this.#parts.siteUrl;
    const body = delivery.body ?? store.events.get(eventId)?.body;
    if (!site || !secret || body === undefined) return { status: null, error: 'no address, secret or body' };
    const key = kind === 'forged' ? `${secret}x` : secret;
    const signature = signatureHeaders(signatureForm, eventId, body, key);
    try {
      const answer = await fetch(site + PATH, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': 'Creem-Webhooks/1.0', ...signature },
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
      });
      await answer.arrayBuffer();
      return { status: answer.status, error: null };
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      return { status: null, error: cause instanceof Error ? cause.message : String(cause) };
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }
}

function forgedBody(event: StoredEvent): string {
  const original = JSON.parse(event.body) as { object: Record<string, unknown> };
  const until = new Date(event.createdAt + 10 * 365 * 86_400_000).toISOString();
  return JSON.stringify({
    ...original,
    id: newId('evt'),
    object: { ...original.object, status: 'active', current_period_end_date: until, updated_at: until },
  });
}
