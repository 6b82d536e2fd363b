import { me } from '#features/accounts/service.server.ts';
import type { PlanDuration } from '#features/credits/contract.ts';
import { LockTimeoutError, withAdvisoryLock } from '#platform/database/advisory-lock.server.ts';
import { database } from '#platform/database/database.server.ts';
import type { ActorInput, UserActor } from '#platform/http/actor.server.ts';
import { notFound, Problem } from '#platform/http/problem.server.ts';
import { enforceLimit } from '#platform/http/rate-limit.server.ts';
import { log } from '#platform/log.server.ts';
import { setting } from '#shared/settings.ts';
import { type BillingView, billingTexts, type SubscriptionView } from '../contract.ts';
import { paymentProvider, productOf } from '../provider/configured-provider.server.ts';
import { type PaymentProvider, ProviderError } from '../provider/payment-provider.ts';
import { billingView } from '../subscriptions/billing-summary.server.ts';
import { refetchSubscription } from '../subscriptions/reconcile.server.ts';
import {
  mainSubscription,
  type OwnSubscription,
  ownSubscription,
} from '../subscriptions/subscription-store.server.ts';
import { refundablePayments, refundProgress } from './purchase-store.server.ts';
import { cancelImmediately, refundPayment } from './refunds.server.ts';

const REQUEST_LIMIT = { max: 60, seconds: 3600 };

const WAIT_MS = 20_000;

const providerDown = (cause?: unknown) =>
  new Problem('unavailable', billingTexts.providerDown(), { retryAfter: 5, cause });
const notNow = (cause?: unknown) => new Problem('conflict', billingTexts.notNow(), { cause });

/** Statuses of refusals that our key or too many calls caused, not the plan. */
const siteFaultStatuses = [401, 403, 429];

async function withSubscriptionLock<T>(id: string, work: () => Promise<T>): Promise<T> {
  try {
    return await withAdvisoryLock(`plan-change:${id}`, { waitMs: WAIT_MS }, work);
  } catch (error) {
    if (!(error instanceof LockTimeoutError)) throw error;
    throw new Problem('conflict', billingTexts.oneAtATime(), { cause: error });
  }
}

/** If this fails, the webhook delivers the change. */
async function refetch(externalId: string): Promise<void> {
  await refetchSubscription(externalId, 'reconcile').catch((error: unknown) =>
    log.warn({ error, subscription: externalId }, 'a changed subscription could not be read'),
  );
}

async function refetchOrFail(externalId: string): Promise<void> {
  try {
    await refetchSubscription(externalId, 'reconcile');
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    throw providerDown(error);
  }
}

interface ChangeTarget {
  actor: UserActor;
  id: string;
  subscription: OwnSubscription;
  port: PaymentProvider;
}

async function findChangeTarget(actor: UserActor, id: string): Promise<ChangeTarget> {
  await enforceLimit(`plan-change:${actor.userId}`, REQUEST_LIMIT);
  const subscription = await ownSubscription(database(), actor.userId, id);
  if (!subscription) throw notFound();
  const port = paymentProvider();
  if (port?.name !== subscription.provider) throw providerDown();
  return { actor, id, subscription, port };
}

async function currentView({ actor, id }: ChangeTarget) {
  const billing = await billingView({ actor });
  return { billing, view: billing.subscriptions.find((each) => each.id === id) };
}

interface PlanChange {
  isDone(view: SubscriptionView): boolean;
  isPossible(view: SubscriptionView): boolean;
  call(target: ChangeTarget): Promise<unknown>;
}

/**
 * Changes the plan at the provider, then reads it back. A change that is already made calls nothing; if the call fails,
 * the state that the provider then reports decides.
 */
async function applyChange(target: ChangeTarget, change: PlanChange): Promise<BillingView> {
  const before = await currentView(target);
  if (before.view && change.isDone(before.view)) return before.billing;
  if (!before.view || !change.isPossible(before.view)) throw notNow();
  let failure: ProviderError | null = null;
  try {
    await change.call(target);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    failure = error;
  }
  await refetch(target.subscription.external_id);
  const after = await currentView(target);
  if (!failure || (after.view && change.isDone(after.view))) return after.billing;
  const { kind, status, message } = failure;
  const details = { subscription: target.subscription.external_id, kind, reason: message };
  log.error(details, 'a plan could not be changed');
  throw kind === 'refused' && !siteFaultStatuses.includes(status ?? 0)
    ? notNow(failure)
    : providerDown(failure);
}

/** Cancels a plan with the end of its paid period, also one that is over but would renew. Idempotent. */
export async function cancelPlan({ actor, input: { id } }: ActorInput<{ id: string }>): Promise<BillingView> {
  const target = await findChangeTarget(actor, id);
  return withSubscriptionLock(id, () =>
    applyChange(target, {
      isDone: ({ state, canCancel, endedAt }) => state === 'cancelled' || (endedAt !== null && !canCancel),
      isPossible: ({ canCancel }) => canCancel,
      call: ({ port, subscription }) => port.cancel(subscription.external_id, 'period_end'),
    }),
  );
}

/**
 * Undoes a cancellation, or continues a paused plan. If that charges immediately, `cents` must be the amount that the
 * user agreed to. Idempotent.
 */
export async function resumePlan({
  actor,
  input: { id, cents },
}: ActorInput<{ id: string; cents?: number | undefined }>): Promise<BillingView> {
  const target = await findChangeTarget(actor, id);
  return withSubscriptionLock(id, async () => {
    const { view } = await currentView(target);
    if (view?.canResume && view.resumeCents !== null && view.resumeCents !== cents)
      throw new Problem('conflict', billingTexts.resumeCharges());
    return applyChange(target, {
      isDone: ({ state }) => state === 'active',
      isPossible: ({ canResume }) => canResume,
      call: ({ port, subscription }) => port.resume(subscription.external_id),
    });
  });
}

/** Charges the new price immediately, less what is left of the last payment. Idempotent. */
export async function changePlan({
  actor,
  input: { id, plan },
}: ActorInput<{ id: string; plan: PlanDuration }>): Promise<BillingView> {
  const target = await findChangeTarget(actor, id);
  return withSubscriptionLock(id, () =>
    applyChange(target, {
      isDone: (view) => view.plan === plan,
      isPossible: ({ changes }) => changes.includes(plan),
      call: ({ port, subscription }) => port.change(subscription.external_id, productOf(plan) ?? ''),
    }),
  );
}

async function refundAll(target: ChangeTarget): Promise<BillingView> {
  const progress = await refundProgress(database(), target.id);
  if (progress === 'asked') throw new Problem('unavailable', billingTexts.moneyBackUnconfirmed());
  // Refund requests store what is left of a payment, so that amount must be current.
  if (!progress) await refetchOrFail(target.subscription.external_id);
  const { billing, view } = await currentView(target);
  if (progress || view?.state === 'refunded') return billing;
  if (!view?.moneyBackUntil) throw new Problem('conflict', billingTexts.noMoneyBack());
  const outcomes = [];
  for (const paymentId of await refundablePayments(database(), target.id))
    outcomes.push(await refundPayment({ paymentId, requestedBy: 'person', cause: 'money_back' }));
  if (outcomes.includes('succeeded') || outcomes.includes('pending'))
    await cancelImmediately(target.subscription.external_id);
  else await refetch(target.subscription.external_id);
  if (outcomes.includes('unknown')) throw new Problem('unavailable', billingTexts.moneyBackUnconfirmed());
  if (outcomes.every((outcome) => outcome === 'failed'))
    throw new Problem('conflict', billingTexts.refundRefused(setting('contact.email')));
  return (await currentView(target)).billing;
}

/** Within the money-back days, refunds all payments of the subscription and ends it immediately. Idempotent. */
export async function refundPlan({ actor, input: { id } }: ActorInput<{ id: string }>): Promise<BillingView> {
  const target = await findChangeTarget(actor, id);
  // One of two plans may be refunded because the other one runs, so a second request must see the first one's result.
  return withSubscriptionLock(`refunds:${actor.userId}`, () =>
    withSubscriptionLock(id, () => refundAll(target)),
  );
}

/**
 * The portal shows everything that one customer has bought, and a customer is an email address that was typed at the
 * provider: only the account's own address opens it from here.
 */
export async function openPortal({ actor }: { actor: UserActor }): Promise<{ url: string }> {
  await enforceLimit(`plan-change:${actor.userId}`, REQUEST_LIMIT);
  const subscription = await mainSubscription(database(), actor.userId);
  if (!subscription) throw notNow();
  const port = paymentProvider();
  if (port?.name !== subscription.provider) throw providerDown();
  try {
    const { email } = await me({ actor });
    const customerEmail = subscription.shared ? null : await port.customerEmail(subscription.customer_id);
    if (customerEmail?.trim().toLowerCase() !== email.toLowerCase())
      throw new Problem('conflict', billingTexts.portalByMail());
    return { url: await port.portal(subscription.customer_id) };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    log.error(
      { kind: error.kind, reason: error.message },
      'the billing pages of the provider could not be opened',
    );
    throw providerDown(error);
  }
}
