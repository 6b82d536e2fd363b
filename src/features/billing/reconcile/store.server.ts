import type { Database } from '../../../platform/database/database.server.ts';
import { sql } from '../../../platform/database/sql.server.ts';

/** Days after its end at which a plan is read for the last time: the provider may give money back for 60 (its terms). */
const AFTER_DAYS = 70;

/**
 * The provider's ids of the subscriptions that may still change, those read longest ago first; not those that were read
 * since `startedAt`.
 */
export function livingSubscriptions(
  db: Database,
  { provider, startedAt, limit }: { provider: string; startedAt: Date; limit: number },
): Promise<Array<{ external_id: string }>> {
  return db.rows(sql`
    select external_id from subscriptions
     where provider = ${provider} and (reconciled_at is null or reconciled_at < ${startedAt})
       and (status not in ('canceled', 'expired')
            or reconciled_at is null
            or reconciled_at < greatest(access_until, period_end, version_at) + ${AFTER_DAYS}::int * interval '1 day')
     order by reconciled_at nulls first, id limit ${limit}`);
}

/** The clock that decides. */
export async function clock(db: Database): Promise<Date> {
  const row = await db.row<{ now: Date }>(sql`select app_now() as now`);
  if (!row) throw new Error('The clock answered no row.');
  return row.now;
}

/** Puts a subscription behind the others where it could not be read. */
export async function markTried(db: Database, provider: string, externalId: string): Promise<void> {
  await db.run(sql`
    update subscriptions set reconciled_at = app_now() where provider = ${provider} and external_id = ${externalId}`);
}

export interface OpenCheckout {
  id: string;
  external_id: string;
}

/**
 * Checkouts that the provider knows and whose end is not known here, the newest first: of one person, or with null of
 * all; those that are older than `after`, or with null the first.
 */
export function openCheckouts(
  db: Database,
  {
    provider,
    userId,
    after,
    limit,
  }: { provider: string; userId: string | null; after: string | null; limit: number },
): Promise<OpenCheckout[]> {
  return db.rows<OpenCheckout>(sql`
    select c.id, c.external_id from checkouts c
     where c.provider = ${provider} and c.external_id is not null
       and (${userId}::uuid is null or c.user_id = ${userId})
       and (${after}::uuid is null
            or (c.created_at, c.id) < (select a.created_at, a.id from checkouts a where a.id = ${after}))
       and (c.state = 'open'
            or (c.state = 'completed' and not exists (select 1 from subscriptions s where s.checkout_id = c.id)))
     order by c.created_at desc, c.id desc limit ${limit}`);
}

export interface OwnSubscription {
  external_id: string;
  customer_id: string;
}

/** Every subscription of a person. */
export function subscriptionsOf(
  db: Database,
  { provider, userId }: { provider: string; userId: string },
): Promise<OwnSubscription[]> {
  return db.rows<OwnSubscription>(sql`
    select external_id, customer_id from subscriptions where provider = ${provider} and user_id = ${userId}
     order by created_at desc`);
}

/** What deleted accounts would still be charged for. */
export function subscriptionsOfDeleted(
  db: Database,
  provider: string,
): Promise<Array<{ external_id: string; user_id: string; status: string }>> {
  return db.rows(sql`
    select s.external_id, s.user_id, s.status from subscriptions s join users u on u.id = s.user_id
     where s.provider = ${provider} and u.deleted_at is not null
       and s.status not in ('scheduled_cancel', 'canceled', 'expired', 'incomplete')
     order by s.version_at limit 100`);
}
