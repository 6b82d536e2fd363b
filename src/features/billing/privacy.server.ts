import { type Database, database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';

/**
 * Clears columns that hold an address or a name: of events (also unmatched ones that contain the user's id) and mails.
 * Subscriptions, payments, refunds and operator actions stay with the tombstone, as bookkeeping requires.
 */
export async function erasePerson(tx: Database, userId: string): Promise<void> {
  await tx.run(sql`
    update billing_events set payload = null where payload is not null
       and (user_id = ${userId} or subscription_id in (select id from subscriptions where user_id = ${userId})
         or (user_id is null and strpos(payload::text, ${userId}::text) > 0))`);
  await tx.run(sql`update billing_mails set facts = '{}' where user_id = ${userId}`);
  await tx.run(sql`update checkouts set url = null where user_id = ${userId}`);
}

export function eraseLateEvents(): Promise<number> {
  return database().run(sql`
    update billing_events e set payload = null from users u
     where u.id = e.user_id and u.erased_at is not null and e.payload is not null
       and e.outcome in ('applied', 'ignored')`);
}
