import { validate as isUuid } from 'uuid';
import { shownTitle } from '#features/chat/contract.ts';
import { projectNames, search } from '#features/chat/service.server.ts';
import { featureTable } from '#features/credits/contract.ts';
import { type Database, database, isStatementTimeout } from '#platform/database/database.server.ts';
import {
  type ItemCursor,
  type ItemOrder,
  type ItemQuery,
  trimToWords,
} from '#platform/database/item-list.server.ts';
import { pageOf, parseTimeCursor } from '#platform/database/page.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import type { ActorInput, UserActor } from '#platform/http/actor.server.ts';
import { oneSearch } from '#platform/one-search.server.ts';
import { cleanQuery, highlightWords, inOneLine } from '#shared/search-words.ts';
import {
  type LibraryFilters,
  type LibraryItem,
  type LibraryKind,
  type LibraryPage,
  type LibraryQuery,
  libraryLimits,
  type SearchResponse,
} from './contract.ts';
import { itemSources, type LibraryRow, readItems } from './item-rows.server.ts';
import { itemsTagged, tagsOf } from './tags/tags-store.server.ts';

export { addImportedTag, hasTag, type ImportedTagging } from './tags/import-tag.server.ts';

/** Parses a cursor for this order. Returns null for an invalid one, so that the listing starts from the beginning. */
function cursorOf(text: string | null, order: ItemOrder): ItemCursor | null {
  if (text === null) return null;
  if (order !== 'name') {
    const time = parseTimeCursor(text);
    return time && { key: time.at, id: time.id };
  }
  const end = text.lastIndexOf('_');
  const [key, id] = [text.slice(0, Math.max(0, end)), text.slice(end + 1)];
  return key.includes('\0') || !isUuid(id) ? null : { key: key.toWellFormed(), id };
}

const pathOf = (kind: LibraryKind, { id, message_id, chat_id }: LibraryRow): string => {
  if (kind === 'file') return chat_id ? `/chat/${chat_id}?at=${message_id}` : `/api/files/${id}`;
  const page = featureTable[kind].page ?? '/';
  return message_id ? `${page}/${id}?at=${message_id}` : `${page}/${id}`;
};

function itemOf(row: LibraryRow, words: string[]): LibraryItem {
  const { id, at, archived } = row;
  const kind = row.kind as LibraryKind;
  const title = kind === 'chat' ? shownTitle(row.title) : row.title;
  const excerpt = row.excerpt !== null && !title.includes(row.excerpt) ? row.excerpt : '';
  return {
    kind,
    id,
    path: pathOf(kind, row),
    title: highlightWords(title, words),
    excerpt: inOneLine(highlightWords(trimToWords(excerpt, words), words)),
    at: at.toISOString(),
    archived,
    pictureId: row.picture_id,
    projectId: row.project_id,
    projectName: row.project_name,
    tags: row.tags,
    page: row.page,
    file:
      row.bytes === null ? null : { bytes: row.bytes, chat: row.chat_id && shownTitle(row.chat_title ?? '') },
  };
}

function wordsOf(input: string): string[] {
  const text = cleanQuery(input, libraryLimits.searchLength);
  return text === '' ? [] : text.split(/\s+/);
}

/** Returns the most recently changed items. Files are left out, because they show in their chats. */
export async function listRecent({ actor, input }: ActorInput<{ limit: number }>): Promise<LibraryItem[]> {
  const query: ItemQuery = { userId: actor.userId, order: 'newest', after: null, words: [], ...input };
  const kinds = itemSources(null).filter(({ kind }) => kind !== 'file');
  return (await readItems(database(), query, kinds)).map((row) => itemOf(row, []));
}

/** Returns the projects and tags that the library can be filtered by. */
export async function listFilters({ userId }: UserActor): Promise<LibraryFilters> {
  const row = await database().row<LibraryFilters>(sql`
    select ${tagsOf(userId)} as tags, ${projectNames(userId)} as projects`);
  return row ?? { tags: [], projects: [] };
}

type ListingQuery = Pick<LibraryQuery, 'q' | 'kind' | 'project' | 'tag' | 'sort' | 'after'>;

/** @throws Problem rate_limited, or unavailable if a search takes too long */
export async function listLibrary({ actor, input }: ActorInput<ListingQuery>): Promise<LibraryPage> {
  const { userId } = actor;
  const words = wordsOf(input.q);
  const order = input.sort;
  const limit = libraryLimits.perPage + 1;
  const after = cursorOf(input.after, order);
  const query = { userId, order, after, limit, words, projectId: input.project };
  const { kind, tag } = input;
  const read = async (db: Database) =>
    readItems(db, query, itemSources(kind), tag ? await itemsTagged(db, userId, tag) : null);
  const rows = words.length > 0 ? await oneSearch(userId, read) : await read(database());
  const page = pageOf(rows, libraryLimits.perPage, ({ key, id }) => `${key}_${id}`);
  return { items: page.rows.map((row) => itemOf(row, words)), next: page.next };
}

/** @throws the same as `listLibrary` */
export async function searchEverywhere({
  actor,
  input,
}: ActorInput<{ text: string }>): Promise<SearchResponse> {
  const words = wordsOf(input.text);
  const { userId } = actor;
  const limit = libraryLimits.searchHits;
  const query: ItemQuery = { userId, order: 'newest', after: null, limit, words };
  const others = itemSources(null).filter(({ kind }) => kind !== 'chat');
  let rows: LibraryRow[] = [];
  const hits = await search({ actor, input }, async (tx) => {
    rows = await readItems(tx, query, others).catch((error: unknown) => {
      // After a timeout, still return the hits in chats.
      if (isStatementTimeout(error)) return [];
      throw error;
    });
  });
  return { hits, items: rows.map((row) => itemOf(row, words)) };
}
