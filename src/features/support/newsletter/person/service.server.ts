import { type Database, database } from '../../../../platform/database/database.server.ts';
import type { UserActor } from '../../../../platform/http/actor.server.ts';
import { consentWordings } from '../contract.ts';
import { eraseOf, type IssueRow, issuesOf, type SubscriptionRow, subscriptionsOf } from './store.server.ts';

/** A subscription, or a request for one, with the words that were agreed to. */
export type WholeSubscription = SubscriptionRow & { consent: string };

/** What the newsletter knows of the actor's address, which a sign-in has proven. */
export async function everySubscription({ actor }: { actor: UserActor }): Promise<WholeSubscription[]> {
  const rows = await subscriptionsOf(database(), actor.userId);
  return rows.map((row) => ({ ...row, consent: consentWordings[row.wording] ?? '' }));
}

/** The issues that were sent to the actor's address, the first thousand. */
export function everyIssue({ actor }: { actor: UserActor }): Promise<IssueRow[]> {
  return issuesOf(database(), actor.userId);
}

/** Erases what the newsletter knows of a person's address; to be called before the address is erased. */
export function erasePerson(tx: Database, userId: string): Promise<void> {
  return eraseOf(tx, userId);
}
