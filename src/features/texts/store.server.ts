import type { Feature } from '#features/credits/contract.ts';
import type { FinishReason, GenerationState } from '#features/generations/contract.ts';
import type { Database } from '#platform/database/database.server.ts';
import { olderThan, type TimeCursor } from '#platform/database/page.server.ts';
import { erasable, restorable } from '#platform/database/soft-delete.server.ts';
import { raw, type Statement, sql } from '#platform/database/sql.server.ts';
import type { TextLength } from '#shared/text-length.ts';
import { type TextSummary, textLimits, type VersionKind } from './contract.ts';

const restorePeriod = `${textLimits.restoreDays} days`;

export interface TextRecord {
  id: string;
  feature: Feature;
  title: string;
  author: string | null;
  created_at: Date;
  updated_at: Date;
}

export interface VersionRecord extends TextLength {
  id: string;
  kind: VersionKind;
  settings: Record<string, unknown>;
  note: string | null;
  generation_id: string | null;
  edition: number;
  created_at: Date;
  saved_at: Date;
  state: GenerationState | null;
  finish_reason: FinishReason | null;
  error_message: string | null;
  credits_charged: number | null;
  has_text: boolean;
}

const selectText = (userId: string, id: string) => sql`
  select id, feature, title, author, created_at, updated_at from works
   where id = ${id} and user_id = ${userId} and deleted_at is null`;

export const ownText = (db: Database, userId: string, id: string) =>
  db.row<TextRecord>(selectText(userId, id));

/** Keeps others from changing the versions until the transaction ends. */
export const lockText = (tx: Database, userId: string, id: string) =>
  tx.row<TextRecord>(sql`${selectText(userId, id)} for no key update`);

const versionColumns =
  raw(`v.id, v.kind, v.settings, v.words, v.characters, v.note, v.generation_id, v.edition, v.created_at, v.saved_at,
  g.state, g.finish_reason, g.error_message, g.credits_charged, v.content <> '' as has_text`);

export const versionsOf = (db: Database, workId: string) =>
  db.rows<VersionRecord>(sql`
    select ${versionColumns} from work_versions v left join generations g on g.id = v.generation_id
     where v.work_id = ${workId} order by v.position desc`);

export async function contentOf(db: Database, workId: string, versionId: string): Promise<string | null> {
  const row = await db.row<{ content: string }>(sql`
    select content from work_versions where id = ${versionId} and work_id = ${workId}`);
  return row?.content ?? null;
}

export type ListedText = Omit<TextSummary, 'updatedAt'> & { updated_at: Date };

interface TextPageQuery {
  userId: string;
  feature: Feature;
  containing: string | null;
  before: TimeCursor | null;
  limit: number;
}

export function listTextRows(db: Database, { userId, feature, containing, before, limit }: TextPageQuery) {
  return db.rows<ListedText>(sql`
    select w.id, w.feature, w.title, w.updated_at, coalesce(n.words, 0) as words, n.characters,
           coalesce(left(regexp_replace(left(n.content, 600), '\\s+', ' ', 'g'), 240), '') as excerpt,
           exists (select 1 from generations g
                    where g.user_id = w.user_id and g.state in ('queued', 'running')
                      and (g.id in (select v.generation_id from work_versions v where v.work_id = w.id)
                           or g.id in (select p.generation_id from work_proposals p where p.work_id = w.id))) as running
      from works w
      left join lateral (select v.words, v.characters, v.content from work_versions v where v.work_id = w.id and v.content <> ''
                          order by v.position desc limit 1) n on true
     where w.user_id = ${userId} and w.feature = ${feature} and w.deleted_at is null
       and (${containing}::text is null or w.title ilike ${containing} or n.content ilike ${containing})
       and ${olderThan('w', before)}
     order by w.updated_at desc, w.id desc limit ${limit}`);
}

export interface NewVersion {
  userId: string;
  feature: Feature;
  workId: string;
  /** Title of a new work; null for an existing one. */
  title: string | null;
  versionId: string;
  settings: unknown;
}

export function versionStatement(admission: Statement, row: NewVersion): Statement {
  return sql`
    with a as materialized (${admission})
    select a.*, w.* from a left join lateral write_version(a.verdict, a.generation_id, ${row.userId}, ${row.feature},
      ${row.workId}, ${row.title}, ${row.versionId}, ${JSON.stringify(row.settings)}::jsonb) w on true`;
}

export function storeVersionStatement(
  closing: Statement,
  row: TextLength & { generationId: string; content: string; note: string | null; title: string | null },
): Statement {
  return sql`
    with c as materialized (${closing}), v as (
      update work_versions set content = ${row.content}, words = ${row.words}, characters = ${row.characters}::int,
             note = ${row.note}, saved_at = app_now(),
             position = case when ${row.content}::text = '' then position
                             else nextval(pg_get_serial_sequence('work_versions', 'position')) end
        from c where generation_id = ${row.generationId} returning work_id), w as (
      update works set updated_at = app_now(),
             title = case when named then title else coalesce(${row.title}::text, title) end
        from v where id = v.work_id)
    select * from c`;
}

export interface NewProposal {
  userId: string;
  workId: string;
  versionId: string;
  proposalId: string;
  request: unknown;
}

export function proposalStatement(admission: Statement, row: NewProposal): Statement {
  return sql`
    with a as materialized (${admission})
    select a.*, w.* from a left join lateral write_proposal(a.verdict, a.generation_id, ${row.userId}, ${row.workId},
      ${row.versionId}, ${row.proposalId}, ${JSON.stringify(row.request)}::jsonb) w on true`;
}

export function storeProposal(
  closing: Statement,
  { generationId, content }: { generationId: string; content: string },
): Statement {
  return sql`
    with c as materialized (${closing}), p as (
      update work_proposals set content = ${content} from c where generation_id = ${generationId})
    select * from c`;
}

export interface ProposalRecord {
  id: string;
  version_id: string;
  generation_id: string;
  request: Record<string, unknown>;
  content: string;
  decision: 'accepted' | 'discarded' | null;
  created_at: Date;
  state: GenerationState;
  error_message: string | null;
}

export function proposalOf(db: Database, workId: string, id: string | null = null) {
  return db.row<ProposalRecord>(sql`
    select p.id, p.version_id, p.generation_id, p.request, p.content, p.decision, p.created_at, g.state, g.error_message
      from work_proposals p join generations g on g.id = p.generation_id
     where p.work_id = ${workId} and (${id}::uuid is null or p.id = ${id}::uuid) order by p.position desc limit 1`);
}

export async function decide(tx: Database, id: string, decision: 'accepted' | 'discarded'): Promise<boolean> {
  const changed = await tx.run(sql`
    update work_proposals set decision = ${decision} where id = ${id} and decision is null`);
  return changed === 1;
}

export async function openRuns(db: Database, workId: string, proposalId: string | null = null) {
  const rows = await db.rows<{ id: string }>(sql`
    select g.id from generations g
     where g.state in ('queued', 'running')
       and (g.id in (select v.generation_id from work_versions v where v.work_id = ${workId} and ${proposalId}::uuid is null)
            or g.id in (select p.generation_id from work_proposals p
                         where p.work_id = ${workId} and (${proposalId}::uuid is null or p.id = ${proposalId}::uuid)))`);
  return rows.map(({ id }) => id);
}

export async function storageUsed(db: Database, userId: string): Promise<number> {
  const row = await db.row<{ bytes: number }>(sql`
    select coalesce(sum(octet_length(v.content)), 0)::float8 as bytes
      from work_versions v join works w on w.id = v.work_id where w.user_id = ${userId}`);
  return row?.bytes ?? 0;
}

/** Inserts a work with one version, which no run made. Returns false if the id is taken. */
export async function insertText(
  db: Database,
  row: TextLength & {
    id: string;
    userId: string;
    feature: Feature;
    title: string;
    versionId: string;
    content: string;
  },
): Promise<boolean> {
  const added = await db.run(sql`
    with w as (
      insert into works (id, user_id, feature, title) values (${row.id}, ${row.userId}, ${row.feature}, ${row.title})
      on conflict (id) do nothing returning id)
    insert into work_versions (id, work_id, kind, content, words, characters)
    select ${row.versionId}, id, 'edited', ${row.content}, ${row.words}, ${row.characters}::int from w`);
  return added === 1;
}

export async function insertVersion(
  tx: Database,
  row: TextLength & {
    id: string;
    workId: string;
    kind: Exclude<VersionKind, 'generated'>;
    settings: unknown;
    content: string;
    note: string | null;
  },
): Promise<boolean> {
  const added = await tx.run(sql`
    with w as (update works set updated_at = app_now() where id = ${row.workId})
    insert into work_versions (id, work_id, kind, settings, content, words, characters, note)
    values (${row.id}, ${row.workId}, ${row.kind}, ${JSON.stringify(row.settings)}::jsonb, ${row.content}, ${row.words},
            ${row.characters}::int, ${row.note})
    on conflict (id) do nothing`);
  return added === 1;
}

/** Returns the new edition, or null if the stored edition is not the one that the client saw. */
export async function replaceText(
  tx: Database,
  row: TextLength & { id: string; workId: string; edition: number; content: string },
): Promise<number | null> {
  const saved = await tx.row<{ edition: number }>(sql`
    with w as (update works set updated_at = app_now() where id = ${row.workId})
    update work_versions set content = ${row.content}, words = ${row.words}, characters = ${row.characters}::int,
           edition = edition + 1, saved_at = app_now()
     where id = ${row.id} and work_id = ${row.workId} and kind = 'edited' and edition = ${row.edition} returning edition`);
  return saved?.edition ?? null;
}

export async function setTitle(db: Database, id: string, title: string): Promise<void> {
  await db.run(sql`update works set title = ${title}, named = true where id = ${id}`);
}

export async function setAuthor(db: Database, id: string, author: string): Promise<void> {
  await db.run(sql`update works set author = ${author} where id = ${id}`);
}

export const softDelete = (db: Database, userId: string, id: string) =>
  db.run(sql`
    update works set deleted_at = app_now() where id = ${id} and user_id = ${userId} and deleted_at is null`);

/** Returns true also for a work that is not deleted. */
export async function restoreDeleted(db: Database, userId: string, id: string) {
  const changed = await db.run(sql`
    update works set deleted_at = null
     where id = ${id} and user_id = ${userId}
       and (deleted_at is null or ${restorable('works', restorePeriod)})`);
  return changed === 1;
}

export async function purgeDeleted(tx: Database): Promise<number> {
  const expired = erasable('w', restorePeriod);
  await tx.run(sql`
    update generations g set text = '', input = '{}' from (
      select v.generation_id as id from work_versions v join works w on w.id = v.work_id where ${expired}
      union all
      select p.generation_id from work_proposals p join works w on w.id = p.work_id where ${expired}) as run
     where run.id = g.id and g.finished_at is not null`);
  return tx.run(sql`
    delete from works w where ${expired} and not exists (
      select 1 from generations g where g.user_id = w.user_id and g.finished_at is null
         and (g.id in (select v.generation_id from work_versions v where v.work_id = w.id)
              or g.id in (select p.generation_id from work_proposals p where p.work_id = w.id)))`);
}
