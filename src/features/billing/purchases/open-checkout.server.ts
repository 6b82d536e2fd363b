import { v7 as uuid } from 'uuid';
import { me } from '#features/accounts/service.server.ts';
import type { PlanDuration } from '#features/credits/contract.ts';
import { database } from '#platform/database/database.server.ts';
import type { ActorInput } from '#platform/http/actor.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import { enforceLimit } from '#platform/http/rate-limit.server.ts';
import { log } from '#platform/log.server.ts';
import { billingTexts } from '../contract.ts';
import { paymentProvider, productOf } from '../provider/configured-provider.server.ts';
import { refetchUser } from '../subscriptions/reconcile.server.ts';
import { awaitOtherRequest, claimCheckout, createAtProvider } from './claim-checkout.server.ts';
import {
  closeCheckout,
  hasOtherOpenCheckout,
  type NewCheckoutRow,
  retireCheckout,
  runningSubscription,
  staleCheckouts,
} from './purchase-store.server.ts';

/** For plans and packs together. */
export const CHECKOUT_LIMIT = { max: 20, seconds: 3600 };

/** Our state may be behind; what cannot be read now is left to the reconcile job. */
async function syncFromProvider(userId: string): Promise<void> {
  await refetchUser(userId).catch((error: unknown) =>
    log.warn({ error, userId }, 'a buyer could not be looked up at the provider'),
  );
}

async function rejectSubscriber(userId: string): Promise<void> {
  let running = await runningSubscription(database(), userId);
  if (running && !running.has_access) {
    await syncFromProvider(userId);
    running = await runningSubscription(database(), userId);
  }
  if (!running) return;
  if (!running.has_access) throw new Problem('conflict', billingTexts.previousPlanActive());
  const text =
    running.status === 'scheduled_cancel' ? billingTexts.resumeInstead() : billingTexts.alreadyPro();
  throw new Problem('conflict', text);
}

/** An earlier checkout may have been paid without a webhook reaching us. */
async function rejectPaidCheckout({ id, userId }: Pick<NewCheckoutRow, 'id' | 'userId'>): Promise<void> {
  if (!(await hasOtherOpenCheckout(database(), userId, id))) return;
  await syncFromProvider(userId);
  await rejectSubscriber(userId);
}

/** Another tab may have paid while the checkout was created: it is then retired instead of returned. */
async function rejectPaidMeanwhile({ id, userId }: Pick<NewCheckoutRow, 'id' | 'userId'>): Promise<void> {
  try {
    await rejectSubscriber(userId);
  } catch (error) {
    await retireCheckout(database(), id);
    throw error;
  }
}

/** A repeated request within half an hour returns the same checkout. */
export async function openCheckout({
  actor,
  input,
}: ActorInput<{ plan: PlanDuration }>): Promise<{ url: string }> {
  const { userId } = actor;
  await enforceLimit(`checkout:${userId}`, CHECKOUT_LIMIT);
  const port = paymentProvider();
  const productId = productOf(input.plan);
  if (!port || !productId) throw new Problem('unavailable', billingTexts.notOnSale());
  const { email } = await me({ actor });
  await rejectSubscriber(userId);
  const purchase = { plan: input.plan, credits: null, productId };
  const row: NewCheckoutRow = { id: uuid(), userId, ...purchase, provider: port.name };
  const { id, url, isNew } = await claimCheckout(row);
  if (url) await rejectPaidCheckout({ id, userId });
  const create = () => createAtProvider(port, row, { email, check: () => rejectPaidCheckout(row) });
  const checkoutUrl = url ?? (isNew ? await create() : await awaitOtherRequest(row, id));
  await rejectPaidMeanwhile({ id, userId });
  return { url: checkoutUrl };
}

/** Closes checkouts that are expired or unknown at the provider, or open for three days; completed ones are left. */
export async function closeUnpaidCheckouts(): Promise<{ closed: number; failed: number }> {
  const port = paymentProvider();
  const counts = { closed: 0, failed: 0 };
  for (const { id, external_id, old } of await staleCheckouts(database())) {
    try {
      const reported = external_id && port ? await port.checkout(external_id) : null;
      if (reported?.state === 'completed' || (reported?.state === 'open' && !old)) continue;
      await closeCheckout(database(), id, external_id ? 'expired' : 'failed');
      counts.closed++;
    } catch (error) {
      counts.failed++;
      log.error({ error, checkout: external_id ?? id }, 'an unpaid checkout could not be closed');
    }
  }
  return counts;
}
