import { config } from '#platform/config/config.server.ts';
import { type Database, database } from '#platform/database/database.server.ts';
import type { ActorInput } from '#platform/http/actor.server.ts';
import { notFound } from '#platform/http/problem.server.ts';
import { enqueue } from '#platform/job-queue.server.ts';
import { log, maskEmail } from '#platform/log.server.ts';
import { sendMail } from '#platform/mail/send-mail.server.ts';
import { setting } from '#shared/settings.ts';
import { type ProviderName, providerNames } from '../contract.ts';
import {
  type AuthenticatedUser,
  findOrCreateUserByEmail,
  type VerifiedIdentity,
} from '../users/users.server.ts';
import {
  addIdentity,
  deleteIdentity,
  findUserByIdentity,
  findUserEmail,
  hasIdentity,
  lockIdentity,
  touchIdentity,
} from './identity-store.server.ts';
import { providerLabels } from './provider-labels.ts';
import { linkedMail } from './provider-linked.mail.tsx';

export const SEND_LINKED_MAIL = 'send-linked-mail';

export type IdentityLinkErrorReason = 'account_deleted' | 'account_not_linked' | 'account_banned';

export class IdentityLinkError extends Error {
  override readonly name = 'IdentityLinkError';
  readonly reason: IdentityLinkErrorReason;
  constructor(reason: IdentityLinkErrorReason) {
    super(`A sign-in with a provider was refused: ${reason}.`);
    this.reason = reason;
  }
}

/**
 * Finds the user by provider and subject, else by the verified email address, which links the two, else creates one. A
 * deleted account is not linked until it is restored.
 */
export async function findOrCreateUserByProvider(
  tx: Database,
  { provider, subject, email, name }: VerifiedIdentity & { email: string },
): Promise<AuthenticatedUser> {
  await lockIdentity(tx, provider, subject);
  const known = await findUserByIdentity(tx, provider, subject);
  if (known) {
    if (known.banned) throw new IdentityLinkError('account_banned');
    // Holders of an old provider account have not proven that the mailbox is theirs, and could undo the deletion.
    if (known.deleted && known.email !== email) throw new IdentityLinkError('account_deleted');
    if (!known.deleted) await touchIdentity(tx, provider, subject);
    return { userId: known.id, deleted: known.deleted, banned: false, fresh: false };
  }
  const person = await findOrCreateUserByEmail(tx, email, { provider, subject, name });
  const { userId, deleted, banned, fresh } = person;
  if (banned) throw new IdentityLinkError('account_banned');
  const canLink = deleted
    ? !(await hasIdentity(tx, provider, userId))
    : await addIdentity(tx, { provider, subject, userId });
  if (!canLink) throw new IdentityLinkError('account_not_linked');
  if (!deleted && !fresh) {
    await enqueue(SEND_LINKED_MAIL, { userId, provider }, { tx });
    log.info({ userId, provider, address: maskEmail(email) }, 'a provider was linked to an account');
  }
  return person;
}

export async function sendLinkedMail({
  userId,
  provider,
}: {
  userId: string;
  provider: ProviderName;
}): Promise<void> {
  const address = await findUserEmail(database(), userId);
  if (address === null) return;
  const link = `${config().publicUrl}/settings`;
  await sendMail({
    to: { address },
    ...linkedMail({ brand: setting('brand.name'), provider: providerLabels[provider], link }),
  });
}

export async function removeIdentity({ actor, input }: ActorInput<{ provider: string }>): Promise<void> {
  const { userId } = actor;
  const provider = providerNames.find((name) => name === input.provider);
  if (!provider || (await deleteIdentity(database(), userId, provider)) === 0) throw notFound();
  log.info({ userId, provider }, 'a provider was taken from an account');
}
