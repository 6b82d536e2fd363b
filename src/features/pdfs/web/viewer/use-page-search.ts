import { useEffect, useRef, useState } from 'react';
import { announce } from '#client/announce.ts';
import type { Passage } from '#client/show-passage.ts';
import { m } from '#messages';
import { searchPages } from './page-search.ts';
import type { PDFDocumentProxy } from './pdfjs.ts';

interface SearchResult {
  query: string;
  pages: Array<{ page: number; count: number }>;
}

interface PageControl {
  page: number;
  goToPage: (page: number) => void;
  target: Passage | null;
}

/** Longest word first, because it is usually the rarest. */
const searchTexts = (words: string) => [
  words,
  ...words.split(/\s+/).toSorted((one, other) => other.length - one.length),
];

export function usePageSearch(pdf: PDFDocumentProxy | null, { page, goToPage, target }: PageControl) {
  const [query, setQuery] = useState('');
  const [found, setFound] = useState<SearchResult | null>(null);
  const latest = useRef(query);
  const count = found?.pages.reduce((sum, hit) => sum + hit.count, 0) ?? 0;

  const search = async () => {
    const text = query.trim();
    latest.current = text;
    if (!pdf || text === '') return setFound(null);
    if (found?.query === text) {
      const next = found.pages.find((hit) => hit.page > page) ?? found.pages[0];
      return next && goToPage(next.page);
    }
    const hits = await searchPages(pdf, text, () => latest.current !== text);
    if (latest.current !== text) return;
    setFound({ query: text, pages: hits });
    const first = hits.find((hit) => hit.page >= page) ?? hits[0];
    if (first) goToPage(first.page);
    const total = hits.reduce((sum, hit) => sum + hit.count, 0);
    announce(
      first ? m.pdfs_viewer_found_next({ count: total, page: first.page }) : m.common_results({ count: 0 }),
    );
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per passage
  useEffect(() => {
    if (!pdf || target?.page == null) return;
    let cancelled = false;
    const { page: first, words } = target;
    latest.current = words;
    goToPage(first);
    const searchWords = async () => {
      for (const text of searchTexts(words)) {
        const hits = await searchPages(pdf, text, () => cancelled);
        if (cancelled || latest.current !== words) return;
        if (!hits.some((hit) => hit.page === first)) continue;
        setQuery(text);
        setFound({ query: text, pages: hits });
        latest.current = text;
        return announce(m.pdfs_viewer_marked({ page: first }));
      }
    };
    // If the search fails, the page is still shown.
    searchWords().catch(() => undefined);
    return () => {
      cancelled = true;
    };
  }, [pdf, target]);
  return {
    query,
    setQuery,
    search,
    marked: found?.query ?? '',
    summary: found ? m.common_results({ count }) : '',
  };
}
