import type { Database } from '#platform/database/database.server.ts';
import { eraseRuns, hasOpenRuns, requestStops } from './privacy-store.server.ts';
import { notify } from './store.server.ts';

export async function stopAllRuns(tx: Database, userId: string): Promise<void> {
  await notify(tx, 'stop', await requestStops(tx, userId));
}

/** @throws while a run is open; the caller retries later. */
export async function erasePerson(tx: Database, userId: string): Promise<void> {
  if (await hasOpenRuns(tx, userId)) throw new Error('A run of a person who is to be erased has not ended.');
  await eraseRuns(tx, userId);
}
