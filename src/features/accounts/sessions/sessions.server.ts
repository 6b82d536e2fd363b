import { v7 as uuid, validate } from 'uuid';
import { batchedRead } from '#platform/database/batched-read.server.ts';
import { type Database, database } from '#platform/database/database.server.ts';
import type { Actor, ActorInput, UserActor } from '#platform/http/actor.server.ts';
import { notFound } from '#platform/http/problem.server.ts';
import type { SessionRow } from '../contract.ts';
import { cookieLine, readCookie } from '../cookies.server.ts';
import { keyedHash, looksLikeToken, newToken } from '../tokens.server.ts';
import {
  deleteExpiredSessions,
  deleteOtherSessions,
  deleteSession,
  deleteSessionOfToken,
  findSessionOwner,
  findSessions,
  insertSession,
  liveSessions,
  touchSession,
  wasJustExtended,
} from './session-store.server.ts';

/** Since the last use. */
const DAYS = 30;
/** Since the start, however often the session is used. */
const MAX_DAYS = 180;
const guest: Actor = { kind: 'guest' };

function sessionCookie(token: string): string {
  return cookieLine('session', token, DAYS * 24 * 3600);
}

export function clearSessionCookie(): string {
  return cookieLine('session', '', 0);
}

function readToken(cookieHeader: string | null | undefined): string | null {
  const token = readCookie(cookieHeader, 'session');
  return looksLikeToken(token) ? token : null;
}

const liveSession = batchedRead(
  (tokenHash: Buffer) => tokenHash.toString('hex'),
  (tokenHashes) => liveSessions(database(), tokenHashes),
);

export async function readSession(cookieHeader: string | null | undefined): Promise<Actor> {
  const token = readToken(cookieHeader);
  if (token === null) return guest;
  const session = await liveSession(keyedHash('session', token));
  if (!session) return guest;
  if (session.stale) await touchSession(database(), session.id, DAYS, MAX_DAYS);
  return { kind: 'user', userId: session.user_id, sessionId: session.id, language: session.language };
}

/** The email address is verified: every account has one. `minutes`: whole minutes since the session started. */
export function signedInAs({
  actor,
}: {
  actor: UserActor;
}): Promise<{ email: string; minutes: number } | null> {
  return findSessionOwner(database(), actor.sessionId);
}

/** Renews the cookie of a session whose expiry has just been extended; otherwise null. */
export async function renewedSessionCookie(
  actor: UserActor,
  cookieHeader: string | undefined,
): Promise<string | null> {
  const token = readToken(cookieHeader);
  return token !== null && (await wasJustExtended(database(), actor.sessionId)) ? sessionCookie(token) : null;
}

/** Ends the session that the browser had before, so that a planted cookie is worthless. */
export async function startSession(
  tx: Database,
  {
    userId,
    userAgent,
    cookieHeader,
  }: { userId: string; userAgent: string; cookieHeader: string | null | undefined },
): Promise<{ sessionId: string; cookie: string }> {
  const previousToken = readToken(cookieHeader);
  if (previousToken !== null) await deleteSessionOfToken(tx, keyedHash('session', previousToken));
  const token = newToken();
  const id = uuid();
  const tokenHash = keyedHash('session', token);
  await insertSession(tx, { id, tokenHash, userId, userAgent: userAgent.slice(0, 300), days: DAYS });
  return { sessionId: id, cookie: sessionCookie(token) };
}

export async function signOut(cookieHeader: string | null | undefined): Promise<void> {
  const token = readToken(cookieHeader);
  if (token !== null) await deleteSessionOfToken(database(), keyedHash('session', token));
}

export async function listSessions({ actor }: { actor: UserActor }): Promise<SessionRow[]> {
  const rows = await findSessions(database(), actor.userId);
  return rows.map((row) => ({
    id: row.id,
    createdAt: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
    userAgent: row.user_agent,
    current: row.id === actor.sessionId,
  }));
}

export async function endSession({ actor, input }: ActorInput<{ id: string }>): Promise<void> {
  if (!validate(input.id) || (await deleteSession(database(), actor.userId, input.id)) === 0)
    throw notFound();
}

export function endOtherSessions({ actor }: { actor: UserActor }): Promise<number> {
  return deleteOtherSessions(database(), actor.userId, actor.sessionId);
}

export function sweepSessions(): Promise<number> {
  return deleteExpiredSessions(database());
}
