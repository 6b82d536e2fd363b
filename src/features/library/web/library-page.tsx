import { ListChecks } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Link, useNavigate, useRevalidator } from 'react-router';
import { useReloadOnAuth } from '#client/use-reload-on-auth.ts';
import { m } from '#messages';
import { Button, buttonClass } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import {
  type LibraryFilters as Filters,
  type LibraryPage as LibraryListing,
  type LibraryQuery,
  pathOf,
} from '../contract.ts';
import { LibraryFilters } from './library-filters.tsx';
import { LibraryItems } from './library-items.tsx';
import { useLibraryListing } from './use-library-listing.ts';

const LibrarySelection = lazy(() => import('./library-selection.tsx'));
const ManageTags = lazy(() => import('./manage-tags.tsx'));

interface LibraryData extends LibraryListing, Filters {
  query: LibraryQuery;
  /** Why a search was refused. */
  error: string | null;
}

function NothingHere({ query }: { query: LibraryQuery }) {
  if (query.q !== '' || query.kind || query.project || query.tag)
    return (
      <div className="grid justify-items-start gap-3 py-12">
        <h2 className="h3 wrap-anywhere">
          {query.q === '' ? m.library_none_of_kind() : m.chat_search_none({ query: query.q })}
        </h2>
        <Link className={buttonClass()} to={pathOf(query, { q: '', kind: null, project: null, tag: null })}>
          {m.library_show_all()}
        </Link>
      </div>
    );
  return (
    <div className="grid justify-items-start gap-3 py-12">
      <h2 className="h3">{m.library_empty()}</h2>
      <p className="muted">{m.library_empty_text()}</p>
      <div className="row">
        <Link className={buttonClass({ variant: 'primary' })} to="/chat/new">
          {m.chat_new()}
        </Link>
        <a className={buttonClass()} href="/tools">
          {m.page_all_tools()}
        </a>
      </div>
    </div>
  );
}

/** After selecting, moves the focus back to the button that started it. */
function useSelecting() {
  const [selecting, setSelecting] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const ended = useRef(false);
  useEffect(() => {
    if (!selecting && ended.current) button.current?.focus();
    ended.current = false;
  }, [selecting]);
  const end = () => {
    ended.current = true;
    setSelecting(false);
  };
  return { selecting, button, start: () => setSelecting(true), end };
}

export function LibraryPage({ data }: { data: LibraryData }) {
  const { query, error, projects } = data;
  useReloadOnAuth();
  const { items, tags, next, busy, loadMore, ...changes } = useLibraryListing(data);
  const { selecting, button, start, end } = useSelecting();
  const [managing, setManaging] = useState(false);
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const onTagsChanged = (deleted: string | null) =>
    void (deleted !== null && deleted === query.tag ? navigate(pathOf(query, { tag: null })) : revalidate());
  const list = <LibraryItems items={items} query={query} />;
  return (
    <main id="main" className="wrap pt-12 pb-24 max-md:pt-8 max-md:pb-16">
      <div className="flex items-center justify-between gap-4">
        <h1 className="h2">{m.page_library()}</h1>
        {items.length > 0 && !selecting ? (
          <Button ref={button} onClick={start}>
            <ListChecks size={16} strokeWidth={1.75} aria-hidden="true" />
            {m.library_select()}
          </Button>
        ) : null}
      </div>
      <p className="muted">{m.library_lead()}</p>
      <LibraryFilters {...{ query, projects, tags }} onManage={() => setManaging(true)} />
      {error ? (
        <Notice kind="danger" className="mt-6">
          {error}
        </Notice>
      ) : null}
      <p className="visually-hidden" role="status">
        {items.length > 0 ? m.chat_search_results({ count: items.length }) : ''}
      </p>
      {items.length > 0 ? (
        selecting ? (
          <Suspense fallback={list}>
            <LibrarySelection {...changes} items={items} query={query} onDone={end} />
          </Suspense>
        ) : (
          list
        )
      ) : error ? null : (
        <NothingHere query={query} />
      )}
      <div className="flex flex-wrap gap-4 pt-8">
        {next ? (
          <Link
            className={buttonClass({ size: 'lg' })}
            to={pathOf(query, { after: next })}
            aria-busy={busy}
            onClick={loadMore}
          >
            {m.common_show_more()}
          </Link>
        ) : null}
        {query.after ? (
          <Link className={buttonClass({ size: 'lg', variant: 'ghost' })} to={pathOf(query)}>
            {m.library_from_start()}
          </Link>
        ) : null}
      </div>
      {managing ? (
        <Suspense>
          <ManageTags first={tags} onChanged={onTagsChanged} onClose={() => setManaging(false)} />
        </Suspense>
      ) : null}
    </main>
  );
}
