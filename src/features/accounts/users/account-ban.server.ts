import { m } from '#messages';
import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import { setting } from '#shared/settings.ts';
import { revokeKeysOf } from '../api-keys/api-keys-store.server.ts';
import { deleteRestoreOffers } from '../deletion/deletion-store.server.ts';
import { deleteSessionsOf } from '../sessions/session-store.server.ts';

export const bannedText = (): string => m.account_banned({ email: setting('contact.email') });

/** Locks the user first, like an admission and a sign-in. @returns whether anything changed. */
export async function banAccount(tx: Database, userId: string): Promise<boolean> {
  const changed = await tx.run(sql`
    update users set banned_at = app_now() where id = ${userId} and banned_at is null and erased_at is null`);
  if (changed === 0) return false;
  await deleteSessionsOf(tx, userId);
  await deleteRestoreOffers(tx, userId);
  await revokeKeysOf(tx, userId);
  return true;
}

export async function unbanAccount(tx: Database, userId: string): Promise<boolean> {
  return (
    (await tx.run(sql`update users set banned_at = null where id = ${userId} and banned_at is not null`)) > 0
  );
}
