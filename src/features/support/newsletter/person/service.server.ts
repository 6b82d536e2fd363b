import { type Database, database, transaction } from '../../../../platform/database/database.server.ts';
import type { UserActor } from '../../../../platform/http/actor.server.ts';
import { emailAddress } from '../../../../platform/mail/email-address.server.ts';
import { consentWordings } from '../contract.ts';
import { addressHash } from '../service.server.ts';
import {
  eraseOf,
  type IssueRow,
  issuesOf,
  leaverOf,
  type SubscriptionRow,
  subscriptionsOf,
} from './store.server.ts';

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

/**
 * Erases what the newsletter knows of a person's address, but for a consent of after they deleted their account; to be
 * called before the address is erased.
 */
export async function erasePerson(tx: Database, userId: string): Promise<void> {
  const leaver = await leaverOf(tx, userId);
  if (!leaver) return;
  const { email, deletedAt } = leaver;
  await eraseOf(tx, { email, addressHash: await addressHash(tx, email), until: deletedAt });
}

/** Erases all of an address for who asks for it, the hashes too. @returns false for what is no address. */
export async function forgetAddress(text: string): Promise<boolean> {
  const email = emailAddress(text);
  if (email === null) return false;
  await transaction(async (tx) =>
    eraseOf(tx, { email, addressHash: await addressHash(tx, email), until: 'infinity' }),
  );
  return true;
}
