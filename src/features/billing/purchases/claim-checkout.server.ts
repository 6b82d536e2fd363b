import { setTimeout as pause } from 'node:timers/promises';
import { config } from '#platform/config/config.server.ts';
import { database, transaction } from '#platform/database/database.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import { log } from '#platform/log.server.ts';
import { billingTexts } from '../contract.ts';
import { type PaymentProvider, ProviderError } from '../provider/payment-provider.ts';
import {
  closeCheckout,
  findCheckout,
  findOpenCheckout,
  insertCheckout,
  lockBuyer,
  type NewCheckoutRow,
  recordCheckoutUrl,
} from './purchase-store.server.ts';

/** How long a second click waits for the URL that the first one gets. */
const WAIT_MS = 15_000;
const POLL_MS = 100;

const startFailed = ({ plan }: NewCheckoutRow, cause?: unknown) => {
  const text = plan ? billingTexts.startFailed() : billingTexts.packStartFailed();
  return new Problem('unavailable', text, { retryAfter: 5, cause });
};

/** Returns an open checkout for the same purchase from the last half hour, or a new one (`isNew`) without a URL. */
export function claimCheckout(
  row: NewCheckoutRow,
): Promise<{ id: string; externalId: string | null; url: string | null; isNew: boolean }> {
  return transaction(async (tx) => {
    await lockBuyer(tx, row.userId);
    const existing = await findOpenCheckout(tx, row);
    if (existing)
      return { id: existing.id, externalId: existing.external_id, url: existing.url, isNew: false };
    await insertCheckout(tx, row);
    return { id: row.id, externalId: null, url: null, isNew: true };
  });
}

/** @param check runs before the provider is called, and may throw to refuse. */
export async function createAtProvider(
  port: PaymentProvider,
  row: NewCheckoutRow,
  { email, check }: { email: string; check?: () => Promise<void> },
): Promise<string> {
  const [key, value] = row.plan ? ['plan', row.plan] : ['credits', `${row.credits}`];
  const returnParams = new URLSearchParams({ payment: 'success', [key]: value, checkout: row.id });
  try {
    await check?.();
    const { id, url } = await port.createCheckout({
      id: row.id,
      userId: row.userId,
      email,
      productId: row.productId,
      successUrl: `${config().publicUrl}/dashboard?${returnParams}`,
    });
    if (!url) throw new ProviderError('unreadable', 'a checkout without an address');
    await recordCheckoutUrl(database(), row.id, id, url);
    return url;
  } catch (error) {
    await closeCheckout(database(), row.id, 'failed');
    if (!(error instanceof ProviderError)) throw error;
    log.error({ kind: error.kind, reason: error.message }, 'a checkout could not be created');
    throw startFailed(row, error);
  }
}

export async function awaitOtherRequest(row: NewCheckoutRow, id: string): Promise<string> {
  const deadline = Date.now() + WAIT_MS;
  while (Date.now() < deadline) {
    const other = await findCheckout(database(), id);
    if (other?.url) return other.url;
    if (other?.state !== 'open') break;
    await pause(POLL_MS);
  }
  throw startFailed(row);
}
