import type { Database } from '#platform/database/database.server.ts';
import { raw, type Statement, sql } from '#platform/database/sql.server.ts';
import type { FinishReason, GenerationState } from './contract.ts';
import type { Cost } from './model-cost.server.ts';

export const CHANNEL = 'generations';

export interface GenerationRow {
  id: string;
  user_id: string;
  feature: string;
  idempotency_key: string;
  state: GenerationState;
  input: unknown;
  price: number;
  credits_charged: number;
  epoch: number;
  owner: string;
  finish_reason: FinishReason | null;
  answered_by: string | null;
  thought_ms: number | null;
  error_code: string | null;
  error_message: string | null;
  text: string | null;
}

const columns = raw(`
  g.id, g.user_id, g.feature, g.idempotency_key, g.state, g.input, g.price, g.credits_charged, g.epoch, g.owner,
  g.finish_reason, g.error_code, g.error_message, g.text`);

const ownColumns = raw(`${columns.text},
  (select c.answered_by from gateway_calls c where c.generation_id = g.id and c.answered_by is not null limit 1) as answered_by,
  (select t.ms from thinking t where t.generation_id = g.id) as thought_ms`);

export function ownGeneration(db: Database, userId: string, id: string): Promise<GenerationRow | null> {
  return db.row<GenerationRow>(sql`
    select ${ownColumns} from generations g where g.id = ${id} and g.user_id = ${userId}`);
}

/** `logged` is the length of the log, which is deleted when the run ends. */
export function ownGenerationWithLog(
  db: Database,
  userId: string,
  id: string,
): Promise<(GenerationRow & { logged: number }) | null> {
  return db.row<GenerationRow & { logged: number }>(sql`
    select ${ownColumns},
           (select coalesce(max(c.seq_to), 0) from generation_chunks c where c.generation_id = g.id and c.epoch = g.epoch) as logged
      from generations g where g.id = ${id} and g.user_id = ${userId}`);
}

export async function isOwn(db: Database, userId: string, id: string): Promise<boolean> {
  return (await db.row(sql`select 1 from generations where id = ${id} and user_id = ${userId}`)) !== null;
}

export async function isKnownKey(db: Database, userId: string, key: string): Promise<boolean> {
  const row = await db.row(
    sql`select 1 from generations where user_id = ${userId} and idempotency_key = ${key}`,
  );
  return row !== null;
}

export interface ChunkRow {
  id: string;
  epoch: number;
  from: number;
  to: number;
  text: string;
}

/**
 * Keeps the rows of `given` (id, epoch) whose run is open. Each is looked up by its id: in a plain join, PostgreSQL compares
 * all rows with all open runs if there were none when it last counted.
 */
export const withOpenRun = sql`
      cross join lateral (
        select from generations g where g.id = given.id and g.epoch = given.epoch and g.finished_at is null offset 0) run`;

/**
 * Inserts chunks. A chunk whose first write was not acknowledged is written again, extended by newer text. @returns ids
 * of the runs that this process still owns.
 */
export async function appendChunks(db: Database, chunks: ChunkRow[]): Promise<Set<string>> {
  const rows = await db.rows<{ generation_id: string }>(sql`
    insert into generation_chunks (generation_id, epoch, seq_from, seq_to, text)
    select given.*
      from unnest(${chunks.map((c) => c.id)}::uuid[], ${chunks.map((c) => c.epoch)}::int[], ${chunks.map((c) => c.from)}::int[],
                  ${chunks.map((c) => c.to)}::int[], ${chunks.map((c) => c.text)}::text[])
           as given (id, epoch, seq_from, seq_to, text)
      ${withOpenRun}
    on conflict (generation_id, epoch, seq_from) do update
      set seq_to = greatest(excluded.seq_to, generation_chunks.seq_to),
          text = case when excluded.seq_to >= generation_chunks.seq_to then excluded.text else generation_chunks.text end
    returning generation_id`);
  return new Set(rows.map((row) => row.generation_id));
}

export async function deleteChunks(db: Database, ids: string[] | null): Promise<void> {
  await db.run(sql`
    delete from generation_chunks c using generations g
     where g.id = c.generation_id and g.finished_at is not null
       and (${ids}::uuid[] is null or c.generation_id = any(${ids}::uuid[]))`);
}

/** A statement that deletes more would hold its locks for too long. */
const CALLS_AT_ONCE = 5_000;

/** Keeps those that tell a chat's readers which model wrote a reply. */
export async function deleteOldCalls(db: Database, days: number): Promise<number> {
  let removed = 0;
  for (let found = CALLS_AT_ONCE; found === CALLS_AT_ONCE; removed += found)
    found = await db.run(sql`
      delete from gateway_calls where id in (
        select c.id from gateway_calls c join generations g on g.id = c.generation_id
         where c.started_at < app_now() - ${days}::int * interval '1 day' and c.outcome <> 'open'
           and c.answered_by is null
           and (g.feature <> 'chat'
                or exists (select 1 from gateway_calls f
                            where f.generation_id = c.generation_id and (f.started_at, f.id) < (c.started_at, c.id)))
         limit ${CALLS_AT_ONCE})`);
  return removed;
}

export async function deleteExpiredLeases(db: Database): Promise<void> {
  await db.run(sql`
    delete from engine_leases l where l.lease_until < app_now() - interval '1 hour'
       and not exists (select 1 from generations g where g.owner = l.owner and g.state in ('queued', 'running'))`);
}

export async function loggedText(
  db: Database,
  id: string,
  epoch: number,
  from = 0,
): Promise<{ from: number; text: string }> {
  const rows = await db.rows<{ seq_from: number; text: string }>(sql`
    select seq_from, text from generation_chunks
     where generation_id = ${id} and epoch = ${epoch} and seq_to > ${from} order by seq_from`);
  const start = rows[0]?.seq_from ?? from;
  const text = rows.map((row) => row.text).join('');
  return start < from ? { from, text: text.slice(from - start) } : { from: start, text };
}

/** Keeps each message under PostgreSQL's limit of 8,000 bytes. */
export async function notify(db: Database, kind: 'progress' | 'stop', ids: string[]): Promise<void> {
  for (let i = 0; i < ids.length; i += 200) {
    await db.run(sql`select pg_notify(${CHANNEL}, ${`${kind}:${ids.slice(i, i + 200).join(',')}`})`);
  }
}

export async function requestStop(db: Database, id: string): Promise<void> {
  await db.run(
    sql`update generations set stop_requested_at = app_now() where id = ${id} and finished_at is null`,
  );
}

export async function heartbeat(db: Database, owner: string, leaseMs: number): Promise<string[]> {
  await db.run(sql`
    insert into engine_leases (owner, lease_until) values (${owner}, app_now() + ${leaseMs}::int * interval '1 millisecond')
    on conflict (owner) do update set lease_until = excluded.lease_until`);
  const rows = await db.rows<{ id: string }>(sql`
    select id from generations where owner = ${owner} and state in ('queued', 'running') and stop_requested_at is not null`);
  return rows.map((row) => row.id);
}

export interface SiteSettings {
  secretPrint: string;
  folderId: string;
}

export interface LeaseRow extends SiteSettings {
  owner: string;
  until: number;
}

/** Of two processes that start together, one sees the other's lease. */
const CLAIM_LOCK = 7_241_003;

/** Claims the lease unless live ones have other settings (rows of earlier builds have none). @returns those leases. */
export async function claimLease(
  tx: Database,
  { owner, leaseMs, own }: { owner: string; leaseMs: number; own: SiteSettings },
): Promise<LeaseRow[]> {
  await tx.run(sql`select pg_advisory_xact_lock(${CLAIM_LOCK})`);
  const others = await tx.rows<LeaseRow>(sql`
    select owner, secret_print as "secretPrint", folder_id as "folderId",
           (extract(epoch from lease_until) * 1000)::float8 as until
      from engine_leases
     where owner <> ${owner} and lease_until > app_now()
       and (secret_print <> ${own.secretPrint} or folder_id <> ${own.folderId})`);
  if (others.length > 0) return others;
  await tx.run(sql`
    insert into engine_leases (owner, lease_until, secret_print, folder_id)
    values (${owner}, app_now() + ${leaseMs}::int * interval '1 millisecond', ${own.secretPrint}, ${own.folderId})
    on conflict (owner) do update
      set lease_until = excluded.lease_until, secret_print = excluded.secret_print, folder_id = excluded.folder_id`);
  return [];
}

export async function endLease(db: Database, owner: string): Promise<void> {
  await db.run(sql`delete from engine_leases where owner = ${owner}`);
}

export async function endOtherLeases(db: Database, owner: string): Promise<void> {
  await db.run(sql`delete from engine_leases where owner <> ${owner}`);
}

/**
 * Returns open runs whose process holds no lease, and runs of this process (`owner`) that are not `live`, as after a
 * lost answer to a statement. Lapsed leases count only if `trusted`. The order is random, so that processes that close
 * runs at the same time seldom collide.
 */
export function abandonedRows(
  db: Database,
  { owner, live, trusted, limit }: { owner: string; live: string[]; trusted: boolean; limit: number },
): Promise<GenerationRow[]> {
  return db.rows<GenerationRow>(sql`
    select ${columns}, null as answered_by, null as thought_ms
      from generations g left join engine_leases l on l.owner = g.owner
     where g.state in ('queued', 'running') and not (g.id = any(${live}::uuid[]))
       and (l.owner is null or (${trusted} and l.lease_until < app_now())
            or (g.owner = ${owner} and g.created_at < app_now() - interval '10 seconds'))
     order by random() limit ${limit}`);
}

/**
 * Raises the epoch, so that the old writer can no longer close the run, and marks its open calls as lost. Null if
 * another process is doing the same, the writer has renewed its lease, or more text is stored than was read.
 */
export const takeOver = (
  run: { id: string; epoch: number; logged: number; shown: number },
  owner: string,
): Statement => sql`take_over_generation(${run.id}, ${run.epoch}, ${owner}, ${run.logged}, ${run.shown})`;

/** Makes each credit one unit, so that a part can be returned. @returns the units without `credits`; null if unpaid. */
export async function splitPrice(
  db: Database,
  { id, epoch }: { id: string; epoch: number },
  credits: number,
): Promise<number | null> {
  const row = await db.row<{ remaining: number }>(sql`
    update generations set units = price
     where id = ${id} and epoch = ${epoch} and finished_at is null and price > ${credits}::int
    returning price - ${credits}::int as remaining`);
  return row?.remaining ?? null;
}

export interface CallRow {
  id: string;
  generationId: string;
  purpose: string;
  model: string;
  cost: Cost;
}

/**
 * Call it before the request, so that none goes unrecorded. @returns false if the run is closed or belongs to another
 * process; then the request must not be made.
 */
export async function openCall(db: Database, call: CallRow, owner: string): Promise<boolean> {
  const written = await db.run(sql`
    with mine as (
      update generations set state = 'running', started_at = coalesce(started_at, app_now())
       where id = ${call.generationId} and owner = ${owner} and finished_at is null returning id)
    insert into gateway_calls (id, generation_id, purpose, model, cost_micros, cost_estimated)
    select ${call.id}, id, ${call.purpose}, ${call.model}, ${call.cost.micros}, ${call.cost.estimated} from mine`);
  return written === 1;
}

/** Stores the costs that count until the calls end, or for good if their ends are lost. @param costs by the calls' ids */
export async function storeCosts(db: Database, costs: [id: string, cost: Cost][]): Promise<void> {
  await db.run(sql`
    update gateway_calls c set cost_micros = n.micros, cost_estimated = n.estimated
      from unnest(${costs.map(([id]) => id)}::uuid[], ${costs.map(([, { micros }]) => micros)}::bigint[],
                  ${costs.map(([, { estimated }]) => estimated)}::boolean[]) as n (id, micros, estimated)
     where c.id = n.id and c.outcome = 'open'`);
}

export interface EndedCall {
  id: string;
  outcome: string;
  httpStatus: number | null;
  promptTokens: number | null;
  completionTokens: number | null;
  cost: Cost;
  upstreamId: string | null;
  answeredBy: string | null;
  durationMs: number;
}

const callEnd = (call: EndedCall) => sql`
  end_gateway_call(${call.id}, ${call.outcome}, ${call.httpStatus}, ${call.promptTokens}, ${call.completionTokens},
    ${call.cost.micros}, ${call.cost.estimated}, ${call.upstreamId}, ${call.answeredBy}, ${call.durationMs})`;

export async function endCall(db: Database, call: EndedCall): Promise<void> {
  await db.run(sql`select ${callEnd(call)}`);
}

/** Ends the call once `closing` has closed its run; like `take_over_generation`, it locks the run before the call. */
export const endCallAfter = (closing: Statement, call: EndedCall): Statement => sql`
  select w.* from (${closing}) w cross join lateral (select ${callEnd(call)} where w.user_id is not null) ended`;

/** As reported by the gateway; null if it reports none. */
export async function tokensOfRun(
  db: Database,
  id: string,
): Promise<{ prompt: number | null; completion: number | null }> {
  const row = await db.row<{ prompt: number | null; completion: number | null }>(sql`
    select sum(prompt_tokens)::int as prompt, sum(completion_tokens)::int as completion
      from gateway_calls where generation_id = ${id}`);
  return row ?? { prompt: null, completion: null };
}
