import { isDeepStrictEqual } from 'node:util';
import type { ProviderFact, ProviderOrder, ProviderPayment } from '../provider/payment-provider.ts';
import { receivedMoney, reduceReversals } from '../subscriptions/reduce-refunds.server.ts';
import type {
  MoneyDraft,
  MoneyFact,
  RefetchReason,
  RefundFact,
  RejectReason,
} from '../subscriptions/subscription-facts.ts';

export interface PackPayment extends MoneyFact {
  orderId: string;
}

export interface PackFacts {
  payment: PackPayment | null;
  refunds: RefundFact[];
}

interface PackDraft extends MoneyDraft<PackPayment> {
  terms: PackTerms;
  rejections: Set<RejectReason | 'unmatched'>;
}

interface PackTerms {
  live: boolean;
  /** The product that the checkout was created for. */
  productId: string;
}

export interface PackResult {
  after: PackFacts;
  rejections: Array<RejectReason | 'unmatched'>;
  refetchReason: RefetchReason | null;
  changes: string[];
}

/** Builds the payment of an order that was reported without its transaction. */
const paymentFromOrder = (order: ProviderOrder, id: string): ProviderPayment => ({
  ...{ id, subscriptionId: null, orderId: order.id, customerId: null },
  ...{ amountCents: order.amountCents, discountCents: 0, refundedCents: 0, currency: order.currency },
  ...{ state: 'paid', periodStart: null, periodEnd: null, createdAt: order.createdAt, live: order.live },
});

function reducePayment(draft: PackDraft, reported: ProviderPayment, orderId: string): void {
  if (reported.live !== draft.terms.live) return void draft.rejections.add('mode');
  const money = receivedMoney(draft, reported);
  if (!money) return;
  const known = draft.payments.get(reported.id);
  // An order is paid once.
  if (!known && draft.payments.size > 0) return void draft.rejections.add('unmatched');
  const payment = { ...money, orderId };
  if (!known) draft.changes.push(`payment ${reported.id}`);
  else if (!isDeepStrictEqual(known, payment)) draft.changes.push(`payment ${reported.id} differs`);
  draft.payments.set(reported.id, payment);
}

function rejectOrder({ terms }: PackDraft, order: ProviderOrder): RejectReason | null {
  if (order.live !== terms.live) return 'mode';
  return order.productId === terms.productId ? null : 'product';
}

function reduceOrder(draft: PackDraft, order: ProviderOrder, payments: ProviderPayment[]): void {
  const rejection = rejectOrder(draft, order);
  if (rejection) return void draft.rejections.add(rejection);
  const [known] = draft.payments.values();
  if (known && known.orderId !== order.id) return void draft.rejections.add('unmatched');
  const orderPayments = payments.filter(({ id, orderId }) => orderId === order.id || id === order.paymentId);
  for (const payment of orderPayments) reducePayment(draft, payment, order.id);
  if (draft.payments.size > 0 || draft.rejections.size > 0) return;
  if (order.isPaid && order.paymentId)
    reducePayment(draft, paymentFromOrder(order, order.paymentId), order.id);
  else draft.refetchReasons.add('amount');
}

function reduceFacts(draft: PackDraft, facts: readonly ProviderFact[]): void {
  const payments = facts.filter((fact) => fact.kind === 'payment').map(({ payment }) => payment);
  for (const fact of facts) {
    if (fact.kind !== 'checkout' || fact.checkout.state !== 'completed') continue;
    if (fact.checkout.order) reduceOrder(draft, fact.checkout.order, payments);
    else draft.refetchReasons.add('amount');
  }
  if (draft.rejections.size > 0) return;
  for (const payment of payments) {
    const known = draft.payments.get(payment.id);
    if (known) reducePayment(draft, payment, known.orderId);
  }
  reduceReversals(draft, facts);
}

/** Pure, like the reducer of plans: neither order nor repetition of facts changes the result. */
export function reducePack(
  before: PackFacts,
  { facts, isSnapshot }: { facts: readonly ProviderFact[]; isSnapshot: boolean },
  terms: PackTerms,
): PackResult {
  const { payment } = before;
  const draft: PackDraft = {
    ...{ terms, isSnapshot, refunds: before.refunds, changes: [] },
    payments: new Map(payment ? [[payment.externalId, payment]] : []),
    refetchReasons: new Set(),
    rejections: new Set(),
  };
  reduceFacts(draft, facts);
  const [after = null] = draft.payments.values();
  return {
    after: { payment: after, refunds: draft.refunds },
    rejections: [...draft.rejections],
    refetchReason: [...draft.refetchReasons][0] ?? null,
    changes: draft.changes,
  };
}
