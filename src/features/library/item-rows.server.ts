import { chatItems, fileItems } from '#features/chat/service.server.ts';
import { featureTable } from '#features/credits/contract.ts';
import { imageItems } from '#features/images/service.server.ts';
import { documentItems } from '#features/pdfs/service.server.ts';
import { promptItems } from '#features/prompts/service.server.ts';
import { textFeatures } from '#features/texts/contract.ts';
import { textItems } from '#features/texts/service.server.ts';
import type { Database } from '#platform/database/database.server.ts';
import {
  type ItemQuery,
  type ItemRow,
  type ItemSource,
  mergedItems,
} from '#platform/database/item-list.server.ts';
import type { LibraryKind, Tag } from './contract.ts';
import { tagsOfItem } from './tags/tags-store.server.ts';

type KindSource = ItemSource & { kind: LibraryKind };
export type LibraryRow = ItemRow & { tags: Tag[] };

const all: readonly KindSource[] = [
  { ...chatItems, kind: 'chat' },
  ...textFeatures.map((kind) => ({ ...textItems(kind), kind })),
  { ...imageItems, kind: 'image' },
  { ...documentItems, kind: 'pdf' },
  { ...fileItems, kind: 'file' },
  { ...promptItems, kind: 'prompts' },
];

/**
 * Returns the sources of one kind, or of all for null. Items of a disabled tool stay listed, except prompts, whose
 * pages are gone.
 */
export const itemSources = (kind: LibraryKind | null): KindSource[] =>
  all.filter((source) =>
    source.kind === 'prompts' && !featureTable.prompts.offered
      ? false
      : kind === null || source.kind === kind,
  );

/** @param ids restricts the result to these items, by kind */
export async function readItems(
  db: Database,
  query: ItemQuery,
  sources: KindSource[],
  ids: ReadonlyMap<string, string[]> | null = null,
): Promise<LibraryRow[]> {
  const pages = [];
  // All kinds of texts share one `candidates` function, so its result is reused.
  const cached = new Map<ItemSource['candidates'], string[] | null>();
  for (const source of sources) {
    if (query.projectId && !source.inProjects) continue;
    if (ids && !ids.has(source.kind)) continue;
    if (query.words.length > 0 && !cached.has(source.candidates))
      cached.set(source.candidates, await source.candidates(db, query));
    const candidates = cached.get(source.candidates) ?? null;
    if (candidates?.length !== 0)
      pages.push(source.page({ ...query, ids: ids?.get(source.kind) ?? null }, candidates));
  }
  return pages.length === 0 ? [] : mergedItems<{ tags: Tag[] }>(db, pages, query, tagsOfItem);
}
