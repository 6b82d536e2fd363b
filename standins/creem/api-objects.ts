/** Objects of the API: dates are ISO, but epoch milliseconds on transactions, refunds and disputes. */
import { isOnce, PRODUCTS_CREATED_AT, type Product, productOf } from './products.ts';
import type { Checkout, Customer, Dispute, Order, Refund, Subscription, Transaction } from './records.ts';
import type { CreemStore } from './store.ts';

const UNKNOWN_STATUS = 'under_review';

type Json = Record<string, unknown>;

const mode = 'test';
const iso = (ms: number) => new Date(ms).toISOString();
const dates = (created: number, updated = created) => ({
  created_at: iso(created),
  updated_at: iso(updated),
});

const billingType = (product: Product | undefined) => (product && isOnce(product) ? 'onetime' : 'recurring');

export function showProduct(product: Product): Json {
  const { id, name, description, price, currency, period } = product;
  return {
    ...{ id, mode, object: 'product', name, description, features: [], price, currency },
    ...{ billing_type: billingType(product), billing_period: period, status: 'active' },
    ...{ tax_mode: 'exclusive', tax_category: 'saas' },
    ...{ product_url: `https://creem.io/product/${id}`, default_success_url: '', custom_fields: null },
    ...dates(PRODUCTS_CREATED_AT),
  };
}

export function showCustomer({ id, email, name, country, createdAt }: Customer): Json {
  return { id, mode, object: 'customer', email, name, country, ...dates(createdAt) };
}

export function showOrder({ id, customerId, productId, transactionId, amount, tax, createdAt }: Order): Json {
  return {
    ...{ id, mode, object: 'order', customer: customerId, product: productId, transaction: transactionId },
    ...{ discount: null, amount, sub_total: amount, tax_amount: tax, discount_amount: 0 },
    ...{ amount_due: amount + tax, amount_paid: amount + tax, currency: 'USD' },
    ...{ fx_amount: null, fx_currency: null, fx_rate: null },
    ...{ status: 'paid', type: billingType(productOf(productId)), affiliate: null },
    ...dates(createdAt),
  };
}

/** `status` is set where an event uses another word than the API. */
export function showTransaction(transaction: Transaction, status: string = transaction.status): Json {
  const { id, amount, tax, refunded, periodStart, periodEnd, description, createdAt } = transaction;
  return {
    ...{ id, mode, object: 'transaction', amount, discount_amount: 0, currency: 'USD' },
    amount_paid: transaction.status === 'declined' ? 0 : amount + tax,
    type: periodStart === null ? 'payment' : 'invoice',
    ...{ tax_country: 'DE', tax_amount: tax, status, refunded_amount: refunded === 0 ? null : refunded },
    order: transaction.orderId,
    subscription: transaction.subscriptionId,
    customer: transaction.customerId,
    description,
    ...(periodStart === null ? {} : { period_start: periodStart }),
    ...(periodEnd === null ? {} : { period_end: periodEnd }),
    created_at: createdAt,
  };
}

/** Creem's samples differ in these parts (protocols.md 1.4). */
interface Parts {
  expanded?: boolean;
  items?: boolean;
  period?: boolean;
  last?: boolean;
  next?: boolean;
}

function item({ itemId, itemProductId, createdAt }: Subscription): Json {
  const price_id = `pprice_${itemProductId.slice(5)}`;
  const object = 'subscription_item';
  return { id: itemId, mode, object, product_id: itemProductId, price_id, units: 1, ...dates(createdAt) };
}

export class ApiObjects {
  readonly #store: CreemStore;
  readonly #switches: () => { unknownStatus: boolean };

  constructor(store: CreemStore, switches: () => { unknownStatus: boolean }) {
    this.#store = store;
    this.#switches = switches;
  }

  #product(id: string): Json | null {
    const product = productOf(id);
    return product ? showProduct(product) : null;
  }

  #customer(id: string): Json {
    return showCustomer(this.#store.customers.getRequired(id));
  }

  subscription(subscription: Subscription, { expanded, items, period, last, next }: Parts): Json {
    const { id, status, productId, customerId, canceledAt, metadata } = subscription;
    const renews = status === 'active' || status === 'past_due';
    return {
      ...{ id, mode, object: 'subscription' },
      product: expanded ? this.#product(productId) : productId,
      customer: expanded ? this.#customer(customerId) : customerId,
      ...(items && { items: [item(subscription)] }),
      collection_method: 'charge_automatically',
      status: this.#switches().unknownStatus ? UNKNOWN_STATUS : status,
      ...(last && {
        last_transaction_id: subscription.lastTransactionId,
        last_transaction_date: iso(subscription.lastTransactionAt),
      }),
      ...(next && renews && { next_transaction_date: iso(subscription.nextTryAt ?? subscription.periodEnd) }),
      ...(period && {
        current_period_start_date: iso(subscription.periodStart),
        current_period_end_date: iso(subscription.periodEnd),
      }),
      canceled_at: canceledAt === null ? null : iso(canceledAt),
      ...dates(subscription.createdAt, subscription.updatedAt),
      metadata,
    };
  }

  fullSubscription(subscription: Subscription): Json {
    const parts = { expanded: true, items: true, period: true, last: true, next: true };
    const last = this.#store.transactions.getRequired(subscription.lastTransactionId);
    return { ...this.subscription(subscription, parts), last_transaction: showTransaction(last) };
  }

  #plainCheckout({ id, requestId, productId, units, status, metadata }: Checkout): Json {
    return {
      ...{ id, mode, object: 'checkout', status, product: productId, units, custom_fields: [], metadata },
      ...(requestId === null ? {} : { request_id: requestId }),
    };
  }

  checkout(checkout: Checkout, url: string, expanded: boolean): Json {
    const { productId, orderId, subscriptionId, customerId, successUrl } = checkout;
    const order = this.#store.orders.get(orderId);
    const subscription = this.#store.subscriptions.get(subscriptionId);
    return {
      ...this.#plainCheckout(checkout),
      ...(expanded && { product: this.#product(productId) }),
      ...(order && { order: showOrder(order) }),
      ...(subscription && { subscription: this.subscription(subscription, {}) }),
      ...(customerId && expanded && { customer: this.#customer(customerId) }),
      checkout_url: url,
      success_url: successUrl,
    };
  }

  #relatedObjects(transaction: Transaction, status: string, last: boolean): Json {
    const order = this.#store.orders.get(transaction.orderId);
    const subscription = this.#store.subscriptions.get(transaction.subscriptionId);
    return {
      transaction: showTransaction(transaction, status),
      ...(subscription && {
        subscription: this.subscription(subscription, { period: true, last }),
        checkout: this.#plainCheckout(this.#store.checkouts.getRequired(subscription.checkoutId)),
      }),
      ...(order && { order: showOrder(order) }),
      customer: this.#customer(transaction.customerId),
    };
  }

  refund({ id, status, amount, transactionId, createdAt }: Refund): Json {
    const transaction = this.#store.transactions.getRequired(transactionId);
    return {
      ...{ id, mode, object: 'refund', status, refund_amount: amount, refund_currency: 'USD' },
      reason: 'requested_by_customer',
      ...this.#relatedObjects(transaction, transaction.status, true),
      created_at: createdAt,
    };
  }

  /** Creem's sample of a dispute says `chargeback` where the API says `chargedBack`. */
  dispute({ id, amount, transactionId, createdAt }: Dispute): Json {
    const related = this.#relatedObjects(
      this.#store.transactions.getRequired(transactionId),
      'chargeback',
      false,
    );
    return { id, mode, object: 'dispute', amount, currency: 'USD', ...related, created_at: createdAt };
  }
}
