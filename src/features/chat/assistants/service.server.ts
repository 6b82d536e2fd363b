import { type AssistantEntry, assistants, rulesForAll } from '../../../../content/assistants.ts';
import type { Assistant } from '../contract.ts';

const known = new Map(assistants.map((entry) => [entry.id, entry]));

/** What the page shows of every assistant; their instructions stay here. */
export function assistantList(): Assistant[] {
  return assistants.map(({ id, name, description, starter, prompts, tool }) => ({
    id,
    name,
    description,
    starter,
    prompts,
    tool,
  }));
}

/** The assistant of an id; the general one for an id that is not known, or not any more. */
export function assistantOf(id: string | undefined): AssistantEntry {
  return (id !== undefined && known.get(id)) || assistants[0];
}

/** The system instruction of a chat with this assistant. */
export function instructionOf(id: string): string {
  return [assistantOf(id).instruction, ...rulesForAll].join('\n\n');
}
