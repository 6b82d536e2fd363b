import type { Database } from './database/database.server.ts';
import { sql } from './database/sql.server.ts';

export interface RecordedAction {
  /** An address in ADMIN_EMAILS, or the system user who ran a command. */
  operator: string;
  operatorId?: string | null;
  action: string;
  /** The user whom the action concerns. */
  userId?: string | null;
  reason?: string;
  details?: object;
  /** Idempotency key of the button press. */
  press?: string | null;
}

/**
 * Call it in the transaction that acts; with a `press` before acting, because a repeated press waits here for the
 * first one, gets null and must not act.
 * @returns the number of the entry, or null if the press is already recorded.
 */
export async function recordAction(tx: Database, act: RecordedAction): Promise<number | null> {
  const row = await tx.row<{ id: number }>(sql`
    insert into operator_actions (operator, operator_id, action, user_id, reason, details, press)
    values (${act.operator}, ${act.operatorId ?? null}, ${act.action}, ${act.userId ?? null}, ${act.reason ?? ''},
            ${JSON.stringify(act.details ?? {})}::jsonb, ${act.press ?? null})
    on conflict (press) do nothing returning id`);
  return row?.id ?? null;
}

export const pressWasRecorded = async (db: Database, press: string): Promise<boolean> =>
  (await db.row(sql`select 1 from operator_actions where press = ${press}::uuid`)) !== null;
