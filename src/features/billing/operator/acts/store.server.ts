import type { Database } from '../../../../platform/database/database.server.ts';
import { sql } from '../../../../platform/database/sql.server.ts';

/** Notes what the operator does, in the transaction of it. */
export async function noteAction(
  tx: Database,
  action: { operator: string; action: string; userId: string | null; reason: string; details: object },
): Promise<void> {
  await tx.run(sql`
    insert into operator_actions (operator, action, user_id, reason, details)
    values (${action.operator}, ${action.action}, ${action.userId}, ${action.reason}, ${JSON.stringify(action.details)}::jsonb)`);
}

/** Holds a person until the transaction ends. @returns false for one who is erased. */
export async function lockPerson(tx: Database, userId: string): Promise<boolean> {
  return (
    (await tx.row(sql`select 1 from users where id = ${userId} and erased_at is null for update`)) !== null
  );
}

/** Whether a date lies ahead, by the database's clock. */
export async function isAhead(tx: Database, date: Date): Promise<boolean> {
  return (await tx.row(sql`select 1 where ${date}::timestamptz > app_now()`)) !== null;
}

/** Whether such a grant is in force: the same plan, end and words. */
export async function hasGrant(
  tx: Database,
  grant: { userId: string; plan: string; endsAt: Date | null; reason: string },
): Promise<boolean> {
  const row = await tx.row(sql`
    select 1 from plan_grants
     where user_id = ${grant.userId} and plan = ${grant.plan} and ends_at is not distinct from ${grant.endsAt}::timestamptz
       and cause = ${`operator: ${grant.reason}`} and (ends_at is null or ends_at > app_now())`);
  return row !== null;
}

export interface FoundPayment {
  id: string;
  user_id: string;
  /** The provider's id of its subscription. */
  subscription: string;
  /** Whether it is the one that the subscription's access stands on. */
  newest: boolean;
}

/** A payment by our id or the provider's. */
export function paymentBy(
  db: Database,
  target: { id: string } | { externalId: string },
): Promise<FoundPayment | null> {
  const by = 'id' in target ? sql`p.id = ${target.id}` : sql`p.external_id = ${target.externalId}`;
  return db.row(sql`
    select p.id, p.user_id, s.external_id as subscription, coalesce(t.payment_id = p.id, false) as newest
      from payments p join subscriptions s on s.id = p.subscription_id
      left join subscription_states t on t.subscription_id = s.id where ${by}`);
}
