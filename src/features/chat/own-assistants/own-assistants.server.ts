import { validate as isUuid, v7 as uuid } from 'uuid';
import { m } from '#messages';
import { type Database, database, transaction } from '#platform/database/database.server.ts';
import type { ActorInput, UserActor } from '#platform/http/actor.server.ts';
import { notFound, Problem, requireFound, requireUuid } from '#platform/http/problem.server.ts';
import { enforceLimit } from '#platform/http/rate-limit.server.ts';
import { chatModelOf } from '#shared/chat-models.ts';
import { cleanLine, cleanText } from '#shared/clean-text.ts';
import { assistantOf } from '../assistants.server.ts';
import { attachmentView } from '../attachments/attachment-view.server.ts';
import { generalAssistant } from '../contract.ts';
import type { WithFiles } from '../knowledge/knowledge-contract.ts';
import { assistantLimits, type OwnAssistant, type OwnAssistantRow } from './own-assistants-contract.ts';
import {
  canAddAssistant,
  deleteAssistant as deleteRow,
  insertAssistant,
  listUserAssistants,
  lockAssistant,
  ownAssistant,
  restoreAssistant as restoreRow,
  setAssistant,
  updateAssistant,
} from './own-assistants-store.server.ts';

const CREATING = { max: 60, seconds: 3600 };

function parseName(text: string): string {
  const name = cleanLine(text, assistantLimits.name);
  if (name === '') throw new Problem('bad_request', m.assistant_unnamed());
  return name;
}

function parseInstruction(text: string): string {
  const clean = cleanText(text).trim();
  if (clean.length > assistantLimits.instruction)
    throw new Problem('bad_request', m.memory_too_long({ most: assistantLimits.instruction }));
  return clean;
}

function parseModel(id: string | null): string | null {
  if (id !== null && !chatModelOf(id)) throw new Problem('bad_request', m.credits_model_gone());
  return id;
}

interface AssistantInput {
  about?: string | undefined;
  instruction?: string | undefined;
  model?: string | null | undefined;
}

const optional = <T, R>(value: T | undefined, parse: (value: T) => R): R | undefined =>
  value === undefined ? undefined : parse(value);

const parseFields = ({ about, instruction, model }: AssistantInput) => ({
  about: optional(about, (text) => cleanLine(text, assistantLimits.about)),
  instruction: optional(instruction, parseInstruction),
  model: optional(model, parseModel),
});

async function assistantView(
  db: Database,
  userId: string,
  id: string,
): Promise<WithFiles<OwnAssistant> | null> {
  const row = await ownAssistant(db, userId, id);
  return row && { ...row, files: row.files.map(attachmentView) };
}

export const listAssistants = ({ actor }: { actor: UserActor }): Promise<OwnAssistantRow[]> =>
  listUserAssistants(database(), actor.userId);

export async function readAssistant({
  actor,
  input,
}: ActorInput<{ id: string }>): Promise<WithFiles<OwnAssistant>> {
  return requireFound(await assistantView(database(), actor.userId, requireUuid(input.id)));
}

/** Returns null if it does not exist or is not the person's own. */
export async function assistantOrNone({
  actor,
  input,
}: ActorInput<{ id: string }>): Promise<OwnAssistantRow | null> {
  const row = isUuid(input.id) ? await ownAssistant(database(), actor.userId, input.id) : null;
  return row && { id: row.id, name: row.name, about: row.about, model: row.model };
}

async function requireBelowLimit(tx: Database, userId: string): Promise<void> {
  if (!(await canAddAssistant(tx, userId)))
    throw new Problem('conflict', m.assistants_full({ most: assistantLimits.assistants }));
}

/** Returns an assistant that the person made with this id before. @throws Problem for another's id, or without room */
export async function createAssistant({
  actor: { userId },
  input: { id = uuid(), ...input },
}: ActorInput<AssistantInput & { id?: string | undefined; name: string }>): Promise<WithFiles<OwnAssistant>> {
  const { about = '', instruction = '', model = null } = parseFields(input);
  const row = { id, userId, name: parseName(input.name), about, instruction, model };
  await enforceLimit(`assistants:${userId}`, CREATING);
  return transaction(async (tx) => {
    const existing = await assistantView(tx, userId, id);
    if (existing) return existing;
    await requireBelowLimit(tx, userId);
    await insertAssistant(tx, row);
    return requireFound(await assistantView(tx, userId, id));
  });
}

export async function changeAssistant({
  actor,
  input,
}: ActorInput<AssistantInput & { id: string; name?: string | undefined }>): Promise<WithFiles<OwnAssistant>> {
  const change = { ...parseFields(input), id: requireUuid(input.id), name: optional(input.name, parseName) };
  if ((await updateAssistant(database(), actor.userId, change)) === 0) throw notFound();
  return readAssistant({ actor, input });
}

/** Its chats continue without it. */
export async function deleteAssistant({ actor, input }: ActorInput<{ id: string }>): Promise<void> {
  if ((await deleteRow(database(), actor.userId, requireUuid(input.id))) === 0) throw notFound();
}

/** It also returns to its chats, except those that have chosen another one since. */
export async function restoreAssistant({
  actor: { userId },
  input,
}: ActorInput<{ id: string }>): Promise<WithFiles<OwnAssistant>> {
  const id = requireUuid(input.id);
  return transaction(async (tx) => {
    const existing = await assistantView(tx, userId, id);
    if (existing) return existing;
    await requireBelowLimit(tx, userId);
    if ((await restoreRow(tx, userId, id)) === 0) throw notFound();
    return requireFound(await assistantView(tx, userId, id));
  });
}

/** Sets who replies from now on; an own assistant brings its model. @throws Problem if either is somebody else's */
export async function chooseAssistant({
  actor: { userId },
  input: { chatId, assistant },
}: ActorInput<{ chatId: string; assistant: string }>): Promise<void> {
  await transaction(async (tx) => {
    const own = isUuid(assistant) ? requireFound(await lockAssistant(tx, userId, assistant)) : null;
    const siteAssistant = own ? generalAssistant : assistantOf(assistant).id;
    if (!(await setAssistant(tx, { userId, chatId, own, siteAssistant }))) throw notFound();
  });
}
