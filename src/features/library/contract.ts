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
  /** Of items other than chats, in the search of all pages. */
  searchHits: 10,
  /** Items of one request that deletes, brings back or downloads many. */
  selected: 100,
} as const;

/** The tool that made it, or that it was given to; a file is what was sent in a chat. */
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
/** Of all of a kind, or of one. */
export const kindName = (kind: LibraryKind, of: keyof KindNames): string =>
  kindNames[kind]?.[of]() ?? (kind === 'file' ? '' : featureTable[kind].name);

export const librarySorts = ['newest', 'oldest', 'name'] as const;
export type LibrarySort = (typeof librarySorts)[number];
export const libraryViews = ['list', 'grid'] as const;
export type LibraryView = (typeof libraryViews)[number];

/** What a person calls items by. */
export interface Tag {
  id: string;
  name: string;
}

export interface LibraryItem {
  kind: LibraryKind;
  id: string;
  /** Where it opens; a chat at the message that holds the words, or the file. */
  path: string;
  title: TextSegment[];
  /** Around the words that are searched for, else the beginning of a text. */
  excerpt: TextSegment[];
  at: string;
  archived: boolean;
  /** The first picture of a set. */
  pictureId: string | null;
  /** Of the project that a chat is in, or that has the file. */
  projectId: string | null;
  projectName: string | null;
  tags: Tag[];
  /** Of a document, where the words stand. */
  page: number | null;
  /** Of a file, which `GET /api/files/:id` has; `chat` is the title of where it was sent last, null: in none. */
  file: { bytes: number; chat: string | null } | null;
}

/** `readPassage` reads it. In the fragment no server and no log gets the words. */
function passageFragment(words: string, page: number | null): string {
  if (words === '') return '';
  return `#${new URLSearchParams({ find: words, ...(page === null ? {} : { page: String(page) }) })}`;
}

/** A chat shows the words in its message; other pages find them by the fragment. */
export const pathTo = (
  { kind, path, page }: Pick<LibraryItem, 'kind' | 'path' | 'page'>,
  words: string,
): string => (kind === 'chat' || kind === 'file' ? path : `${path}${passageFragment(words, page)}`);

/** `GET /api/library`; `next` is the `after` of the next page. */
export interface LibraryPage {
  items: LibraryItem[];
  next: string | null;
}

/** Of `GET /api/search?q=`: chats as they are searched by themselves, and all else, the newest first. */
export interface FoundEverywhere {
  hits: SearchHit[];
  items: LibraryItem[];
}

/** What a person's library can be filtered by, besides kinds. */
export interface LibraryFilters {
  projects: { id: string; name: string }[];
  tags: Tag[];
}

export interface LibraryQuery {
  q: string;
  /** Null: all. */
  kind: LibraryKind | null;
  /** Ids; null: no matter which. */
  project: string | null;
  tag: string | null;
  sort: LibrarySort;
  view: LibraryView;
  after: string | null;
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** What is unknown counts as absent; what is an id is looked for. */
export function queryOf(search: URLSearchParams): LibraryQuery {
  const one = <T extends string>(known: readonly T[], name: string) =>
    known.find((each) => each === search.get(name));
  const id = (name: string) => uuid.exec(search.get(name) ?? '')?.[0].toLowerCase() ?? null;
  return {
    q: cutText(cleanText(search.get('q') ?? '').trim(), libraryLimits.searchLength),
    kind: one(libraryKinds, 'kind') ?? null,
    project: id('project'),
    tag: id('tag'),
    sort: one(librarySorts, 'sort') ?? 'newest',
    view: one(libraryViews, 'view') ?? 'list',
    after: search.get('after') || null,
  };
}

export function searchOf({ q, kind, project, tag, sort, view, after }: LibraryQuery): string {
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

/** A change of what is listed begins with its first page. */
export const pathOf = (query: LibraryQuery, changed: Partial<LibraryQuery> = {}): string =>
  `/library${searchOf({ ...query, after: null, ...changed })}`;

/** Of the body of a request about many. */
export const libraryItems = /* @__PURE__ */ (() =>
  z
    .array(z.object({ kind: z.enum(libraryKinds), id: z.uuid() }))
    .check(z.minLength(1), z.maxLength(libraryLimits.selected)))();

/** Body of `POST /api/library/selection`. Answers SelectionOutcome. */
export const actOnItems = /* @__PURE__ */ (() =>
  z.object({ act: z.enum(['delete', 'restore']), items: libraryItems }))();
export type ActOnItems = z.infer<typeof actOnItems>;

/** Each item by itself: what one is refused for does not keep the others. */
export interface SelectionOutcome {
  /** Ids. */
  done: string[];
  refused: { id: string; error: string }[];
}
