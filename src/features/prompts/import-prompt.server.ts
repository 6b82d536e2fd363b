import { v7 as uuid } from 'uuid';
import type { Database } from '#platform/database/database.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import { categories, promptLimits } from './contract.ts';
import { insertImportedPrompt, type PromptFields } from './own-prompts-store.server.ts';
import { validatePrompt } from './prompt-fields.server.ts';

export interface ImportedPrompt {
  title: string;
  description: string;
  content: string;
  category: string;
  createdAt: Date;
  updatedAt: Date;
}

function parseFields({ title, description, content, category }: ImportedPrompt): PromptFields | null {
  const known = categories.find((each) => each === category);
  if (!known) return null;
  try {
    return validatePrompt({ title, description, content, category: known });
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}

/**
 * Inserts a prompt as private, even if it was published where it came from. The caller prevents duplicates.
 * @returns its id; null if the prompt is invalid or the person has the maximum number
 */
export async function addImportedPrompt(
  tx: Database,
  userId: string,
  prompt: ImportedPrompt,
): Promise<string | null> {
  const fields = parseFields(prompt);
  const { createdAt, updatedAt } = prompt;
  const row = fields && { ...fields, id: uuid(), userId, limit: promptLimits.own, createdAt, updatedAt };
  return row && (await insertImportedPrompt(tx, row)) ? row.id : null;
}
