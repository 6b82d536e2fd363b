/** The provider's entities as Creem writes them: ISO dates, but epoch milliseconds on what tells of money. */
import type { Checkout, Customer, Dispute, Order, Refund, Subscription, Transaction } from './model.ts';
import { PRODUCTS_MADE_AT, type Product } from './products.ts';
import type { CreemStore } from './store.ts';

/** A status of no known name, for the switch `unknownStatus`. */
const UNKNOWN_STATUS = 'under_review';

export interface Shown {
  /** Every subscription is shown with a status of no known name. */
  unknownStatus: boolean;
}

type Json = Record<string, unknown>;

const mode = 'test';
const iso = (ms: number) => new Date(ms).toISOString();

export function showProduct(product: Product): Json {
  return {
    id: product.id,
    mode,
    object: 'product',
    name: product.name,
    description: product.description,
    features: [],
    price: product.price,
    currency: product.currency,
    billing_type: 'recurring',
    billing_period: product.period,
    status: 'active',
    tax_mode: 'exclusive',
    tax_category: 'saas',
    product_url: `https://creem.io/product/${product.id}`,
    default_success_url: '',
    custom_fields: null,
    created_at: iso(PRODUCTS_MADE_AT),
    updated_at: iso(PRODUCTS_MADE_AT),
  };
}

export function showCustomer(customer: Customer): Json {
  return {
    id: customer.id,
    mode,
    object: 'customer',
    email: customer.email,
    name: customer.name,
    country: customer.country,
    created_at: iso(customer.createdAt),
    updated_at: iso(customer.createdAt),
  };
}

export function showOrder(order: Order): Json {
  return {
    id: order.id,
    mode,
    object: 'order',
    customer: order.customerId,
    product: order.productId,
    transaction: order.transactionId,
    discount: null,
    amount: order.amount,
    sub_total: order.amount,
    tax_amount: order.tax,
    discount_amount: 0,
    amount_due: order.amount + order.tax,
    amount_paid: order.amount + order.tax,
    currency: 'USD',
    fx_amount: null,
    fx_currency: null,
    fx_rate: null,
    status: 'paid',
    type: 'recurring',
    affiliate: null,
    created_at: iso(order.createdAt),
    updated_at: iso(order.createdAt),
  };
}

/** `status` is given where an event says it in another word than the API. */
export function showTransaction(transaction: Transaction, status: string = transaction.status): Json {
  return {
    id: transaction.id,
    mode,
    object: 'transaction',
    amount: transaction.amount,
    amount_paid: transaction.status === 'declined' ? 0 : transaction.amount + transaction.tax,
    discount_amount: 0,
    currency: 'USD',
    type: transaction.periodStart === null ? 'payment' : 'invoice',
    tax_country: 'DE',
    tax_amount: transaction.tax,
    status,
    refunded_amount: transaction.refunded === 0 ? null : transaction.refunded,
    order: transaction.orderId,
    subscription: transaction.subscriptionId,
    customer: transaction.customerId,
    description: transaction.description,
    ...(transaction.periodStart === null ? {} : { period_start: transaction.periodStart }),
    ...(transaction.periodEnd === null ? {} : { period_end: transaction.periodEnd }),
    created_at: transaction.createdAt,
  };
}

/** Which of the optional parts a subscription is shown with; samples differ (protocols.md 1.4). */
export interface Parts {
  /** Product and customer as objects, not as ids. */
  expanded?: boolean;
  items?: boolean;
  period?: boolean;
  last?: boolean;
  next?: boolean;
}

function item(subscription: Subscription): Json {
  return {
    id: subscription.itemId,
    mode,
    object: 'subscription_item',
    product_id: subscription.itemProductId,
    price_id: `pprice_${subscription.itemProductId.slice(5)}`,
    units: 1,
    created_at: iso(subscription.createdAt),
    updated_at: iso(subscription.createdAt),
  };
}

export class Shapes {
  readonly #store: CreemStore;
  readonly #product: (id: string) => Product;
  readonly #shown: () => Shown;

  constructor(store: CreemStore, product: (id: string) => Product, shown: () => Shown) {
    this.#store = store;
    this.#product = product;
    this.#shown = shown;
  }

  /** A product by its id. */
  product(id: string): Json {
    return showProduct(this.#product(id));
  }

  /** A customer by its id. */
  customer(id: string): Json {
    return showCustomer(this.#store.customers.need(id));
  }

  /** A subscription with the parts asked for. */
  subscription(subscription: Subscription, parts: Parts): Json {
    const renews = subscription.status === 'active' || subscription.status === 'past_due';
    return {
      id: subscription.id,
      mode,
      object: 'subscription',
      product: parts.expanded ? this.product(subscription.productId) : subscription.productId,
      customer: parts.expanded ? this.customer(subscription.customerId) : subscription.customerId,
      ...(parts.items ? { items: [item(subscription)] } : {}),
      collection_method: 'charge_automatically',
      status: this.#shown().unknownStatus ? UNKNOWN_STATUS : subscription.status,
      ...(parts.last
        ? {
            last_transaction_id: subscription.lastTransactionId,
            last_transaction_date: iso(subscription.lastTransactionAt),
          }
        : {}),
      ...(parts.next && renews
        ? { next_transaction_date: iso(subscription.nextTryAt ?? subscription.periodEnd) }
        : {}),
      ...(parts.period
        ? {
            current_period_start_date: iso(subscription.periodStart),
            current_period_end_date: iso(subscription.periodEnd),
          }
        : {}),
      canceled_at: subscription.canceledAt === null ? null : iso(subscription.canceledAt),
      created_at: iso(subscription.createdAt),
      updated_at: iso(subscription.updatedAt),
      metadata: subscription.metadata,
    };
  }

  /** A subscription as the API answers it. */
  wholeSubscription(subscription: Subscription): Json {
    const parts = { expanded: true, items: true, period: true, last: true, next: true };
    const last = this.#store.transactions.need(subscription.lastTransactionId);
    return { ...this.subscription(subscription, parts), last_transaction: showTransaction(last) };
  }

  /** A checkout; `url` where a person pays. What is not known yet is absent. */
  checkout(checkout: Checkout, url: string, expanded: boolean): Json {
    const { orders, subscriptions } = this.#store;
    const order = orders.get(checkout.orderId);
    const subscription = subscriptions.get(checkout.subscriptionId);
    return {
      id: checkout.id,
      mode,
      object: 'checkout',
      status: checkout.status,
      ...(checkout.requestId === null ? {} : { request_id: checkout.requestId }),
      product: expanded ? this.product(checkout.productId) : checkout.productId,
      units: checkout.units,
      ...(order ? { order: showOrder(order) } : {}),
      ...(subscription ? { subscription: this.subscription(subscription, {}) } : {}),
      ...(checkout.customerId && expanded ? { customer: this.customer(checkout.customerId) } : {}),
      custom_fields: [],
      checkout_url: url,
      success_url: checkout.successUrl,
      metadata: checkout.metadata,
    };
  }

  /** The checkout as it stands inside a refund or a dispute. */
  #plainCheckout(id: string): Json {
    const checkout = this.#store.checkouts.need(id);
    return {
      id: checkout.id,
      mode,
      object: 'checkout',
      ...(checkout.requestId === null ? {} : { request_id: checkout.requestId }),
      product: checkout.productId,
      units: checkout.units,
      custom_fields: [],
      status: checkout.status,
      metadata: checkout.metadata,
    };
  }

  /** What a refund and a dispute hold beside their own fields. */
  #about(transaction: Transaction, word: string, last: boolean): Json {
    const { orders, subscriptions } = this.#store;
    const order = orders.get(transaction.orderId);
    const subscription = subscriptions.get(transaction.subscriptionId);
    return {
      transaction: showTransaction(transaction, word),
      ...(subscription ? { subscription: this.subscription(subscription, { period: true, last }) } : {}),
      ...(subscription ? { checkout: this.#plainCheckout(subscription.checkoutId) } : {}),
      ...(order ? { order: showOrder(order) } : {}),
      customer: this.customer(transaction.customerId),
    };
  }

  refund(refund: Refund): Json {
    const transaction = this.#store.transactions.need(refund.transactionId);
    return {
      id: refund.id,
      mode,
      object: 'refund',
      status: refund.status,
      refund_amount: refund.amount,
      refund_currency: 'USD',
      reason: 'requested_by_customer',
      ...this.#about(transaction, transaction.status, true),
      created_at: refund.createdAt,
    };
  }

  /** The sample of a dispute says `chargeback` where the API says `chargedBack`. */
  dispute(dispute: Dispute): Json {
    const transaction = this.#store.transactions.need(dispute.transactionId);
    return {
      id: dispute.id,
      mode,
      object: 'dispute',
      amount: dispute.amount,
      currency: 'USD',
      ...this.#about(transaction, 'chargeback', false),
      created_at: dispute.createdAt,
    };
  }
}
