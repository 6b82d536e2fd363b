import type { Database } from '#platform/database/database.server.ts';
import { raw, type Statement, sql } from '#platform/database/sql.server.ts';
import type { PromptState } from './contract.ts';

export interface QueuedRow {
  id: string;
  slug: string | null;
  revision: number;
  state: PromptState;
  title: string;
  description: string;
  content: string;
  category: string;
  reason: string | null;
  user_id: string;
  likes: number;
  submitted_at: Date | null;
  published_at: Date | null;
  reports: number;
}

const columns = raw(`
  p.id, p.slug, p.revision, p.state, p.title, p.description, p.content, p.category, p.reason, p.user_id, p.likes,
  p.submitted_at, p.published_at,
  (select count(*)::int from prompt_reports r where r.prompt_id = p.id and r.closed_at is null) as reports`);

const lists: Record<'pending' | 'approved' | 'rejected' | 'withdrawn' | 'reported', Statement> = {
  pending: sql`p.state = 'pending' order by p.submitted_at`,
  approved: sql`p.state = 'approved' order by p.published_at desc`,
  rejected: sql`p.state = 'rejected' order by p.updated_at desc`,
  withdrawn: sql`p.state = 'withdrawn' order by p.updated_at desc`,
  reported: sql`p.state = 'approved' and exists (
    select 1 from prompt_reports r where r.prompt_id = p.id and r.closed_at is null) order by p.published_at desc`,
};

export type QueueName = keyof typeof lists;

export const promptsInQueue = (db: Database, name: QueueName) =>
  db.rows<QueuedRow>(sql`
    select ${columns} from prompts p
     where p.user_id is not null and p.deleted_at is null and ${lists[name]} limit 100`);

/** Two rows are enough to see that the prefix is ambiguous. */
export const promptsByIdPrefix = (db: Database, prefix: string) =>
  db.rows<QueuedRow>(sql`
    select ${columns} from prompts p
     where p.user_id is not null and p.deleted_at is null and starts_with(p.id::text, ${prefix}) limit 2`);

export interface ReportedRow {
  reason: string;
  created_at: Date;
}

export const openReports = (db: Database, id: string) =>
  db.rows<ReportedRow>(sql`
    select reason, created_at from prompt_reports where prompt_id = ${id} and closed_at is null
     order by created_at limit 50`);

export interface Decision {
  id: string;
  revision: number;
  action: 'approve' | 'reject' | 'unpublish' | 'keep';
  from: PromptState;
  to: PromptState;
  reason: string;
  operator: string;
  slug: string;
}

/** Stores the decision on this revision. @returns false if the prompt has changed since */
export async function decide(db: Database, decision: Decision): Promise<boolean> {
  const { id, revision, action, from, to, reason, operator, slug } = decision;
  const row = await db.row<{ id: string }>(sql`
    with decided as (
      update prompts set state = ${to}, reason = ${action === 'approve' || action === 'keep' ? null : reason}::text,
             slug = case when ${to} = 'approved' then coalesce(slug, ${slug}) else slug end,
             published_at = case when ${action} = 'approve' then app_now() else published_at end
       where id = ${id}::uuid and revision = ${revision}::int and state = ${from} and user_id is not null and deleted_at is null
       returning id, revision, sha256(convert_to(title || E'\\n' || description || E'\\n' || content, 'UTF8')) as digest),
    noted as (
      insert into prompt_decisions (prompt_id, revision, digest, action, reason, operator)
      select id, revision, digest, ${action}, ${reason}, ${operator} from decided),
    closed as (
      update prompt_reports r set closed_at = app_now() from decided d
       where r.prompt_id = d.id and r.closed_at is null and ${action} in ('unpublish', 'keep'))
    select id from decided`);
  return row !== null;
}
