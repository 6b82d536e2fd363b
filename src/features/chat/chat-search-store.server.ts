import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';

/** Around what was found in `excerpt`; `words_parted` of the migrations takes them out of every text. */
export const [HIT, END] = ['\u0002', '\u0003'];

export interface FoundTitle {
  id: string;
  title: string;
  updated_at: Date;
}

export interface FoundMessage {
  chat_id: string;
  title: string;
  id: string;
  role: 'user' | 'assistant';
  created_at: Date;
  excerpt: string;
}

/** On all processes, until the transaction ends. */
export async function isOnlySearch(tx: Database, userId: string): Promise<boolean> {
  const row = await tx.row<{ got: boolean }>(sql`
    select pg_try_advisory_xact_lock(hashtextextended(${`search:${userId}`}, 0)) as got`);
  return row?.got === true;
}

export const searchTitles = (db: Database, userId: string, text: string, limit: number) =>
  db.rows<FoundTitle>(sql`
    select id, title, updated_at from chat_sessions
     where user_id = ${userId} and deleted_at is null and strpos(lower(title), lower(${text})) > 0
     order by updated_at desc, id desc limit ${limit}`);

interface MessageSearch {
  userId: string;
  limit: number;
  /** So that one chat does not hide the others. */
  perChat: number;
}

export interface WordQuery {
  all: string;
  any: string;
  start: string;
}

/**
 * What joins words (slashes, dots, hyphens) is taken for blanks. Messages are looked at one by one until the limit is
 * reached.
 */
export function searchMessageWords(
  db: Database,
  { all, any, start }: WordQuery,
  { userId, limit, perChat }: MessageSearch,
): Promise<FoundMessage[]> {
  const marks = `StartSel="${HIT}", StopSel="${END}", ShortWord=0`;
  // What is short is shown whole: an excerpt would lose numbers at its ends.
  const whole = `${marks}, HighlightAll=true`;
  const excerpt = `${marks}, MaxFragments=2, MinWords=8, MaxWords=24, FragmentDelimiter=" … "`;
  return db.rows<FoundMessage>(sql`
    with asked as materialized (select to_tsquery('simple', ${all}) as query),
    found as materialized (
      select s.id as chat_id, s.title, s.updated_at, m.id, m.role, m.created_at, m.position,
             left(m.content, 100000) as content
        from chat_sessions s cross join lateral (
          select m.* from chat_messages m
           where m.session_id = s.id and m.search @@ (select query from asked)
           order by m.position desc limit ${perChat}) m
       where s.user_id = ${userId} and s.deleted_at is null
       order by s.updated_at desc, s.id desc limit ${limit})
    select chat_id, title, id, role, created_at,
           words_together(ts_headline('simple',
             words_parted(substr(content, greatest(1, regexp_instr(words_apart(content), ${start}, 1, 1, 0, 'i') - 400), 4000)),
             to_tsquery('simple', ${any}), case when length(content) <= 200 then ${whole} else ${excerpt} end)) as excerpt
      from found order by updated_at desc, chat_id desc, position desc`);
}

export const searchMessageSubstrings = (
  db: Database,
  parts: string[],
  { userId, limit, perChat }: MessageSearch,
) =>
  db.rows<FoundMessage>(sql`
    with found as materialized (
      select s.id as chat_id, s.title, s.updated_at, m.id, m.role, m.created_at, m.position, m.text
        from chat_sessions s cross join lateral (
          select m.*, t.text from chat_messages m
            cross join lateral (select left(m.content, 100000) as text, lower(left(m.content, 100000)) as small) t
           where m.session_id = s.id
             and not exists (select 1 from unnest(${parts}::text[]) as part where strpos(t.small, lower(part)) = 0)
           order by m.position desc limit ${perChat}) m
       where s.user_id = ${userId} and s.deleted_at is null
       order by s.updated_at desc, s.id desc limit ${limit})
    select chat_id, title, id, role, created_at,
           substr(text, greatest(1, strpos(lower(text), lower(${parts[0] ?? ''})) - 60), 200) as excerpt
      from found order by updated_at desc, chat_id desc, position desc`);
