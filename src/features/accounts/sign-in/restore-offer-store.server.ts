import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';

export async function insertRestoreOffer(
  tx: Database,
  offer: { tokenHash: Buffer; userId: string; minutes: number },
): Promise<void> {
  await tx.run(sql`
    insert into restore_offers (token_hash, user_id, expires_at)
    values (${offer.tokenHash}, ${offer.userId}, app_now() + ${offer.minutes}::int * interval '1 minute')`);
}

export function deleteOldOffers(db: Database): Promise<number> {
  return db.run(sql`delete from restore_offers where expires_at <= app_now()`);
}
