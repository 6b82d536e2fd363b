import { createHmac, randomBytes } from 'node:crypto';
import { v7 as uuid } from 'uuid';
import { type Database, database } from '../../../platform/database/database.server.ts';
import type { UserActor } from '../../../platform/http/actor.server.ts';
import { Problem, signInFirst } from '../../../platform/http/problem.server.ts';
import { planLimits } from '../../credits/contract.ts';
import { grantWelcome } from '../../credits/service.server.ts';
import { type Me, signInTexts } from '../contract.ts';
import { claimWelcome, insertUser, instanceValue, profileOf, userOfEmail } from './store.server.ts';

/**
 * One name for the ways to write one mailbox: tags after a plus are cut; Gmail ignores dots and has two domains
 * (support.google.com/mail/answer/7436150). Takes an address of `emailAddress`.
 */
export function canonicalMailbox(email: string): string {
  const at = email.lastIndexOf('@');
  const domain = email.slice(at + 1);
  const untagged = email.slice(0, at).split('+')[0] || email.slice(0, at);
  if (domain !== 'gmail.com' && domain !== 'googlemail.com') return `${untagged}@${domain}`;
  return `${untagged.replaceAll('.', '') || untagged}@gmail.com`;
}

/** The person behind an address, unreadable; the key lives in the database, so it outlasts AUTH_SECRET. */
async function identityKey(tx: Database, email: string): Promise<Buffer> {
  const pepper = await instanceValue(tx, 'identity_pepper', randomBytes(32).toString('base64url'));
  return createHmac('sha256', Buffer.from(pepper, 'base64url')).update(canonicalMailbox(email)).digest();
}

/**
 * The account of an address that its owner has just proven; made on the first sign-in, with the welcome credits
 * once a person. Sign-ins at the same moment make one account.
 * @throws Problem forbidden when the account was deleted.
 */
export async function userOfProvenEmail(
  tx: Database,
  email: string,
): Promise<{ userId: string; fresh: boolean }> {
  const id = uuid();
  const name = email.slice(0, email.lastIndexOf('@'));
  if (await insertUser(tx, { id, email, name })) {
    if (await claimWelcome(tx, await identityKey(tx, email), id)) await grantWelcome(tx, id);
    return { userId: id, fresh: true };
  }
  const user = await userOfEmail(tx, email);
  if (!user) throw new Error('An account vanished during a sign-in.');
  if (user.deleted) throw new Problem('forbidden', signInTexts.deleted);
  return { userId: user.id, fresh: false };
}

/** What the actor may know of their account. @throws Problem unauthorized when it was deleted meanwhile. */
export async function me({ actor }: { actor: Pick<UserActor, 'userId'> }): Promise<Me> {
  const profile = await profileOf(database(), actor.userId);
  if (!profile) throw signInFirst();
  const { chatsPerDay } = planLimits[profile.plan];
  return {
    id: profile.id,
    email: profile.email,
    name: profile.name,
    avatarUrl: profile.avatar_url,
    plan: profile.plan,
    credits: profile.credits,
    chatsLeftToday: chatsPerDay === null ? null : Math.max(0, chatsPerDay - profile.chats_today),
  };
}
