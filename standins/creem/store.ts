/** The provider's records, in memory and in creem.json, which outlasts a restart. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { isRecord } from '../http.ts';
import { FollowingFile, readJsonFile } from '../state.ts';
import type {
  Checkout,
  Customer,
  Delivery,
  Dispute,
  Order,
  PortalLink,
  Refund,
  StoredEvent,
  Subscription,
  Transaction,
} from './model.ts';

/** Above this the oldest finished deliveries and their events are forgotten: the file is written whole. */
const MAX_EVENTS = 10_000;
const QUIET_MS = 150;
const LATEST_MS = 3_000;
const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** An id in Creem's form: the prefix and 22 letters and digits. */
export function newId(prefix: string): string {
  const letters = [...randomBytes(22)].map((byte) => LETTERS[byte % LETTERS.length]);
  return `${prefix}_${letters.join('')}`;
}

class Table<T extends { id: string }> {
  readonly #rows = new Map<string, T>();
  readonly #changed: () => void;

  constructor(changed: () => void, stored: unknown) {
    this.#changed = changed;
    for (const row of Array.isArray(stored) ? (stored as T[]) : []) this.#rows.set(row.id, row);
  }

  get(id: string | null): T | undefined {
    return id === null ? undefined : this.#rows.get(id);
  }

  /** The row that a stored id names; its absence would be an error of this program. */
  need(id: string): T {
    const row = this.#rows.get(id);
    if (!row) throw new Error(`No row ${id}.`);
    return row;
  }

  add(row: T): T {
    this.#rows.set(row.id, row);
    this.#changed();
    return row;
  }

  remove(id: string): void {
    this.#rows.delete(id);
  }

  /** Oldest first. */
  all(): T[] {
    return [...this.#rows.values()];
  }

  get size(): number {
    return this.#rows.size;
  }
}

export class CreemStore {
  readonly #file: FollowingFile;
  readonly checkouts: Table<Checkout>;
  readonly customers: Table<Customer>;
  readonly orders: Table<Order>;
  readonly subscriptions: Table<Subscription>;
  readonly transactions: Table<Transaction>;
  readonly refunds: Table<Refund>;
  readonly disputes: Table<Dispute>;
  readonly events: Table<StoredEvent>;
  deliveries: Delivery[];
  readonly portals: PortalLink[];

  constructor(dir: string) {
    const path = join(dir, 'creem.json');
    const read = readJsonFile(path);
    const stored = isRecord(read) ? read : {};
    const list = <T>(name: string): T[] => (Array.isArray(stored[name]) ? (stored[name] as T[]) : []);
    const table = <T extends { id: string }>(name: string) =>
      new Table<T>(() => this.changed(), stored[name]);
    this.checkouts = table<Checkout>('checkouts');
    this.customers = table<Customer>('customers');
    this.orders = table<Order>('orders');
    this.subscriptions = table<Subscription>('subscriptions');
    this.transactions = table<Transaction>('transactions');
    this.refunds = table<Refund>('refunds');
    this.disputes = table<Dispute>('disputes');
    this.events = table<StoredEvent>('events');
    this.deliveries = list<Delivery>('deliveries');
    this.portals = list<PortalLink>('portals');
    this.#file = new FollowingFile(path, () => this.#snapshot(), QUIET_MS, LATEST_MS);
  }

  #snapshot(): Record<string, unknown> {
    return {
      checkouts: this.checkouts.all(),
      customers: this.customers.all(),
      orders: this.orders.all(),
      subscriptions: this.subscriptions.all(),
      transactions: this.transactions.all(),
      refunds: this.refunds.all(),
      disputes: this.disputes.all(),
      events: this.events.all(),
      deliveries: this.deliveries,
      portals: this.portals,
    };
  }

  /** Says that a row changed. */
  changed(): void {
    this.#file.touch();
  }

  /** Forgets the oldest events that need no sending any more, a tenth at a time. */
  trim(): void {
    if (this.events.size <= MAX_EVENTS) return;
    const open = new Set(
      this.deliveries.filter(({ state }) => state === 'held' || state === 'waiting').map((d) => d.eventId),
    );
    const old = this.events
      .all()
      .slice(0, MAX_EVENTS / 10)
      .filter(({ id }) => !open.has(id));
    const gone = new Set(old.map(({ id }) => id));
    for (const id of gone) this.events.remove(id);
    this.deliveries = this.deliveries.filter(({ eventId }) => !gone.has(eventId));
  }

  /** Writes now. */
  flush(): void {
    this.#file.flush();
  }
}
