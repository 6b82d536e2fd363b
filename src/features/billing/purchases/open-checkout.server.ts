import { setTimeout as pause } from 'node:timers/promises';
import { v7 as uuid } from 'uuid';
import { me } from '#features/accounts/service.server.ts';
import type { PlanDuration } from '#features/credits/contract.ts';
import { config } from '#platform/config/config.server.ts';
import { database, transaction } from '#platform/database/database.server.ts';
import type { ActorInput } from '#platform/http/actor.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import { enforceLimit } from '#platform/http/rate-limit.server.ts';
import { log } from '#platform/log.server.ts';
import { billingTexts } from '../contract.ts';
import { paymentProvider, productOf } from '../provider/configured-provider.server.ts';
import { type PaymentProvider, ProviderError } from '../provider/payment-provider.ts';
import { refetchUser } from '../subscriptions/reconcile.server.ts';
import {
  checkoutRow,
  closeCheckout,
  hasOtherOpenCheckout,
  insertCheckout,
  lockBuyer,
  type NewCheckoutRow,
  openCheckoutOf,
  recordCheckoutUrl,
  retireCheckout,
  runningSubscription,
  staleCheckouts,
} from './purchase-store.server.ts';

const REQUEST_LIMIT = { max: 20, seconds: 3600 };

/** A second press waits for the address that the first one gets. */
const WAIT_MS = 15_000;
const POLL_MS = 100;

const startFailed = (cause?: unknown) =>
  new Problem('unavailable', billingTexts.startFailed(), { retryAfter: 5, cause });

/** Our state may be behind; what the provider does not tell is left to the reconciling job. */
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
  if (!running.has_access) throw new Problem('conflict', billingTexts.earlierRuns());
  const text =
    running.status === 'scheduled_cancel' ? billingTexts.resumeInstead() : billingTexts.alreadyPro();
  throw new Problem('conflict', text);
}

/** An earlier checkout may have been paid although nobody has told us. */
async function rejectPaidCheckout({ id, userId }: Pick<NewCheckoutRow, 'id' | 'userId'>): Promise<void> {
  if (!(await hasOtherOpenCheckout(database(), userId, id))) return;
  await syncFromProvider(userId);
  await rejectSubscriber(userId);
}

/** Another tab may have paid while the checkout was made: it is not given out then. */
async function rejectPaidMeanwhile({ id, userId }: Pick<NewCheckoutRow, 'id' | 'userId'>): Promise<void> {
  try {
    await rejectSubscriber(userId);
  } catch (error) {
    await retireCheckout(database(), id);
    throw error;
  }
}

function claimCheckout(row: NewCheckoutRow): Promise<{ id: string; url: string | null; mine: boolean }> {
  return transaction(async (tx) => {
    await lockBuyer(tx, row.userId);
    const open = await openCheckoutOf(tx, row);
    if (open) return { id: open.id, url: open.url, mine: false };
    await insertCheckout(tx, row);
    return { id: row.id, url: null, mine: true };
  });
}

async function createAtProvider(
  payments: PaymentProvider,
  row: NewCheckoutRow,
  email: string,
): Promise<string> {
  const back = new URLSearchParams({ payment: 'success', plan: row.plan, checkout: row.id });
  try {
    await rejectPaidCheckout(row);
    const { id, url } = await payments.createCheckout({
      id: row.id,
      userId: row.userId,
      email,
      productId: row.productId,
      successUrl: `${config().publicUrl}/dashboard?${back}`,
    });
    if (!url) throw new ProviderError('unreadable', 'a checkout without an address');
    await recordCheckoutUrl(database(), row.id, id, url);
    return url;
  } catch (error) {
    await closeCheckout(database(), row.id, 'failed');
    if (!(error instanceof ProviderError)) throw error;
    log.error({ kind: error.kind, reason: error.message }, 'a checkout could not be made');
    throw startFailed(error);
  }
}

async function awaitOtherRequest(id: string): Promise<string> {
  const until = Date.now() + WAIT_MS;
  while (Date.now() < until) {
    const row = await checkoutRow(database(), id);
    if (row?.url) return row.url;
    if (row?.state !== 'open') break;
    await pause(POLL_MS);
  }
  throw startFailed();
}

/** Pressing again within half an hour gives the same checkout. */
export async function openCheckout({
  actor,
  input,
}: ActorInput<{ plan: PlanDuration }>): Promise<{ url: string }> {
  const { userId } = actor;
  await enforceLimit(`checkout:${userId}`, REQUEST_LIMIT);
  const payments = paymentProvider();
  const productId = productOf(input.plan);
  if (!payments || !productId) throw new Problem('unavailable', billingTexts.notOnSale());
  const { email } = await me({ actor });
  await rejectSubscriber(userId);
  const row: NewCheckoutRow = { id: uuid(), userId, plan: input.plan, productId, provider: payments.name };
  const { id, url, mine } = await claimCheckout(row);
  if (url) await rejectPaidCheckout({ id, userId });
  const address = url ?? (mine ? await createAtProvider(payments, row, email) : await awaitOtherRequest(id));
  await rejectPaidMeanwhile({ id, userId });
  return { url: address };
}

/** Expired or unknown at the provider, or open for three days. A completed one stays for the reconciling read. */
export async function closeUnpaidCheckouts(): Promise<number> {
  const payments = paymentProvider();
  let closed = 0;
  for (const { id, external_id, old } of await staleCheckouts(database())) {
    const there = external_id && payments ? await payments.checkout(external_id) : null;
    if (there?.state === 'completed' || (there?.state === 'open' && !old)) continue;
    await closeCheckout(database(), id, external_id ? 'expired' : 'failed');
    closed += 1;
  }
  return closed;
}
