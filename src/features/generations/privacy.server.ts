import type { Database } from '#platform/database/database.server.ts';
import { eraseRuns, hasOpenRuns, requestStops } from './privacy-store.server.ts';
import { notify } from './store.server.ts';

/**
 * Asks all running work of a person to stop, on every process, as soon as the transaction commits; what has arrived is
 * kept and closed by the rules of a stop.
 */
export async function stopAllRuns(tx: Database, userId: string): Promise<void> {
  await notify(tx, 'stop', await requestStops(tx, userId));
}

/** Erases what a person's runs were asked and what they made. @throws while one is open; the caller tries again later. */
export async function erasePerson(tx: Database, userId: string): Promise<void> {
  if (await hasOpenRuns(tx, userId)) throw new Error('A run of a person who is to be erased has not ended.');
  await eraseRuns(tx, userId);
}
