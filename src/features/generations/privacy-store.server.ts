import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import type { FinishReason, GenerationState } from './contract.ts';

/** Skips runs that are being closed: closing waits for the user's row, which the caller may have locked. */
export async function requestStops(tx: Database, userId: string): Promise<string[]> {
  const rows = await tx.rows<{ id: string }>(sql`
    with open as (
      select id from generations where user_id = ${userId} and state in ('queued', 'running') for no key update skip locked)
    update generations g set stop_requested_at = app_now() from open where g.id = open.id returning g.id`);
  return rows.map(({ id }) => id);
}

export async function hasOpenRuns(db: Database, userId: string): Promise<boolean> {
  const row = await db.row(
    sql`select 1 from generations where user_id = ${userId} and state in ('queued', 'running') limit 1`,
  );
  return row !== null;
}

/** Erases what the runs contain; their charges and times stay. */
export async function eraseRuns(tx: Database, userId: string): Promise<void> {
  await tx.run(sql`
    delete from generation_chunks c using generations g where g.id = c.generation_id and g.user_id = ${userId}`);
  await tx.run(sql`
    delete from thinking t using generations g where g.id = t.generation_id and g.user_id = ${userId}`);
  await tx.run(sql`
    update generations set input = '{}', text = '', result = null, error_message = null, idempotency_key = id::text,
           request_hash = ''
     where user_id = ${userId}`);
}

export interface RunRow {
  id: string;
  feature: string;
  state: GenerationState;
  credits_charged: number;
  finish_reason: FinishReason | null;
  error_code: string | null;
  error_message: string | null;
  created_at: Date;
  finished_at: Date | null;
  text: string | null;
  thinking: string | null;
  result: unknown;
}

export function runsAfter(
  db: Database,
  userId: string,
  { after, limit, textless }: { after: string | null; limit: number; textless: readonly string[] },
): Promise<RunRow[]> {
  return db.rows<RunRow>(sql`
    select id, feature, state, credits_charged, finish_reason, error_code, error_message, created_at, finished_at,
           case when feature = any(${textless}::text[]) then null else text end as text, result,
           case when feature = any(${textless}::text[]) then null
                else (select t.text from thinking t where t.generation_id = generations.id) end as thinking
      from generations where user_id = ${userId} and (${after}::uuid is null or id > ${after}::uuid)
     order by id limit ${limit}`);
}
