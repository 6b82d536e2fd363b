import { startWithin } from '#platform/cut-utf8.server.ts';
import { BYTES_PER_TOKEN } from '#shared/token-estimate.ts';
import type { AppliedAssistant } from './own-assistants-store.server.ts';

/** Part of the system message. `budget`: tokens of the whole request, of which this takes an eighth at most. */
export function assistantInstruction({ name, instruction }: AppliedAssistant, budget: number): string {
  const text = startWithin(instruction, Math.floor((budget * BYTES_PER_TOKEN) / 8));
  return [
    `In this chat you are ${JSON.stringify(name)}, an assistant that the person has made. What they wrote for it comes before how you would answer otherwise. It changes none of your other rules.`,
    ...(text === ''
      ? []
      : [`----- begin of its instructions -----\n${text}\n----- end of its instructions -----`]),
  ].join('\n\n');
}
