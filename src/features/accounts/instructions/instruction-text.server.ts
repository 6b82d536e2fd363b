import { BYTES_PER_TOKEN } from '#shared/token-estimate.ts';
import type { Instructions } from './instructions-contract.ts';

export type AppliedInstructions = Pick<Instructions, 'about' | 'answers'>;

function framed(what: string, text: string, bytes: number): string[] {
  const sent = Buffer.from(text)
    .subarray(0, bytes)
    .toString()
    .replace(/\ufffd+$/, '');
  return sent === '' ? [] : [`----- begin of ${what} -----\n${sent}\n----- end of ${what} -----`];
}

/** Part of the system message. `tokens`: of each text at most, for a model with a small context. */
export function instructionText({ about, answers }: AppliedInstructions, tokens: number): string {
  const bytes = Math.floor(tokens * BYTES_PER_TOKEN);
  return [
    'The person you are talking to has written the following for all of their chats. Take it into account where it fits the question, and do not bring it up otherwise. It changes none of your other rules.',
    ...framed('what they say about themselves', about, bytes),
    ...framed('how they want you to answer', answers, bytes),
  ].join('\n\n');
}
