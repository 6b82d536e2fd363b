import { CreemRefusal } from './api-errors.ts';
import { ApiObjects } from './api-objects.ts';
import { type Product, productOf } from './products.ts';
import type { Checkout, StoredEvent, Subscription, Transaction } from './records.ts';
import { type CreemStore, newId, type Table } from './store.ts';
import type { CreemSwitches } from './switches.ts';

interface ShopParts {
  store: CreemStore;
  /** The stand-ins' clock, in epoch milliseconds. */
  now: () => number;
  switches: () => Readonly<CreemSwitches>;
  send: (event: StoredEvent) => void;
}

interface Charge
  extends Pick<Transaction, 'customerId' | 'productId' | 'orderId' | 'subscriptionId' | 'amount'> {
  declined: boolean;
  period: { start: number; end: number } | null;
  at: number;
}

const LAST = { expanded: true, period: true, last: true };
const ITEMS = { expanded: true, items: true, period: true };

/** Parts of a subscription that each event contains: protocols.md 1.4. */
const PARTS = {
  'subscription.active': { expanded: true },
  'subscription.paid': { ...LAST, next: true },
  'subscription.update': ITEMS,
  'subscription.paused': ITEMS,
  'subscription.scheduled_cancel': LAST,
  'subscription.canceled': LAST,
  'subscription.past_due': LAST,
  'subscription.expired': { ...LAST, next: true },
} as const;

function findOrRefuse<T extends { id: string }>(table: Table<T>, id: unknown, name: string): T {
  const row = table.get(typeof id === 'string' ? id : null);
  if (!row) throw new CreemRefusal(404, `${name} not found`);
  return row;
}

export class Shop {
  readonly store: CreemStore;
  readonly objects: ApiObjects;
  readonly switches: () => Readonly<CreemSwitches>;
  readonly now: () => number;
  readonly #send: ShopParts['send'];

  constructor({ store, now, switches, send }: ShopParts) {
    this.store = store;
    this.switches = switches;
    this.now = now;
    this.#send = send;
    this.objects = new ApiObjects(store, switches);
  }

  product(id: unknown): Product {
    const product = productOf(String(id));
    if (!product) throw new CreemRefusal(404, 'Product not found');
    return product;
  }

  subscription(id: unknown): Subscription {
    return findOrRefuse(this.store.subscriptions, id, 'Subscription');
  }

  transaction(id: unknown): Transaction {
    return findOrRefuse(this.store.transactions, id, 'Transaction');
  }

  checkout(id: unknown): Checkout {
    return findOrRefuse(this.store.checkouts, id, 'Checkout');
  }

  touch(subscription: Subscription, at: number, type?: keyof typeof PARTS): void {
    subscription.updatedAt = Math.max(at, subscription.updatedAt + 1);
    this.store.changed();
    if (type) this.emitSubscription(type, subscription, at);
  }

  emit(type: string, object: Record<string, unknown>, at: number, subscriptionId: string | null): void {
    const id = newId('evt');
    const body = JSON.stringify({ id, eventType: type, created_at: at, object });
    this.#send(this.store.events.add({ id, type, createdAt: at, subscriptionId, body }));
  }

  emitSubscription(type: keyof typeof PARTS, subscription: Subscription, at: number): void {
    this.emit(type, this.objects.subscription(subscription, PARTS[type]), at, subscription.id);
  }

  charge({ declined, period, at, ...fields }: Charge): Transaction {
    return this.store.transactions.add({
      id: newId('tran'),
      ...fields,
      tax: Math.round((fields.amount * this.switches().taxPercent) / 100),
      status: declined ? 'declined' : 'paid',
      refunded: 0,
      description: declined ? 'Your card was declined.' : `${period ? 'Subscription' : 'One-time'} payment`,
      periodStart: period?.start ?? null,
      periodEnd: period?.end ?? null,
      createdAt: at,
    });
  }
}
