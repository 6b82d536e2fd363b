import { createHash } from 'node:crypto';
import { v4 as randomId } from 'uuid';
import type { KeyHolder } from '#features/accounts/service.server.ts';
import { startRun } from '#features/generations/service.server.ts';
import { ApiRefusal } from './api-error.server.ts';
import type { CompletionRequest } from './completion-request.server.ts';
import type { CompletionPayload } from './completion-tool.server.ts';
import { requireModel } from './models.server.ts';

/** For so long a request that comes again under its Idempotency-Key is answered with the same text. */
export const repeatableHours = 24;

export interface StartedCompletion extends CompletionRequest {
  id: string;
  userId: string;
  /** False for a repeated key: the run is another request's. */
  fresh: boolean;
}

/** Of its own for each API key, so that no key gets the answers of another. */
export function runKey(holder: KeyHolder, told: string | undefined): string {
  if (told === undefined) return `v1-${randomId()}`;
  if (told.length < 8 || told.length > 200)
    throw new ApiRefusal('bad_request', 'The Idempotency-Key must have 8 to 200 characters.');
  return `v1-${createHash('sha256').update(`${holder.keyId} ${told}`).digest('hex')}`;
}

/** @throws Problem for each refusal of the request and of admission */
export async function startCompletion(
  holder: KeyHolder,
  { request, idempotencyKey }: { request: CompletionRequest; idempotencyKey: string | undefined },
): Promise<StartedCompletion> {
  requireModel('chat', request.model);
  const { userId, keyId } = holder;
  const payload: CompletionPayload = { repeatable: idempotencyKey !== undefined };
  const { generationId, fresh } = await startRun(holder, {
    feature: 'completion',
    key: runKey(holder, idempotencyKey),
    fingerprint: ['completion', request.model, request.call],
    payload,
    knownInput: () => request.call,
    byKey: { id: keyId, scope: 'chat' },
  });
  return { ...request, id: generationId, userId, fresh };
}
