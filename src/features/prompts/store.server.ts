import type { Database } from '#platform/database/database.server.ts';
import { raw, type Statement, sql } from '#platform/database/sql.server.ts';
import { type Category, type PromptQuery, type PromptState, ratingsToShow } from './contract.ts';
import { parseSearchTerms, wholeWords } from './search-terms.server.ts';

export interface Viewer {
  userId: string | null;
  unlimited: boolean;
}

export interface PromptRow {
  id: string;
  slug: string | null;
  title: string;
  description: string;
  /** Only the first lines if the prompt is locked for the viewer; the query does not return the rest. */
  content: string;
  category: Category;
  likes: number;
  is_liked: boolean;
  locked: boolean;
  is_locked: boolean;
  gives_text: boolean;
  rating: number | null;
  rating_count: number;
  editor_rating: number | null;
  editor_reason: string | null;
  own_stars: number | null;
  is_used: boolean;
  is_curated: boolean;
  is_own: boolean;
  state: PromptState;
  reason: string | null;
  updated_at: Date;
}

export const published = raw(
  `p.state = 'approved' and p.deleted_at is null
   and not exists (select 1 from users u where u.id = p.user_id and u.deleted_at is not null)`,
);

const promptColumns = ({ userId, unlimited }: Viewer): Statement => sql`
  p.id, p.slug, p.title, p.description, p.category, p.likes, p.locked, p.gives_text, p.editor_rating, p.editor_reason, p.updated_at,
  p.rating_count, case when p.rating_count >= ${ratingsToShow}::int then round(p.rating_sum::numeric / p.rating_count, 1)::float8 end as rating,
  own_use.stars as own_stars, own_use.user_id is not null as is_used,
  (p.locked and not ${unlimited}::boolean) as is_locked,
  case when p.locked and not ${unlimited}::boolean then p.opening else p.content end as content,
  exists (select 1 from prompt_likes l where l.prompt_id = p.id and l.user_id = ${userId}::uuid) as is_liked,
  p.user_id is null as is_curated, coalesce(p.user_id = ${userId}::uuid, false) as is_own,
  p.state, case when p.user_id = ${userId}::uuid then p.reason end as reason`;

const visibleText = ({ unlimited }: Viewer): Statement => sql`
  lower(case when p.locked and not ${unlimited}::boolean then p.opening else p.content end)`;

/**
 * `offset 0` makes PostgreSQL read each text once. `fits`: the search occurs literally, or all its words do in some
 * form. `score`: whole words count more than synonyms and parts of words, and titles more than texts.
 */
const searchSource = ({ q }: PromptQuery, viewer: Viewer): Statement => sql`
  prompts p
  left join prompt_uses own_use on own_use.prompt_id = p.id and own_use.user_id = ${viewer.userId}::uuid
  cross join lateral (select lower(p.title) as title, lower(p.description) as about,
    array_to_string(p.tags, ' ') as tags, ${visibleText(viewer)} as body offset 0) as words
  cross join lateral (
    select coalesce(bool_and(hit.score > 0), true) as all_words, coalesce(sum(hit.score), 0) as score
      from jsonb_to_recordset(${JSON.stringify(parseSearchTerms(q))}::jsonb) as term(literal text, part text, word text, alike text)
      cross join lateral (select strpos(words.title, term.literal) > 0 as in_title, strpos(words.tags, term.literal) > 0 as in_tags,
        strpos(words.about, term.literal) > 0 as in_about, strpos(words.body, term.literal) > 0 as in_body offset 0) as occurs
      cross join lateral (select case
        when occurs.in_title and words.title ~ term.word then 40 when occurs.in_tags and words.tags ~ term.word then 30
        when occurs.in_about and words.about ~ term.word then 20 when occurs.in_body and words.body ~ term.word then 15
        when words.title ~ term.alike then 12 when words.tags ~ term.alike then 10
        when words.about ~ term.alike then 8 when words.body ~ term.alike then 6
        when occurs.in_title and words.title ~ term.part then 4 when occurs.in_tags and words.tags ~ term.part then 3
        when occurs.in_about and words.about ~ term.part then 2 when occurs.in_body and words.body ~ term.part then 1
        else 0 end as score) as hit) as matched
  cross join lateral (select
    strpos(words.title, lower(${q}::text)) > 0 or strpos(words.about, lower(${q}::text)) > 0
      or strpos(words.body, lower(${q}::text)) > 0 as present,
    case when ${q}::text = '' then 0 when words.title ~ ${wholeWords(q)} then 40
      when words.body ~ ${wholeWords(q)} then 10 else 0 end as score) as phrase
  cross join lateral (select matched.score + phrase.score as score, matched.all_words or phrase.present as fits) as found`;

const matchesQuery = ({ category }: PromptQuery): Statement => sql`
  (${category}::text is null or p.category = ${category}::text) and found.fits`;

const inScope = ({ sort }: PromptQuery, { userId }: Viewer): Statement =>
  sort === 'mine' ? sql`p.user_id = ${userId}::uuid and p.deleted_at is null` : sql`${published}`;

const orders = {
  popular: raw(
    'found.score desc, p.likes desc, (p.user_id is null) desc, p.place, p.published_at desc, p.id',
  ),
  new: raw('p.published_at desc, p.place, p.id'),
  mine: raw('p.updated_at desc, p.id'),
};

export const promptRows = (db: Database, query: PromptQuery, viewer: Viewer) =>
  db.rows<PromptRow>(sql`
    select ${promptColumns(viewer)} from ${searchSource(query, viewer)} where ${inScope(query, viewer)} and ${matchesQuery(query)}
     order by ${orders[query.sort]} limit ${query.shown} offset ${query.from}`);

/** `updated` is the day of the last change; null for curated prompts, which change with a release. */
export const publishedSlugs = (db: Database, limit: number) =>
  db.rows<{ slug: string; updated: string | null }>(sql`
    select p.slug, case when p.user_id is not null then to_char(p.updated_at, 'YYYY-MM-DD') end as updated
      from prompts p where ${published} order by p.place, p.published_at, p.id limit ${limit}`);

export async function countRows(db: Database, query: PromptQuery, viewer: Viewer): Promise<number> {
  const row = await db.row<{ count: number }>(sql`
    select count(*)::int as count from ${searchSource(query, viewer)} where ${inScope(query, viewer)} and ${matchesQuery(query)}`);
  return row?.count ?? 0;
}

export const promptRow = (db: Database, name: string, viewer: Viewer) =>
  db.row<PromptRow>(sql`
    select ${promptColumns(viewer)} from prompts p
      left join prompt_uses own_use on own_use.prompt_id = p.id and own_use.user_id = ${viewer.userId}::uuid
     where (p.slug = ${name} or p.id::text = lower(${name}::text))
       and ((${published}) or (p.user_id = ${viewer.userId}::uuid and p.deleted_at is null))`);

/** Updates the count in the same statement. @returns the new count; null if the prompt is not published */
export async function setLike(db: Database, userId: string, id: string, liked: boolean) {
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

export const saveReport = (db: Database, userId: string, id: string, reason: string) =>
  db.run(sql`
    insert into prompt_reports (prompt_id, user_id, reason)
    select p.id, ${userId}::uuid, ${reason} from prompts p
     where p.id = ${id}::uuid and p.user_id is not null and p.user_id <> ${userId}::uuid and ${published}
    on conflict (prompt_id, user_id) do update set reason = excluded.reason, created_at = app_now(), closed_at = null`);
