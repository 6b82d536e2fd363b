import { ChevronLeft, ChevronRight, Minus, Plus, Search } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { announce } from '../../../../client/announce.ts';
import type { Place } from '../../contract.ts';
import { PageView } from './page-view.tsx';
import { searchPages } from './search.ts';
import { usePdf } from './use-pdf.ts';
import './viewer.css';

interface ViewerProps {
  id: string;
  pages: number;
  /** What is shown marked; a new object each time that something is to be shown. */
  shown: { places: Place[] } | null;
}

const ZOOMS = [0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4];

/** Width of an element's inside, as it changes. */
function useRoom() {
  const box = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(0);
  useEffect(() => {
    const watched = box.current;
    if (!watched) return;
    const observer = new ResizeObserver(([entry]) => {
      const width = Math.floor(entry?.contentRect.width ?? 0);
      if (width > 0) setRoom(width);
    });
    observer.observe(watched);
    return () => observer.disconnect();
  }, []);
  return { box, room };
}

/** The document page by page, with marks, zoom and search. */
export default function Viewer({ id, pages, shown }: ViewerProps) {
  const { pdf, failed } = usePdf(id);
  const { box, room } = useRoom();
  const [page, setPage] = useState(1);
  const [typed, setTyped] = useState('1');
  const [zoom, setZoom] = useState<number | null>(null);
  const [scale, setScale] = useState(1);
  const [query, setQuery] = useState('');
  const [found, setFound] = useState<{ query: string; pages: Array<{ page: number; count: number }> } | null>(
    null,
  );
  const [turn, setTurn] = useState(-1);

  const go = (to: number) => {
    const next = Math.min(pages, Math.max(1, to));
    setPage(next);
    setTyped(String(next));
  };
  useEffect(() => {
    const first = shown?.places[0];
    if (!first) return;
    setPage(first.page);
    setTyped(String(first.page));
    setTurn((now) => now + 1);
    announce(`Page ${first.page}, passage marked`);
  }, [shown]);

  const latest = useRef(query);
  const search = async (event: FormEvent) => {
    event.preventDefault();
    const wanted = query.trim();
    latest.current = wanted;
    if (!pdf || wanted === '') return setFound(null);
    if (found?.query === wanted) return nextHit(1);
    const hits = await searchPages(pdf, wanted, () => latest.current !== wanted);
    if (latest.current !== wanted) return;
    setFound({ query: wanted, pages: hits });
    const first = hits.find((hit) => hit.page >= page) ?? hits[0];
    if (first) go(first.page);
    const count = hits.reduce((sum, hit) => sum + hit.count, 0);
    announce(first ? `${count} found, the next on page ${first.page}` : 'Nothing found');
  };
  const nextHit = (step: 1 | -1) => {
    const hits = found?.pages ?? [];
    const next =
      step > 0
        ? (hits.find((hit) => hit.page > page) ?? hits[0])
        : (hits.findLast((hit) => hit.page < page) ?? hits.at(-1));
    if (next) go(next.page);
  };
  const step = (way: 1 | -1) => {
    const next =
      way > 0 ? ZOOMS.find((level) => level > scale + 0.01) : ZOOMS.findLast((level) => level < scale - 0.01);
    if (next) setZoom(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || (event.target as HTMLElement).closest('input'))
      return;
    const act = {
      pagedown: () => go(page + 1),
      pageup: () => go(page - 1),
      arrowright: () => go(page + 1),
      arrowleft: () => go(page - 1),
      home: () => go(1),
      end: () => go(pages),
      '+': () => step(1),
      '-': () => step(-1),
      '0': () => setZoom(null),
    }[event.key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    act();
  };
  const marks = shown?.places.filter((place) => place.page === page).flatMap(({ boxes }) => boxes) ?? [];
  const count = found?.pages.reduce((sum, hit) => sum + hit.count, 0) ?? 0;
  const icon = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const;
  return (
    <section className="pdf-viewer" aria-label="Document" onKeyDown={onKeyDown}>
      <div className="pdf-bar">
        <div className="pdf-bar-group">
          <button
            type="button"
            className="btn btn-ghost btn-icon"
            aria-label="Previous page"
            aria-disabled={page === 1}
            onClick={() => go(page - 1)}
          >
            <ChevronLeft {...icon} />
          </button>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              go(Number.parseInt(typed, 10) || page);
            }}
          >
            <input
              className="input pdf-page-box"
              inputMode="numeric"
              aria-label={`Page of ${pages}`}
              value={typed}
              onChange={({ currentTarget }) => setTyped(currentTarget.value)}
              onBlur={() => go(Number.parseInt(typed, 10) || page)}
            />
          </form>
          <span className="muted text-sm">of {pages}</span>
          <button
            type="button"
            className="btn btn-ghost btn-icon"
            aria-label="Next page"
            aria-disabled={page === pages}
            onClick={() => go(page + 1)}
          >
            <ChevronRight {...icon} />
          </button>
        </div>
        <div className="pdf-bar-group">
          <button
            type="button"
            className="btn btn-ghost btn-icon"
            aria-label="Zoom out"
            onClick={() => step(-1)}
          >
            <Minus {...icon} />
          </button>
          <button
            type="button"
            className="btn btn-ghost"
            aria-pressed={zoom === null}
            onClick={() => setZoom(null)}
          >
            Fit
          </button>
          <button
            type="button"
            className="btn btn-ghost btn-icon"
            aria-label="Zoom in"
            onClick={() => step(1)}
          >
            <Plus {...icon} />
          </button>
        </div>
        <form className="pdf-bar-group pdf-search" onSubmit={search}>
          <input
            className="input"
            type="search"
            aria-label="Search in the document"
            placeholder="Search"
            value={query}
            onChange={({ currentTarget }) => setQuery(currentTarget.value)}
          />
          <button type="submit" className="btn btn-ghost btn-icon" aria-label="Search: next page with it">
            <Search {...icon} />
          </button>
          <span className="muted text-xs">
            {found ? (count === 0 ? 'Nothing found' : `${count} found`) : ''}
          </span>
        </form>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard (WCAG 2.1.1). */}
      <section ref={box} className="pdf-sheet" tabIndex={0} aria-label={`Page ${page} of ${pages}`}>
        {failed ? (
          <p className="notice notice-danger">
            This document cannot be shown here. Its text was read all the same.
          </p>
        ) : null}
        {pdf && room > 0 ? (
          <PageView
            pdf={pdf}
            page={page}
            zoom={zoom}
            room={room}
            marks={marks}
            query={found?.query ?? ''}
            turn={turn}
            onScale={setScale}
          />
        ) : null}
        {!pdf && !failed ? <div className="skeleton pdf-sheet-wait" /> : null}
      </section>
    </section>
  );
}
