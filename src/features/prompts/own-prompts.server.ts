import { v7 as newId } from 'uuid';
import { database, transaction } from '#platform/database/database.server.ts';
import type { ActorInput, UserActor } from '#platform/http/actor.server.ts';
import { notFound, Problem } from '#platform/http/problem.server.ts';
import { enforceLimit } from '#platform/http/rate-limit.server.ts';
import { type Prompt, type PromptBody, promptLimits, promptTexts } from './contract.ts';
import { insertPrompt, purgeDeleted, setSubmitted, updatePrompt } from './own-prompts-store.server.ts';
import { parsePrompt } from './prompt-fields.server.ts';
import { openPrompt, promptId } from './service.server.ts';

const HOUR = 3600;
const BIN_DAYS = 7;

const limited = (what: 'created' | 'changed' | 'submitted', { userId }: UserActor) =>
  enforceLimit(
    `prompt-${what}:${userId}`,
    { max: promptLimits[what], seconds: HOUR },
    promptTexts.tooOften(),
  );

const own = (actor: UserActor, id: string) => openPrompt({ actor, input: { name: id } });

/**
 * Creates a prompt; a repeated request with the same id returns the existing one.
 * @throws Problem bad_request, conflict at the limit of own prompts, not_found if the id is somebody else's,
 * rate_limited
 */
export async function createPrompt({ actor, input }: ActorInput<PromptBody>): Promise<Prompt> {
  const text = parsePrompt(input);
  await limited('created', actor);
  const id = input.id ?? newId();
  const most = promptLimits.own;
  const { kept, count } = await insertPrompt(database(), { id, userId: actor.userId, most, ...text });
  if (!kept && count >= most) throw new Problem('conflict', promptTexts.tooMany());
  // A second query, because the insert cannot see a row that a concurrent request created with this id.
  const prompt = await own(actor, id);
  if (!prompt.own) throw notFound();
  return prompt;
}

export async function changePrompt({
  actor,
  input,
}: ActorInput<PromptBody & { id: string }>): Promise<Prompt> {
  const id = promptId(input.id);
  const text = parsePrompt(input);
  await limited('changed', actor);
  const changed = await transaction((tx) => updatePrompt(tx, { id, userId: actor.userId, ...text }));
  if (changed === 0) throw notFound();
  return own(actor, id);
}

export async function submitPrompt({
  actor,
  input,
}: ActorInput<{ id: string; submitted: boolean }>): Promise<Prompt> {
  const id = promptId(input.id);
  await limited('submitted', actor);
  const done = await setSubmitted(database(), actor.userId, id, input.submitted);
  const prompt = await own(actor, id);
  if (!prompt.own) throw notFound();
  // A repeated request succeeds.
  const isThere = ['pending', 'approved'].includes(prompt.own.state) === input.submitted;
  if (done === 0 && !isThere) throw new Problem('conflict', promptTexts.notPending());
  return prompt;
}

export const purgePrompts = (): Promise<number> => purgeDeleted(database(), BIN_DAYS);
