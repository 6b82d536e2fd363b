import { lockIfDueForErasure, usersDueForErasure } from '#features/accounts/privacy.server.ts';
import { transaction } from '#platform/database/database.server.ts';
import { removeFiles } from '#platform/files/orphan-files.server.ts';
import { log } from '#platform/log.server.ts';
import { features } from './features.ts';

const BATCH_SIZE = 100;

/**
 * Deletes a user's rows in one transaction, then their files; returns false if the account is not due for erasure.
 * Files left by a crash are removed later as orphans.
 */
async function eraseEverything(userId: string): Promise<boolean> {
  const files = await transaction(async (tx) => {
    if (!(await lockIfDueForErasure(tx, userId))) return null;
    const keys: string[] = [];
    for (const { erase } of features) keys.push(...((await erase?.(tx, userId)) ?? []));
    return keys;
  });
  if (files) await removeFiles(files);
  return files !== null;
}

export const ERASE_PERSON = 'erase-person';

/** Erases a deleted account without the 30 days for restoring it. @throws while a run is open; the job retries. */
export async function erasePerson({ userId }: { userId: string }): Promise<void> {
  if (await eraseEverything(userId)) log.info({ userId }, 'a deleted account was erased');
}

async function tryToErase(userId: string): Promise<boolean> {
  try {
    const erased = await eraseEverything(userId);
    if (erased) log.info({ userId }, 'a deleted account was erased');
    return erased;
  } catch (error) {
    log.error({ error, userId }, 'a deleted account could not be erased; it will be retried');
    return false;
  }
}

/** Tries each due account once, so that accounts that cannot be erased yet do not block the others. */
export async function eraseDueAccounts(): Promise<void> {
  const tried: string[] = [];
  for (let erased = 0; erased < BATCH_SIZE; ) {
    const people = await usersDueForErasure(BATCH_SIZE - erased, tried);
    if (people.length === 0) return;
    for (const userId of people) if (await tryToErase(userId)) erased++;
    tried.push(...people);
  }
}
