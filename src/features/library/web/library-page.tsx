import { type MouseEvent, useState } from 'react';
import { Link } from 'react-router';
import { request } from '#client/api-request.ts';
import { showError } from '#client/show-error.ts';
import { useLoadedState } from '#client/use-loaded-state.ts';
import { useReloadOnAuth } from '#client/use-reload-on-auth.ts';
import { m } from '#messages';
import { buttonClass } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import { type LibraryPage as LibraryListing, type LibraryQuery, pathOf, searchOf } from '../contract.ts';
import { LibraryFilters } from './library-filters.tsx';
import { LibraryItems } from './library-items.tsx';

interface LibraryData extends LibraryListing {
  query: LibraryQuery;
  /** Why a search was refused. */
  error: string | null;
}

function NothingHere({ query }: { query: LibraryQuery }) {
  if (query.q !== '' || query.kind !== null)
    return (
      <div className="grid justify-items-start gap-3 py-12">
        <h2 className="h3 wrap-anywhere">
          {query.q === '' ? m.library_none_of_kind() : m.chat_search_none({ query: query.q })}
        </h2>
        <Link className={buttonClass()} to={pathOf(query, { q: '', kind: null })}>
          {m.library_show_all()}
        </Link>
      </div>
    );
  return (
    <div className="grid justify-items-start gap-3 py-12">
      <h2 className="h3">{m.library_empty()}</h2>
      <p className="muted">{m.library_empty_text()}</p>
      <div className="row">
        <Link className={buttonClass({ look: 'primary' })} to="/chat/new">
          {m.chat_new()}
        </Link>
        <a className={buttonClass()} href="/tools">
          {m.page_all_tools()}
        </a>
      </div>
    </div>
  );
}

export function LibraryPage({ data }: { data: LibraryData }) {
  const { query, error } = data;
  useReloadOnAuth();
  const [loaded, setLoaded] = useLoadedState(data);
  const [busy, setBusy] = useState(false);
  const { items, next } = loaded;
  const more = async (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    try {
      const page = await request<LibraryListing>(`/api/library${searchOf({ ...query, after: next })}`);
      setLoaded((was) => (was === loaded ? { ...was, ...page, items: [...was.items, ...page.items] } : was));
    } catch (failure) {
      showError(failure);
    }
    setBusy(false);
  };
  return (
    <main id="main" className="wrap pt-12 pb-24 max-md:pt-8 max-md:pb-16">
      <h1 className="h2">{m.page_library()}</h1>
      <p className="muted">{m.library_lead()}</p>
      <LibraryFilters query={query} />
      {error ? (
        <Notice kind="danger" className="mt-6">
          {error}
        </Notice>
      ) : null}
      <p className="visually-hidden" role="status">
        {items.length > 0 ? m.chat_search_results({ count: items.length }) : ''}
      </p>
      {items.length > 0 ? (
        <LibraryItems items={items} view={query.view} find={query.q} />
      ) : error ? null : (
        <NothingHere query={query} />
      )}
      <div className="flex flex-wrap gap-4 pt-8">
        {next ? (
          <Link
            className={buttonClass({ size: 'lg' })}
            to={pathOf(query, { after: next })}
            aria-busy={busy}
            onClick={more}
          >
            {m.common_show_more()}
          </Link>
        ) : null}
        {query.after ? (
          <Link className={buttonClass({ size: 'lg', look: 'ghost' })} to={pathOf(query)}>
            {m.library_from_start()}
          </Link>
        ) : null}
      </div>
    </main>
  );
}
