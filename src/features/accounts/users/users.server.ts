import { createHmac, randomBytes } from 'node:crypto';
import { v7 as uuid } from 'uuid';
import { planLimits } from '#features/credits/contract.ts';
import { grantWelcome } from '#features/credits/service.server.ts';
import { locale } from '#messages';
import { type Database, database } from '#platform/database/database.server.ts';
import { insertInstanceValue, instanceValue } from '#platform/database/instance-values.server.ts';
import type { UserActor } from '#platform/http/actor.server.ts';
import { signInRequired } from '#platform/http/problem.server.ts';
import { canonicalEmail, legacyCanonicalEmail } from '../canonical-email.server.ts';
import type { Me, ProviderName } from '../contract.ts';
import { sanitizeName } from './user-name.ts';
import {
  addressesAfter,
  claimWelcome,
  findProfile,
  findUserByEmail,
  hasAccountOf,
  insertIdentityHashes,
  insertUser,
} from './user-store.server.ts';

/** The key is stored in the database, so that it survives a change of AUTH_SECRET. */
async function identityHash(tx: Database): Promise<(identity: string) => Buffer> {
  const pepper = await instanceValue(tx, 'identity_pepper', randomBytes(32).toString('base64url'));
  const key = Buffer.from(pepper, 'base64url');
  return (identity) => createHmac('sha256', key).update(identity).digest();
}

const canonicalEmails = (email: string) => [...new Set([canonicalEmail(email), legacyCanonicalEmail(email)])];

/**
 * Runs once per database: records known mailboxes by the newest rules too, so that nobody gets the welcome credits
 * again under another spelling. Other sign-ins wait meanwhile.
 */
async function backfillCanonicalEmails(tx: Database, hash: (identity: string) => Buffer): Promise<void> {
  if (!(await insertInstanceValue(tx, 'mailbox_rules_2', 'noted'))) return;
  let last: string | null = null;
  for (;;) {
    const page: Array<{ id: string; email: string }> = await addressesAfter(tx, last);
    const changed = page.filter(({ email }) => canonicalEmails(email).length > 1);
    await insertIdentityHashes(
      tx,
      changed.map(({ id, email }) => ({ userId: id, key: hash(canonicalEmail(email)) })),
    );
    last = page.at(-1)?.id ?? null;
    if (last === null) return;
  }
}

/** @returns false if any of them got the welcome credits before. */
async function claimIdentities(tx: Database, identities: string[], userId: string): Promise<boolean> {
  const hash = await identityHash(tx);
  await backfillCanonicalEmails(tx, hash);
  let isFirst = true;
  for (const identity of identities) {
    const claimed = await claimWelcome(tx, hash(identity), userId);
    isFirst &&= claimed;
  }
  return isFirst;
}

export interface VerifiedIdentity {
  provider: ProviderName;
  subject: string;
  name: string | null;
}

export interface AuthenticatedUser {
  userId: string;
  deleted: boolean;
  banned: boolean;
  fresh: boolean;
}

/**
 * For an address that its owner has just verified. Grants welcome credits once per person: neither the mailbox nor the
 * provider account had them before, deleted accounts included. Concurrent sign-ins create one account.
 */
export async function findOrCreateUserByEmail(
  tx: Database,
  email: string,
  identity: VerifiedIdentity | null = null,
): Promise<AuthenticatedUser> {
  const id = uuid();
  const name = sanitizeName(identity?.name) ?? email.slice(0, email.lastIndexOf('@'));
  const providerIdentity = identity ? [`${identity.provider}:${identity.subject}`] : [];
  // Two tries: the account of the address may be erased between the two statements.
  for (let tries = 0; tries < 2; tries++) {
    if (
      await insertUser(tx, { id, email, name, provider: identity?.provider ?? 'email', language: locale() })
    ) {
      if (await claimIdentities(tx, [...canonicalEmails(email), ...providerIdentity], id))
        await grantWelcome(tx, id);
      return { userId: id, fresh: true, deleted: false, banned: false };
    }
    const user = await findUserByEmail(tx, email);
    if (!user) continue;
    await claimIdentities(tx, providerIdentity, user.id);
    return { userId: user.id, fresh: false, deleted: user.deleted, banned: user.banned };
  }
  throw new Error('An account vanished during a sign-in.');
}

export const hasAccount = (email: string): Promise<boolean> => hasAccountOf(database(), email);

export async function me({ actor }: { actor: Pick<UserActor, 'userId'> }): Promise<Me> {
  const profile = await findProfile(database(), actor.userId);
  if (!profile) throw signInRequired();
  const { chatsPerDay } = planLimits[profile.plan];
  return {
    id: profile.id,
    email: profile.email,
    name: profile.name,
    avatarUrl: profile.avatar_url,
    plan: profile.plan,
    credits: profile.credits,
    chatsLeftToday: chatsPerDay === null ? null : Math.max(0, chatsPerDay - profile.chats_today),
    welcomed: profile.welcomed,
    instructed: profile.instructed,
    chatModel: profile.chat_model,
  };
}
