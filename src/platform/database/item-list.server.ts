import type { Database } from './database.server.ts';
import { likePattern } from './page.server.ts';
import { raw, type Statement, sql } from './sql.server.ts';

// Lists rows of several tables of one person together: each table provides a page, and the pages are merged.

export const itemOrders = ['newest', 'oldest', 'name'] as const;
export type ItemOrder = (typeof itemOrders)[number];

/** The last item of a page. `key` is its time of change (ISO 8601 with microseconds) or its lower-case name. */
export interface ItemCursor {
  key: string;
  id: string;
}

export interface ItemQuery {
  userId: string;
  order: ItemOrder;
  after: ItemCursor | null;
  limit: number;
  /** As typed. An item matches if it contains each of them, also inside a word. Empty: every item. */
  words: string[];
  /** Only items in this project. */
  projectId?: string | null;
  /** Only items with these ids. */
  ids?: string[] | null;
}

export interface ItemRow {
  kind: string;
  id: string;
  title: string;
  at: Date;
  /** The `key` of this item's cursor. */
  key: string;
  archived: boolean;
  message_id: string | null;
  picture_id: string | null;
  project_id: string | null;
  project_name: string | null;
  chat_id: string | null;
  chat_title: string | null;
  bytes: number | null;
  page: number | null;
  /** Text around the first word, when `words` were given. */
  excerpt: string | null;
}

const detailTypes = {
  message_id: 'uuid',
  picture_id: 'uuid',
  project_id: 'uuid',
  project_name: 'text',
  chat_id: 'uuid',
  chat_title: 'text',
  bytes: 'int',
  page: 'int',
  excerpt: 'text',
} as const;
type Detail = keyof typeof detailTypes;
const detailNames = Object.keys(detailTypes) as Detail[];

/** Selects the details of one `item`; details that its table lacks are null. `from` is the rest of the statement. */
export const detailsOf = (expressions: Partial<Record<Detail, Statement>>, from = sql``): Statement =>
  sql`select ${detailNames
    .map((name) => sql`${expressions[name] ?? sql`null`}::${raw(detailTypes[name])} as ${raw(name)}`)
    .reduce((all, one) => sql`${all}, ${one}`)} ${from}`;

export interface ItemSource {
  kind: string;
  /** Set if its items can be in projects. */
  inProjects?: true;
  /** Returns ids that include every item with the words, or null if the items would have to be read for that. */
  candidates: (db: Database, query: ItemQuery) => Promise<string[] | null>;
  page: (query: ItemQuery, candidates: string[] | null) => Statement;
}

interface ItemTable {
  kind: string;
  from: string;
  id: string;
  /** Expression for the title that is shown. */
  titleSql: string;
  at: string;
  /** Expression for sorting by name, which an index has too. */
  name: string;
  archived?: string;
  /** Selects rows of the user that are not deleted and contain the words. */
  condition: Statement;
  /** From `detailsOf`; one row. */
  details: Statement;
}

const directions = {
  newest: { column: 'at', compare: raw('<'), type: raw('timestamptz'), down: ' desc' },
  oldest: { column: 'at', compare: raw('>'), type: raw('timestamptz'), down: '' },
  name: { column: 'name', compare: raw('>'), type: raw('text'), down: '' },
} as const;

/** One page of one table. `offset 0` makes it find rows by id before it sorts: in sort order they may come last. */
export function itemPage(table: ItemTable, { order, after, limit, words, ids = null }: ItemQuery): Statement {
  const { column, compare, type, down } = directions[order];
  const sortKey = table[column];
  const byIds = ids !== null && words.length === 0;
  const afterCursor = after
    ? sql`(${raw(`${sortKey}, ${table.id}`)}) ${compare} (${after.key}::${type}, ${after.id}::uuid)`
    : sql`true`;
  return sql`
    (select ${table.kind}::text as kind, item.id, item.title, item.at, item.name, item.archived,
            ${raw(detailNames.map((name) => `details.${name}`).join(', '))}
       from (select * from (
               select ${raw(`${table.id} as id, ${table.titleSql} as title, ${table.at} as at, ${table.name} as name,
                      ${table.archived ?? 'false'} as archived from ${table.from}`)}
                where ${table.condition} and ${idIn(table.id, ids)} and ${afterCursor} ${raw(byIds ? 'offset 0' : '')}) found
              order by ${raw(`${column}${down}, id${down}`)} limit ${limit}) item
       left join lateral (${table.details}) details on true)`;
}

/** Reads the pages of several tables as one. `extraColumns` selects further columns of each `item`. */
export function mergedItems<Extra>(
  db: Database,
  pages: Statement[],
  { order, limit }: ItemQuery,
  extraColumns: Statement,
) {
  const { column, down } = directions[order];
  const orderBy = raw(`order by ${column}${down}, id${down}`);
  const all = pages.reduce((one, other) => sql`${one} union all ${other}`);
  const key = column === 'at' ? `to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')` : 'name';
  return db.rows<ItemRow & Extra>(sql`
    select kind, id, title, at, ${raw(key)} as key, archived, ${raw(detailNames.join(', '))}, ${extraColumns}
      from (select * from (${all}) items ${orderBy} limit ${limit}) item ${orderBy}`);
}

/** The part of a text that the indexes cover. */
export const searchable = (column: string) => raw(`lower(left(${column}, 100000))`);

/**
 * Whether `rows` selects any row. A scalar subquery, because for `exists` the planner would read the whole table, or
 * expect so few matches that it sorts all rows first.
 */
export const anyRow = (rows: Statement): Statement => sql`coalesce((select true ${rows} limit 1), false)`;

export const containsWords = (text: { text: string }, words: string[]): Statement => sql`
  coalesce((select false from unnest(${words}::text[]) word where strpos(${raw(text.text)}, lower(word)) = 0 limit 1), true)`;

/** In characters: the length of a passage, and how much of it precedes the first word. */
const PASSAGE = { length: 200, before: 60 };

/** Selects the text from shortly before the first word, or from its start. */
export const passageOf = (column: string, words: string[]): Statement => sql`
  substr(left(${raw(column)}, 100000),
         greatest(1, strpos(${searchable(column)}, lower(${words[0] ?? ''})) - ${PASSAGE.before}::int), ${PASSAGE.length}::int)`;

/** Removes word fragments at the ends of a passage, which is cut by characters, in languages that use spaces. */
export function trimToWords(passage: string, [first = '']: string[]): string {
  const cutsStart = first !== '' && passage.toLowerCase().indexOf(first.toLowerCase()) >= PASSAGE.before;
  const trimmed = cutsStart ? passage.replace(/^\S{0,24}\s+/, '… ') : passage;
  return passage.length < PASSAGE.length ? trimmed : trimmed.replace(/\s+\S{0,24}$/, ' …');
}

/** Ids are used only up to this many: words that are more common are quickly found among the newest items. */
const MAX_CANDIDATES = 1500;
/** The most words that are looked up in the index. */
const MAX_INDEXED_WORDS = 4;
/** The index is made of trigrams, so a word needs three letters or digits in a row. */
const indexable = /[\p{L}\p{N}\p{M}]{3}/u;

/**
 * Returns the ids of rows whose text contains all words: `select` selects `id` and ends with a condition. Returns null
 * if there are more than `limit`, or if the index covers none of the words.
 */
export async function idsContaining(
  db: Database,
  select: Statement,
  text: { text: string },
  words: string[],
  limit = MAX_CANDIDATES,
): Promise<string[] | null> {
  const indexedWords = words
    .filter((word) => indexable.test(word))
    .sort((one, other) => other.length - one.length)
    .slice(0, MAX_INDEXED_WORDS);
  if (indexedWords.length === 0) return null;
  const matching = indexedWords.reduce(
    (all, word) => sql`${all} and ${raw(text.text)} like lower(${likePattern(word)})`,
    select,
  );
  const rest = words.filter((word) => !indexedWords.includes(word));
  const query = rest.length > 0 ? sql`${matching} and ${containsWords(text, rest)}` : matching;
  const rows = await db.rows<{ id: string }>(sql`${query} limit ${limit + 1}`);
  return rows.length > limit ? null : rows.map(({ id }) => id);
}

/** Runs several `idsContaining` queries in sequence and unites their ids; null as soon as one returns null. */
export async function allIds(queries: (() => Promise<string[] | null>)[]): Promise<string[] | null> {
  const all = new Set<string>();
  for (const query of queries) {
    const ids = await query();
    if (ids === null) return null;
    for (const id of ids) all.add(id);
  }
  return [...all];
}

export const idIn = (id: string, candidates: string[] | null): Statement =>
  candidates ? sql`${raw(id)} = any(${candidates}::uuid[])` : sql`true`;
