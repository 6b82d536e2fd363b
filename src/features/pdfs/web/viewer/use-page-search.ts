import { useEffect, useRef, useState } from 'react';
import { announce } from '#client/announce.ts';
import type { Passage } from '#client/show-passage.ts';
import { m } from '#messages';
import { searchPages } from './page-search.ts';
import type { PDFDocumentProxy } from './pdfjs.ts';

interface Found {
  query: string;
  pages: Array<{ page: number; count: number }>;
}

interface Pages {
  page: number;
  go: (page: number) => void;
  sought: Passage | null;
}

/** Longest word first, because it is usually the rarest. */
const soughtTexts = (words: string) => [
  words,
  ...words.split(/\s+/).toSorted((one, other) => other.length - one.length),
];

export function usePageSearch(pdf: PDFDocumentProxy | null, { page, go, sought }: Pages) {
  const [query, setQuery] = useState('');
  const [found, setFound] = useState<Found | null>(null);
  const latest = useRef(query);
  const count = found?.pages.reduce((sum, hit) => sum + hit.count, 0) ?? 0;

  const search = async () => {
    const wanted = query.trim();
    latest.current = wanted;
    if (!pdf || wanted === '') return setFound(null);
    if (found?.query === wanted) {
      const next = found.pages.find((hit) => hit.page > page) ?? found.pages[0];
      return next && go(next.page);
    }
    const hits = await searchPages(pdf, wanted, () => latest.current !== wanted);
    if (latest.current !== wanted) return;
    setFound({ query: wanted, pages: hits });
    const first = hits.find((hit) => hit.page >= page) ?? hits[0];
    if (first) go(first.page);
    const all = hits.reduce((sum, hit) => sum + hit.count, 0);
    announce(
      first ? m.pdfs_viewer_found_next({ count: all, page: first.page }) : m.common_results({ count: 0 }),
    );
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per passage
  useEffect(() => {
    if (!pdf || sought?.page == null) return;
    let left = false;
    const { page: first, words } = sought;
    latest.current = words;
    go(first);
    const look = async () => {
      for (const wanted of soughtTexts(words)) {
        const hits = await searchPages(pdf, wanted, () => left);
        if (left || latest.current !== words) return;
        if (!hits.some((hit) => hit.page === first)) continue;
        setQuery(wanted);
        setFound({ query: wanted, pages: hits });
        latest.current = wanted;
        return announce(m.pdfs_viewer_marked({ page: first }));
      }
    };
    // If the search fails, the page is still shown.
    look().catch(() => undefined);
    return () => {
      left = true;
    };
  }, [pdf, sought]);
  return {
    query,
    setQuery,
    search,
    marked: found?.query ?? '',
    told: found ? m.common_results({ count }) : '',
  };
}
