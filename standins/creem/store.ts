import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { isRecord } from '../http.ts';
import { JsonMirror, readJsonFile } from '../json-file.ts';
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
} from './records.ts';

const MAX_EVENTS = 10_000;
const WRITE_DELAY_MS = 150;
const MAX_WRITE_DELAY_MS = 3_000;
const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns the prefix and 22 random letters and digits. */
export function newId(prefix: string): string {
  const letters = [...randomBytes(22)].map((byte) => LETTERS[byte % LETTERS.length]);
  return `${prefix}_${letters.join('')}`;
}

export class Table<T extends { id: string }> {
  readonly #rows: Map<string, T>;
  readonly #changed: () => void;

  constructor(rows: T[], changed: () => void) {
    this.#rows = new Map(rows.map((row) => [row.id, row]));
    this.#changed = changed;
  }

  get(id: string | null): T | undefined {
    return id === null ? undefined : this.#rows.get(id);
  }

  getRequired(id: string): T {
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

  all(): T[] {
    return [...this.#rows.values()];
  }

  toJSON(): T[] {
    return this.all();
  }
}

export class CreemStore {
  readonly #file: JsonMirror;
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
    const table = <T extends { id: string }>(name: string) => new Table<T>(list(name), () => this.changed());
    this.checkouts = table('checkouts');
    this.customers = table('customers');
    this.orders = table('orders');
    this.subscriptions = table('subscriptions');
    this.transactions = table('transactions');
    this.refunds = table('refunds');
    this.disputes = table('disputes');
    this.events = table('events');
    this.deliveries = list('deliveries');
    this.portals = list('portals');
    this.#file = new JsonMirror(path, () => this, WRITE_DELAY_MS, MAX_WRITE_DELAY_MS);
  }

  changed(): void {
    this.#file.touch();
  }

  trim(): void {
    const events = this.events.all();
    if (events.length <= MAX_EVENTS) return;
    const undelivered = new Set(
      this.deliveries.filter(({ state }) => state === 'held' || state === 'waiting').map((d) => d.eventId),
    );
    const old = events.slice(0, MAX_EVENTS / 10).filter(({ id }) => !undelivered.has(id));
    const removed = new Set(old.map(({ id }) => id));
    for (const id of removed) this.events.remove(id);
    this.deliveries = this.deliveries.filter(({ eventId }) => !removed.has(eventId));
  }

  flush(): void {
    this.#file.flush();
  }
}
