import { randomUUID } from 'node:crypto';
import { grantPurchased, type PurchaseEntryCause, takeBackUnused } from '#features/credits/service.server.ts';
import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import { log } from '#platform/log.server.ts';
import type { BillingMail } from '../mails/mail-content.ts';
import { queueMail } from '../mails/mail-queue.server.ts';
import type { ProviderFact } from '../provider/payment-provider.ts';
import { recordReportedState } from '../purchases/purchase-store.server.ts';
import { giveUpLateRefunds, saveRefunds } from '../purchases/save-refunds.server.ts';
import { settleDeferredEvents } from '../store.server.ts';
import {
  type Applied,
  deferredFacts,
  noChange,
  type ProviderUpdate,
  uuidPattern,
} from '../subscriptions/apply-update.server.ts';
import {
  findPackCheckout,
  loadPackFacts,
  lockPackCheckout,
  type PackCheckout,
  upsertPackPayment,
} from './pack-store.server.ts';
import { type PackPayment, type PackResult, reducePack } from './reduce-pack.server.ts';

type Update = Omit<ProviderUpdate, 'cause' | 'acceptListPrice'>;

function reportedIds(facts: readonly ProviderFact[]) {
  const checkoutIds: string[] = [];
  const orderIds: string[] = [];
  const paymentIds: string[] = [];
  for (const fact of facts) {
    if (fact.kind === 'checkout' && uuidPattern.test(fact.checkout.requestId ?? ''))
      checkoutIds.push(fact.checkout.requestId ?? '');
    if (fact.kind === 'payment') {
      paymentIds.push(fact.payment.id);
      if (fact.payment.orderId) orderIds.push(fact.payment.orderId);
    }
    if (fact.kind === 'refund' || fact.kind === 'dispute') paymentIds.push(fact.paymentId);
  }
  return { checkoutIds, orderIds, paymentIds };
}

const isFullyRefunded = ({ amountCents, refundedCents }: PackPayment) => refundedCents >= amountCents;

/** Returns the cause to record in the ledger for a change of a payment. */
function causeOf(credits: number, before: PackPayment | null, after: PackPayment): PurchaseEntryCause {
  const { amountCents, refundedCents, currency, disputed } = after;
  const refundedNow = refundedCents - (before?.refundedCents ?? 0);
  if (disputed) return { code: 'credits_disputed', credits, cents: amountCents, currency };
  if (refundedCents === 0 || refundedNow < 0)
    return { code: 'credits_returned', credits, cents: amountCents - refundedCents, currency };
  const amounts = { credits, cents: refundedNow || refundedCents, currency };
  return isFullyRefunded(after)
    ? { code: 'credits_refunded', ...amounts }
    : { code: 'credits_partly_refunded', ...amounts, ofCents: amountCents };
}

interface PaymentChange {
  provider: string;
  before: PackPayment | null;
  after: PackPayment;
}

function mailsOf(
  { userId, credits }: PackCheckout,
  { provider, before, after }: PaymentChange,
  taken: number,
): BillingMail[] {
  const { externalId, amountCents, refundedCents, currency, disputed } = after;
  const id = `${provider}:${externalId}`;
  const refunded = refundedCents - (before?.refundedCents ?? 0);
  const mails: BillingMail[] = [];
  if (!before) {
    const facts = { credits, amountCents, currency };
    mails.push({ key: `credits_receipt:${id}`, userId, kind: 'credits_receipt', facts });
  }
  if (refunded > 0) {
    const facts = { credits, taken, amountCents: refunded, currency };
    mails.push({ key: `refund:${id}:${refundedCents}`, userId, kind: 'credits_refund', facts });
  }
  if (disputed && !before?.disputed) {
    const facts = { credits, taken, amountCents, currency };
    mails.push({ key: `disputed:${id}`, userId, kind: 'credits_disputed', facts });
  }
  return mails;
}

/** Grants the credits once per order, and takes back what refunds and disputes require. */
async function applyCredits(
  tx: Database,
  checkout: PackCheckout,
  change: PaymentChange,
  due: number,
): Promise<void> {
  const { userId, credits } = checkout;
  const { provider, before, after } = change;
  const id = `${provider}:${after.orderId}`;
  if (!before) {
    const cause = {
      code: 'credits_paid',
      credits,
      cents: after.amountCents,
      currency: after.currency,
    } as const;
    await grantPurchased(tx, { userId, credits, id, cause });
  }
  const hasChanged =
    after.refundedCents !== (before?.refundedCents ?? 0) || after.disputed !== (before?.disputed ?? false);
  const totals = await takeBackUnused(tx, {
    userId,
    id,
    due,
    cause: causeOf(credits, before, after),
    alwaysRecord: hasChanged,
  });
  if (!totals) throw new Error('A pack was paid and its credits were not granted.');
  if (hasChanged && totals.taken < due)
    log.error(
      { ...totals, due, payment: after.externalId, userId },
      'refunded credits had already been used',
    );
  for (const mail of mailsOf(checkout, change, Math.max(0, totals.taken - totals.before)))
    await queueMail(tx, mail);
}

async function reduceWithDeferred(
  tx: Database,
  checkout: PackCheckout,
  update: Update,
): Promise<{ before: Awaited<ReturnType<typeof loadPackFacts>>; reduced: PackResult }> {
  const { provider, facts, isSnapshot } = update;
  const terms = { live: provider.live, productId: checkout.productId };
  const before = await loadPackFacts(tx, checkout.id);
  const first = reducePack(before, { facts, isSnapshot }, terms);
  const newPaymentIds = first.after.payment && !before.payment ? [first.after.payment.externalId] : [];
  const deferred = await deferredFacts(tx, provider, newPaymentIds);
  if (!deferred) return { before, reduced: first };
  await settleDeferredEvents(tx, deferred.events, { subscriptionId: null, userId: checkout.userId });
  return { before, reduced: reducePack(before, { facts: [...facts, ...deferred.facts], isSnapshot }, terms) };
}

/** Closes the checkout if the provider reports its end. @returns whether it changed; null if it is another checkout. */
async function closeReportedCheckout(
  tx: Database,
  checkout: PackCheckout,
  update: Update,
): Promise<boolean | null> {
  let changed = false;
  for (const fact of update.facts) {
    if (fact.kind !== 'checkout' || fact.checkout.state === 'open') continue;
    const { id: externalId, state } = fact.checkout;
    const known = await recordReportedState(tx, {
      ...{ id: checkout.id, provider: update.provider.name, externalId, state },
    });
    if (!known) return null;
    changed ||= known.changed;
  }
  return changed;
}

async function applyToCheckout(tx: Database, checkout: PackCheckout, update: Update): Promise<Applied> {
  const { provider, isSnapshot } = update;
  const base = { ...noChange, userId: checkout.userId, packCheckoutId: checkout.id };
  const closed = await closeReportedCheckout(tx, checkout, update);
  if (closed === null) return { ...noChange, rejections: ['unmatched'] };
  const { before, reduced } = await reduceWithDeferred(tx, checkout, update);
  const { after, rejections, refetchReason, changes } = reduced;
  const result = {
    ...base,
    ...{
      rejections,
      refetchReason,
      changes: closed && rejections.length === 0 ? ['checkout closed', ...changes] : changes,
    },
  };
  if (!after.payment) return result;
  const due = await upsertPackPayment(tx, checkout, {
    ...{ ...after.payment, id: randomUUID(), provider: provider.name, isSnapshot },
  });
  const refunds = { provider: provider.name, userId: checkout.userId, before: before.refunds };
  await saveRefunds(tx, { ...refunds, after: after.refunds });
  if (isSnapshot) await giveUpLateRefunds(tx, checkout.userId, sql`p.checkout_id = ${checkout.id}`);
  const change = { provider: provider.name, before: before.payment, after: after.payment };
  await applyCredits(tx, checkout, change, due);
  return result;
}

/**
 * Applies an update in the caller's transaction, one per pack at a time: payment, refunds, credits and mails together.
 * Repeated and reordered updates give the same result. @param checkoutId our id, if known. @returns null if the facts
 * concern no pack.
 */
export async function applyPackFacts(
  tx: Database,
  update: Update,
  checkoutId?: string,
): Promise<Applied | null> {
  const id = checkoutId ?? (await findPackCheckout(tx, update.provider.name, reportedIds(update.facts)));
  const checkout = id && (await lockPackCheckout(tx, id));
  return checkout ? applyToCheckout(tx, checkout, update) : null;
}
