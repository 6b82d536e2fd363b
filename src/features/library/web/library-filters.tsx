import { LayoutGrid, List, Search } from 'lucide-react';
import { Form, Link } from 'react-router';
import { m } from '#messages';
import { IconButton } from '#ui/icon-button.tsx';
import {
  kindName,
  type LibraryQuery,
  type LibrarySort,
  libraryKinds,
  libraryLimits,
  librarySorts,
  pathOf,
} from '../contract.ts';

const filterClass =
  'inline-flex items-center min-h-(--hit) px-3 border rounded-sm text-sm text-fg-muted border-transparent hover:text-fg hover:bg-sunken [&[aria-current]]:border-line-strong [&[aria-current]]:bg-surface [&[aria-current]]:text-fg [&[aria-current]]:font-semibold forced-colors:aria-[current]:border-2 forced-colors:aria-[current]:border-[Highlight]';

const sortNames: Record<LibrarySort, () => string> = {
  newest: m.library_sort_newest,
  oldest: m.library_sort_oldest,
  name: m.library_sort_name,
};

const views = [
  ['list', m.library_view_list, List],
  ['grid', m.library_view_grid, LayoutGrid],
] as const;

function SearchBox({ query }: { query: LibraryQuery }) {
  const kept = Object.entries({ kind: query.kind, sort: query.sort, view: query.view });
  return (
    <Form
      method="get"
      action="/library"
      role="search"
      className="relative flex-[1_1_16rem] max-w-96 max-md:max-w-none"
    >
      <label className="visually-hidden" htmlFor="library-q">
        {m.library_search()}
      </label>
      <input
        // Other words in it come from something else, such as Clear or Back.
        key={query.q}
        // By the page’s direction and that of the words in it, which may differ.
        className="input ltr:pr-13 rtl:pl-13"
        id="library-q"
        type="search"
        name="q"
        dir="auto"
        placeholder={m.library_search()}
        autoComplete="off"
        maxLength={libraryLimits.searchLength}
        defaultValue={query.q}
      />
      {kept.map(([name, value]) =>
        value === null ? null : <input key={name} type="hidden" name={name} value={value} />,
      )}
      <IconButton
        type="submit"
        className="absolute [inset-block:0] end-0 w-11 h-auto"
        label={m.common_search()}
        Icon={Search}
      />
    </Form>
  );
}

/** Everything is in the address, and works without scripts. */
export function LibraryFilters({ query }: { query: LibraryQuery }) {
  return (
    <div className="mt-8 flex flex-wrap items-center gap-x-6 gap-y-3 border-b border-fg pb-4">
      <SearchBox query={query} />
      <nav aria-label={m.library_kinds()}>
        <ul className="flex flex-wrap gap-1">
          {[null, ...libraryKinds].map((kind) => (
            <li key={kind ?? 'all'}>
              <Link
                className={filterClass}
                to={pathOf(query, { kind })}
                aria-current={query.kind === kind ? 'true' : undefined}
              >
                {kind ? kindName(kind, 'all') : m.library_kind_all()}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="ms-auto flex flex-wrap items-center gap-x-4 max-md:ms-0">
        <nav aria-label={m.prompts_filter_order()}>
          <ul className="flex flex-wrap gap-1">
            {librarySorts.map((sort) => (
              <li key={sort}>
                <Link
                  className={filterClass}
                  to={pathOf(query, { sort })}
                  aria-current={query.sort === sort ? 'true' : undefined}
                >
                  {sortNames[sort]()}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <nav aria-label={m.library_view()}>
          <ul className="flex gap-1">
            {views.map(([view, name, Icon]) => (
              <li key={view}>
                <Link
                  className={`${filterClass} px-2`}
                  to={pathOf(query, { view })}
                  title={name()}
                  aria-label={name()}
                  aria-current={query.view === view ? 'true' : undefined}
                  preventScrollReset
                >
                  <Icon size={18} strokeWidth={1.75} aria-hidden="true" />
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      </div>
    </div>
  );
}
