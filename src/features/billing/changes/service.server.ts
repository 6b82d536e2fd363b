import { setTimeout as pause } from 'node:timers/promises';
import { site } from '../../../../content/site.ts';
import { database } from '../../../platform/database/database.server.ts';
import type { UserActor } from '../../../platform/http/actor.server.ts';
import { notFound, Problem } from '../../../platform/http/problem.server.ts';
import { countAgainst, enforceLimit, forgetCount } from '../../../platform/http/rate-limit.server.ts';
import { log } from '../../../platform/log/log.server.ts';
import { me } from '../../accounts/users/service.server.ts';
import type { PlanDuration } from '../../credits/contract.ts';
import { type BillingView, billingTexts, refundRefused, type SubscriptionView } from '../contract.ts';
import { type PaymentProvider, ProviderError } from '../provider/contract.ts';
import { productOf, provider } from '../provider/service.server.ts';
import { pullSubscription } from '../reconcile/service.server.ts';
import { billingOf } from '../state/service.server.ts';
import { endNow, refundPayment } from './refunds/service.server.ts';
import { askedBack, refundablePayments } from './refunds/store.server.ts';
import { mainSubscription, type OwnSubscription, ownSubscription } from './store.server.ts';

const PRESSES = { max: 60, seconds: 3600 };

/** A change holds its subscription for as long as its calls of the provider may take; others wait for it a while. */
const HELD = { max: 1, seconds: 60 };
const WAIT_MS = 20_000;
const LOOK_MS = 150;

const providerDown = (cause?: unknown) =>
  new Problem('unavailable', billingTexts.providerDown, { retryAfter: 5, cause });
const notNow = (cause?: unknown) => new Problem('conflict', billingTexts.notNow, { cause });

/** Statuses of a refusal that are about us and not about the plan: the key, and too many calls. */
const aboutUs = [401, 403, 429];

/** Runs the changes of one subscription one after the other, on every process. @throws Problem conflict. */
async function oneAtATime<T>(id: string, work: () => Promise<T>): Promise<T> {
  const key = `changing:${id}`;
  const until = Date.now() + WAIT_MS;
  while (!(await countAgainst(key, HELD)).allowed) {
    if (Date.now() > until) throw new Problem('conflict', billingTexts.oneAtATime);
    await pause(LOOK_MS);
  }
  try {
    return await work();
  } finally {
    await forgetCount(key);
  }
}

/** Reads the truth after a change; the webhook brings it where this fails. */
async function look(externalId: string): Promise<void> {
  await pullSubscription(externalId, 'reconcile').catch((error: unknown) =>
    log.warn({ error, subscription: externalId }, 'a changed subscription could not be read'),
  );
}

/** Reads the truth before a change that cannot be taken back. @throws Problem unavailable. */
async function lookFirst(externalId: string): Promise<void> {
  try {
    await pullSubscription(externalId, 'reconcile');
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    throw providerDown(error);
  }
}

interface Subject {
  actor: UserActor;
  id: string;
  own: OwnSubscription;
  port: PaymentProvider;
}

/** The actor's own subscription. @throws Problem not_found for anybody else's, unavailable without the provider. */
async function subject(actor: UserActor, id: string): Promise<Subject> {
  await enforceLimit(`plan-change:${actor.userId}`, PRESSES);
  const own = await ownSubscription(database(), actor.userId, id);
  if (!own) throw notFound();
  const port = provider();
  if (port?.name !== own.provider) throw providerDown();
  return { actor, id, own, port };
}

/** What the pages show of it now; none for one that is behind five others. */
async function shown({
  actor,
  id,
}: Subject): Promise<{ all: BillingView; one: SubscriptionView | undefined }> {
  const all = await billingOf({ actor });
  return { all, one: all.subscriptions.find((each) => each.id === id) };
}

interface Step {
  isDone(view: SubscriptionView): boolean;
  isPossible(view: SubscriptionView): boolean;
  call(subject: Subject): Promise<unknown>;
}

/**
 * One change: at the provider first, then read back. Where it is done already nothing is called, and where the provider
 * gives no good answer its truth decides.
 * @throws Problem not_found, conflict, unavailable, rate_limited.
 */
async function take(on: Subject, step: Step): Promise<BillingView> {
  const before = await shown(on);
  if (before.one && step.isDone(before.one)) return before.all;
  if (!before.one || !step.isPossible(before.one)) throw notNow();
  let failure: ProviderError | null = null;
  try {
    await step.call(on);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    failure = error;
  }
  await look(on.own.external_id);
  const after = await shown(on);
  if (!failure || (after.one && step.isDone(after.one))) return after.all;
  const { kind, status, message } = failure;
  log.error({ subscription: on.own.external_id, kind, reason: message }, 'a plan could not be changed');
  throw kind === 'refused' && !aboutUs.includes(status ?? 0) ? notNow(failure) : providerDown(failure);
}

interface Verb {
  actor: UserActor;
  input: { id: string };
}

/** Ends a plan with the period that is paid, or one that is over and would renew. Again changes nothing. */
export async function cancelPlan({ actor, input: { id } }: Verb): Promise<BillingView> {
  const on = await subject(actor, id);
  return oneAtATime(id, () =>
    take(on, {
      isDone: ({ state, canCancel, endedAt }) => state === 'cancelled' || (endedAt !== null && !canCancel),
      isPossible: ({ canCancel }) => canCancel,
      call: ({ port, own }) => port.cancel(own.external_id, 'period_end'),
    }),
  );
}

/**
 * Takes a cancellation back before the period ends, or goes on with a paused plan; where that charges at once only for
 * the `cents` that were agreed to. Again changes nothing.
 */
export async function resumePlan({
  actor,
  input: { id, cents },
}: {
  actor: UserActor;
  input: { id: string; cents?: number | undefined };
}): Promise<BillingView> {
  const on = await subject(actor, id);
  return oneAtATime(id, async () => {
    const { one } = await shown(on);
    if (one?.canResume && one.resumeCents !== null && one.resumeCents !== cents)
      throw new Problem('conflict', billingTexts.resumeCharges);
    return take(on, {
      isDone: ({ state }) => state === 'active',
      isPossible: ({ canResume }) => canResume,
      call: ({ port, own }) => port.resume(own.external_id),
    });
  });
}

/** Changes to a longer duration, paid at once less the rest of what was paid. Again changes nothing. */
export async function changePlan({
  actor,
  input: { id, plan },
}: {
  actor: UserActor;
  input: { id: string; plan: PlanDuration };
}): Promise<BillingView> {
  const on = await subject(actor, id);
  return oneAtATime(id, () =>
    take(on, {
      isDone: (view) => view.plan === plan,
      isPossible: ({ changes }) => changes.includes(plan),
      call: ({ port, own }) => port.change(own.external_id, productOf(plan) ?? ''),
    }),
  );
}

async function giveBack(on: Subject): Promise<BillingView> {
  const asked = await askedBack(database(), on.id);
  if (asked === 'asked') throw new Problem('unavailable', billingTexts.moneyBackUnconfirmed);
  // What is left of a payment has to be true before it is written down as asked for.
  if (!asked) await lookFirst(on.own.external_id);
  const { all, one } = await shown(on);
  if (asked || one?.state === 'refunded') return all;
  if (!one?.moneyBackUntil) throw new Problem('conflict', billingTexts.noMoneyBack);
  const outcomes = [];
  for (const paymentId of await refundablePayments(database(), on.id))
    outcomes.push(await refundPayment({ paymentId, by: 'person', reason: 'Money back within seven days' }));
  if (outcomes.includes('succeeded') || outcomes.includes('pending')) await endNow(on.own.external_id);
  else await look(on.own.external_id);
  if (outcomes.includes('unknown')) throw new Problem('unavailable', billingTexts.moneyBackUnconfirmed);
  if (outcomes.every((outcome) => outcome === 'failed'))
    throw new Problem('conflict', refundRefused(site.supportEmail));
  return (await shown(on)).all;
}

/**
 * Gives the money of a person's first days back, all of it, and ends the plan at once. Again changes nothing.
 * @throws Problem conflict after the seven days, unavailable while the provider has not confirmed it.
 */
export async function takeMoneyBack({ actor, input: { id } }: Verb): Promise<BillingView> {
  const on = await subject(actor, id);
  // Of two plans one may go back because the other runs: asked for both at once, the second is looked at after the first.
  return oneAtATime(`refunds:${actor.userId}`, () => oneAtATime(id, () => giveBack(on)));
}

/**
 * The provider's own pages for the actor's card and invoices. They show all that one customer of the provider has bought,
 * and a customer is an address that was typed on its page: only the account's own address opens them from here.
 * @throws Problem conflict for who never bought, and for who paid under another address.
 */
export async function portalFor({ actor }: { actor: UserActor }): Promise<{ url: string }> {
  await enforceLimit(`plan-change:${actor.userId}`, PRESSES);
  const own = await mainSubscription(database(), actor.userId);
  if (!own) throw notNow();
  const port = provider();
  if (port?.name !== own.provider) throw providerDown();
  try {
    const { email } = await me({ actor });
    const there = own.shared ? null : await port.customerEmail(own.customer_id);
    if (there?.trim().toLowerCase() !== email.toLowerCase())
      throw new Problem('conflict', billingTexts.portalByMail);
    return { url: await port.portal(own.customer_id) };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    log.error({ kind: error.kind, reason: error.message }, 'the pages of the provider could not be opened');
    throw providerDown(error);
  }
}
