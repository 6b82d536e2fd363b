import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import type { PushSubscription } from '#platform/web-push/push-subscription.server.ts';

/** @returns false if the session has ended. */
export async function lockSession(tx: Database, sessionId: string): Promise<boolean> {
  return (await tx.row(sql`select 1 from sessions where id = ${sessionId} for update`)) !== null;
}

interface NewSubscription extends PushSubscription {
  sessionId: string;
  vapidKey: string;
  language: string;
}

/** A browser has one subscription: this session takes over that of an earlier session. */
export async function upsertSubscription(tx: Database, subscription: NewSubscription): Promise<void> {
  const { sessionId, endpoint, p256dh, auth, vapidKey, language } = subscription;
  await tx.run(
    sql`delete from push_subscriptions where session_id = ${sessionId} and endpoint <> ${endpoint}`,
  );
  await tx.run(sql`
    insert into push_subscriptions (session_id, endpoint, p256dh, auth, vapid_key, language)
    values (${sessionId}, ${endpoint}, ${p256dh}, ${auth}, ${vapidKey}, ${language})
    on conflict (endpoint) do update set
      session_id = excluded.session_id, p256dh = excluded.p256dh, auth = excluded.auth,
      vapid_key = excluded.vapid_key, language = excluded.language, created_at = excluded.created_at`);
}

/** Deletes the oldest ones. */
export async function deleteOldest(tx: Database, userId: string, most: number): Promise<void> {
  await tx.run(sql`
    delete from push_subscriptions where session_id in (
      select p.session_id from push_subscriptions p join sessions s on s.id = p.session_id
       where s.user_id = ${userId} order by p.created_at desc, p.session_id desc offset ${most}::int)`);
}

export async function isSubscribed(db: Database, sessionId: string, vapidKey: string): Promise<boolean> {
  const row = await db.row(sql`
    select 1 from push_subscriptions where session_id = ${sessionId} and vapid_key = ${vapidKey}`);
  return row !== null;
}

export function deleteSubscription(db: Database, sessionId: string, endpoint?: string): Promise<number> {
  return db.run(sql`
    delete from push_subscriptions
     where session_id = ${sessionId} and (${endpoint ?? null}::text is null or endpoint = ${endpoint ?? null})`);
}

/** Ids of the subscribed sessions by user id. */
export async function subscribedSessions(
  db: Database,
  userIds: string[],
  vapidKey: string,
): Promise<Map<string, string[]>> {
  const rows = await db.rows<{ user_id: string; session_ids: string[] }>(sql`
    select s.user_id, array_agg(s.id) as session_ids
      from push_subscriptions p join sessions s on s.id = p.session_id
     where s.user_id = any(${userIds}::uuid[]) and s.expires_at > app_now() and p.vapid_key = ${vapidKey}
     group by s.user_id`);
  return new Map(rows.map(({ user_id, session_ids }) => [user_id, session_ids]));
}

/** Null once its session has ended. */
export function liveSubscription(
  db: Database,
  sessionId: string,
  vapidKey: string,
): Promise<(PushSubscription & { language: string }) | null> {
  return db.row(sql`
    select p.endpoint, p.p256dh, p.auth, coalesce(u.language, p.language) as language
      from push_subscriptions p join sessions s on s.id = p.session_id
      join users u on u.id = s.user_id and u.deleted_at is null and u.banned_at is null
     where p.session_id = ${sessionId} and p.vapid_key = ${vapidKey} and s.expires_at > app_now()`);
}

export function findSubscriptions(
  db: Database,
  userId: string,
): Promise<Array<{ session_id: string; endpoint: string; language: string; created_at: Date }>> {
  return db.rows(sql`
    select p.session_id, p.endpoint, p.language, p.created_at
      from push_subscriptions p join sessions s on s.id = p.session_id
     where s.user_id = ${userId} order by p.created_at`);
}
