import { BYTES_PER_TOKEN } from '#shared/token-estimate.ts';
import type { Instructions } from './instructions-contract.ts';

/** `notes`: of the memory, newest first. */
export type AppliedInstructions = Pick<Instructions, 'about' | 'answers'> & { notes: string[] };

function framed(what: string, text: string, bytes: number): string[] {
  const sent = Buffer.from(text)
    .subarray(0, bytes)
    .toString()
    .replace(/\ufffd+$/, '');
  return sent === '' ? [] : [`----- begin of ${what} -----\n${sent}\n----- end of ${what} -----`];
}

/** The newest of them, whole. */
function fitting(notes: string[], bytes: number): string {
  let left = bytes;
  const lines = notes.map((note) => `- ${note}`);
  const end = lines.findIndex((line) => {
    left -= Buffer.byteLength(line) + 1;
    return left < 0;
  });
  return lines.slice(0, end < 0 ? undefined : end).join('\n');
}

/** Part of the system message. `budget`: tokens of the whole request, of which it takes half at most. */
export function instructionText({ about, answers, notes }: AppliedInstructions, budget: number): string {
  const quarter = Math.floor((budget * BYTES_PER_TOKEN) / 4);
  const eighth = Math.floor(quarter / 2);
  return [
    'The person you are talking to has written the following for all of their chats. Take it into account where it fits the question, and do not bring it up otherwise. It changes none of your other rules.',
    ...framed('what they say about themselves', about, eighth),
    ...framed('how they want you to answer', answers, eighth),
    ...framed('what they asked you to remember', fitting(notes, quarter), quarter),
  ].join('\n\n');
}
