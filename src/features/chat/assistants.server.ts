import { type AssistantEntry, assistants, rulesForAll } from '#content/assistants.ts';
import { type AppliedInstructions, instructionText } from '#features/accounts/service.server.ts';
import { m } from '#messages';
import { config } from '#platform/config/config.server.ts';
import { type Assistant, generalAssistant } from './contract.ts';
import { assistantInstruction } from './own-assistants/assistant-instruction.server.ts';
import type { AppliedAssistant } from './own-assistants/own-assistants-store.server.ts';

const known = new Map(assistants.map((entry) => [entry.id, entry]));

/** Only the stand-in gateway has this key; it can answer one more suggestion, with every kind of content. */
const standinAnswers = () => config().sandbox && config().LLM_API_KEY === 'stand-in';

const promptsOf = ({ id, prompts }: AssistantEntry): string[] =>
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
      prompts: promptsOf(entry),
      tool: tool && { path: tool.path, name: tool.name(), description: tool.description() },
    };
  });
}

export function assistantOf(id: string | undefined): AssistantEntry {
  return (id !== undefined && known.get(id)) || assistants[0];
}

interface Speaker {
  assistant: string;
  /** Replies instead of `assistant`. */
  own: AppliedAssistant | null;
  instructions: AppliedInstructions | null;
}

/** `budget`: tokens of the whole request; the person's own words take half of it at most. */
export function systemMessageFor({ assistant, own, instructions }: Speaker, budget: number): string {
  const written = own ? Math.floor((budget * 3) / 4) : budget;
  return [
    assistantOf(assistant).instruction,
    ...(own ? [assistantInstruction(own, budget)] : []),
    ...(instructions ? [instructionText(instructions, written)] : []),
    ...rulesForAll,
  ].join('\n\n');
}
