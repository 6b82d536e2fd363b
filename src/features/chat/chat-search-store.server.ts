import type { Database } from '#platform/database/database.server.ts';
import { likePattern } from '#platform/database/page.server.ts';
import { type Statement, sql } from '#platform/database/sql.server.ts';

/** Mark the start and end of a match in `excerpt`; the SQL function `words_parted` removes them from stored text. */
export const [HIT_START, HIT_END] = ['\u0002', '\u0003'];

export interface FoundTitle {
  id: string;
  title: string;
  updated_at: Date;
  archived: boolean;
}

export interface FoundMessage {
  chat_id: string;
  title: string;
  id: string;
  role: 'user' | 'assistant';
  created_at: Date;
  excerpt: string;
  archived: boolean;
}

export const searchTitles = (db: Database, userId: string, text: string, limit: number) =>
  db.rows<FoundTitle>(sql`
    select id, title, updated_at, archived_at is not null as archived from chat_sessions
     where user_id = ${userId} and deleted_at is null and not temporary and strpos(lower(title), lower(${text})) > 0
     order by updated_at desc, id desc limit ${limit}`);

/** With more candidates than this, their ids are not used: frequent words are soon found in the newest chats. */
const MAX_CANDIDATES = 1500;
/** The same for short words, whose messages take longer to compare. */
const MAX_SHORT_CANDIDATES = 300;
/** The most parts that are looked up in the index. */
const MAX_PARTS = 4;
/** The index consists of trigrams. */
const MIN_PART_LENGTH = 3;

/** As in the SQL function `unspaced_parts`. */
const unspacedPart =
  /^[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uf900-\ufaff\uff66-\uff9f]{1,2}$/;
const twoLetters = /^[a-z0-9]{2}$/i;

const shortPartCondition = (part: string): Statement | null =>
  unspacedPart.test(part)
    ? sql`may_hold_unspaced(content, ${part})`
    : twoLetters.test(part)
      ? sql`may_begin_word(content, ${part.toLowerCase()})`
      : null;

/**
 * Returns the ids of this person's messages that contain all of these parts, ignoring case; parts of two Latin letters
 * only match at the start of a word. Every result of a search for these words is among them. Null means that the index
 * cannot tell: there are too many, or it covers none of the parts.
 */
export async function candidateMessages(
  db: Database,
  userId: string,
  parts: string[],
): Promise<string[] | null> {
  const longPartConditions = parts
    .filter((part) => part.length >= MIN_PART_LENGTH)
    .sort((one, other) => other.length - one.length)
    .map((part) => sql`lower(left(content, 100000)) like lower(${likePattern(part)})`);
  const conditions =
    longPartConditions.length > 0
      ? longPartConditions
      : parts.map(shortPartCondition).filter((condition) => condition !== null);
  if (conditions.length === 0) return null;
  const maxCandidates = longPartConditions.length > 0 ? MAX_CANDIDATES : MAX_SHORT_CANDIDATES;
  const combined = conditions
    .slice(0, MAX_PARTS)
    .reduce((before, condition) => sql`${before} and ${condition}`, sql`user_id = ${userId}`);
  const rows = await db.rows<{ id: string }>(
    sql`select id from chat_messages where ${combined} limit ${maxCandidates + 1}`,
  );
  return rows.length > maxCandidates ? null : rows.map(({ id }) => id);
}

interface MessageSearch {
  userId: string;
  /** The result of `candidateMessages`; null checks message by message, starting with the newest chat. */
  candidates: string[] | null;
  limit: number;
  /** Limits the hits per chat, so that one chat does not hide the others. */
  perChat: number;
}

/** Selects the messages `m` of a person's chats `s` that meet a condition, newest chats first. */
function matchingMessages(
  condition: Statement,
  { userId, candidates, limit, perChat }: MessageSearch,
): Statement {
  const columns = sql`s.id as chat_id, s.title, s.updated_at, s.archived_at is not null as archived, m.id, m.role, m.created_at, m.position`;
  const own = sql`s.user_id = ${userId} and s.deleted_at is null and not s.temporary`;
  const newest = sql`order by s.updated_at desc, s.id desc limit ${limit}`;
  return candidates === null
    ? sql`
      select ${columns} from chat_sessions s cross join lateral (
          select m.id, m.role, m.created_at, m.position from chat_messages m where m.session_id = s.id and ${condition}
           order by m.position desc limit ${perChat}) m
       where ${own} ${newest}`
    : sql`
      select ${columns} from chat_sessions s join (
          select m.id, m.session_id, m.role, m.created_at, m.position, row_number() over (partition by m.session_id order by m.position desc) as nth
            from chat_messages m where m.id = any(${candidates}::uuid[]) and ${condition}) m on m.session_id = s.id
       where ${own} and nth <= ${perChat} ${newest}`;
}

export interface WordQuery {
  all: string;
  any: string;
  start: string;
}

/** Treats characters that join words (slashes, dots, hyphens) as spaces. */
export function searchMessageWords(
  db: Database,
  { all, any, start }: WordQuery,
  search: MessageSearch,
): Promise<FoundMessage[]> {
  const marks = `StartSel="${HIT_START}", StopSel="${HIT_END}", ShortWord=0`;
  // A short text is shown whole, because an excerpt would lose numbers at its ends.
  const fullText = `${marks}, HighlightAll=true`;
  const excerpt = `${marks}, MaxFragments=2, MinWords=8, MaxWords=24, FragmentDelimiter=" … "`;
  return db.rows<FoundMessage>(sql`
    with asked as materialized (select to_tsquery('simple', ${all}) as query),
    matching as materialized (${matchingMessages(sql`m.search @@ (select query from asked)`, search)}),
    found as materialized (
      select matching.*, left(m.content, 100000) as words from matching join chat_messages m on m.id = matching.id)
    select chat_id, title, archived, id, role, created_at,
           words_together(ts_headline('simple',
             words_parted(substr(words, greatest(1, regexp_instr(words_apart(words), ${start}, 1, 1, 0, 'i') - 400), 4000)),
             to_tsquery('simple', ${any}), case when length(words) <= 200 then ${fullText} else ${excerpt} end)) as excerpt
      from found order by updated_at desc, chat_id desc, position desc`);
}

export function searchMessageSubstrings(
  db: Database,
  parts: string[],
  search: MessageSearch,
): Promise<FoundMessage[]> {
  const containsAll = sql`not exists (
    select 1 from unnest(${parts}::text[]) as part where strpos(lower(left(m.content, 100000)), lower(part)) = 0)`;
  return db.rows<FoundMessage>(sql`
    with matching as materialized (${matchingMessages(containsAll, search)}),
    found as materialized (
      select matching.*, left(m.content, 100000) as words from matching join chat_messages m on m.id = matching.id)
    select chat_id, title, archived, id, role, created_at,
           substr(words, greatest(1, strpos(lower(words), lower(${parts[0] ?? ''})) - 60), 200) as excerpt
      from found order by updated_at desc, chat_id desc, position desc`);
}
