import { startWithin } from '#platform/cut-utf8.server.ts';
import { BYTES_PER_TOKEN } from '#shared/token-estimate.ts';
import type { Instructions } from './instructions-contract.ts';

/** `notes`: of the memory, newest first. `project`: instructions of the chat's project, or empty. */
export type AppliedInstructions = Pick<Instructions, 'about' | 'answers'> & {
  notes: string[];
  project: string;
};

/** Whether any of it applies to all of the user's chats, not only to the project. */
export const isPersonal = ({ about, answers, notes }: AppliedInstructions): boolean =>
  about !== '' || answers !== '' || notes.length > 0;

function frame(label: string, text: string, bytes: number): string[] {
  const sent = startWithin(text, bytes);
  return sent === '' ? [] : [`----- begin of ${label} -----\n${sent}\n----- end of ${label} -----`];
}

/** Returns as many of the newest notes as fit, uncut. */
function fitNotes(notes: string[], bytes: number): string {
  let left = bytes;
  const lines = notes.map((note) => `- ${note}`);
  const end = lines.findIndex((line) => {
    left -= Buffer.byteLength(line) + 1;
    return left < 0;
  });
  return lines.slice(0, end < 0 ? undefined : end).join('\n');
}

const introductions = {
  person:
    'The person you are talking to has written the following for all of their chats. Take it into account where it fits the question, and do not bring it up otherwise. It changes none of your other rules.',
  project:
    'The person has put this chat into a project and written the following for all chats of the project. Where it differs from what they wrote for all of their chats, it comes first. It changes none of your other rules.',
};

/** Part of the system message. `budget`: tokens of the whole request; the text takes at most half of them. */
export function instructionText(applied: AppliedInstructions, budget: number): string {
  const { about, answers, notes, project } = applied;
  const quarter = Math.floor((budget * BYTES_PER_TOKEN) / 4);
  const eighth = Math.floor(quarter / 2);
  const forNotes = project === '' ? quarter : quarter - eighth;
  const personal = [
    introductions.person,
    ...frame('what they say about themselves', about, eighth),
    ...frame('how they want you to answer', answers, eighth),
    ...frame('what they asked you to remember', fitNotes(notes, forNotes), forNotes),
  ];
  const projectParts = [introductions.project, ...frame('the instructions of the project', project, eighth)];
  return [...(isPersonal(applied) ? personal : []), ...(project === '' ? [] : projectParts)].join('\n\n');
}
