import { z } from 'zod/mini';
import type { SearchHit } from '#features/chat/contract.ts';
import { type Feature, featureTable } from '#features/credits/contract.ts';
import { textFeatures } from '#features/texts/contract.ts';
import { m } from '#messages';
import { cleanText, cutText } from '#shared/clean-text.ts';
import type { TextSegment } from '#shared/search-words.ts';

export const libraryLimits = {
  perPage: 40,
  /** UTF-16 units. */
  searchLength: 200,
  /** Items other than chats per search in the search dialog. */
  searchHits: 10,
  /** Items in one request that deletes, restores or downloads several. */
  selected: 100,
} as const;

/** The tool that made the item or received it as an upload; `file` is a chat attachment. */
export type LibraryKind = Feature | 'file';
export const libraryKinds: readonly LibraryKind[] = [
  'chat',
  ...textFeatures,
  'image',
  'pdf',
  'file',
  'prompts',
];

interface KindNames {
  all: () => string;
  one: () => string;
}

const kindNames: Partial<Record<LibraryKind, KindNames>> = {
  chat: { all: m.library_kind_chat, one: m.dashboard_chat_kind },
  writer: { all: m.library_kind_writer, one: m.dashboard_text_kind },
  script: { all: m.library_kind_script, one: m.dashboard_script_kind },
  image: { all: m.library_kind_image, one: m.dashboard_image_kind },
  pdf: { all: m.library_kind_pdf, one: m.dashboard_pdf_kind },
  file: { all: m.library_kind_file, one: m.library_file },
  prompts: { all: m.library_kind_prompts, one: m.dashboard_prompt_kind },
};
/** Returns the name of a kind, for all items or for one. */
export const kindName = (kind: LibraryKind, of: keyof KindNames): string =>
  kindNames[kind]?.[of]() ?? (kind === 'file' ? '' : featureTable[kind].name);

export const librarySorts = ['newest', 'oldest', 'name'] as const;
export type LibrarySort = (typeof librarySorts)[number];
export const libraryViews = ['list', 'grid'] as const;
export type LibraryView = (typeof libraryViews)[number];

/** A label that a person puts on items. */
export interface Tag {
  id: string;
  name: string;
}

export interface LibraryItem {
  kind: LibraryKind;
  id: string;
  /** Page of the item; for a chat, at the message with the words; for an attachment, its message or the file. */
  path: string;
  title: TextSegment[];
  /** A passage with the words of the search, or the beginning of a text. */
  excerpt: TextSegment[];
  at: string;
  archived: boolean;
  /** The first image of a set. */
  pictureId: string | null;
  /** The project that the chat or file belongs to. */
  projectId: string | null;
  projectName: string | null;
  tags: Tag[];
  /** Page of a document that contains the words. */
  page: number | null;
  /**
   * Set for files, which `GET /api/files/:id` returns. `chat` is the title of the last chat it was sent in; null if
   * none.
   */
  file: { bytes: number; chat: string | null } | null;
}

/** Read by `readPassage`. The fragment keeps the words out of requests and server logs. */
function passageFragment(words: string, page: number | null): string {
  if (words === '') return '';
  return `#${new URLSearchParams({ find: words, ...(page === null ? {} : { page: String(page) }) })}`;
}

/** A chat shows the words in its message; other pages find them with the fragment. */
export const pathTo = (
  { kind, path, page }: Pick<LibraryItem, 'kind' | 'path' | 'page'>,
  words: string,
): string => (kind === 'chat' || kind === 'file' ? path : `${path}${passageFragment(words, page)}`);

/** `GET /api/library`; `next` is the `after` of the next page, null on the last one. */
export interface LibraryPage {
  items: LibraryItem[];
  next: string | null;
}

/** `GET /api/search?q=`: hits of the chat search, and all other items, newest first. */
export interface SearchResponse {
  hits: SearchHit[];
  items: LibraryItem[];
}

/** Filters that a person can use besides kinds. */
export interface LibraryFilters {
  projects: { id: string; name: string }[];
  tags: Tag[];
}

export interface LibraryQuery {
  q: string;
  /** Null for all kinds. */
  kind: LibraryKind | null;
  /** Ids; null for any. */
  project: string | null;
  tag: string | null;
  sort: LibrarySort;
  view: LibraryView;
  after: string | null;
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Treats unknown values as absent; any UUID is accepted, whether it exists or not. */
export function parseQuery(search: URLSearchParams): LibraryQuery {
  const oneOf = <T extends string>(known: readonly T[], name: string) =>
    known.find((each) => each === search.get(name));
  const id = (name: string) => uuid.exec(search.get(name) ?? '')?.[0].toLowerCase() ?? null;
  return {
    q: cutText(cleanText(search.get('q') ?? '').trim(), libraryLimits.searchLength),
    kind: oneOf(libraryKinds, 'kind') ?? null,
    project: id('project'),
    tag: id('tag'),
    sort: oneOf(librarySorts, 'sort') ?? 'newest',
    view: oneOf(libraryViews, 'view') ?? 'list',
    after: search.get('after') || null,
  };
}

export function formatQuery({ q, kind, project, tag, sort, view, after }: LibraryQuery): string {
  const search = new URLSearchParams();
  if (q !== '') search.set('q', q);
  if (kind) search.set('kind', kind);
  if (project) search.set('project', project);
  if (tag) search.set('tag', tag);
  if (sort !== 'newest') search.set('sort', sort);
  if (view !== 'list') search.set('view', view);
  if (after) search.set('after', after);
  return search.size > 0 ? `?${search}` : '';
}

/** Changing the query goes back to the first page. */
export const pathOf = (query: LibraryQuery, changed: Partial<LibraryQuery> = {}): string =>
  `/library${formatQuery({ ...query, after: null, ...changed })}`;

/** Items in the body of a request. */
export const libraryItems = /* @__PURE__ */ (() =>
  z
    .array(z.object({ kind: z.enum(libraryKinds), id: z.uuid() }))
    .check(z.minLength(1), z.maxLength(libraryLimits.selected)))();

/** Body of `POST /api/library/selection`, which returns a SelectionOutcome. */
export const actOnItems = /* @__PURE__ */ (() =>
  z.object({ act: z.enum(['delete', 'restore']), items: libraryItems }))();
export type ActOnItems = z.infer<typeof actOnItems>;

/** Each item is handled alone: a refusal does not affect the others. */
export interface SelectionOutcome {
  /** Ids. */
  done: string[];
  refused: { id: string; error: string }[];
}
