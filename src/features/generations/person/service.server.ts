import { type Database, database } from '../../../platform/database/database.server.ts';
import type { UserActor } from '../../../platform/http/actor.server.ts';
import type { Feature } from '../../credits/contract.ts';
import { notify } from '../store.server.ts';
import { eraseRuns, hasOpen, type RunRow, requestStops, runsAfter } from './store.server.ts';

/**
 * Asks all running work of a person to stop, on every process, as soon as the transaction commits; what has arrived is
 * kept and closed by the rules of a stop.
 */
export async function stopAllOf(tx: Database, userId: string): Promise<void> {
  await notify(tx, 'stop', await requestStops(tx, userId));
}

/** Erases what a person's runs were asked and what they made. @throws while one is open; the caller tries again later. */
export async function erasePerson(tx: Database, userId: string): Promise<void> {
  if (await hasOpen(tx, userId)) throw new Error('A run of a person who is to be erased has not ended.');
  await eraseRuns(tx, userId);
}

const PAGE = 50;

/**
 * Every run of the actor, oldest first, read page by page.
 * @param textless features whose text the reader finds elsewhere; theirs is null.
 */
export async function* everyRun({
  actor,
  textless,
}: {
  actor: UserActor;
  textless: readonly Feature[];
}): AsyncGenerator<RunRow> {
  let after: string | null = null;
  for (;;) {
    const page: RunRow[] = await runsAfter(database(), actor.userId, { after, limit: PAGE, textless });
    yield* page;
    after = page.at(-1)?.id ?? null;
    if (page.length < PAGE) return;
  }
}
