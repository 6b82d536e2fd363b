import type { Database } from '#platform/database/database.server.ts';
import { type Statement, sql } from '#platform/database/sql.server.ts';
import type { Invariant } from '#platform/feature-module.server.ts';
import type { Tag } from '../contract.ts';
import { tagLimits } from './tags-contract.ts';

export interface TaggedItem {
  kind: string;
  id: string;
}

/** SQL expression: all tags of a person as JSON. */
export const tagsOf = (userId: string): Statement => sql`
  (select coalesce(json_agg(json_build_object('id', t.id, 'name', t.name) order by t.key), '[]')
     from tags t where t.user_id = ${userId})`;

/** SQL column: the tags of the current row, `item`. */
export const tagsOfItem: Statement = sql`
  (select coalesce(json_agg(json_build_object('id', t.id, 'name', t.name) order by t.key), '[]')
     from tagged_items g join tags t on t.id = g.tag_id where g.item_id = item.id and g.kind = item.kind) as tags`;

/** Returns ids by kind of the items that have this tag of the person. */
export async function itemsTagged(
  db: Database,
  userId: string,
  tagId: string,
): Promise<Map<string, string[]>> {
  const rows = await db.rows<{ kind: string; ids: string[] }>(sql`
    select g.kind, array_agg(g.item_id) as ids from tagged_items g
     where g.tag_id = (select t.id from tags t where t.id = ${tagId} and t.user_id = ${userId}) group by g.kind`);
  return new Map(rows.map(({ kind, ids }) => [kind, ids]));
}

/** Locks the person's tags until the transaction ends. @returns whether the account exists */
export async function lockTags(tx: Database, userId: string): Promise<boolean> {
  const row = await tx.row(sql`
    select 1 from users where id = ${userId} and deleted_at is null for no key update`);
  return row !== null;
}

export const ownTags = (tx: Database, userId: string, ids: string[]) =>
  tx.rows<Tag & { items: number }>(sql`
    select t.id, t.name, (select count(*)::int from tagged_items g where g.tag_id = t.id) as items
      from tags t where t.id = any(${ids}::uuid[]) and t.user_id = ${userId}`);

export const tagWithKey = (tx: Database, userId: string, key: string) =>
  tx.row<Tag>(sql`select id, name from tags where user_id = ${userId} and key = ${key}`);

export async function countTags(tx: Database, userId: string): Promise<number> {
  const row = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from tags where user_id = ${userId}`);
  return row?.count ?? 0;
}

/** @param row without `createdAt`, the tag is created now */
export const insertTag = (
  tx: Database,
  userId: string,
  { id, name, key, createdAt = null }: Tag & { key: string; createdAt?: Date | null },
) =>
  tx.run(sql`
    insert into tags (id, user_id, name, key, created_at)
    values (${id}, ${userId}, ${name}, ${key}, coalesce(${createdAt}::timestamptz, app_now()))`);

export const renameTag = (tx: Database, userId: string, { id, name, key }: Tag & { key: string }) =>
  tx.run(sql`update tags set name = ${name}, key = ${key} where id = ${id} and user_id = ${userId}`);

export const deleteTag = (db: Database, userId: string, id: string) =>
  db.run(sql`delete from tags where id = ${id} and user_id = ${userId}`);

export const deleteTagsOf = (tx: Database, userId: string) =>
  tx.run(sql`delete from tags where user_id = ${userId}`);

/** Maps item ids to the ids of their tags. */
export async function tagIdsOf(tx: Database, items: TaggedItem[]): Promise<Map<string, string[]>> {
  const rows = await tx.rows<{ id: string; tags: string[] }>(sql`
    select g.item_id as id, array_agg(g.tag_id) as tags
      from unnest(${items.map(({ kind }) => kind)}::text[], ${items.map(({ id }) => id)}::uuid[]) as asked(kind, id)
      join tagged_items g on g.item_id = asked.id and g.kind = asked.kind group by g.item_id`);
  return new Map(rows.map(({ id, tags }) => [id, tags]));
}

export interface Tagging extends TaggedItem {
  tagId: string;
}

const columnsOf = (rows: Tagging[]) => sql`
  unnest(${rows.map(({ tagId }) => tagId)}::uuid[], ${rows.map(({ kind }) => kind)}::text[],
         ${rows.map(({ id }) => id)}::uuid[]) as asked(tag_id, kind, item_id)`;

export const insertTaggings = (tx: Database, userId: string, rows: Tagging[]) =>
  tx.run(sql`
    insert into tagged_items (tag_id, user_id, kind, item_id)
    select asked.tag_id, ${userId}, asked.kind, asked.item_id from ${columnsOf(rows)}`);

export const deleteTaggings = (tx: Database, rows: Tagging[]) =>
  tx.run(sql`
    delete from tagged_items g using ${columnsOf(rows)}
     where g.tag_id = asked.tag_id and g.kind = asked.kind and g.item_id = asked.item_id`);

export const tagsToExport = (db: Database, userId: string) =>
  db.rows<Tag & { created_at: Date }>(sql`
    select id, name, created_at from tags where user_id = ${userId} order by created_at, id`);

export const itemsToExport = (db: Database, tagId: string) =>
  db.rows<TaggedItem>(sql`
    select kind, item_id as id from tagged_items where tag_id = ${tagId} order by kind, item_id`);

export const tagsOfItems: Invariant = {
  id: 'I44',
  description: `a tag is only on existing items of its own person, at most ${tagLimits.ofItem} per item, and no erased person has one`,
  violations: sql`
    select g.tag_id, g.kind, g.item_id from tagged_items g where not case g.kind
        when 'chat' then exists (select 1 from chat_sessions i where i.id = g.item_id and i.user_id = g.user_id)
        when 'image' then exists (select 1 from image_jobs i where i.id = g.item_id and i.user_id = g.user_id)
        when 'pdf' then exists (select 1 from documents i where i.id = g.item_id and i.user_id = g.user_id)
        when 'file' then exists (select 1 from attachments i where i.id = g.item_id and i.user_id = g.user_id)
        when 'prompts' then exists (select 1 from prompts i where i.id = g.item_id and i.user_id = g.user_id)
        else exists (select 1 from works i where i.id = g.item_id and i.user_id = g.user_id and i.feature = g.kind) end
    union all
    select null, kind, item_id from tagged_items group by kind, item_id having count(*) > ${tagLimits.ofItem}::int
    union all
    select t.id, null, null from tags t join users u on u.id = t.user_id where u.erased_at is not null`,
};
