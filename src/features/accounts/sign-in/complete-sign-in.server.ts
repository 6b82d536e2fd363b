import { type Database, database } from '#platform/database/database.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import { log } from '#platform/log.server.ts';
import { cookieLine } from '../cookies.server.ts';
import { deleteExpiredRestoreOffers, insertRestoreOffer } from '../deletion/deletion-store.server.ts';
import { startSession } from '../sessions/sessions.server.ts';
import { keyedHash, newToken } from '../tokens.server.ts';
import { bannedText } from '../users/account-ban.server.ts';
import type { AuthenticatedUser } from '../users/users.server.ts';

const MINUTES = 15;

export interface Browser {
  address: string;
  userAgent: string;
  cookieHeader: string | null | undefined;
}

/** `deleted`: with this cookie, the page /restore offers to restore the account. */
export type SignInResult =
  | { kind: 'signed-in'; userId: string; cookie: string; next: string | null }
  | { kind: 'deleted'; cookie: string; next: string | null };

/** @throws Problem for banned users, for whom nothing is stored. */
export async function completeSignIn(
  tx: Database,
  { userId, deleted, banned, fresh }: AuthenticatedUser,
  { cookieHeader, userAgent }: Browser,
  next: string | null,
): Promise<SignInResult> {
  if (banned) throw new Problem('forbidden', bannedText());
  if (deleted) {
    const token = newToken();
    await insertRestoreOffer(tx, { tokenHash: keyedHash('restore', token), userId, minutes: MINUTES });
    log.info({ userId }, 'a person came back to a deleted account');
    return { kind: 'deleted', cookie: cookieLine('restore', token, MINUTES * 60), next };
  }
  const { sessionId, cookie } = await startSession(tx, { userId, userAgent, cookieHeader });
  log.info({ userId, sessionId, fresh }, 'a person signed in');
  return { kind: 'signed-in', userId, cookie, next };
}

export function sweepRestoreOffers(): Promise<number> {
  return deleteExpiredRestoreOffers(database());
}
