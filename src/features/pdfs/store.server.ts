import type { GenerationState } from '#features/generations/contract.ts';
import type { Database } from '#platform/database/database.server.ts';
import { erasable, restorable } from '#platform/database/soft-delete.server.ts';
import { raw, type Statement, sql } from '#platform/database/sql.server.ts';

export interface DocumentRecord {
  id: string;
  user_id: string;
  name: string;
  bytes: number;
  file_key: string;
  pages: number;
  pages_read: number;
  note: string | null;
  created_at: Date;
  deleted_at: Date | null;
}

export interface PageRecord {
  page: number;
  width: number;
  height: number;
  text: string;
  boxes: number[];
}

export interface RunRecord {
  id: string;
  /** Null for a run that was imported from an archive. */
  generation_id: string | null;
  kind: 'analysis' | 'question';
  question: string | null;
  result: unknown;
  created_at: Date;
  state: GenerationState;
  error_message: string | null;
  credits_charged: number;
}

const RESTORE_PERIOD = '30 minutes';

/** Imported runs have no generation. */
const state = raw(`coalesce(g.state, 'done')`);

/** `created_at` null means now. */
export type NewDocument = Omit<DocumentRecord, 'created_at' | 'deleted_at'> & { created_at: Date | null };

export async function insertDocument(tx: Database, row: NewDocument, pages: PageRecord[]) {
  const written = await tx.row<DocumentRecord>(sql`
    insert into documents (id, user_id, name, bytes, file_key, pages, pages_read, note, created_at)
    select ${row.id}, u.id, ${row.name}, ${row.bytes}, ${row.file_key}, ${row.pages}, ${row.pages_read}, ${row.note}::text,
           coalesce(${row.created_at}::timestamptz, app_now())
      from users u where u.id = ${row.user_id} and u.deleted_at is null
    returning *`);
  if (!written) return null;
  for (const page of pages) {
    await tx.run(sql`
      insert into document_pages (document_id, page, width, height, text, boxes)
      values (${row.id}, ${page.page}, ${page.width}, ${page.height}, ${page.text}, ${page.boxes}::int[])`);
  }
  return written;
}

export const ownDocument = (db: Database, userId: string, id: string) =>
  db.row<DocumentRecord>(sql`
    select * from documents where id = ${id} and user_id = ${userId} and deleted_at is null`);

export const documentById = (db: Database, id: string) =>
  db.row<DocumentRecord>(sql`select * from documents where id = ${id}`);

export const documentsOf = (db: Database, userId: string, limit: number) =>
  db.rows<DocumentRecord & { analysed: boolean; running: boolean }>(sql`
    select d.*, a.analysed, a.running
      from documents d cross join lateral (
        select coalesce(bool_or(${state} = 'done'), false) as analysed,
               coalesce(bool_or(${state} in ('queued', 'running')), false) as running
          from document_runs r left join generations g on g.id = r.generation_id
         where r.document_id = d.id and r.kind = 'analysis') a
     where d.user_id = ${userId} and d.deleted_at is null
     order by d.created_at desc, d.id desc limit ${limit}`);

export async function storageUsed(db: Database, userId: string) {
  const row = await db.row<{ bytes: number; documents: number }>(sql`
    select coalesce(sum(bytes), 0)::float8 as bytes, count(*)::int as documents from documents where user_id = ${userId}`);
  return row ?? { bytes: 0, documents: 0 };
}

export const pagesOf = (db: Database, documentId: string) =>
  db.rows<PageRecord>(sql`
    select page, width, height, text, boxes from document_pages where document_id = ${documentId} order by page`);

export async function textPagesOf(db: Database, documentId: string): Promise<Set<number>> {
  const rows = await db.rows<{ page: number }>(sql`
    select page from document_pages where document_id = ${documentId}`);
  return new Set(rows.map(({ page }) => page));
}

/**
 * Returns the running or latest analysis, the latest complete one (maybe the same), and the newest questions, oldest
 * first.
 */
export function runsOf(db: Database, documentId: string, questions: number): Promise<RunRecord[]> {
  const columns = raw(
    `r.id, r.generation_id, r.kind, r.question, r.result, r.created_at, ${state.text} as state, g.error_message,
     coalesce(g.credits_charged, 0) as credits_charged`,
  );
  const runs = raw('document_runs r left join generations g on g.id = r.generation_id');
  const analyses = sql`
    select r.id from ${runs} where r.document_id = ${documentId} and r.kind = 'analysis'`;
  return db.rows<RunRecord>(sql`
    select * from (
      (select ${columns} from ${runs}
        where r.id in (
          (${analyses} order by ${state} in ('queued', 'running') desc, r.created_at desc, r.id desc limit 1),
          (${analyses} and ${state} = 'done' order by r.created_at desc, r.id desc limit 1)))
      union all
      (select ${columns} from ${runs}
        where r.document_id = ${documentId} and r.kind = 'question'
        order by r.created_at desc, r.id desc limit ${questions})) as runs
     order by created_at, id`);
}

/**
 * The caller has checked the owner. If the document is deleted in that moment, no row is inserted and the run fails.
 */
export function runStatement(
  admission: Statement,
  row: { documentId: string; kind: RunRecord['kind']; question: string | null },
): Statement {
  return sql`
    with a as materialized (${admission}), r as (
      insert into document_runs (id, generation_id, document_id, kind, question)
      select a.generation_id, a.generation_id, d.id, ${row.kind}, ${row.question}::text
        from a join documents d on d.id = ${row.documentId} where a.verdict = 'admitted'
      returning generation_id)
    select a.* from a left join r on true`;
}

/** Inserts a run that has no generation. */
export const insertImportedRun = (
  tx: Database,
  run: Pick<RunRecord, 'id' | 'kind' | 'question'> & { documentId: string; result: object; createdAt: Date },
) =>
  tx.run(sql`
    insert into document_runs (id, document_id, kind, question, result, created_at)
    values (${run.id}, ${run.documentId}, ${run.kind}, ${run.question}, ${JSON.stringify(run.result)}::jsonb, ${run.createdAt})`);

export async function setResult(db: Database, generationId: string, result: unknown): Promise<void> {
  await db.run(sql`
    update document_runs set result = ${JSON.stringify(result)}::jsonb where generation_id = ${generationId}`);
}

export function endStatement(closing: Statement, generationId: string, result: unknown): Statement {
  const json = result === null ? null : JSON.stringify(result);
  return sql`
    with c as materialized (${closing}), r as (
      update document_runs set result = ${json}::jsonb from c where generation_id = ${generationId})
    select * from c`;
}

export async function softDeleteDocument(db: Database, userId: string, id: string): Promise<boolean> {
  const rows = await db.run(sql`
    update documents set deleted_at = app_now() where id = ${id} and user_id = ${userId} and deleted_at is null`);
  return rows > 0;
}

export async function undeleteDocument(db: Database, userId: string, id: string): Promise<boolean> {
  const rows = await db.run(sql`
    update documents set deleted_at = null
     where id = ${id} and user_id = ${userId} and ${restorable('documents', RESTORE_PERIOD)}`);
  return rows > 0;
}

export async function openRunsOf(db: Database, id: string): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    select g.id from document_runs r join generations g on g.id = r.generation_id
     where r.document_id = ${id} and g.state in ('queued', 'running')`);
  return rows.map((row) => row.id);
}

export async function deleteExpired(tx: Database, limit: number): Promise<string[]> {
  const rows = await tx.rows<{ file_key: string }>(sql`
    delete from documents where id in (
      select id from documents where ${erasable('documents', RESTORE_PERIOD)} order by deleted_at limit ${limit}
         for update skip locked)
    returning file_key`);
  return rows.map((row) => row.file_key);
}

/** @returns the keys of the deleted files */
export async function deleteDocumentsOf(tx: Database, userId: string): Promise<string[]> {
  const rows = await tx.rows<{ file_key: string }>(sql`
    delete from documents where user_id = ${userId} returning file_key`);
  return rows.map((row) => row.file_key);
}

export const documentKeys: Statement = sql`select file_key as key from documents`;

export async function unknownKeys(db: Database, keys: string[]): Promise<string[]> {
  const rows = await db.rows<{ key: string }>(sql`
    select k.key from unnest(${keys}::text[]) as k(key)
     where not exists (select 1 from documents d where d.file_key = k.key)`);
  return rows.map((row) => row.key);
}

export function documentsAfter(
  db: Database,
  { userId, after, limit }: { userId?: string; after: string | null; limit: number },
): Promise<DocumentRecord[]> {
  return db.rows<DocumentRecord>(sql`
    select * from documents where (${userId ?? null}::uuid is null or user_id = ${userId ?? null}::uuid)
       and (${after}::uuid is null or id > ${after}::uuid) order by id limit ${limit}`);
}
