/** The desk of the payment provider: the records, the clock, and the events that changes give rise to. */
import type { Checkout, Subscription, Transaction } from './model.ts';
import { type Product, productOf } from './products.ts';
import { CreemRefusal } from './reply.ts';
import { Shapes } from './shapes.ts';
import { type CreemStore, newId } from './store.ts';
import type { CreemSwitches } from './switches.ts';

export interface ShopParts {
  store: CreemStore;
  /** The stand-ins' clock, epoch milliseconds. */
  now: () => number;
  switches: () => Readonly<CreemSwitches>;
  /** Takes an event that has just been stored. */
  send: (event: {
    id: string;
    type: string;
    createdAt: number;
    subscriptionId: string | null;
    body: string;
  }) => void;
}

/** What one payment is for. */
export interface Charge {
  customerId: string;
  productId: string;
  orderId: string | null;
  subscriptionId: string | null;
  amount: number;
  /** Refuse it: the card says no. */
  declined: boolean;
  description: string;
  period: { start: number; end: number } | null;
  at: number;
}

export class Shop {
  readonly store: CreemStore;
  readonly shapes: Shapes;
  readonly switches: () => Readonly<CreemSwitches>;
  readonly #now: () => number;
  readonly #send: ShopParts['send'];

  constructor({ store, now, switches, send }: ShopParts) {
    this.store = store;
    this.switches = switches;
    this.#now = now;
    this.#send = send;
    this.shapes = new Shapes(store, (id) => this.product(id), switches);
  }

  now(): number {
    return this.#now();
  }

  /** A product that is sold. @throws CreemRefusal 404 */
  product(id: unknown): Product {
    const product = typeof id === 'string' ? productOf(id) : undefined;
    if (!product) throw new CreemRefusal(404, 'Product not found');
    return product;
  }

  /** @throws CreemRefusal 404 */
  subscription(id: unknown): Subscription {
    const found = typeof id === 'string' ? this.store.subscriptions.get(id) : undefined;
    if (!found) throw new CreemRefusal(404, 'Subscription not found');
    return found;
  }

  /** @throws CreemRefusal 404 */
  transaction(id: unknown): Transaction {
    const found = typeof id === 'string' ? this.store.transactions.get(id) : undefined;
    if (!found) throw new CreemRefusal(404, 'Transaction not found');
    return found;
  }

  /** @throws CreemRefusal 404 */
  checkout(id: unknown): Checkout {
    const found = typeof id === 'string' ? this.store.checkouts.get(id) : undefined;
    if (!found) throw new CreemRefusal(404, 'Checkout not found');
    return found;
  }

  /** Marks a change of a subscription at `at`. */
  touch(subscription: Subscription, at: number): void {
    subscription.updatedAt = Math.max(at, subscription.updatedAt + 1);
    this.store.changed();
  }

  /** Stores an event with the state of now and hands it to the sender. */
  emit(type: string, object: Record<string, unknown>, at: number, subscriptionId: string | null): void {
    const id = newId('evt');
    const body = JSON.stringify({ id, eventType: type, created_at: at, object });
    this.#send(this.store.events.add({ id, type, createdAt: at, subscriptionId, body }));
  }

  /** Stores one payment, paid or declined; the tax comes on top. */
  charge(charge: Charge): Transaction {
    return this.store.transactions.add({
      id: newId('tran'),
      orderId: charge.orderId,
      subscriptionId: charge.subscriptionId,
      customerId: charge.customerId,
      productId: charge.productId,
      amount: charge.amount,
      tax: Math.round((charge.amount * this.switches().taxPercent) / 100),
      status: charge.declined ? 'declined' : 'paid',
      refunded: 0,
      description: charge.description,
      periodStart: charge.period?.start ?? null,
      periodEnd: charge.period?.end ?? null,
      createdAt: charge.at,
    });
  }
}

const LAST = { expanded: true, period: true, last: true };

/** Which parts the samples show in each event of a subscription (protocols.md 1.4). */
const PARTS = {
  'subscription.active': { expanded: true },
  'subscription.paid': { ...LAST, next: true },
  'subscription.update': { expanded: true, items: true, period: true },
  'subscription.paused': { expanded: true, items: true, period: true },
  'subscription.scheduled_cancel': LAST,
  'subscription.canceled': LAST,
  'subscription.past_due': LAST,
  'subscription.expired': { ...LAST, next: true },
} as const;

/** Tells of a subscription as it is now. */
export function tell(shop: Shop, type: keyof typeof PARTS, subscription: Subscription, at: number): void {
  shop.emit(type, shop.shapes.subscription(subscription, PARTS[type]), at, subscription.id);
}
