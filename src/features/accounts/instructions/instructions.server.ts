import { m } from '#messages';
import { database } from '#platform/database/database.server.ts';
import type { ActorInput, UserActor } from '#platform/http/actor.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import { cleanText } from '#shared/clean-text.ts';
import { type Instructions, instructionLength } from './instructions-contract.ts';
import { findInstructions, upsertInstructions } from './instructions-store.server.ts';

const none: Instructions = { about: '', answers: '', enabled: true };

export async function readInstructions({ actor }: { actor: UserActor }): Promise<Instructions> {
  return (await findInstructions(database(), actor.userId)) ?? none;
}

export async function saveInstructions({ actor, input }: ActorInput<Instructions>): Promise<Instructions> {
  const [about, answers] = [cleanText(input.about).trim(), cleanText(input.answers).trim()];
  if (Math.max(about.length, answers.length) > instructionLength)
    throw new Problem('bad_request', m.instructions_too_long({ most: instructionLength }));
  await upsertInstructions(database(), actor.userId, { about, answers, enabled: input.enabled });
  return { about, answers, enabled: input.enabled };
}
