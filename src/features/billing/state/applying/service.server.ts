import { randomUUID } from 'node:crypto';
import { type Database, database } from '../../../../platform/database/database.server.ts';
import { log } from '../../../../platform/log/log.server.ts';
import { type PlanCause, type PlanDuration, planDurations, priceTable } from '../../../credits/contract.ts';
import { notePlan, planFollows } from '../../../credits/service.server.ts';
import { moneyBackDays } from '../../contract.ts';
import { queueMail, writtenMails } from '../../mails/service.server.ts';
import type { PaymentProvider, ProviderCheckout, ProviderFact } from '../../provider/contract.ts';
import { planOfProduct } from '../../provider/service.server.ts';
import type { Doubt, Facts, Reduced, Refusal, SiteTerms } from '../contract.ts';
import { effectsOf, receiptKey, type Setting } from '../effects/service.server.ts';
import { reduce } from '../reducer/service.server.ts';
import {
  closeCheckout,
  eventsAwaiting,
  factsOf,
  giveUpRefunds,
  isEntitled,
  lockExternal,
  lockPerson,
  mirrorStatus,
  type Place,
  paymentsElsewhere,
  personOfCheckout,
  putPayment,
  putRefund,
  putSubscription,
  renewingPlans,
  retireOtherCheckouts,
  settleAwaiting,
  subscriptionOfPayment,
} from './store.server.ts';

/** What is told, by whom, and why: `id` is that of the event, or what else made us look. */
export interface Telling {
  provider: Pick<PaymentProvider, 'name' | 'live' | 'readFacts'>;
  facts: readonly ProviderFact[];
  /** Read from the provider, with all payments of the subscription. */
  isSnapshot: boolean;
  /** The provider has no more to say of a payment that is only named: its price is its amount. */
  nameSuffices?: boolean;
  cause: { kind: PlanCause; id: string };
}

export interface Applied {
  userId: string | null;
  /** Ours. */
  subscriptionId: string | null;
  /** The provider's. */
  externalId: string | null;
  /** Why some of it, or all, counts for nothing; `unmatched`: it is nobody's here. */
  refusals: Array<Refusal | 'unmatched'>;
  doubt: Doubt | null;
  /** What it changed, in words for the log. */
  changes: string[];
  /** It told an older state of the subscription than we have. */
  stale: boolean;
}

/**
 * Minutes after which a refund that the provider does not know of was not made; and days after which one that it took to
 * make later was not: banks take up to ten, and there is no call that tells.
 */
const GIVE_UP = { minutes: 15, days: 10 };

const DAY = 86_400_000;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const prices = Object.fromEntries(planDurations.map((plan) => [plan, priceTable[plan].priceCents])) as Record<
  PlanDuration,
  number
>;

const nothing: Applied = {
  userId: null,
  subscriptionId: null,
  externalId: null,
  refusals: [],
  doubt: null,
  changes: [],
  stale: false,
};

/** The provider's id of the subscription that is told of; null where nothing names it. */
async function subscriptionTold(tx: Database, { provider, facts }: Telling): Promise<string | null> {
  for (const fact of facts) {
    if (fact.kind === 'subscription') return fact.subscription.id;
    if (fact.kind === 'payment' && fact.payment.subscriptionId) return fact.payment.subscriptionId;
    if (fact.kind === 'checkout' && fact.checkout.subscriptionId) return fact.checkout.subscriptionId;
  }
  for (const fact of facts) {
    if (fact.kind !== 'refund' && fact.kind !== 'dispute') continue;
    const known = await subscriptionOfPayment(tx, provider.name, fact.paymentId);
    if (known) return known;
  }
  return null;
}

/** The place of a subscription that is new here: by the checkout that was made for a person, and by nothing else. */
async function placeOf(tx: Database, { provider, facts }: Telling): Promise<Place | null> {
  for (const fact of facts) {
    if (fact.kind !== 'subscription') continue;
    const { checkoutId, userId } = fact.subscription;
    if (!checkoutId || !uuid.test(checkoutId)) continue;
    const person = await personOfCheckout(tx, provider.name, checkoutId);
    if (person && person === userId?.toLowerCase())
      return { id: randomUUID(), userId: person, checkoutId: checkoutId.toLowerCase() };
  }
  return null;
}

/** What is told without the payments that belong to another subscription: one payment gives Pro once. */
async function ownFacts(
  tx: Database,
  externalId: string,
  { provider, facts }: Telling,
): Promise<{ facts: ProviderFact[]; foreign: boolean }> {
  const ids = facts.flatMap((fact) => {
    if (fact.kind === 'payment') return [fact.payment.id];
    return fact.kind === 'subscription' ? (fact.subscription.lastPaymentId ?? []) : [];
  });
  const elsewhere = await paymentsElsewhere(tx, provider.name, externalId, ids);
  const own = facts.flatMap((fact): ProviderFact[] => {
    if (fact.kind === 'payment') {
      const { id, subscriptionId } = fact.payment;
      return elsewhere.has(id) || (subscriptionId ?? externalId) !== externalId ? [] : [fact];
    }
    const names = fact.kind === 'subscription' && elsewhere.has(fact.subscription.lastPaymentId ?? '');
    return [names ? { ...fact, paid: false } : fact];
  });
  return { facts: own, foreign: elsewhere.size > 0 || own.length < facts.length };
}

async function closeTold(
  tx: Database,
  provider: string,
  { requestId, id, state }: ProviderCheckout,
): Promise<{ user_id: string; changed: boolean } | null> {
  if (!requestId || !uuid.test(requestId)) return null;
  if (state === 'open') return null;
  return closeCheckout(tx, { id: requestId, provider, externalId: id, state });
}

/** Writes what differs from before. */
async function store(
  tx: Database,
  place: Place,
  externalId: string,
  { provider, isSnapshot }: Telling,
  { before, after }: { before: Facts; after: Facts },
): Promise<void> {
  if (!after.subscription) return;
  const key = { provider: provider.name, externalId, read: isSnapshot };
  await putSubscription(tx, place, key, after.subscription);
  const payments = new Set(before.payments.map((payment) => JSON.stringify(payment)));
  for (const payment of after.payments) {
    if (payments.has(JSON.stringify(payment))) continue;
    await putPayment(tx, place, provider.name, { ...payment, id: randomUUID() });
  }
  for (const refund of after.refunds) {
    if (before.refunds.includes(refund)) continue;
    await putRefund(tx, provider.name, { ...refund, id: refund.id ?? randomUUID() });
    const was = before.refunds.find(({ id }) => id === refund.id);
    if (refund.reversed && !was?.reversed)
      log.error(
        { refund: refund.externalId, userId: place.userId },
        'a refund was taken back after it was made',
      );
    if (refund.excessCents > (was?.excessCents ?? 0))
      log.error(
        { refund: refund.externalId, userId: place.userId },
        'a refund is more than is left of its payment',
      );
  }
  if (!isSnapshot) return;
  for (const refund of await giveUpRefunds(tx, place.id, GIVE_UP))
    log.error({ ...refund, userId: place.userId }, 'a refund was not made; it may be asked for again');
}

interface Receipts {
  /** Payments that were known before and have no receipt, whose amount is told now. */
  owed: ReadonlySet<string>;
  /** Whether a payment without a receipt is only named again. */
  isNamed: boolean;
}

/** A payment that was only named has no receipt before its amount is told. */
async function receiptsOf(tx: Database, telling: Telling, before: Facts): Promise<Receipts> {
  const { provider, facts, nameSuffices = false } = telling;
  const ids = before.payments.map(({ externalId }) => externalId);
  const keys = ids.map((id) => receiptKey(provider.name, id));
  const isWritten = await writtenMails(tx, keys);
  const open = new Set(ids.filter((_, index) => !isWritten(keys[index] ?? '')));
  const told = facts.map((fact) => (fact.kind === 'payment' ? fact.payment.id : null));
  const named = facts.map((fact) =>
    fact.kind === 'subscription' && fact.paid ? fact.subscription.lastPaymentId : null,
  );
  const owed = new Set([...open].filter((id) => told.includes(id) || (nameSuffices && named.includes(id))));
  return { owed, isNamed: [...open].some((id) => named.includes(id) && !owed.has(id)) };
}

async function follow(
  tx: Database,
  place: Place,
  { provider, cause }: Telling,
  step: { before: Facts; after: Facts; setting: Omit<Setting, 'userId' | 'provider' | 'entitled'> },
): Promise<void> {
  await planFollows(tx, { userId: place.userId, cause: cause.kind, causeId: cause.id });
  const entitled = await isEntitled(tx, place.userId);
  const setting = { ...step.setting, userId: place.userId, provider: provider.name, entitled };
  const { notes, mails } = effectsOf(step.before, step.after, setting);
  for (const note of notes) await notePlan(tx, { userId: place.userId, ...note });
  for (const mail of mails) await queueMail(tx, mail);
  await mirrorStatus(tx, place.userId);
}

/** Tells a person, once for the same plans, that this one and another will both be charged again. */
async function warnOfTwo(
  tx: Database,
  { id, userId }: Place,
  { provider, now }: { provider: string; now: Date },
): Promise<void> {
  const plans = await renewingPlans(tx, userId);
  if (plans.length < 2 || !plans.some((plan) => plan.id === id)) return;
  const ids = plans.map(({ external_id }) => external_id).toSorted();
  const facts = {
    plans: plans.map(({ plan, renews_at, paid_at }) => {
      const backUntil = paid_at && new Date(paid_at.getTime() + moneyBackDays * DAY);
      return {
        plan,
        priceCents: prices[plan],
        renewsAt: renews_at?.toISOString() ?? null,
        backUntil: backUntil && backUntil > now ? backUntil.toISOString() : null,
      };
    }),
  };
  const key = `two_plans:${provider}:${ids.join(':')}`;
  if (await queueMail(tx, { key, userId, kind: 'two_plans', facts }))
    log.error({ subscriptions: ids, userId }, 'a person pays for two plans at once');
}

/** Refunds and disputes that came before the payments that are new now; null where none did. */
async function lateFacts(
  tx: Database,
  provider: Telling['provider'],
  before: Facts,
  after: Facts,
): Promise<{ facts: ProviderFact[]; events: number[] } | null> {
  const known = new Set(before.payments.map(({ externalId }) => externalId));
  const fresh = after.payments.map(({ externalId }) => externalId).filter((id) => !known.has(id));
  if (fresh.length === 0) return null;
  const waiting = await eventsAwaiting(tx, provider.name, fresh);
  if (waiting.length === 0) return null;
  const facts = waiting
    .flatMap(({ payload }) => provider.readFacts(payload))
    .filter(({ kind }) => kind === 'refund' || kind === 'dispute');
  log.info({ events: waiting.map(({ event_id }) => event_id) }, 'events have waited for their payment');
  return { facts, events: waiting.map(({ id }) => id) };
}

/** Applies facts to the subscription that `lockExternal` holds. */
async function applyTo(tx: Database, externalId: string, telling: Telling, now: Date): Promise<Applied> {
  const { provider, isSnapshot } = telling;
  const { place: known, facts: before } = await factsOf(tx, provider.name, externalId);
  const place = known ?? (await placeOf(tx, telling));
  const tellsState = telling.facts.some(({ kind }) => kind === 'subscription');
  if (!place && tellsState) return { ...nothing, externalId, refusals: ['unmatched'] };
  const terms: SiteTerms = { live: provider.live, planOfProduct, priceCents: prices };
  const { facts, foreign } = await ownFacts(tx, externalId, telling);
  const first = reduce(before, { facts, isSnapshot, now }, terms);
  const late = place ? await lateFacts(tx, provider, before, first.after) : null;
  const reduced: Reduced = late
    ? reduce(before, { facts: [...facts, ...late.facts], isSnapshot, now }, terms)
    : first;
  const { owed, isNamed } = await receiptsOf(tx, { ...telling, facts }, before);
  const { after, guessed, changes, stale } = reduced;
  const doubt = reduced.doubt ?? (isNamed ? 'amount' : null);
  const refusals: Applied['refusals'] = foreign ? [...reduced.refusals, 'unmatched'] : reduced.refusals;
  const result = { ...nothing, externalId, refusals, doubt, changes, stale };
  if (!place || !after.subscription) return { ...result, userId: place?.userId ?? null };
  const person = await lockPerson(tx, place.userId);
  await store(tx, place, externalId, telling, { before, after });
  if (late) await settleAwaiting(tx, late.events, place);
  const setting = { ...person, externalId, now, guessed, owed };
  await follow(tx, place, telling, { before, after, setting });
  if (after.payments.length > before.payments.length) await retireOtherCheckouts(tx, place);
  if (changes.length > 0) await warnOfTwo(tx, place, { provider: provider.name, now });
  if (!known && place.checkoutId)
    await closeCheckout(tx, {
      id: place.checkoutId,
      provider: provider.name,
      externalId: null,
      state: 'completed',
    });
  return { ...result, userId: place.userId, subscriptionId: place.id };
}

/**
 * Applies what the provider tells of one subscription, in the caller's transaction, one telling of a subscription at a
 * time: facts, access, ledger, mails and plan together. The same again changes nothing, and neither does the order.
 */
export async function applyFacts(tx: Database, telling: Telling): Promise<Applied> {
  const externalId = await subscriptionTold(tx, telling);
  const now = externalId && (await lockExternal(tx, telling.provider.name, externalId));
  const checkouts = telling.facts.filter((fact) => fact.kind === 'checkout').map(({ checkout }) => checkout);
  const closed = [];
  for (const checkout of checkouts) closed.push(await closeTold(tx, telling.provider.name, checkout));
  const owner = closed.find((each) => each !== null);
  const changes = closed.some((each) => each?.changed) ? ['checkout closed'] : [];
  if (checkouts.length > 0 && !owner) return { ...nothing, externalId, refusals: ['unmatched'] };
  if (!externalId || !now) {
    // A refund or a dispute of a payment that was never told of.
    const doubt = checkouts.length === 0 && telling.facts.length > 0 ? 'unknown' : null;
    return { ...nothing, userId: owner?.user_id ?? null, doubt, changes };
  }
  const applied = await applyTo(tx, externalId, telling, now);
  return {
    ...applied,
    userId: applied.userId ?? owner?.user_id ?? null,
    changes: [...changes, ...applied.changes],
  };
}

/** Brings `users.subscription_status` of everybody to what the dates say by now. */
export const mirrorStatuses = (): Promise<void> => mirrorStatus(database(), null);
