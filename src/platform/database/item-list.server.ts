import type { Database } from './database.server.ts';
import { likePattern } from './page.server.ts';
import { raw, type Statement, sql } from './sql.server.ts';

// Rows of several tables of one person as one list: each table gives a page of its own, which are put together.

export const itemOrders = ['newest', 'oldest', 'name'] as const;
export type ItemOrder = (typeof itemOrders)[number];

/** The last item of a page: when it was changed, ISO 8601 with microseconds, or its name in lower case. */
export interface ItemCursor {
  key: string;
  id: string;
}

export interface ItemQuery {
  userId: string;
  order: ItemOrder;
  after: ItemCursor | null;
  limit: number;
  /** As they were typed; an item holds each of them somewhere in a word. None: every item. */
  words: string[];
  /** In this project alone. */
  projectId?: string | null;
  /** Of these alone. */
  ids?: string[] | null;
}

export interface ItemRow {
  kind: string;
  id: string;
  title: string;
  at: Date;
  /** Of its cursor. */
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
  /** Around the first word, where words are asked for. */
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

/** Selects the details of one `item`; those that its table does not have are null. `from` is the rest of the statement. */
export const detailsOf = (known: Partial<Record<Detail, Statement>>, from = sql``): Statement =>
  sql`select ${detailNames
    .map((name) => sql`${known[name] ?? sql`null`}::${raw(detailTypes[name])} as ${raw(name)}`)
    .reduce((all, one) => sql`${all}, ${one}`)} ${from}`;

export interface ItemSource {
  kind: string;
  /** Whether its items can be in projects. */
  inProjects?: true;
  /** Ids among which are all items that hold the words; null where that cannot be told without reading them. */
  candidates: (db: Database, query: ItemQuery) => Promise<string[] | null>;
  page: (query: ItemQuery, candidates: string[] | null) => Statement;
}

interface ItemTable {
  kind: string;
  from: string;
  id: string;
  /** What it is called. */
  shown: string;
  at: string;
  /** What it is sorted by; an index has this expression. */
  name: string;
  archived?: string;
  /** Whose the row is, that it is not deleted, and that it holds the words. */
  condition: Statement;
  /** As `detailsOf`; one row. */
  details: Statement;
}

const directions = {
  newest: { column: 'at', compare: raw('<'), type: raw('timestamptz'), down: ' desc' },
  oldest: { column: 'at', compare: raw('>'), type: raw('timestamptz'), down: '' },
  name: { column: 'name', compare: raw('>'), type: raw('text'), down: '' },
} as const;

/** A page of one table. Items that are named by their ids are read first and then sorted: in the order of all they may be the last. */
export function itemPage(table: ItemTable, { order, after, limit, words, ids = null }: ItemQuery): Statement {
  const { column, compare, type, down } = directions[order];
  const by = table[column];
  const byIds = ids !== null && words.length === 0;
  const beyond = after
    ? sql`(${raw(`${by}, ${table.id}`)}) ${compare} (${after.key}::${type}, ${after.id}::uuid)`
    : sql`true`;
  return sql`
    (select ${table.kind}::text as kind, item.id, item.title, item.at, item.name, item.archived,
            ${raw(detailNames.map((name) => `details.${name}`).join(', '))}
       from (select * from (
               select ${raw(`${table.id} as id, ${table.shown} as title, ${table.at} as at, ${table.name} as name,
                      ${table.archived ?? 'false'} as archived from ${table.from}`)}
                where ${table.condition} and ${among(table.id, ids)} and ${beyond} ${raw(byIds ? 'offset 0' : '')}) found
              order by ${raw(`${column}${down}, id${down}`)} limit ${limit}) item
       left join lateral (${table.details}) details on true)`;
}

/** The pages of several tables as one. `beside` selects further columns of each `item` of it. */
export function mergedItems<Beside>(
  db: Database,
  pages: Statement[],
  { order, limit }: ItemQuery,
  beside: Statement,
) {
  const { column, down } = directions[order];
  const by = raw(`order by ${column}${down}, id${down}`);
  const all = pages.reduce((one, other) => sql`${one} union all ${other}`);
  const key = column === 'at' ? `to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')` : 'name';
  return db.rows<ItemRow & Beside>(sql`
    select kind, id, title, at, ${raw(key)} as key, archived, ${raw(detailNames.join(', '))}, ${beside}
      from (select * from (${all}) items ${by} limit ${limit}) item ${by}`);
}

/** As much of a text as the indexes know. */
export const searchable = (column: string) => raw(`lower(left(${column}, 100000))`);

/**
 * Whether some row is there, or each word is. As a value, not by `exists`: the planner would read a whole table for that,
 * or take it for so rare that it sorts all rows before it looks.
 */
export const isThere = (rows: Statement): Statement => sql`coalesce((select true ${rows} limit 1), false)`;

export const holdsWords = (text: { text: string }, words: string[]): Statement => sql`
  coalesce((select false from unnest(${words}::text[]) word where strpos(${raw(text.text)}, lower(word)) = 0 limit 1), true)`;

/** Characters of a passage, and of them before the first word. */
const PASSAGE = { length: 200, before: 60 };

/** From shortly before the first word, or from the beginning. */
export const passageOf = (column: string, words: string[]): Statement => sql`
  substr(left(${raw(column)}, 100000),
         greatest(1, strpos(${searchable(column)}, lower(${words[0] ?? ''})) - ${PASSAGE.before}::int), ${PASSAGE.length}::int)`;

/** A passage is cut by characters: what is left of a word at its ends is taken off, where blanks part the words. */
export function wholeWords(passage: string, [first = '']: string[]): string {
  const isBegun = first !== '' && passage.toLowerCase().indexOf(first.toLowerCase()) >= PASSAGE.before;
  const begun = isBegun ? passage.replace(/^\S{0,24}\s+/, '… ') : passage;
  return passage.length < PASSAGE.length ? begun : begun.replace(/\s+\S{0,24}$/, ' …');
}

/** More ids than this are not asked for: words that many have are soon found in the newest. */
const MOST_CANDIDATES = 1500;
/** As many words as the index is asked for. */
const MOST_PARTS = 4;
/** The index knows three letters in a row. */
const indexed = /[\p{L}\p{N}\p{M}]{3}/u;

/**
 * The ids of rows whose text holds all words: `select` gives `id` and ends with its own condition. Null where there are
 * more than `most`, or the index does not know the words.
 */
export async function idsHolding(
  db: Database,
  select: Statement,
  text: { text: string },
  words: string[],
  most = MOST_CANDIDATES,
): Promise<string[] | null> {
  const asked = words
    .filter((word) => indexed.test(word))
    .sort((one, other) => other.length - one.length)
    .slice(0, MOST_PARTS);
  if (asked.length === 0) return null;
  const held = asked.reduce(
    (all, word) => sql`${all} and ${raw(text.text)} like lower(${likePattern(word)})`,
    select,
  );
  const rest = words.filter((word) => !asked.includes(word));
  const whole = rest.length > 0 ? sql`${held} and ${holdsWords(text, rest)}` : held;
  const rows = await db.rows<{ id: string }>(sql`${whole} limit ${most + 1}`);
  return rows.length > most ? null : rows.map(({ id }) => id);
}

/** Of several answers of `idsHolding`, one after the other; null as soon as one of them is. */
export async function allIds(ask: (() => Promise<string[] | null>)[]): Promise<string[] | null> {
  const all = new Set<string>();
  for (const each of ask) {
    const ids = await each();
    if (ids === null) return null;
    for (const id of ids) all.add(id);
  }
  return [...all];
}

export const among = (id: string, candidates: string[] | null): Statement =>
  candidates ? sql`${raw(id)} = any(${candidates}::uuid[])` : sql`true`;
