import { validate as isUuid } from 'uuid';
import { shownTitle } from '#features/chat/contract.ts';
import { chatItems, fileItems, search } from '#features/chat/service.server.ts';
import { featureTable } from '#features/credits/contract.ts';
import { imageItems } from '#features/images/service.server.ts';
import { documentItems } from '#features/pdfs/service.server.ts';
import { promptItems } from '#features/prompts/service.server.ts';
import { textFeatures } from '#features/texts/contract.ts';
import { textItems } from '#features/texts/service.server.ts';
import { type Database, database, isLate } from '#platform/database/database.server.ts';
import {
  type ItemCursor,
  type ItemOrder,
  type ItemQuery,
  type ItemRow,
  type ItemSource,
  mergedItems,
  wholeWords,
} from '#platform/database/item-list.server.ts';
import { pageOf, parseTimeCursor } from '#platform/database/page.server.ts';
import type { ActorInput } from '#platform/http/actor.server.ts';
import { oneSearch } from '#platform/one-search.server.ts';
import { cleanQuery, highlightWords, inOneLine } from '#shared/search-words.ts';
import {
  type FoundEverywhere,
  type LibraryItem,
  type LibraryKind,
  type LibraryPage,
  type LibraryQuery,
  libraryLimits,
} from './contract.ts';

const all: ReadonlyArray<ItemSource & { kind: LibraryKind }> = [
  { ...chatItems, kind: 'chat' },
  ...textFeatures.map((kind) => ({ ...textItems(kind), kind })),
  { ...imageItems, kind: 'image' },
  { ...documentItems, kind: 'pdf' },
  { ...fileItems, kind: 'file' },
  { ...promptItems, kind: 'prompts' },
];

/** Work that a tool made stays when it is switched off; the pages of prompts do not. */
const sources = (kind: LibraryKind | null) =>
  all.filter((source) =>
    source.kind === 'prompts' && !featureTable.prompts.offered
      ? false
      : kind === null || source.kind === kind,
  );

/** What is not a cursor of this order begins anew. */
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

async function readRows(db: Database, query: ItemQuery, kinds: ReadonlyArray<ItemSource>) {
  const pages = [];
  // The texts of all tools have the same.
  const known = new Map<ItemSource['candidates'], string[] | null>();
  for (const source of kinds) {
    if (query.words.length > 0 && !known.has(source.candidates))
      known.set(source.candidates, await source.candidates(db, query));
    const candidates = known.get(source.candidates) ?? null;
    if (candidates?.length !== 0) pages.push(source.page(query, candidates));
  }
  return pages.length === 0 ? [] : mergedItems(db, pages, query);
}

const pathOf = (kind: LibraryKind, { id, message_id, chat_id }: ItemRow): string => {
  if (kind === 'file') return `/chat/${chat_id}?at=${message_id}`;
  const page = featureTable[kind].page ?? '/';
  return message_id ? `${page}/${id}?at=${message_id}` : `${page}/${id}`;
};

function itemOf(row: ItemRow, words: string[]): LibraryItem {
  const { id, at, archived } = row;
  const kind = row.kind as LibraryKind;
  const title = kind === 'chat' ? shownTitle(row.title) : row.title;
  const excerpt = row.excerpt !== null && !title.includes(row.excerpt) ? row.excerpt : '';
  return {
    kind,
    id,
    path: pathOf(kind, row),
    title: highlightWords(title, words),
    excerpt: inOneLine(highlightWords(wholeWords(excerpt, words), words)),
    at: at.toISOString(),
    archived,
    pictureId: row.picture_id,
    projectId: row.project_id,
    page: row.page,
    file: row.bytes === null ? null : { bytes: row.bytes, chat: shownTitle(row.chat_title ?? '') },
  };
}

function wordsOf(typed: string): string[] {
  const text = cleanQuery(typed, libraryLimits.searchLength);
  return text === '' ? [] : text.split(/\s+/);
}

/** Chats, texts, images, documents and prompts that were changed last; files stand in their chats. */
export async function listRecent({ actor, input }: ActorInput<{ limit: number }>): Promise<LibraryItem[]> {
  const query: ItemQuery = { userId: actor.userId, order: 'newest', after: null, words: [], ...input };
  const kinds = sources(null).filter(({ kind }) => kind !== 'file');
  return (await readRows(database(), query, kinds)).map((row) => itemOf(row, []));
}

type Asked = Pick<LibraryQuery, 'q' | 'kind' | 'sort' | 'after'>;

/** @throws Problem rate_limited, unavailable: a search that takes too long, or comes too soon. */
export async function listLibrary({ actor, input }: ActorInput<Asked>): Promise<LibraryPage> {
  const { userId } = actor;
  const words = wordsOf(input.q);
  const order = input.sort;
  const limit = libraryLimits.perPage + 1;
  const query = { userId, order, after: cursorOf(input.after, order), limit, words };
  const kinds = sources(input.kind);
  const rows =
    words.length > 0
      ? await oneSearch(userId, (tx) => readRows(tx, query, kinds))
      : await readRows(database(), query, kinds);
  const page = pageOf(rows, libraryLimits.perPage, ({ key, id }) => `${key}_${id}`);
  return { items: page.rows.map((row) => itemOf(row, words)), next: page.next };
}

/** @throws as `listLibrary`. */
export async function searchEverywhere({
  actor,
  input,
}: ActorInput<{ text: string }>): Promise<FoundEverywhere> {
  const words = wordsOf(input.text);
  const { userId } = actor;
  const limit = libraryLimits.searchHits;
  const query: ItemQuery = { userId, order: 'newest', after: null, limit, words };
  const others = sources(null).filter(({ kind }) => kind !== 'chat');
  let rows: ItemRow[] = [];
  const hits = await search({ actor, input }, async (tx) => {
    rows = await readRows(tx, query, others).catch((error: unknown) => {
      // What was found in chats is not lost with the rest.
      if (isLate(error)) return [];
      throw error;
    });
  });
  return { hits, items: rows.map((row) => itemOf(row, words)) };
}
