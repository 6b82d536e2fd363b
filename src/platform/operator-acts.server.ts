import type { Database } from './database/database.server.ts';
import { sql } from './database/sql.server.ts';

export interface OperatorAct {
  /** An address of ADMIN_EMAILS, or the system's user who ran a command. */
  operator: string;
  operatorId?: string | null;
  action: string;
  /** Whom it is about. */
  userId?: string | null;
  reason?: string;
  details?: object;
  /** Of the button that was pressed: it acts once. */
  press?: string | null;
}

/**
 * In the transaction of what it tells of, before it: a press that was recorded waits here for the first and then acts
 * no more. @returns the number of the entry, or null where this press has one.
 */
export async function recordAct(tx: Database, act: OperatorAct): Promise<number | null> {
  const row = await tx.row<{ id: number }>(sql`
    insert into operator_actions (operator, operator_id, action, user_id, reason, details, press)
    values (${act.operator}, ${act.operatorId ?? null}, ${act.action}, ${act.userId ?? null}, ${act.reason ?? ''},
            ${JSON.stringify(act.details ?? {})}::jsonb, ${act.press ?? null})
    on conflict (press) do nothing returning id`);
  return row?.id ?? null;
}

export const pressWasRecorded = async (db: Database, press: string): Promise<boolean> =>
  (await db.row(sql`select 1 from operator_actions where press = ${press}::uuid`)) !== null;
