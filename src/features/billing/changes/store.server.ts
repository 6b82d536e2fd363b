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

/** The subscription that gives Pro, else the newest of a person. */
export function mainSubscription(db: Database, userId: string): Promise<OwnSubscription | null> {
  return db.row<OwnSubscription>(sql`
    select provider, external_id, customer_id from subscriptions where user_id = ${userId}
     order by coalesce(access_until > app_now(), false) desc, created_at desc limit 1`);
}
