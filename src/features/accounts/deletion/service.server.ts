import { site } from '../../../../content/site.ts';
import { config } from '../../../platform/config/config.server.ts';
import { type Database, database, transaction } from '../../../platform/database/database.server.ts';
import type { UserActor } from '../../../platform/http/actor.server.ts';
import { Problem, signInFirst } from '../../../platform/http/problem.server.ts';
import { enqueue } from '../../../platform/jobs/jobs.server.ts';
import { log } from '../../../platform/log/log.server.ts';
import { sendMail } from '../../../platform/mail/mail.server.ts';
import { stopAllOf } from '../../generations/person/service.server.ts';
import { cookieLine, readCookie } from '../cookies/service.server.ts';
import { endAllSessions, signedInSince, startSession } from '../sessions/service.server.ts';
import { voidSignIns } from '../sign-in/service.server.ts';
import { keyedHash, looksLikeToken } from '../tokens/service.server.ts';
import { me } from '../users/service.server.ts';
import { confirms, dayOf, deletionTexts, freshMinutes, restoreDays } from './contract.ts';
import { deletionMail } from './deletion.mail.tsx';
import {
  type DeletedAccount,
  deletedAccount,
  dropOffers,
  dueForErasure,
  eraseAccount,
  lockDue,
  lockSignIns,
  lockUser,
  markDeleted,
  offeredAccount,
  restoreUser,
} from './store.server.ts';

/** Name of the job that confirms a deletion by mail; its data is `{ userId }`. */
export const SEND_DELETION_MAIL = 'send-deletion-mail';

/**
 * Deletes the actor's account: from this moment nobody gets in, replies that run are asked to stop, and nothing that
 * was mailed before signs in. It can be restored for 30 days.
 * @throws Problem bad_request when `confirm` is not the address, sign_in_again when the session is older than 15 min.
 */
export async function deleteAccount({
  actor,
  input,
}: {
  actor: UserActor;
  input: { confirm: string };
}): Promise<void> {
  const { email } = await me({ actor });
  if (!confirms(input.confirm, email)) throw new Problem('bad_request', deletionTexts.wrong);
  if (!(await signedInSince({ actor, minutes: freshMinutes }))) {
    throw new Problem('sign_in_again', deletionTexts.again);
  }
  const { userId } = actor;
  await transaction(async (tx) => {
    // In the order of a sign-in, which locks its row before the person: the other way round the two could wait for each other.
    await voidSignIns(tx, email);
    if ((await markDeleted(tx, userId)) === 0) throw signInFirst();
    await endAllSessions(tx, userId);
    await dropOffers(tx, userId);
    await stopAllOf(tx, userId);
    await enqueue(SEND_DELETION_MAIL, { userId }, { tx });
  });
  log.info({ userId }, 'a person deleted their account');
}

/** Confirms a deletion by mail, unless the account was restored meanwhile. @throws MailError. */
export async function sendDeletionMail({ userId }: { userId: string }): Promise<void> {
  const account = await deletedAccount(database(), userId, restoreDays);
  if (!account) return;
  const mail = deletionMail({
    brand: site.name,
    until: dayOf(account.erased_from),
    link: `${config().publicUrl}/sign-in`,
  });
  await sendMail({ to: { address: account.email }, ...mail });
}

/** What a page may say of the deleted account that this browser was offered; null without an offer. */
export interface Offer {
  deletedOn: string;
  erasedOn: string;
}

async function offered(
  db: Database,
  cookieHeader: string | null | undefined,
): Promise<DeletedAccount | null> {
  const token = readCookie(cookieHeader, 'restore');
  return looksLikeToken(token) ? offeredAccount(db, keyedHash('restore', token), restoreDays) : null;
}

const offerOf = (account: DeletedAccount): Offer => ({
  deletedOn: dayOf(account.deleted_at),
  erasedOn: dayOf(account.erased_from),
});

/**
 * The same, with the account held until the transaction ends: the offer is read again once nobody else decides, since
 * restoring and declining both take away every offer.
 */
async function heldOffer(
  tx: Database,
  cookieHeader: string | null | undefined,
): Promise<DeletedAccount | null> {
  const account = await offered(tx, cookieHeader);
  if (!account) return null;
  await lockUser(tx, account.user_id);
  return offered(tx, cookieHeader);
}

/** The offer to restore that this Cookie header holds, or null. */
export async function readOffer(cookieHeader: string | null | undefined): Promise<Offer | null> {
  const account = await offered(database(), cookieHeader);
  return account && offerOf(account);
}

/** The Set-Cookie line that takes the offer from the browser. */
export function clearedOfferCookie(): string {
  return cookieLine('restore', '', 0);
}

/**
 * Takes the offer up: the account is as it was, and a session begins.
 * @returns the session's Set-Cookie line; null without an open offer, or when the account is erased by now.
 */
export function restoreAccount(browser: {
  cookieHeader: string | null;
  userAgent: string;
}): Promise<string | null> {
  return transaction(async (tx) => {
    const account = await heldOffer(tx, browser.cookieHeader);
    if (!account) return null;
    const userId = account.user_id;
    await restoreUser(tx, userId);
    await dropOffers(tx, userId);
    // One that was opened while the deletion was being committed must not come alive again.
    await endAllSessions(tx, userId);
    const { cookie, sessionId } = await startSession(tx, { userId, ...browser });
    log.info({ userId, sessionId }, 'a person restored their account');
    return cookie;
  });
}

/** Declines the offer. @returns false without an open one, also when the account was restored or erased meanwhile. */
export function declineOffer(cookieHeader: string | null): Promise<boolean> {
  return transaction(async (tx) => {
    const account = await heldOffer(tx, cookieHeader);
    if (account) await dropOffers(tx, account.user_id);
    return account !== null;
  });
}

/** Ids of at most `limit` people whose 30 days are over, the longest deleted first, those of `except` left out. */
export function peopleToErase(limit: number, except: string[]): Promise<string[]> {
  return dueForErasure(database(), { days: restoreDays, limit, except });
}

/** Erases the account itself, last of all that is a person's. Its row stays as a tombstone. */
export function erasePerson(tx: Database, userId: string): Promise<void> {
  return eraseAccount(tx, userId);
}

/** Locks a person until the transaction ends; false when they were restored or erased meanwhile. */
export async function isDue(tx: Database, userId: string): Promise<boolean> {
  // As a sign-in does: its own row before the person.
  await lockSignIns(tx, userId);
  return lockDue(tx, userId, restoreDays);
}
