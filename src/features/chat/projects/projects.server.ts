import { validate as isUuid, v7 as uuid } from 'uuid';
import { m } from '#messages';
import { type Database, database, transaction } from '#platform/database/database.server.ts';
import type { ActorInput, UserActor } from '#platform/http/actor.server.ts';
import { notFound, Problem, requireFound, requireUuid } from '#platform/http/problem.server.ts';
import { enforceLimit } from '#platform/http/rate-limit.server.ts';
import { cleanLine, cleanText } from '#shared/clean-text.ts';
import { attachmentView } from '../attachments/attachment-view.server.ts';
import { lockChats } from '../chat-order-store.server.ts';
import type { WithFiles } from '../knowledge/knowledge-contract.ts';
import { type Project, type ProjectRow, projectLimits } from './projects-contract.ts';
import {
  canAddProject,
  deleteProject as deleteRow,
  insertProject,
  listUserProjects,
  lockProject,
  moveChats as moveRows,
  ownProject,
  restoreProject as restoreRow,
  updateProject,
} from './projects-store.server.ts';

const CREATING = { max: 60, seconds: 3600 };

function parseName(text: string): string {
  const name = cleanLine(text, projectLimits.name);
  if (name === '') throw new Problem('bad_request', m.project_unnamed());
  return name;
}

function parseInstructions(text: string): string {
  const clean = cleanText(text).trim();
  if (clean.length > projectLimits.instructions)
    throw new Problem('bad_request', m.memory_too_long({ most: projectLimits.instructions }));
  return clean;
}

export const listProjects = ({ actor }: { actor: UserActor }): Promise<ProjectRow[]> =>
  listUserProjects(database(), actor.userId);

async function projectView(db: Database, userId: string, id: string): Promise<WithFiles<Project> | null> {
  const row = await ownProject(db, userId, id);
  return row && { ...row, files: row.files.map(attachmentView) };
}

export async function readProject({ actor, input }: ActorInput<{ id: string }>): Promise<WithFiles<Project>> {
  return requireFound(await projectView(database(), actor.userId, requireUuid(input.id)));
}

/** Returns null if it does not exist or is not the person's own. */
export async function projectOrNone({
  actor,
  input: { id },
}: ActorInput<{ id: string }>): Promise<{ id: string; name: string } | null> {
  const project = isUuid(id) ? await ownProject(database(), actor.userId, id) : null;
  return project && { id: project.id, name: project.name };
}

async function requireBelowLimit(tx: Database, userId: string): Promise<void> {
  if (!(await canAddProject(tx, userId)))
    throw new Problem('conflict', m.project_full({ most: projectLimits.projects }));
}

/** Returns a project that the person made with this id before. @throws Problem for another's id, or without room */
export async function createProject({
  actor,
  input: { id = uuid(), ...input },
}: ActorInput<{
  id?: string | undefined;
  name: string;
  instructions?: string | undefined;
}>): Promise<WithFiles<Project>> {
  const { userId } = actor;
  const row = {
    id,
    userId,
    name: parseName(input.name),
    instructions: parseInstructions(input.instructions ?? ''),
  };
  await enforceLimit(`projects:${userId}`, CREATING);
  return transaction(async (tx) => {
    const existing = await projectView(tx, userId, id);
    if (existing) return existing;
    await requireBelowLimit(tx, userId);
    await insertProject(tx, row);
    return requireFound(await projectView(tx, userId, id));
  });
}

export async function changeProject({
  actor,
  input,
}: ActorInput<{
  id: string;
  name?: string | undefined;
  instructions?: string | undefined;
}>): Promise<WithFiles<Project>> {
  const id = requireUuid(input.id);
  const name = input.name === undefined ? null : parseName(input.name);
  const instructions = input.instructions === undefined ? null : parseInstructions(input.instructions);
  if ((await updateProject(database(), actor.userId, { id, name, instructions })) === 0) throw notFound();
  return readProject({ actor, input });
}

/** Its chats are kept, and are in no project. */
export async function deleteProject({ actor, input }: ActorInput<{ id: string }>): Promise<void> {
  if ((await deleteRow(database(), actor.userId, requireUuid(input.id))) === 0) throw notFound();
}

/** It gets back the chats that it had, except those moved to another project since. */
export async function restoreProject({
  actor,
  input,
}: ActorInput<{ id: string }>): Promise<WithFiles<Project>> {
  const id = requireUuid(input.id);
  return transaction(async (tx) => {
    const existing = await projectView(tx, actor.userId, id);
    if (existing) return existing;
    await requireBelowLimit(tx, actor.userId);
    if ((await restoreRow(tx, actor.userId, id)) === 0) throw notFound();
    return requireFound(await projectView(tx, actor.userId, id));
  });
}

/** Moves all chats, or none if one or the project is not the person's. A null id takes them out of their project. */
export async function moveChats({
  actor: { userId },
  input,
}: ActorInput<{ ids: string[]; projectId: string | null }>): Promise<void> {
  const ids = [...new Set(input.ids.map((id) => id.toLowerCase()))];
  const { projectId } = input;
  await transaction(async (tx) => {
    if (projectId !== null && !(await lockProject(tx, userId, projectId))) throw notFound();
    const own = await lockChats(tx, userId, ids);
    if (own.length < ids.length || own.some(({ temporary }) => temporary)) throw notFound();
    await moveRows(tx, ids, projectId);
  });
}
