import type { Database } from '../../platform/database/database.server.ts';
import { raw, type Statement, sql } from '../../platform/database/sql.server.ts';
import type { Category, PromptQuery, PromptState } from './contract.ts';

/** Who asks: whose likes and own prompts are meant, and whether Pro's prompts are theirs to read. */
export interface Viewer {
  userId: string | null;
  unlimited: boolean;
}

export interface PromptRow {
  id: string;
  slug: string | null;
  title: string;
  description: string;
  /** The first lines where the viewer may not see more: the rest does not leave the database. */
  content: string;
  category: Category;
  likes: number;
  is_liked: boolean;
  locked: boolean;
  is_locked: boolean;
  editor_rating: number | null;
  is_own: boolean;
  state: PromptState;
  reason: string | null;
  updated_at: Date;
}

const published = raw(
  `p.state = 'approved' and p.deleted_at is null
   and not exists (select 1 from users u where u.id = p.user_id and u.deleted_at is not null)`,
);

const seen = ({ userId, unlimited }: Viewer): Statement => sql`
  p.id, p.slug, p.title, p.description, p.category, p.likes, p.locked, p.editor_rating, p.updated_at,
  (p.locked and not ${unlimited}::boolean) as is_locked,
  case when p.locked and not ${unlimited}::boolean then p.opening else p.content end as content,
  exists (select 1 from prompt_likes l where l.prompt_id = p.id and l.user_id = ${userId}::uuid) as is_liked,
  coalesce(p.user_id = ${userId}::uuid, false) as is_own,
  p.state, case when p.user_id = ${userId}::uuid then p.reason end as reason`;

/** What the search is looked for in: of a locked prompt what the viewer may see. */
const fits = ({ q, category }: PromptQuery, { unlimited }: Viewer): Statement => sql`
  (${category}::text is null or p.category = ${category}::text)
  and (${q}::text = '' or strpos(lower(p.title), lower(${q}::text)) > 0
    or strpos(lower(case when p.locked and not ${unlimited}::boolean then p.opening else p.content end), lower(${q}::text)) > 0)`;

const among = ({ sort }: PromptQuery, { userId }: Viewer): Statement =>
  sort === 'mine' ? sql`p.user_id = ${userId}::uuid and p.deleted_at is null` : sql`${published}`;

const orders = {
  popular: raw('p.likes desc, (p.user_id is null) desc, p.place, p.published_at desc, p.id'),
  new: raw('p.published_at desc, p.place, p.id'),
  mine: raw('p.updated_at desc, p.id'),
};

/** Prompts that fit a search, in its order. */
export function promptRows(db: Database, query: PromptQuery, viewer: Viewer): Promise<PromptRow[]> {
  return db.rows(sql`
    select ${seen(viewer)} from prompts p where ${among(query, viewer)} and ${fits(query, viewer)}
     order by ${orders[query.sort]} limit ${query.shown} offset ${query.from}`);
}

/** Slugs of the published prompts, with the day since which each is as it is; the curated ones change with a build. */
export function publishedSlugs(
  db: Database,
  limit: number,
): Promise<Array<{ slug: string; updated: string | null }>> {
  return db.rows(sql`
    select p.slug, case when p.user_id is not null then to_char(p.updated_at, 'YYYY-MM-DD') end as updated
      from prompts p where ${published} order by p.place, p.published_at, p.id limit ${limit}`);
}

/** How many prompts fit a search. */
export async function countRows(db: Database, query: PromptQuery, viewer: Viewer): Promise<number> {
  const row = await db.row<{ count: number }>(sql`
    select count(*)::int as count from prompts p where ${among(query, viewer)} and ${fits(query, viewer)}`);
  return row?.count ?? 0;
}

/** A published prompt, or one of the viewer's own, by the slug of its page or its id. */
export function promptRow(db: Database, name: string, viewer: Viewer): Promise<PromptRow | null> {
  return db.row(sql`
    select ${seen(viewer)} from prompts p
     where (p.slug = ${name} or p.id::text = lower(${name}::text))
       and ((${published}) or (p.user_id = ${viewer.userId}::uuid and p.deleted_at is null))`);
}

/**
 * Likes a prompt once for a person, or takes the like back; the count changes in the same statement.
 * @returns the likes from now on, null for a prompt that is not published.
 */
export async function setLike(
  db: Database,
  userId: string,
  id: string,
  liked: boolean,
): Promise<number | null> {
  const change = liked
    ? sql`insert into prompt_likes (prompt_id, user_id) select id, ${userId}::uuid from open
          on conflict do nothing returning 1 as by`
    : sql`delete from prompt_likes where prompt_id = (select id from open) and user_id = ${userId} returning -1 as by`;
  const row = await db.row<{ likes: number }>(sql`
    with open as (select p.id from prompts p where p.id = ${id}::uuid and ${published} for update),
    change as (${change})
    update prompts p set likes = p.likes + coalesce((select sum(by) from change), 0) from open
     where p.id = open.id returning p.likes`);
  return row?.likes ?? null;
}

/** Notes what a person says against a published prompt of another; again replaces it. @returns 0 for no such prompt. */
export function putReport(db: Database, userId: string, id: string, reason: string): Promise<number> {
  return db.run(sql`
    insert into prompt_reports (prompt_id, user_id, reason)
    select p.id, ${userId}::uuid, ${reason} from prompts p
     where p.id = ${id}::uuid and p.user_id is not null and p.user_id <> ${userId}::uuid and ${published}
    on conflict (prompt_id, user_id) do update set reason = excluded.reason, created_at = app_now(), closed_at = null`);
}
