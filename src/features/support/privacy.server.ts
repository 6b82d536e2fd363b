import { type Database, transaction } from '#platform/database/database.server.ts';
import { emailAddress } from '#platform/mail/email-address.server.ts';
import { addressToErase, eraseAddress } from './newsletter/newsletter-privacy-store.server.ts';
import { addressHash } from './newsletter/newsletter-subscription.server.ts';

/** Keeps a consent that was given after the account was deleted. Call it before the address is erased. */
export async function eraseNewsletterData(tx: Database, userId: string): Promise<void> {
  const account = await addressToErase(tx, userId);
  if (!account) return;
  const { email, deletedAt } = account;
  await eraseAddress(tx, { email, addressHash: await addressHash(tx, email), until: deletedAt });
}

export async function forgetAddress(text: string): Promise<boolean> {
  const email = emailAddress(text);
  if (email === null) return false;
  await transaction(async (tx) =>
    eraseAddress(tx, { email, addressHash: await addressHash(tx, email), until: 'infinity' }),
  );
  return true;
}
