import type { Database } from '../../../platform/database/database.server.ts';
import { sql } from '../../../platform/database/sql.server.ts';
import type { ProviderEvent } from '../provider/contract.ts';
import { eventTries } from './contract.ts';

export interface StoredEvent {
  id: number;
  event_id: string;
  type: string;
  payload: unknown;
  outcome: 'received' | 'applied' | 'ignored' | 'failed';
  attempts: number;
}

/**
 * Writes a delivery: an event that is new, or else a row that says that it came again.
 * @returns the row of a new event, null for a duplicate.
 */
export async function insertDelivery(
  db: Database,
  provider: string,
  event: ProviderEvent,
): Promise<number | null> {
  const { id, type, occurredAt, payload } = event;
  const row = await db.row<{ id: number; fresh: boolean }>(sql`
    with fresh as (
      insert into billing_events (provider, event_id, type, occurred_at, payload)
      values (${provider}, ${id}, ${type}, ${occurredAt}, ${JSON.stringify(payload)}::jsonb)
      on conflict (provider, event_id) where reason <> 'duplicate' do nothing returning id),
    again as (
      insert into billing_events (provider, event_id, type, occurred_at, outcome, reason, handled_at)
      select ${provider}, ${id}, ${type}, ${occurredAt}, 'ignored', 'duplicate', app_now()
       where not exists (select 1 from fresh) returning id)
    select id, true as fresh from fresh union all select id, false from again`);
  if (!row) throw new Error('The inbox answered no row.');
  return row.fresh ? row.id : null;
}

/** An event, done or not, whose content is still kept; null when there is none. */
export function eventRow(db: Database, id: number): Promise<StoredEvent | null> {
  return db.row<StoredEvent>(sql`
    select id, event_id, type, payload, outcome, attempts from billing_events where id = ${id} and payload is not null`);
}

/** Notes what became of an event; one that was applied stays so, however often it is applied again. */
export async function settle(
  db: Database,
  id: number,
  done: {
    outcome: 'applied' | 'ignored';
    reason: string;
    userId: string | null;
    subscriptionId: string | null;
  },
): Promise<void> {
  await db.run(sql`
    update billing_events set outcome = ${done.outcome}, reason = ${done.reason}, next_try_at = null,
           user_id = coalesce(${done.userId}::uuid, user_id), subscription_id = coalesce(${done.subscriptionId}::uuid, subscription_id),
           handled_at = app_now(), attempts = attempts + 1
     where id = ${id} and outcome <> 'applied'`);
}

/**
 * Notes that an event could not be applied, and puts its next try off: 15 s, 1 min, 4 min and so on, up to 6 h. After
 * `eventTries` it has none: it stays failed until the operator replays it.
 * @returns whether it is given up.
 */
export async function putOff(db: Database, id: number, reason: string): Promise<boolean> {
  const row = await db.row<{ given_up: boolean }>(sql`
    update billing_events set outcome = 'failed', reason = ${reason}, attempts = attempts + 1,
           next_try_at = case when attempts + 1 < ${eventTries}::int
             then app_now() + least(15 * 4 ^ least(attempts, 8), 21600) * interval '1 second' end
     where id = ${id} and outcome in ('received', 'failed')
    returning next_try_at is null as given_up`);
  return row?.given_up ?? false;
}

/** Events that wait: those whose next try is due, and those that nobody has taken up for so many seconds. */
export async function openEvents(db: Database, seconds: number, limit: number): Promise<number[]> {
  const rows = await db.rows<{ id: number }>(sql`
    select id from billing_events
     where payload is not null
       and ((outcome = 'failed' and next_try_at <= app_now())
            or (outcome = 'received' and created_at <= app_now() - ${seconds}::int * interval '1 second'))
     order by id limit ${limit}`);
  return rows.map(({ id }) => id);
}

/** Stored events after the row `after`, in the order in which they came: one, or those since a time, or the failed. */
export async function storedEvents(
  db: Database,
  which: { eventId: string | null; since: Date | null; failed: boolean; after: number; limit: number },
): Promise<number[]> {
  const rows = await db.rows<{ id: number }>(sql`
    select id from billing_events
     where payload is not null and id > ${which.after}
       and (${which.eventId}::text is null or event_id = ${which.eventId})
       and (${which.since}::timestamptz is null or created_at >= ${which.since})
       and (not ${which.failed}::boolean or outcome = 'failed')
     order by id limit ${which.limit}`);
  return rows.map(({ id }) => id);
}

/** Removes what says only that an event came again, after so many days. @returns how many rows. */
export function pruneDuplicates(db: Database, days: number): Promise<number> {
  return db.run(sql`
    delete from billing_events where reason = 'duplicate' and created_at < app_now() - ${days}::int * interval '1 day'`);
}
