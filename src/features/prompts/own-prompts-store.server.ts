import type { Database } from '#platform/database/database.server.ts';
import { erasable } from '#platform/database/soft-delete.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import type { Category } from './contract.ts';

export interface PromptFields {
  title: string;
  description: string;
  content: string;
  opening: string;
  category: Category;
}

/**
 * Inserts the prompt unless the person has `limit` prompts or the id is somebody else's. If the id is one of their own
 * prompts, it remains unchanged. Locks the user's row first, so that concurrent prompts are counted.
 * @returns whether the prompt exists now, and how many they have
 */
export async function insertPrompt(
  tx: Database,
  { id, userId, limit, ...text }: PromptFields & { id: string; userId: string; limit: number },
): Promise<{ saved: boolean; count: number }> {
  await tx.run(sql`select 1 from users where id = ${userId} for update`);
  const row = await tx.row<{ saved: boolean; count: number }>(sql`
    with owned as (select count(*)::int as count from prompts p where p.user_id = ${userId} and p.deleted_at is null),
    inserted as (
      insert into prompts (id, user_id, title, description, content, opening, category, state)
      select ${id}::uuid, u.id, ${text.title}, ${text.description}, ${text.content}, ${text.opening}, ${text.category}, 'private'
        from users u, owned where u.id = ${userId} and u.deleted_at is null and owned.count < ${limit}::int
      on conflict (id) do nothing returning id)
    select owned.count, exists (select 1 from inserted)
        or exists (select 1 from prompts p where p.id = ${id}::uuid and p.user_id = ${userId} and p.deleted_at is null) as saved
      from owned`);
  return row ?? { saved: false, count: 0 };
}

/** @returns false if the person has `limit` prompts or the account was deleted */
export async function insertImportedPrompt(
  tx: Database,
  {
    id,
    userId,
    limit,
    createdAt,
    updatedAt,
    ...text
  }: PromptFields & { id: string; userId: string; limit: number; createdAt: Date; updatedAt: Date },
): Promise<boolean> {
  const { saved } = await insertPrompt(tx, { id, userId, limit, ...text });
  if (!saved) return false;
  await tx.run(sql`
    update prompts set created_at = ${createdAt}, updated_at = ${updatedAt} where id = ${id}::uuid and user_id = ${userId}`);
  return true;
}

export async function hasPrompt(db: Database, userId: string, id: string): Promise<boolean> {
  return (
    (await db.row(
      sql`select 1 from prompts where id = ${id}::uuid and user_id = ${userId} and deleted_at is null`,
    )) !== null
  );
}

/**
 * Updates the prompt and makes it private. If the content changes, its ratings are deleted, because they were for the
 * old text.
 * @returns 0 if the prompt doesn't exist
 */
export async function updatePrompt(
  tx: Database,
  { id, userId, ...text }: PromptFields & { id: string; userId: string },
): Promise<number> {
  const previous = await tx.row<{ content: string }>(sql`
    select content from prompts where id = ${id}::uuid and user_id = ${userId} and deleted_at is null for update`);
  if (!previous) return 0;
  await tx.run(sql`
    update prompts set title = ${text.title}, description = ${text.description}, content = ${text.content},
           opening = ${text.opening}, category = ${text.category}, state = 'private', reason = null,
           revision = revision + 1, updated_at = app_now()
     where id = ${id}::uuid`);
  if (previous.content === text.content) return 1;
  await tx.run(sql`delete from prompt_uses where prompt_id = ${id}::uuid`);
  return tx.run(sql`update prompts set rating_count = 0, rating_sum = 0 where id = ${id}::uuid`);
}

export function setSubmitted(db: Database, userId: string, id: string, submitted: boolean): Promise<number> {
  return submitted
    ? db.run(sql`
        update prompts set state = 'pending', reason = null, submitted_at = app_now()
         where id = ${id}::uuid and user_id = ${userId} and deleted_at is null and state in ('private', 'rejected')`)
    : db.run(sql`
        update prompts set state = 'private' where id = ${id}::uuid and user_id = ${userId} and deleted_at is null
           and state in ('pending', 'approved')`);
}

export function setDeleted(db: Database, userId: string, id: string, deleted: boolean): Promise<number> {
  return deleted
    ? db.run(sql`
        update prompts set deleted_at = app_now() where id = ${id}::uuid and user_id = ${userId} and deleted_at is null`)
    : db.run(sql`
        update prompts set deleted_at = null where id = ${id}::uuid and user_id = ${userId} and deleted_at is not null`);
}

export const purgeDeleted = (db: Database, days: number) =>
  db.run(sql`delete from prompts where ${erasable('prompts', `${days} days`)}`);
