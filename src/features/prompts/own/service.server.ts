import { v7 as newId } from 'uuid';
import { database, transaction } from '../../../platform/database/database.server.ts';
import type { UserActor } from '../../../platform/http/actor.server.ts';
import { notFound, Problem } from '../../../platform/http/problem.server.ts';
import { enforceLimit } from '../../../platform/http/rate-limit.server.ts';
import { lengthOf, plainLine, plainText } from '../../../shared/typed-text.ts';
import { openingOf, type Prompt, type PromptBody, promptLimits, promptTexts } from '../contract.ts';
import { openPrompt, promptId } from '../service.server.ts';
import { insertPrompt, purge, setDeleted, setSubmitted, updatePrompt, type Written } from './store.server.ts';

const HOUR = 3600;
/** Days for which a deleted prompt can come back. */
const BIN_DAYS = 7;

const limited = (what: 'created' | 'changed' | 'submitted', { userId }: UserActor) =>
  enforceLimit(`prompt-${what}:${userId}`, { max: promptLimits[what], seconds: HOUR }, promptTexts.tooOften);

/** What a person typed, as it is kept. @throws Problem bad_request in words. */
function written({ title, description, content, category }: PromptBody): Written {
  const text = {
    title: plainLine(title),
    description: plainLine(description ?? ''),
    content: plainText(content),
  };
  const refuse = (words: string) => new Problem('bad_request', words);
  const { titleLength, descriptionLength, contentLeast, contentLength } = promptLimits;
  if (text.title === '' || lengthOf(text.title) > titleLength) throw refuse(promptTexts.title);
  if (lengthOf(text.description) > descriptionLength) throw refuse(promptTexts.description);
  const length = lengthOf(text.content);
  if (length < contentLeast || length > contentLength) throw refuse(promptTexts.content);
  return { ...text, opening: openingOf(text.content), category };
}

const own = (actor: UserActor, id: string) => openPrompt({ actor, input: { name: id } });

/**
 * Keeps a new prompt of the actor, private. The same id again is the prompt that was made with it.
 * @throws Problem bad_request, conflict when they have as many as one may, not_found for another's id, rate_limited.
 */
export async function createPrompt({
  actor,
  input,
}: {
  actor: UserActor;
  input: PromptBody;
}): Promise<Prompt> {
  const text = written(input);
  await limited('created', actor);
  const id = input.id ?? newId();
  const most = promptLimits.own;
  const { kept, count } = await insertPrompt(database(), { id, userId: actor.userId, most, ...text });
  if (!kept && count >= most) throw new Problem('conflict', promptTexts.tooMany);
  // What another request has made with this id at the same time is seen only now.
  const prompt = await own(actor, id);
  if (!prompt.own) throw notFound();
  return prompt;
}

/** Changes a prompt of the actor; it is private from then on, whatever it was. @throws Problem as above. */
export async function changePrompt({
  actor,
  input,
}: {
  actor: UserActor;
  input: PromptBody & { id: string };
}): Promise<Prompt> {
  const id = promptId(input.id);
  const text = written(input);
  await limited('changed', actor);
  const changed = await transaction((tx) => updatePrompt(tx, { id, userId: actor.userId, ...text }));
  if (changed === 0) throw notFound();
  return own(actor, id);
}

/**
 * Puts a prompt of the actor into the queue of the operator, or takes it back from there and from the library.
 * @throws Problem not_found, conflict where it is neither, rate_limited.
 */
export async function submitPrompt({
  actor,
  input,
}: {
  actor: UserActor;
  input: { id: string; submitted: boolean };
}): Promise<Prompt> {
  const id = promptId(input.id);
  await limited('submitted', actor);
  const done = await setSubmitted(database(), actor.userId, id, input.submitted);
  const prompt = await own(actor, id);
  if (!prompt.own) throw notFound();
  // What is there already is what was wanted.
  const isThere = ['pending', 'approved'].includes(prompt.own.state) === input.submitted;
  if (done === 0 && !isThere) throw new Problem('conflict', promptTexts.notPending);
  return prompt;
}

/** Puts a prompt of the actor into the bin, where it is for 7 days, or takes it out. @throws Problem not_found. */
export async function deletePrompt({
  actor,
  input: { id, deleted },
}: {
  actor: UserActor;
  input: { id: string; deleted: boolean };
}): Promise<void> {
  await limited('changed', actor);
  if ((await setDeleted(database(), actor.userId, promptId(id), deleted)) === 0) throw notFound();
}

/** Erases what was deleted more than 7 days ago. @returns the number. */
export const purgePrompts = (): Promise<number> => purge(database(), BIN_DAYS);
