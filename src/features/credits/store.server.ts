import type { GenerationState } from '#features/generations/contract.ts';
import type { Database } from '#platform/database/database.server.ts';
import { type Statement, sql } from '#platform/database/sql.server.ts';
import type { ChatModel } from '#shared/chat-models.ts';
import type { Feature, Plan, PlanCause } from './contract.ts';
import type { StoredReason } from './ledger/entry-reason.server.ts';

/** Limits on runs whose credits were returned because of the person's own action, per last hour and per UTC day. */
interface ReleasedCeilings {
  perHour: number;
  perDay: number;
}

export interface AdmissionInput {
  generationId: string;
  feature: Feature;
  units: number;
  /** Idempotency key of the person; `requestHash` detects that another request reuses it. */
  key: string;
  requestHash: Buffer;
  payload: unknown;
  startsChat: boolean | Statement;
  owner: string;
  call: { id: string; model: string } | null;
  /** The person's choice, or by default the operator's first model; null if there is no choice. */
  model: ChatModel | null;
  extraCredits: number;
  /** The API key that starts the run, and the scope that the run needs. */
  byKey: ByKey | null;
}

export interface ByKey {
  id: string;
  scope: string;
}

interface AdmissionRow extends Omit<AdmissionInput, 'model' | 'extraCredits'> {
  userId: string;
  /** For all units, on the free plan. */
  price: number;
  free: boolean;
  counted: boolean;
  chatsPerDay: number;
  runningAtOnce: number;
  fairUse: number | null;
  released: ReleasedCeilings;
}

export type AdmissionOutcome =
  | 'admitted'
  | 'same'
  | 'key_reused'
  | 'no_user'
  | 'no_key'
  | 'key_ceiling'
  | 'plan_required'
  | 'daily_chats'
  | 'daily_fair_use'
  | 'released'
  | 'credits'
  | 'running';

export interface AdmissionResult {
  verdict: AdmissionOutcome;
  generation_id: string;
  state: GenerationState;
  credits: number;
  plan: Plan;
}

export function admissionStatement(row: AdmissionRow): Statement {
  const { byKey } = row;
  const admission = sql`${row.generationId}, ${row.userId}, ${row.feature}, ${row.price}, ${row.units}, ${row.key}, ${row.requestHash},
      ${JSON.stringify(row.payload)}::jsonb, ${row.free}, ${row.counted}, ${row.startsChat}, ${row.chatsPerDay},
      ${row.runningAtOnce}, ${row.fairUse}, ${row.released.perHour}, ${row.released.perDay}, ${row.owner},
      ${row.call?.id ?? null}, ${row.call?.model ?? null}`;
  return byKey
    ? sql`select * from admit_generation_by_key(${byKey.id}, ${byKey.scope}, ${row.price}, ${admission})`
    : sql`select * from admit_generation(${admission})`;
}

export interface ClosingRow {
  id: string;
  epoch: number;
  state: 'done' | 'stopped' | 'failed' | 'interrupted';
  /** Units whose charge is kept; the rest is returned. */
  chargedUnits: number;
  released: boolean;
  text: string;
  result: unknown;
  finishReason: string | null;
  errorCode: string | null;
  errorMessage: string | null;
}

export interface ClosingResult {
  user_id: string;
  charged: number;
  credits: number;
}

/** Yields no row if another writer closed the run. @param takeOver yields the epoch to close, or null, inside it. */
export function closingStatement(row: ClosingRow, takeOver?: Statement): Statement {
  const result = row.result === null ? null : JSON.stringify(row.result);
  const closing = sql`${row.state}, ${row.chargedUnits}, ${row.text}, ${result}::jsonb, ${row.finishReason}, ${row.errorCode}, ${row.errorMessage},
      ${row.released}`;
  return takeOver
    ? sql`
    select c.* from (select ${takeOver} as epoch) taken cross join lateral close_generation(${row.id}, taken.epoch, ${closing}) c
     where taken.epoch is not null`
    : sql`
    select * from close_generation(${row.id}, ${row.epoch}, ${closing})`;
}

export async function insertGrant(
  tx: Database,
  grant: {
    userId: string;
    credits: number;
    source: string;
    externalId: string;
    reason?: string;
    cause?: NonNullable<StoredReason['cause']>;
  },
): Promise<boolean> {
  const cause = grant.cause ? JSON.stringify(grant.cause) : null;
  const added = await tx.run(sql`
    with entry as (
      insert into credit_ledger (user_id, delta, kind, source, external_id, reason, cause)
      values (${grant.userId}, ${grant.credits}, 'grant', ${grant.source}, ${grant.externalId}, ${grant.reason ?? ''},
              ${cause}::jsonb)
      on conflict (source, external_id) do nothing returning user_id, delta)
    update users u set credits = u.credits + entry.delta from entry where u.id = entry.user_id`);
  return added > 0;
}

/** Writes nothing if the balance is too low. */
export async function insertDeduction(
  tx: Database,
  deduction: { userId: string; credits: number; externalId: string; reason: string },
): Promise<boolean> {
  const changed = await tx.run(sql`
    with entry as (
      insert into credit_ledger (user_id, delta, kind, source, external_id, reason)
      select id, -${deduction.credits}::int, 'adjust', 'operator', ${deduction.externalId}, ${deduction.reason}
        from users where id = ${deduction.userId} and credits >= ${deduction.credits}::int
      on conflict (source, external_id) do nothing returning user_id, delta)
    update users u set credits = u.credits + entry.delta from entry where u.id = entry.user_id`);
  return changed > 0;
}

export async function insertPlanGrant(
  tx: Database,
  grant: { id: string; userId: string; plan: 'pro' | 'business'; endsAt: Date | null; reason: string },
): Promise<void> {
  await tx.run(sql`
    insert into plan_grants (id, user_id, plan, ends_at, cause)
    values (${grant.id}, ${grant.userId}, ${grant.plan}, ${grant.endsAt}, ${`operator: ${grant.reason}`})`);
}

export function endPlanGrants(tx: Database, userId: string): Promise<number> {
  return tx.run(sql`
    update plan_grants set ends_at = app_now()
     where user_id = ${userId} and starts_at <= app_now() and (ends_at is null or ends_at > app_now())`);
}

export interface LedgerRow extends StoredReason {
  id: number;
  delta: number;
  kind: string;
  feature: string | null;
  created_at: Date;
}

export function ledgerRows(
  db: Database,
  userId: string,
  before: number | null,
  limit: number,
): Promise<LedgerRow[]> {
  return db.rows<LedgerRow>(sql`
    select l.id, l.delta, l.kind, g.feature, l.source, l.cause, l.reason, l.created_at
      from credit_ledger l left join generations g on g.id = l.generation_id
     where l.user_id = ${userId} and (${before}::bigint is null or l.id < ${before})
     order by l.id desc limit ${limit}`);
}

export function findBalance(db: Database, userId: string): Promise<{ credits: number; plan: Plan } | null> {
  return db.row(sql`
    select u.credits, e.plan from users u join entitlements e on e.user_id = u.id
     where u.id = ${userId} and u.deleted_at is null`);
}

/** Returns the cost of the whole site in millionths of a US dollar, including estimates. */
export async function spentToday(db: Database): Promise<number> {
  const row = await db.row<{ micros: number }>(sql`
    select coalesce(sum(cost_micros), 0)::bigint as micros from gateway_calls where started_at >= app_day()`);
  return row?.micros ?? 0;
}

export async function secondsToMidnight(db: Database): Promise<number> {
  const row = await db.row<{ seconds: number }>(sql`
    select ceil(extract(epoch from app_day() + interval '1 day' - app_now()))::int as seconds`);
  return row?.seconds ?? 86_400;
}

/** For a person who has reached a limit on released starts; `time` is UTC, rounded up to the minute. */
export async function nextAllowedStart(
  db: Database,
  userId: string,
  { perHour, perDay }: ReleasedCeilings,
): Promise<{ seconds: number; time: string }> {
  const row = await db.row<{ seconds: number; time: string }>(sql`
    with mine as (select finished_at from generations where user_id = ${userId} and released),
    hour as (select finished_at + interval '1 hour' as at from mine where finished_at > app_now() - interval '1 hour'
              order by finished_at desc offset ${perHour - 1}::int limit 1),
    day as (select app_day() + interval '1 day' as at from mine where finished_at >= app_day() having count(*) >= ${perDay}::int)
    select greatest(1, ceil(extract(epoch from at - app_now())))::int as seconds,
           to_char(date_trunc('minute', at + interval '59 seconds') at time zone 'UTC', 'HH24:MI') as time
      from (select coalesce(max(at), app_now()) as at from (table hour union all table day) every) opens`);
  if (!row) throw new Error('The database returned no time.');
  return row;
}

export async function lockDailyChats(
  tx: Database,
  userId: string,
): Promise<{ plan: Plan; chats: number } | null> {
  await tx.row(sql`select id from users where id = ${userId} for update`);
  return tx.row(sql`
    select e.plan, (select count(*)::int from chat_sessions s where s.user_id = ${userId} and s.created_at >= app_day() and not s.imported) as chats
      from entitlements e where e.user_id = ${userId}`);
}

/** Brings the cached `users.plan` up to date and records the cause of each change (I9). A null user means all users. */
export async function refreshPlans(
  db: Database,
  userId: string | null,
  cause: PlanCause,
  causeId: string,
): Promise<void> {
  await db.row(sql`select refresh_plans(${userId}, ${cause}, ${causeId})`);
}
