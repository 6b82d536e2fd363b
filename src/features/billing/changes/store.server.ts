import type { Database } from '../../../platform/database/database.server.ts';
import { sql } from '../../../platform/database/sql.server.ts';

/** A subscription as the provider knows it. */
export interface OwnSubscription {
  provider: string;
  external_id: string;
  customer_id: string;
}

/** A person's own subscription by our id; null for another person's. */
export function ownSubscription(db: Database, userId: string, id: string): Promise<OwnSubscription | null> {
  return db.row<OwnSubscription>(sql`
    select provider, external_id, customer_id from subscriptions where id = ${id} and user_id = ${userId}`);
}

/**
 * The subscription that gives Pro, else the newest of a person; `shared`: the provider knows another person here as the
 * same customer, which whoever pays makes so by typing that person's address.
 */
export function mainSubscription(
  db: Database,
  userId: string,
): Promise<(OwnSubscription & { shared: boolean }) | null> {
  return db.row(sql`
    select s.provider, s.external_id, s.customer_id,
           exists (select 1 from subscriptions o where o.provider = s.provider and o.customer_id = s.customer_id
                                                   and o.user_id <> s.user_id) as shared
      from subscriptions s where s.user_id = ${userId}
     order by coalesce(s.access_until > app_now(), false) desc, s.created_at desc limit 1`);
}
