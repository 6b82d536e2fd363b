import { v7 as newId } from 'uuid';
import { database, transaction } from '#platform/database/database.server.ts';
import type { ActorInput, UserActor } from '#platform/http/actor.server.ts';
import { notFound, Problem } from '#platform/http/problem.server.ts';
import { enforceLimit } from '#platform/http/rate-limit.server.ts';
import { type Prompt, type PromptBody, promptLimits, promptTexts } from './contract.ts';
import { insertPrompt, purgeDeleted, setSubmitted, updatePrompt } from './own-prompts-store.server.ts';
import { validatePrompt } from './prompt-fields.server.ts';
import { openPrompt, promptId } from './service.server.ts';

const HOUR = 3600;
const RESTORE_DAYS = 7;

const checkLimit = (action: 'created' | 'changed' | 'submitted', { userId }: UserActor) =>
  enforceLimit(
    `prompt-${action}:${userId}`,
    { max: promptLimits[action], seconds: HOUR },
    promptTexts.tooOften(),
  );

const openOwn = (actor: UserActor, id: string) => openPrompt({ actor, input: { name: id } });

/**
 * Creates a prompt; a repeated request with the same id returns the existing one.
 * @throws Problem bad_request, conflict at the limit of own prompts, not_found if the id is somebody else's,
 * rate_limited
 */
export async function createPrompt({ actor, input }: ActorInput<PromptBody>): Promise<Prompt> {
  const text = validatePrompt(input);
  await checkLimit('created', actor);
  const id = input.id ?? newId();
  const limit = promptLimits.own;
  const { saved, count } = await transaction((tx) =>
    insertPrompt(tx, { id, userId: actor.userId, limit, ...text }),
  );
  if (!saved && count >= limit) throw new Problem('conflict', promptTexts.tooMany());
  // A second query, because the insert cannot see a row that a concurrent request created with this id.
  const prompt = await openOwn(actor, id);
  if (!prompt.own) throw notFound();
  return prompt;
}

export async function changePrompt({
  actor,
  input,
}: ActorInput<PromptBody & { id: string }>): Promise<Prompt> {
  const id = promptId(input.id);
  const text = validatePrompt(input);
  await checkLimit('changed', actor);
  const changed = await transaction((tx) => updatePrompt(tx, { id, userId: actor.userId, ...text }));
  if (changed === 0) throw notFound();
  return openOwn(actor, id);
}

export async function submitPrompt({
  actor,
  input,
}: ActorInput<{ id: string; submitted: boolean }>): Promise<Prompt> {
  const id = promptId(input.id);
  await checkLimit('submitted', actor);
  const changed = await setSubmitted(database(), actor.userId, id, input.submitted);
  const prompt = await openOwn(actor, id);
  if (!prompt.own) throw notFound();
  // A repeated request succeeds.
  const alreadyDone = ['pending', 'approved'].includes(prompt.own.state) === input.submitted;
  if (changed === 0 && !alreadyDone) throw new Problem('conflict', promptTexts.notPending());
  return prompt;
}

export const purgePrompts = (): Promise<number> => purgeDeleted(database(), RESTORE_DAYS);
