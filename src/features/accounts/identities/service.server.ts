import { site } from '../../../../content/site.ts';
import { config } from '../../../platform/config/config.server.ts';
import { type Database, database } from '../../../platform/database/database.server.ts';
import type { UserActor } from '../../../platform/http/actor.server.ts';
import { notFound } from '../../../platform/http/problem.server.ts';
import { enqueue } from '../../../platform/jobs/jobs.server.ts';
import { log, maskEmail } from '../../../platform/log/log.server.ts';
import { sendMail } from '../../../platform/mail/mail.server.ts';
import { type ProviderName, providerNames } from '../contract.ts';
import { type ProvenPerson, userOfProvenEmail, type Vouched } from '../users/service.server.ts';
import { providerLabels } from './contract.ts';
import { linkedMail } from './linked.mail.tsx';
import {
  addIdentity,
  addressOf,
  deleteIdentity,
  hasIdentity,
  lockIdentity,
  touchIdentity,
  userOfIdentity,
} from './store.server.ts';

/** Name of the job that tells a person that a provider was linked; its data is `{ userId, provider }`. */
export const SEND_LINKED_MAIL = 'send-linked-mail';

/** Why an account at a provider, whose address is verified there, does not let anybody in. */
export type LinkRefusalReason =
  /** Its person's account here is deleted and has another address. */
  | 'account_deleted'
  /** The account of its address is linked to another account at the same provider. */
  | 'account_not_linked';

/** Thrown so that the transaction of the sign-in leaves nothing behind. */
export class LinkRefusal extends Error {
  override readonly name = 'LinkRefusal';
  readonly reason: LinkRefusalReason;
  constructor(reason: LinkRefusalReason) {
    super(`A sign-in with a provider was refused: ${reason}.`);
    this.reason = reason;
  }
}

/**
 * The person of an account at a provider: known by provider and subject, else by the verified address, which links
 * the two, else new. An account that was deleted is linked to nothing until it is restored.
 * @throws LinkRefusal
 */
export async function personOf(
  tx: Database,
  { provider, subject, email, name }: Vouched & { email: string },
): Promise<ProvenPerson> {
  await lockIdentity(tx, provider, subject);
  const known = await userOfIdentity(tx, provider, subject);
  if (known) {
    // Whoever holds an old account there has not shown that the mailbox is theirs, and could undo the deletion.
    if (known.deleted && known.email !== email) throw new LinkRefusal('account_deleted');
    if (!known.deleted) await touchIdentity(tx, provider, subject);
    return { userId: known.id, deleted: known.deleted, fresh: false };
  }
  const person = await userOfProvenEmail(tx, email, { provider, subject, name });
  const { userId, deleted, fresh } = person;
  const free = deleted
    ? !(await hasIdentity(tx, provider, userId))
    : await addIdentity(tx, { provider, subject, userId });
  if (!free) throw new LinkRefusal('account_not_linked');
  if (!deleted && !fresh) {
    await enqueue(SEND_LINKED_MAIL, { userId, provider }, { tx });
    log.info({ userId, provider, address: maskEmail(email) }, 'a provider was linked to an account');
  }
  return person;
}

/** Tells a person by mail that a provider was linked, unless the account was deleted meanwhile. @throws MailError. */
export async function sendLinkedMail({
  userId,
  provider,
}: {
  userId: string;
  provider: ProviderName;
}): Promise<void> {
  const address = await addressOf(database(), userId);
  if (address === null) return;
  const link = `${config().publicUrl}/settings`;
  await sendMail({
    to: { address },
    ...linkedMail({ brand: site.name, provider: providerLabels[provider], link }),
  });
}

/** Takes a provider from the actor's account: it lets nobody in until it is linked anew. @throws Problem not_found. */
export async function removeIdentity({
  actor,
  input,
}: {
  actor: UserActor;
  input: { provider: string };
}): Promise<void> {
  const { userId } = actor;
  const provider = providerNames.find((name) => name === input.provider);
  if (!provider || (await deleteIdentity(database(), userId, provider)) === 0) throw notFound();
  log.info({ userId, provider }, 'a provider was taken from an account');
}
