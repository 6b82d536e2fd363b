import { ChevronLeft, ChevronRight, Minus, Plus, Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import type { usePageSearch } from './use-page-search.ts';

interface ViewerToolbarProps {
  page: number;
  pages: number;
  fitsWidth: boolean;
  search: ReturnType<typeof usePageSearch>;
  onPage: (page: number) => void;
  onZoom: (direction: 1 | -1) => void;
  onFit: () => void;
}

function PageGroup({ page, pages, onPage }: Pick<ViewerToolbarProps, 'page' | 'pages' | 'onPage'>) {
  const [typed, setTyped] = useState(String(page));
  useEffect(() => setTyped(String(page)), [page]);
  const apply = () => {
    const requested = Number.parseInt(typed, 10) || page;
    onPage(requested);
    setTyped(String(Math.min(pages, Math.max(1, requested))));
  };
  return (
    <div className="flex items-center gap-1">
      <IconButton
        label={m.pdfs_viewer_previous()}
        aria-disabled={page === 1}
        onClick={() => onPage(page - 1)}
        Icon={ChevronLeft}
      />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          apply();
        }}
      >
        <input
          className="input w-14 text-center"
          inputMode="numeric"
          aria-label={m.pdfs_viewer_page_of({ pages })}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          onBlur={apply}
        />
      </form>
      <span className="muted text-sm">{m.pdfs_viewer_of({ pages })}</span>
      <IconButton
        label={m.pdfs_viewer_next()}
        aria-disabled={page === pages}
        onClick={() => onPage(page + 1)}
        Icon={ChevronRight}
      />
    </div>
  );
}

export function ViewerToolbar({ page, pages, fitsWidth, search, onPage, onZoom, onFit }: ViewerToolbarProps) {
  return (
    <div className="pdf-bar flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-surface px-2 py-1">
      <PageGroup page={page} pages={pages} onPage={onPage} />
      <div className="flex items-center gap-1">
        <IconButton label={m.pdfs_viewer_zoom_out()} onClick={() => onZoom(-1)} Icon={Minus} />
        <Button variant="ghost" aria-pressed={fitsWidth} onClick={onFit}>
          {m.pdfs_viewer_fit()}
        </Button>
        <IconButton label={m.pdfs_viewer_zoom_in()} onClick={() => onZoom(1)} Icon={Plus} />
      </div>
      <form
        className="flex flex-[1_1_11rem] items-center gap-1"
        onSubmit={(event) => {
          event.preventDefault();
          void search.search();
        }}
      >
        <input
          className="input min-w-20 flex-1"
          type="search"
          aria-label={m.pdfs_viewer_search()}
          placeholder={m.common_search()}
          value={search.query}
          onChange={({ currentTarget }) => search.setQuery(currentTarget.value)}
        />
        <IconButton type="submit" label={m.pdfs_viewer_search_next()} Icon={Search} />
        <span className="muted text-xs">{search.summary}</span>
      </form>
    </div>
  );
}
