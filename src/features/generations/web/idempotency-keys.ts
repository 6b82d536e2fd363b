import { json, request } from '#client/api-request.ts';
import { ProblemError } from '#client/problem-error.ts';
import { newUuid } from '#client/uuid.ts';
import { priceHeader, pricesVersion } from '#features/credits/contract.ts';
import { idempotencyHeader } from '../contract.ts';

const MAX_PENDING_KEYS = 50;

/** Milliseconds; after that the same request is a new one. */
const KEY_LIFETIME = 15 * 60 * 1000;

const pendingKeys = new Map<string, { key: string; sentAt: number }>();

/**
 * Returns the same key for a path and body until the request's outcome is known: a press after a lost answer finds the
 * run that the first press started. `storedKey` is the key that was stored with the request.
 */
export function requestKey(path: string, body: unknown, storedKey?: string, now = Date.now()): string {
  const name = JSON.stringify([path, body]);
  const known = pendingKeys.get(name);
  // If the clock was set back, the age of an older key is unknown.
  const fresh = known && Math.abs(now - known.sentAt) < KEY_LIFETIME ? known.key : undefined;
  const key = storedKey ?? fresh ?? newUuid();
  pendingKeys.delete(name);
  pendingKeys.set(name, { key, sentAt: now });
  for (const oldest of pendingKeys.keys()) {
    if (pendingKeys.size <= MAX_PENDING_KEYS) break;
    pendingKeys.delete(oldest);
  }
  return key;
}

/** Do not call it for an ordinary refusal: an earlier attempt may have started a run under the key. */
export function releaseKey(key: string): void {
  for (const [name, pending] of pendingKeys) if (pending.key === key) pendingKeys.delete(name);
}

/** Releases the key only if it can no longer start a run. */
export function releaseReusedKey(key: string, error: unknown): void {
  if (error instanceof ProblemError && error.body.code === 'key_reused') releaseKey(key);
}

/** Headers of a request that costs credits: its key, and the prices that the page shows. */
export const paidHeaders = (key: string) => ({ [idempotencyHeader]: key, [priceHeader]: pricesVersion() });

export async function requestIdempotent<T>(path: string, body: unknown): Promise<T> {
  const key = requestKey(path, body);
  const init = json('POST', body);
  try {
    const started = await request<T>(path, {
      ...init,
      headers: { ...init.headers, ...paidHeaders(key) },
    });
    releaseKey(key);
    return started;
  } catch (error) {
    releaseReusedKey(key, error);
    throw error;
  }
}
