import { type AssistantEntry, assistants, rulesForAll } from '#content/assistants.ts';
import { type AppliedInstructions, instructionText } from '#features/accounts/service.server.ts';
import { m } from '#messages';
import { config } from '#platform/config/config.server.ts';
import { type Assistant, generalAssistant } from './contract.ts';
import { assistantInstruction } from './own-assistants/assistant-instruction.server.ts';
import type { AppliedAssistant } from './own-assistants/own-assistants-store.server.ts';

const assistantsById = new Map(assistants.map((entry) => [entry.id, entry]));

/** Only the stand-in gateway has this key; it can answer one more suggestion, with every kind of content. */
const standinAnswers = () => config().sandbox && config().LLM_API_KEY === 'stand-in';

const assistantPrompts = ({ id, prompts }: AssistantEntry): string[] =>
  (id === generalAssistant && standinAnswers() ? [...prompts, m.chat_sample_request] : prompts).map(
    (prompt) => prompt(),
  );

export function assistantList(): Assistant[] {
  return assistants.map((entry) => {
    const { id, name, description, starter, tool } = entry;
    return {
      id,
      name: name(),
      description: description(),
      starter: starter(),
      prompts: assistantPrompts(entry),
      tool: tool && { path: tool.path, name: tool.name(), description: tool.description() },
    };
  });
}

export function assistantOf(id: string | undefined): AssistantEntry {
  return (id !== undefined && assistantsById.get(id)) || assistants[0];
}

interface Persona {
  assistant: string;
  /** Replies instead of `assistant`. */
  own: AppliedAssistant | null;
  instructions: AppliedInstructions | null;
}

/** `budget`: tokens of the whole request; the person's own words take half of it at most. */
export function systemMessageFor({ assistant, own, instructions }: Persona, budget: number): string {
  const instructionBudget = own ? Math.floor((budget * 3) / 4) : budget;
  return [
    assistantOf(assistant).instruction,
    ...(own ? [assistantInstruction(own, budget)] : []),
    ...(instructions ? [instructionText(instructions, instructionBudget)] : []),
    ...rulesForAll,
  ].join('\n\n');
}
