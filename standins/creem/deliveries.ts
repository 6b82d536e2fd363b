/**
 * Sends the events to the site's webhook: in order within a subscription, tried again on Creem's schedule, and
 * mistreated by the switches.
 */

import { numbersFrom, shuffled } from './chance.ts';
import type { Delivery, StoredEvent } from './model.ts';
import { signatureHeaders } from './signing.ts';
import { type CreemStore, newId } from './store.ts';
import type { CreemSwitches } from './switches.ts';

/** Pauses before the second to the fifth try. */
const RETRY_MS = [30_000, 60_000, 300_000, 3_600_000];
const ANSWER_MS = 10_000;
const AT_ONCE = 16;
/** A batch that is to be shuffled goes out when nothing was added for so long. */
const BATCH_QUIET_MS = 400;
const LOOK_MS = 50;
const PATH = '/api/webhooks/creem';
const UNKNOWN_TYPE = 'subscription.celebrated';

export interface DeliveryParts {
  store: CreemStore;
  now: () => number;
  switches: () => Readonly<CreemSwitches>;
  /** Origin of the site and the secret of its webhook; null: nothing is sent. */
  siteUrl: string | null;
  secret: string | null;
}

export class Deliveries {
  readonly #parts: DeliveryParts;
  readonly #flying = new Set<Delivery>();
  readonly #busy = new Set<string>();
  readonly #timer: NodeJS.Timeout;
  /** Not at their end yet; those that are go at the next look. */
  #open: Delivery[];
  #soon = false;
  #lastHeldAt = 0;
  #serial: number;
  #seed: number | null = null;
  #random = numbersFrom(0);

  constructor(parts: DeliveryParts) {
    this.#parts = parts;
    const { deliveries } = parts.store;
    this.#serial = deliveries.reduce((most, { id }) => Math.max(most, id), 0);
    this.#open = deliveries.filter(({ state }) => state === 'waiting' || state === 'held');
    this.#timer = setInterval(() => this.pump(), LOOK_MS);
  }

  /** How many deliveries are in each state; `pending` are those that are still to come to an end. */
  counts(): Record<'pending' | 'delivered' | 'failed' | 'lost', number> {
    const count = { pending: 0, delivered: 0, failed: 0, lost: 0 };
    for (const { state } of this.#parts.store.deliveries)
      count[state === 'held' || state === 'waiting' ? 'pending' : state] += 1;
    return count;
  }

  #chance(): () => number {
    const { seed } = this.#parts.switches();
    if (seed !== this.#seed) {
      this.#seed = seed;
      this.#random = numbersFrom(seed);
    }
    return this.#random;
  }

  #add(event: StoredEvent, kind: Delivery['kind'], more: Partial<Delivery> = {}): void {
    this.#serial += 1;
    const delivery: Delivery = {
      id: this.#serial,
      eventId: event.id,
      type: event.type,
      subscriptionId: event.subscriptionId,
      kind,
      body: null,
      state: 'waiting',
      dueAt: Date.now(),
      dueClock: null,
      attempts: [],
      ...more,
    };
    this.#parts.store.deliveries.push(delivery);
    if (delivery.state !== 'lost') this.#open.push(delivery);
    this.#parts.store.changed();
  }

  #isLost(type: string): boolean {
    const { lose, webhooks, siteUrl } = this.#parts.switches();
    if (!webhooks || !this.#parts.secret || !(siteUrl ?? this.#parts.siteUrl)) return true;
    if (Array.isArray(lose)) return lose.includes(type);
    return lose > 0 && this.#chance()() < lose;
  }

  /** Takes a new event and everything that the switches make of it. */
  take(event: StoredEvent): void {
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

  /**
   * Sends events again, as by the provider's dashboard: one by its id, 'all', or those that never arrived ('lost').
   * Returns how many.
   */
  resend(which: string): number {
    const { store } = this.#parts;
    const arrived = new Set(store.deliveries.filter((d) => d.state === 'delivered').map((d) => d.eventId));
    const events = store.events
      .all()
      .filter(({ id }) => which === 'all' || (which === 'lost' ? !arrived.has(id) : id === which));
    for (const event of events) this.#add(event, 'resent');
    return events.length;
  }

  #releaseBatch(): void {
    const held = this.#open.filter(({ state }) => state === 'held');
    if (held.length === 0) return;
    const { reorder } = this.#parts.switches();
    if (held.length < reorder && Date.now() - this.#lastHeldAt < BATCH_QUIET_MS) return;
    const others = this.#open.filter(({ state }) => state !== 'held');
    for (const delivery of held) delivery.state = 'waiting';
    this.#open = [...others, ...shuffled(held, this.#chance())];
  }

  #isDue(delivery: Delivery): boolean {
    if (delivery.state !== 'waiting' || this.#flying.has(delivery)) return false;
    const byClock = delivery.dueClock !== null && this.#parts.now() >= delivery.dueClock;
    return byClock || Date.now() >= delivery.dueAt;
  }

  /** Looks again after what is going on now: however many answers come at once, one look does for all. */
  #pumpSoon(): void {
    if (this.#soon) return;
    this.#soon = true;
    setImmediate(() => {
      this.#soon = false;
      this.pump();
    });
  }

  /** Starts what is due. */
  pump(): void {
    this.#open = this.#open.filter(({ state }) => state === 'held' || state === 'waiting');
    this.#releaseBatch();
    for (const delivery of this.#open) {
      if (this.#flying.size >= AT_ONCE) return;
      const group = delivery.subscriptionId ?? delivery.eventId;
      if (!this.#isDue(delivery) || this.#busy.has(group)) continue;
      this.#flying.add(delivery);
      this.#busy.add(group);
      this.#try(delivery).finally(() => {
        this.#flying.delete(delivery);
        this.#busy.delete(group);
        this.#parts.store.changed();
        this.#pumpSoon();
      });
    }
  }

  async #try(delivery: Delivery): Promise<void> {
    const at = new Date().toISOString();
    const { status, error } = await this.#post(delivery);
    delivery.attempts.push({ at, status, error });
    const ok = status !== null && status >= 200 && status < 300;
    const pause = delivery.kind === 'forged' ? undefined : RETRY_MS[delivery.attempts.length - 1];
    if (ok || pause === undefined) {
      delivery.state = ok ? 'delivered' : 'failed';
      return;
    }
    delivery.dueAt = Date.now() + pause / this.#parts.switches().retryScale;
    delivery.dueClock = this.#parts.now() + pause;
  }

  async #post(delivery: Delivery): Promise<{ status: number | null; error: string | null }> {
    const { signatureForm, siteUrl } = this.#parts.switches();
    const site = siteUrl ?? this.#parts.siteUrl;
    const body = delivery.body ?? this.#parts.store.events.get(delivery.eventId)?.body;
    const { secret } = this.#parts;
    if (!site || !secret || body === undefined) return { status: null, error: 'no address, secret or body' };
    const id = delivery.eventId;
    const signed = signatureHeaders(signatureForm, {
      id,
      body,
      secret: delivery.kind === 'forged' ? `${secret}x` : secret,
    });
    try {
      const answer = await fetch(site + PATH, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': 'Creem-Webhooks/1.0', ...signed },
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(ANSWER_MS),
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

/** What somebody without the secret would like to be true: a new event, and paid for ten more years. */
function forgedBody(event: StoredEvent): string {
  const told = JSON.parse(event.body) as { object: Record<string, unknown> };
  const until = new Date(event.createdAt + 10 * 365 * 86_400_000).toISOString();
  return JSON.stringify({
    ...told,
    id: newId('evt'),
    object: { ...told.object, status: 'active', current_period_end_date: until, updated_at: until },
  });
}
