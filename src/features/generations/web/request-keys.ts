import { ProblemError } from '../../../client/problem-error.ts';
import { json, request } from '../../../client/request.ts';
import { newId } from '../../../client/uuid.ts';
import { idempotencyHeader } from '../contract.ts';

/** The most requests without a known outcome whose keys are held. */
const MOST = 50;

const held = new Map<string, string>();

/**
 * The Idempotency-Key of a request that may cost credits: the same for the same path and body until the request's
 * outcome is known, however often and from whichever part of the page it is sent. So a press after a lost answer is
 * the run that the first press began.
 * @param kept the key of a request that was kept with its own.
 */
export function requestKey(path: string, body: unknown, kept?: string): string {
  const name = JSON.stringify([path, body]);
  const key = kept ?? held.get(name) ?? newId();
  held.delete(name);
  held.set(name, key);
  for (const oldest of held.keys()) {
    if (held.size <= MOST) break;
    held.delete(oldest);
  }
  return key;
}

/**
 * The outcome of the request under this key is known: the same request again is a new one. A refusal settles nothing:
 * it begins no run under its key, and an attempt before it may have begun one.
 */
export function settleKey(key: string): void {
  for (const [name, of] of held) if (of === key) held.delete(name);
}

/** Settles a refused request where its key can begin no run any more. */
export function settleRefused(key: string, error: unknown): void {
  if (error instanceof ProblemError && error.body.code === 'key_reused') settleKey(key);
}

/** Asks for a run that is followed apart from this request. Throws as `request` does. */
export async function requestOnce<T>(path: string, body: unknown): Promise<T> {
  const key = requestKey(path, body);
  const init = json('POST', body);
  try {
    const started = await request<T>(path, {
      ...init,
      headers: { ...init.headers, [idempotencyHeader]: key },
    });
    settleKey(key);
    return started;
  } catch (error) {
    settleRefused(key, error);
    throw error;
  }
}
