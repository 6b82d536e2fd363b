import type { KeyHolder } from '#features/accounts/service.server.ts';
import { type AwaitedRun, startRun } from '#features/generations/service.server.ts';
import { chatModelOf } from '#shared/chat-models.ts';
import { runKey } from './api-runs.server.ts';
import type { CompletionRequest } from './completion-request.server.ts';
import type { CompletionPayload } from './completion-tool.server.ts';
import { requireModel } from './models.server.ts';

/** Within this time a request that is repeated with its Idempotency-Key gets the same text. */
export const repeatableHours = 24;

export type StartedCompletion = CompletionRequest & AwaitedRun;

/** @throws Problem if the request or its admission is refused */
export async function startCompletion(
  holder: KeyHolder,
  { request, idempotencyKey }: { request: CompletionRequest; idempotencyKey: string | undefined },
): Promise<StartedCompletion> {
  requireModel('chat', request.model);
  const { userId, keyId } = holder;
  const payload: CompletionPayload = { repeatable: idempotencyKey !== undefined };
  const { generationId, fresh } = await startRun(holder, {
    feature: 'completion',
    choice: { id: chatModelOf(request.model)?.id ?? null },
    key: runKey(holder, idempotencyKey),
    fingerprint: ['completion', request.model, request.call],
    payload,
    knownInput: () => request.call,
    byKey: { id: keyId, scope: 'chat' },
  });
  return { ...request, id: generationId, userId, fresh };
}
