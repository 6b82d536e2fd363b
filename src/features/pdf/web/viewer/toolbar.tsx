import { ChevronLeft, ChevronRight, Minus, Plus, Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { useSearch } from './use-search.ts';

interface ToolbarProps {
  page: number;
  pages: number;
  fits: boolean;
  search: ReturnType<typeof useSearch>;
  onPage: (page: number) => void;
  onZoom: (way: 1 | -1) => void;
  onFit: () => void;
}

const icon = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const;

function PageGroup({ page, pages, onPage }: Pick<ToolbarProps, 'page' | 'pages' | 'onPage'>) {
  const [typed, setTyped] = useState(String(page));
  useEffect(() => setTyped(String(page)), [page]);
  const take = () => {
    const wanted = Number.parseInt(typed, 10) || page;
    onPage(wanted);
    setTyped(String(Math.min(pages, Math.max(1, wanted))));
  };
  return (
    <div className="pdf-bar-group">
      <button
        type="button"
        className="btn btn-ghost btn-icon"
        aria-label="Previous page"
        aria-disabled={page === 1}
        onClick={() => onPage(page - 1)}
      >
        <ChevronLeft {...icon} />
      </button>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          take();
        }}
      >
        <input
          className="input pdf-page-box"
          inputMode="numeric"
          aria-label={`Page of ${pages}`}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          onBlur={take}
        />
      </form>
      <span className="muted text-sm">of {pages}</span>
      <button
        type="button"
        className="btn btn-ghost btn-icon"
        aria-label="Next page"
        aria-disabled={page === pages}
        onClick={() => onPage(page + 1)}
      >
        <ChevronRight {...icon} />
      </button>
    </div>
  );
}

/** Page, zoom and search of the viewer. */
export function Toolbar({ page, pages, fits, search, onPage, onZoom, onFit }: ToolbarProps) {
  return (
    <div className="pdf-bar">
      <PageGroup page={page} pages={pages} onPage={onPage} />
      <div className="pdf-bar-group">
        <button
          type="button"
          className="btn btn-ghost btn-icon"
          aria-label="Zoom out"
          onClick={() => onZoom(-1)}
        >
          <Minus {...icon} />
        </button>
        <button type="button" className="btn btn-ghost" aria-pressed={fits} onClick={onFit}>
          Fit
        </button>
        <button
          type="button"
          className="btn btn-ghost btn-icon"
          aria-label="Zoom in"
          onClick={() => onZoom(1)}
        >
          <Plus {...icon} />
        </button>
      </div>
      <form
        className="pdf-bar-group pdf-search"
        onSubmit={(event) => {
          event.preventDefault();
          void search.search();
        }}
      >
        <input
          className="input"
          type="search"
          aria-label="Search in the document"
          placeholder="Search"
          value={search.query}
          onChange={({ currentTarget }) => search.setQuery(currentTarget.value)}
        />
        <button type="submit" className="btn btn-ghost btn-icon" aria-label="Search: next page with it">
          <Search {...icon} />
        </button>
        <span className="muted text-xs">{search.told}</span>
      </form>
    </div>
  );
}
