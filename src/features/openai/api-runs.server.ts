import { createHash } from 'node:crypto';
import { v4 as randomId } from 'uuid';
import type { KeyHolder } from '#features/accounts/service.server.ts';
import type { GenerationView } from '#features/generations/contract.ts';
import { Problem } from '#platform/http/problem.server.ts';
import { ApiRefusal } from './api-error.server.ts';

/** Returns a key unique to the API key, so that no key gets another's answers. @param idempotencyKey the header */
export function runKey({ keyId }: KeyHolder, idempotencyKey: string | undefined): string {
  if (idempotencyKey === undefined) return `v1-${randomId()}`;
  if (idempotencyKey.length < 8 || idempotencyKey.length > 200)
    throw new ApiRefusal('bad_request', 'The Idempotency-Key must have 8 to 200 characters.');
  return `v1-${createHash('sha256').update(`${keyId} ${idempotencyKey}`).digest('hex')}`;
}

/** Returns null for a run with a result. @param param the field that caused the failure */
export function refusalOf({ state, error }: GenerationView, param: string): Problem | null {
  if (state === 'done' || state === 'stopped') return null;
  const message = error?.message ?? '';
  if (error?.code === 'context_length')
    return new ApiRefusal('bad_request', message, { code: 'context_length_exceeded', param });
  if (error?.code === 'moderation')
    return new ApiRefusal('bad_request', message, { code: 'content_policy_violation', param });
  if (error?.code === 'spend_cap') return new Problem('spend_cap', message);
  return new Problem('unavailable', message);
}

export const unixSeconds = () => Math.floor(Date.now() / 1000);
