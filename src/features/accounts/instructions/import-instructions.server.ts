import { v7 as uuid } from 'uuid';
import type { Database } from '#platform/database/database.server.ts';
import { cleanText, cutText } from '#shared/clean-text.ts';
import { type Instructions, instructionLength } from './instructions-contract.ts';
import { insertInstructions } from './instructions-store.server.ts';
import { memoryLimits } from './memory-contract.ts';
import { insertImportedNote, setMemoryOn } from './memory-store.server.ts';

const cut = (text: string, length: number) => cutText(cleanText(text).trim(), length);

/** Only if the user has written none. @returns whether they were stored. */
export const addImportedInstructions = (
  tx: Database,
  userId: string,
  { about, answers, enabled }: Instructions,
): Promise<boolean> =>
  insertInstructions(tx, userId, {
    ...{ about: cut(about, instructionLength), answers: cut(answers, instructionLength), enabled },
  });

/**
 * If the memory was off where the note comes from, the first note switches it off here too, so that nothing is sent
 * unexpectedly. The caller prevents duplicates. @returns the note's id; null if there is no room or no account.
 */
export async function addImportedNote(
  tx: Database,
  userId: string,
  { text, createdAt, enabled }: { text: string; createdAt: Date; enabled: boolean },
): Promise<string | null> {
  const { length, notes: most } = memoryLimits;
  const id = uuid();
  const added = await insertImportedNote(tx, { id, userId, text: cut(text, length), createdAt, most });
  if (added === null) return null;
  if (added === 1 && !enabled) await setMemoryOn(tx, userId, false);
  return id;
}
