import { m } from '#messages';
import { config } from '#platform/config/config.server.ts';
import { type Database, database, transaction } from '#platform/database/database.server.ts';
import type { ActorInput } from '#platform/http/actor.server.ts';
import { Problem, signInRequired } from '#platform/http/problem.server.ts';
import { enqueue } from '#platform/job-queue.server.ts';
import { log } from '#platform/log.server.ts';
import { sendMail } from '#platform/mail/send-mail.server.ts';
import { utcDate } from '#shared/format-date.ts';
import { setting } from '#shared/settings.ts';
import { revokeKeysOf } from '../api-keys/api-keys-store.server.ts';
import { cookieLine, readCookie } from '../cookies.server.ts';
import { findUserEmail } from '../identities/identity-store.server.ts';
import { deleteSessionsOf, isYoungerThan } from '../sessions/session-store.server.ts';
import { startSession } from '../sessions/sessions.server.ts';
import { voidOpenSignIns } from '../sign-in/email-sign-in-store.server.ts';
import { keyedHash, looksLikeToken } from '../tokens.server.ts';
import { me } from '../users/users.server.ts';
import { deletionMail } from './account-deleted.mail.tsx';
import { isConfirmed, recentSignInMinutes } from './deletion-contract.ts';
import {
  type DeletedAccount,
  deletedAccount,
  deleteRestoreOffers,
  dueForErasure,
  eraseSoon,
  findAccountByRestoreOffer,
  lockDue,
  lockSignIns,
  lockUser,
  markDeleted,
  restoreUser,
} from './deletion-store.server.ts';

type DeletionHook = (tx: Database, userId: string) => Promise<void>;

const deletionHooks: DeletionHook[] = [];

export const onAccountDeleted = (hook: DeletionHook): void => void deletionHooks.push(hook);

export const SEND_DELETION_MAIL = 'send-deletion-mail';

async function endAccount(tx: Database, userId: string, email: string): Promise<boolean> {
  // Lock in the order of a sign-in, its row before the user: the opposite order could deadlock.
  await voidOpenSignIns(tx, email);
  if ((await markDeleted(tx, userId)) === 0) return false;
  await deleteSessionsOf(tx, userId);
  await deleteRestoreOffers(tx, userId);
  await revokeKeysOf(tx, userId);
  for (const run of deletionHooks) await run(tx, userId);
  return true;
}

/**
 * Deletes an account for an operator. `immediately`: it cannot be restored, and the next sweep erases it once its runs have
 * ended. @returns whether anything changed.
 */
export async function deleteAccountOf(
  tx: Database,
  { userId, immediately }: { userId: string; immediately: boolean },
): Promise<boolean> {
  const email = await findUserEmail(tx, userId);
  const ended = email !== null && (await endAccount(tx, userId, email));
  if (ended && !immediately) await enqueue(SEND_DELETION_MAIL, { userId }, { tx });
  return immediately ? (await eraseSoon(tx, userId)) > 0 : ended;
}

export async function deleteAccount({ actor, input }: ActorInput<{ confirm: string }>): Promise<void> {
  const { email } = await me({ actor });
  if (!isConfirmed(input.confirm, email)) throw new Problem('bad_request', m.delete_wrong_email());
  const { userId, sessionId } = actor;
  if (!(await isYoungerThan(database(), sessionId, recentSignInMinutes)))
    throw new Problem('sign_in_again', m.delete_sign_in_again());
  await transaction(async (tx) => {
    if (!(await endAccount(tx, userId, email))) throw signInRequired();
    await enqueue(SEND_DELETION_MAIL, { userId }, { tx });
  });
  log.info({ userId }, 'a person deleted their account');
}

export async function sendDeletionMail({ userId }: { userId: string }): Promise<void> {
  const account = await deletedAccount(database(), userId);
  if (!account) return;
  const mail = deletionMail({
    brand: setting('brand.name'),
    until: utcDate(account.erased_from),
    link: `${config().publicUrl}/sign-in`,
  });
  await sendMail({ to: { address: account.email }, ...mail });
}

export interface RestoreOffer {
  deletedOn: string;
  erasedOn: string;
}

async function findRestoreOffer(db: Database, cookieHeader: string | null): Promise<DeletedAccount | null> {
  const token = readCookie(cookieHeader, 'restore');
  return looksLikeToken(token) ? findAccountByRestoreOffer(db, keyedHash('restore', token)) : null;
}

/** Reads the offer again under the lock, because restoring and declining both delete every offer. */
async function lockRestoreOffer(tx: Database, cookieHeader: string | null): Promise<DeletedAccount | null> {
  const account = await findRestoreOffer(tx, cookieHeader);
  if (!account) return null;
  await lockUser(tx, account.user_id);
  return findRestoreOffer(tx, cookieHeader);
}

export async function readRestoreOffer(cookieHeader: string | null): Promise<RestoreOffer | null> {
  const account = await findRestoreOffer(database(), cookieHeader);
  return account && { deletedOn: utcDate(account.deleted_at), erasedOn: utcDate(account.erased_from) };
}

export function clearRestoreOfferCookie(): string {
  return cookieLine('restore', '', 0);
}

export function restoreAccount(browser: {
  cookieHeader: string | null;
  userAgent: string;
}): Promise<string | null> {
  return transaction(async (tx) => {
    const account = await lockRestoreOffer(tx, browser.cookieHeader);
    if (!account) return null;
    const userId = account.user_id;
    await restoreUser(tx, userId);
    await deleteRestoreOffers(tx, userId);
    // A session that was created while the deletion was being committed must not become valid again.
    await deleteSessionsOf(tx, userId);
    const { cookie, sessionId } = await startSession(tx, { userId, ...browser });
    log.info({ userId, sessionId }, 'a person restored their account');
    return cookie;
  });
}

export function declineRestoreOffer(cookieHeader: string | null): Promise<boolean> {
  return transaction(async (tx) => {
    const account = await lockRestoreOffer(tx, cookieHeader);
    if (account) await deleteRestoreOffers(tx, account.user_id);
    return account !== null;
  });
}

export function usersDueForErasure(limit: number, except: string[]): Promise<string[]> {
  return dueForErasure(database(), limit, except);
}

export async function lockIfDueForErasure(tx: Database, userId: string): Promise<boolean> {
  // In the order of a sign-in: its row before the user.
  await lockSignIns(tx, userId);
  return lockDue(tx, userId);
}
