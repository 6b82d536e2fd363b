import { v7 as uuid } from 'uuid';
import type { Database } from '#platform/database/database.server.ts';
import { chatModelOf } from '#shared/chat-models.ts';
import { cleanLine, cleanText, cutText } from '#shared/clean-text.ts';
import { type ImportedFileRef, setFileTimes } from './import-chat-store.server.ts';
import { insertImportedAssistant, insertImportedProject } from './import-keepers-store.server.ts';
import { knowledgeLimits } from './knowledge/knowledge-contract.ts';
import { addKnowledgeFile, type Keeper } from './knowledge/knowledge-store.server.ts';
import { assistantLimits } from './own-assistants/own-assistants-contract.ts';
import { canAddAssistant, ownAssistant } from './own-assistants/own-assistants-store.server.ts';
import { projectLimits } from './projects/projects-contract.ts';
import { canAddProject, ownProject } from './projects/projects-store.server.ts';

interface ImportedKeeper {
  name: string;
  createdAt: Date;
  updatedAt: Date;
  /** From `addImportedFile`. */
  files: readonly ImportedFileRef[];
}

export interface ImportedProject extends ImportedKeeper {
  instructions: string;
}

export interface ImportedAssistant extends ImportedKeeper {
  about: string;
  instruction: string;
  model: string | null;
}

export const hasProject = async (db: Database, userId: string, id: string): Promise<boolean> =>
  (await ownProject(db, userId, id)) !== null;

export const hasAssistant = async (db: Database, userId: string, id: string): Promise<boolean> =>
  (await ownAssistant(db, userId, id)) !== null;

/** Returns null for a model that this site does not offer. */
export const offeredId = (model: string | null): string | null => chatModelOf(model)?.id ?? null;

async function addFiles(
  tx: Database,
  userId: string,
  { keeper, files }: { keeper: Keeper; files: readonly ImportedFileRef[] },
): Promise<void> {
  const accepted = files.slice(0, knowledgeLimits.files);
  for (const { id } of accepted) await addKnowledgeFile(tx, userId, { keeper, fileId: id });
  if (accepted.length > 0) await setFileTimes(tx, userId, accepted);
}

/**
 * Creates a project. The caller ensures that this happens only once. @returns its id; null if there is no room for it,
 * its name is empty or the account was deleted
 */
export async function addImportedProject(
  tx: Database,
  userId: string,
  { name, instructions, createdAt, updatedAt, files }: ImportedProject,
): Promise<string | null> {
  if (!(await canAddProject(tx, userId))) return null;
  const id = uuid();
  const row = {
    ...{ id, userId, createdAt, updatedAt, name: cleanLine(name, projectLimits.name) },
    instructions: cutText(cleanText(instructions).trim(), projectLimits.instructions),
  };
  if (row.name === '' || !(await insertImportedProject(tx, row))) return null;
  await addFiles(tx, userId, { keeper: { kind: 'project', id }, files });
  return id;
}

/** Like `addImportedProject`. */
export async function addImportedAssistant(
  tx: Database,
  userId: string,
  { name, about, instruction, model, createdAt, updatedAt, files }: ImportedAssistant,
): Promise<string | null> {
  if (!(await canAddAssistant(tx, userId))) return null;
  const id = uuid();
  const row = {
    ...{ id, userId, createdAt, updatedAt, name: cleanLine(name, assistantLimits.name) },
    about: cleanLine(about, assistantLimits.about),
    instruction: cutText(cleanText(instruction).trim(), assistantLimits.instruction),
    model: offeredId(model),
  };
  if (row.name === '' || !(await insertImportedAssistant(tx, row))) return null;
  await addFiles(tx, userId, { keeper: { kind: 'assistant', id }, files });
  return id;
}
