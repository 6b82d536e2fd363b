import { createHmac, randomBytes } from 'node:crypto';
import { v7 as uuid } from 'uuid';
import { type Database, database } from '../../../platform/database/database.server.ts';
import type { UserActor } from '../../../platform/http/actor.server.ts';
import { signInFirst } from '../../../platform/http/problem.server.ts';
import { planLimits } from '../../credits/contract.ts';
import { grantWelcome } from '../../credits/service.server.ts';
import type { Me, ProviderName } from '../contract.ts';
import { cleanName } from './contract.ts';
import {
  claimWelcome,
  hasAccountOf,
  insertUser,
  instanceValue,
  profileOf,
  userOfEmail,
} from './store.server.ts';

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

/**
 * Notes that a mailbox or provider's account, each unreadable, belongs to this person. The key of the hash lives in
 * the database, so it outlasts AUTH_SECRET. @returns false when any of them had the welcome credits before.
 */
async function claimIdentities(tx: Database, identities: string[], userId: string): Promise<boolean> {
  const pepper = await instanceValue(tx, 'identity_pepper', randomBytes(32).toString('base64url'));
  const key = Buffer.from(pepper, 'base64url');
  let first = true;
  for (const identity of identities) {
    const claimed = await claimWelcome(tx, createHmac('sha256', key).update(identity).digest(), userId);
    first &&= claimed;
  }
  return first;
}

/** An account at a provider that vouches for an address; `name` as the provider has it. */
export interface Vouched {
  provider: ProviderName;
  subject: string;
  name: string | null;
}

/** Who a sign-in has proven; `fresh`: the account is new. A deleted account can still be restored. */
export interface ProvenPerson {
  userId: string;
  deleted: boolean;
  fresh: boolean;
}

/**
 * The account of an address that its owner has just proven, by a mail or by a provider's word; made on the first
 * sign-in, with the welcome credits once a person: neither mailbox nor provider's account had them before, deleted
 * accounts included. Sign-ins at the same moment make one account.
 */
export async function userOfProvenEmail(
  tx: Database,
  email: string,
  vouched: Vouched | null = null,
): Promise<ProvenPerson> {
  const id = uuid();
  const name = cleanName(vouched?.name) ?? email.slice(0, email.lastIndexOf('@'));
  const account = vouched ? [`${vouched.provider}:${vouched.subject}`] : [];
  // Twice: the account of the address may be erased between the two statements, and then a new one begins.
  for (let tries = 0; tries < 2; tries++) {
    if (await insertUser(tx, { id, email, name, provider: vouched?.provider ?? 'email' })) {
      if (await claimIdentities(tx, [canonicalMailbox(email), ...account], id)) await grantWelcome(tx, id);
      return { userId: id, fresh: true, deleted: false };
    }
    const user = await userOfEmail(tx, email);
    if (!user) continue;
    await claimIdentities(tx, account, user.id);
    return { userId: user.id, fresh: false, deleted: user.deleted };
  }
  throw new Error('An account vanished during a sign-in.');
}

/** Whether an address has an account, a deleted one that can be restored included. */
export const hasAccount = (email: string): Promise<boolean> => hasAccountOf(database(), email);

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
    welcomed: profile.welcomed,
  };
}
