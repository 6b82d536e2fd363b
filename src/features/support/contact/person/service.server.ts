import { type Database, database } from '../../../../platform/database/database.server.ts';
import type { UserActor } from '../../../../platform/http/actor.server.ts';
import { deleteOf, type SentRow, sentAfter } from './store.server.ts';

const PAGE = 100;

/** Erases a person's messages to support: those sent signed in, and those of guests from their address; before the address goes. */
export function erasePerson(tx: Database, userId: string): Promise<void> {
  return deleteOf(tx, userId);
}

/**
 * Every message that the actor sent signed in. One that a guest sent under their address is not among them: it may be
 * another's, who mistyped their own.
 */
export async function* everyMessage({ actor }: { actor: UserActor }): AsyncGenerator<SentRow> {
  for (let after = ''; ; ) {
    const page = await sentAfter(database(), actor.userId, after, PAGE);
    yield* page;
    after = page.at(-1)?.reference ?? after;
    if (page.length < PAGE) return;
  }
}
