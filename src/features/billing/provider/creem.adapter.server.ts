import { z } from 'zod/mini';
import { readCreemEvent, readCreemFacts } from './creem-events.server.ts';
import { type CreemAccess, callCreem } from './creem-request.server.ts';
import {
  readCheckout,
  readPageUrl,
  readPayment,
  readProduct,
  readSubscription,
  toRefundState,
} from './creem-schemas.server.ts';
import { isSignedByCreem } from './creem-signature.server.ts';
import { type PaymentProvider, ProviderError, type ProviderPayment } from './payment-provider.ts';

const PAGE_SIZE = 50;
/** More than a century of monthly payments. */
const MAX_PAGES = 40;

const list = z.object({
  items: z.array(z.unknown()),
  pagination: z.optional(z.object({ next_page: z.optional(z.nullable(z.number())) })),
});
const customer = z.object({ email: z.string() });
const portalAnswer = z.object({ customer_portal_link: z.string() });
const refundAnswer = z.object({ status: z.string() });

/** @throws ProviderError `unreadable`, naming the first field that differs from the documentation. */
function parseAnswer<T>(value: unknown, reader: (value: unknown) => T): T {
  try {
    return reader(value);
  } catch (error) {
    const issue = error instanceof z.core.$ZodError ? error.issues[0] : null;
    if (!issue) throw error;
    throw new ProviderError('unreadable', `${issue.path.join('.')}: ${issue.message}`, null, error);
  }
}

async function nullIfNotFound<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ProviderError && error.status === 404) return null;
    throw error;
  }
}

/** Accepts pages of Creem or, if the API runs on another origin, pages of that origin. @throws ProviderError */
function trustedPage(url: string, baseUrl: string): string {
  const { origin, protocol, hostname } = new URL(url);
  const isCreem = protocol === 'https:' && /(^|\.)creem\.io$/.test(hostname);
  if (isCreem || origin === new URL(baseUrl).origin) return url;
  throw new ProviderError('unreadable', `it leads to ${origin}`);
}

/** Test keys work only on a separate host. */
export const isTestKey = (apiKey: string): boolean => apiKey.startsWith('creem_test_');

/** api.creem.io/v1, SDK 1.13. Calls may throw ProviderError. Without `webhookSecret` no delivery counts as signed. */
export function creem(access: CreemAccess & { webhookSecret: string | undefined }): PaymentProvider {
  const live = !isTestKey(access.apiKey);
  const call = (path: string, body?: object) => callCreem(access, path, body);
  const get = async <T>(path: string, reader: (value: unknown) => T) => parseAnswer(await call(path), reader);
  const asSubscription = (value: unknown) => readSubscription(value, { live });
  const asCheckout = (value: unknown) => readCheckout(value, { live });
  const asPayment = (value: unknown) => readPayment(value, { live });
  const asProduct = (value: unknown) => readProduct(value, { live });
  const changeSubscription = async (id: string, name: string, body: object) =>
    parseAnswer(await call(`/v1/subscriptions/${encodeURIComponent(id)}/${name}`, body), asSubscription);
  const query = (path: string, values: Record<string, string>) => `${path}?${new URLSearchParams(values)}`;

  async function searchPayments(filter: Record<string, string>): Promise<ProviderPayment[]> {
    const all: ProviderPayment[] = [];
    for (let page = 1; page <= MAX_PAGES; page++) {
      const params = { ...filter, page_number: String(page), page_size: String(PAGE_SIZE) };
      const answer = await get(query('/v1/transactions/search', params), (value) => list.parse(value));
      all.push(...answer.items.map((item) => parseAnswer(item, asPayment)));
      if (!answer.pagination?.next_page)
        return all.sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
    }
    throw new ProviderError('unreadable', 'the list of transactions does not end');
  }

  return {
    name: 'creem',
    live,
    createCheckout: async ({ id, userId, email, productId, successUrl }) => {
      const answer = await call('/v1/checkouts', {
        product_id: productId,
        request_id: id,
        units: 1,
        customer: { email },
        success_url: successUrl,
        metadata: { userId, checkoutId: id },
      });
      const checkout = parseAnswer(answer, asCheckout);
      return { ...checkout, url: checkout.url && trustedPage(checkout.url, access.baseUrl) };
    },
    checkout: (id) => nullIfNotFound(get(query('/v1/checkouts', { checkout_id: id }), asCheckout)),
    subscription: (id) =>
      nullIfNotFound(get(query('/v1/subscriptions', { subscription_id: id }), asSubscription)),
    payments: (customerId) => searchPayments({ customer_id: customerId }),
    paymentsOfOrder: (orderId) => searchPayments({ order_id: orderId }),
    payment: (id) => nullIfNotFound(get(query('/v1/transactions', { transaction_id: id }), asPayment)),
    // The SDK puts the id in the path, the API's description in the query.
    product: async (id) =>
      (await nullIfNotFound(get(`/v1/products/${encodeURIComponent(id)}`, asProduct))) ??
      (await nullIfNotFound(get(query('/v1/products', { product_id: id }), asProduct))),
    // Without a mode, a setting of the store decides. `onExecute` is camel case on the wire (SDK 1.13).
    cancel: (id, when) =>
      changeSubscription(id, 'cancel', {
        mode: when === 'now' ? 'immediate' : 'scheduled',
        onExecute: 'cancel',
      }),
    resume: (id) => changeSubscription(id, 'resume', {}),
    change: (id, productId) =>
      changeSubscription(id, 'upgrade', {
        product_id: productId,
        update_behavior: 'proration-charge-immediately',
      }),
    customerEmail: async (id) => {
      const answer = get(query('/v1/customers', { customer_id: id }), (value) => customer.parse(value));
      return (await nullIfNotFound(answer))?.email ?? null;
    },
    portal: async (customerId) => {
      const answer = await call('/v1/customers/billing', { customer_id: customerId });
      const url = parseAnswer(answer, (value) => readPageUrl(portalAnswer.parse(value).customer_portal_link));
      return trustedPage(url, access.baseUrl);
    },
    refund: async (paymentId) => {
      const answer = await call('/v1/refunds', { transaction_id: paymentId });
      return toRefundState(parseAnswer(answer, (value) => refundAnswer.parse(value)).status);
    },
    isSigned: (body, headers) => isSignedByCreem(body, headers, access.webhookSecret),
    readEvent: readCreemEvent,
    readFacts: (payload) => readCreemFacts(payload, live),
  };
}
