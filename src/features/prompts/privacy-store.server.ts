import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import { countRatings } from './ratings-store.server.ts';

/** Also updates the counts of prompts that the person liked or rated. */
export async function deletePromptsOf(tx: Database, userId: string): Promise<void> {
  await tx.run(sql`
    with deleted as (delete from prompt_likes where user_id = ${userId} returning prompt_id)
    update prompts p set likes = p.likes - 1 from deleted where p.id = deleted.prompt_id`);
  const rated = await tx.rows<{ id: string }>(sql`
    select p.id from prompts p where p.id in (select prompt_id from prompt_uses where user_id = ${userId} and stars is not null)
     order by p.id for update`);
  await tx.run(sql`delete from prompt_uses where user_id = ${userId}`);
  await countRatings(
    tx,
    rated.map(({ id }) => id),
  );
  await tx.run(sql`delete from prompt_reports where user_id = ${userId}`);
  await tx.run(sql`delete from prompts where user_id = ${userId}`);
}

interface PromptLink {
  prompt_id: string;
  /** Null for a prompt that left the library: its text belongs to its author. */
  title: string | null;
  created_at: Date;
}

interface PromptExportRow {
  id: string;
  title: string;
  description: string;
  content: string;
  category: string;
  state: string;
  reason: string | null;
  likes: number;
  created_at: Date;
  updated_at: Date;
  deleted_at: Date | null;
}

export const promptsAfter = (db: Database, userId: string, after: string | null, limit: number) =>
  db.rows<PromptExportRow>(sql`
    select id, title, description, content, category, state, reason, likes, created_at, updated_at, deleted_at from prompts
     where user_id = ${userId} and (${after}::uuid is null or id > ${after}::uuid) order by id limit ${limit}`);

export const likesAfter = (db: Database, userId: string, after: string | null, limit: number) =>
  db.rows<PromptLink>(sql`
    select l.prompt_id, case when p.state = 'approved' and p.deleted_at is null then p.title end as title, l.created_at from prompt_likes l join prompts p on p.id = l.prompt_id
     where l.user_id = ${userId} and (${after}::uuid is null or l.prompt_id > ${after}::uuid)
     order by l.prompt_id limit ${limit}`);

export const usesAfter = (db: Database, userId: string, after: string | null, limit: number) =>
  db.rows<PromptLink & { stars: number | null; rated_at: Date | null }>(sql`
    select u.prompt_id, case when p.state = 'approved' and p.deleted_at is null then p.title end as title,
           u.created_at, u.stars, u.rated_at
      from prompt_uses u join prompts p on p.id = u.prompt_id
     where u.user_id = ${userId} and (${after}::uuid is null or u.prompt_id > ${after}::uuid)
     order by u.prompt_id limit ${limit}`);

export const reportsOf = (db: Database, userId: string) =>
  db.rows<{ prompt_id: string; reason: string; created_at: Date }>(sql`
    select prompt_id, reason, created_at from prompt_reports where user_id = ${userId} order by created_at limit 1000`);
