import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { announce } from '#client/announce.ts';
import type { Passage } from '#client/show-passage.ts';
import { m } from '#messages';
import type { PageMarks } from '../../contract.ts';
import { PasswordForm } from '../files/password-form.tsx';
import { PageView } from './page-view.tsx';
import { usePageSearch } from './use-page-search.ts';
import { usePdf } from './use-pdf.ts';
import { ViewerToolbar } from './viewer-toolbar.tsx';

interface DocumentViewerProps {
  id: string;
  pages: number;
  /** Pass a new object each time to show the places again. */
  shown: { places: PageMarks[] } | null;
  /** The words that a search found, and their page. */
  target: Passage | null;
}

const ZOOMS = [0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4];

function useBoxWidth() {
  const box = useRef<HTMLElement>(null);
  const [boxWidth, setBoxWidth] = useState(0);
  useEffect(() => {
    const watched = box.current;
    if (!watched) return;
    const observer = new ResizeObserver(([entry]) => {
      const width = Math.floor(entry?.contentRect.width ?? 0);
      if (width > 0) setBoxWidth(width);
    });
    observer.observe(watched);
    return () => observer.disconnect();
  }, []);
  return { box, boxWidth };
}

function usePage(pages: number, shown: DocumentViewerProps['shown']) {
  const [page, setPage] = useState(1);
  const [showCount, setShowCount] = useState(-1);
  useEffect(() => {
    const first = shown?.places[0];
    if (!first) return;
    setPage(first.page);
    setShowCount((count) => count + 1);
    announce(m.pdfs_viewer_marked({ page: first.page }));
  }, [shown]);
  const goToPage = (to: number) => setPage(Math.min(pages, Math.max(1, to)));
  return { page, showCount, goToPage };
}

export default function DocumentViewer({ id, pages, shown, target }: DocumentViewerProps) {
  const { pdf, failed, lock, unlock } = usePdf(id);
  const { box, boxWidth } = useBoxWidth();
  const { page, showCount, goToPage } = usePage(pages, shown);
  const [zoom, setZoom] = useState<number | null>(null);
  const [scale, setScale] = useState(1);
  const search = usePageSearch(pdf, { page, goToPage, target });
  const stepZoom = (direction: 1 | -1) => {
    const next =
      direction > 0
        ? ZOOMS.find((level) => level > scale + 0.01)
        : ZOOMS.findLast((level) => level < scale - 0.01);
    if (next) setZoom(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || (event.target as HTMLElement).closest('input'))
      return;
    const action = {
      pagedown: () => goToPage(page + 1),
      pageup: () => goToPage(page - 1),
      arrowright: () => goToPage(page + 1),
      arrowleft: () => goToPage(page - 1),
      home: () => goToPage(1),
      end: () => goToPage(pages),
      '+': () => stepZoom(1),
      '-': () => stepZoom(-1),
      '0': () => setZoom(null),
    }[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
  };
  const marks = shown?.places.filter((place) => place.page === page).flatMap(({ boxes }) => boxes) ?? [];
  const view = { page, zoom, boxWidth, marks, showCount, query: search.marked, onScale: setScale };
  return (
    <section
      className="grid grid-rows-[auto_1fr] overflow-clip rounded-md border border-line bg-sunken xl:h-[calc(100dvh-1rem)]"
      aria-label={m.pdfs_viewer()}
      onKeyDown={onKeyDown}
    >
      <ViewerToolbar
        page={page}
        pages={pages}
        fitsWidth={zoom === null}
        search={search}
        onPage={goToPage}
        onZoom={stepZoom}
        onFit={() => setZoom(null)}
      />
      <section
        ref={box}
        className="pdf-sheet min-h-80 overflow-auto p-3 focus-visible:-outline-offset-2 max-xl:max-h-[80dvh]"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box must be reachable by keyboard (WCAG 2.1.1)
        tabIndex={0}
        aria-label={m.pdfs_viewer_page({ page, pages })}
      >
        {failed ? <p className="notice notice-danger">{m.pdfs_viewer_failed()}</p> : null}
        {lock ? (
          <PasswordForm
            text={lock === 'wrong' ? m.pdfs_wrong_password() : m.pdfs_locked()}
            wrong={lock === 'wrong'}
            onPassword={unlock}
          />
        ) : null}
        {pdf && boxWidth > 0 ? <PageView pdf={pdf} {...view} /> : null}
        {!pdf && !failed && !lock ? <div className="skeleton h-96" /> : null}
      </section>
    </section>
  );
}
