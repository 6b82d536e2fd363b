import { type AssistantEntry, assistants, rulesForAll } from '#content/assistants.ts';
import { type AppliedInstructions, instructionText } from '#features/accounts/service.server.ts';
import { m } from '#messages';
import { config } from '#platform/config/config.server.ts';
import { type Assistant, generalAssistant } from './contract.ts';

const known = new Map(assistants.map((entry) => [entry.id, entry]));

/** The stand-in gateway, whose key this is, answers one more suggestion, with every kind of content. */
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

/** `budget`: tokens of the whole request. */
export function systemMessageFor(
  assistant: string,
  instructions: AppliedInstructions | null,
  budget: number,
): string {
  const own = instructions ? [instructionText(instructions, budget)] : [];
  return [assistantOf(assistant).instruction, ...own, ...rulesForAll].join('\n\n');
}
