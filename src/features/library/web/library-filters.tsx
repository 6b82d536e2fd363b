import { ChevronDown, Folder, LayoutGrid, List, type LucideIcon, Tag } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Link, useNavigate } from 'react-router';
import { formActionUrl } from '#client/form-address.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { MenuItem, MenuPopover } from '#ui/menu.tsx';
import { filterClass, SearchBox } from '#ui/search-box.tsx';
import {
  type LibraryFilters as Filters,
  kindName,
  type LibraryQuery,
  type LibrarySort,
  libraryKinds,
  libraryLimits,
  librarySorts,
  pathOf,
} from '../contract.ts';

const sortNames: Record<LibrarySort, () => string> = {
  newest: m.library_sort_newest,
  oldest: m.library_sort_oldest,
  name: m.library_sort_name,
};

const views = [
  ['list', m.library_view_list, List],
  ['grid', m.library_view_grid, LayoutGrid],
] as const;

function LibrarySearch({ query }: { query: LibraryQuery }) {
  const navigate = useNavigate();
  const { q, kind, project, tag, sort, view } = query;
  return (
    <SearchBox
      id="library-q"
      action="/library"
      label={m.library_search()}
      placeholder={m.library_search()}
      maxLength={libraryLimits.searchLength}
      words={q}
      // The words in the address also change from outside the box, for example by Clear or Back.
      resetKey={q}
      otherParameters={{ kind, project, tag, sort, view }}
      onSearch={(form) => void navigate(formActionUrl(form))}
    />
  );
}

interface FilterMenuProps {
  Icon: LucideIcon;
  /** Labels of the button without and with a chosen option. */
  name: string;
  labelWith: (chosen: { name: string }) => string;
  all: string;
  options: { id: string; name: string }[];
  chosen: string | null;
  to: (id: string | null) => string;
  children?: ReactNode;
}

function FilterMenu({ Icon, name, labelWith, all, options, chosen, to, children }: FilterMenuProps) {
  const id = useId();
  const current = options.find((option) => option.id === chosen);
  return (
    <div>
      <Button variant={chosen === null ? 'ghost' : 'secondary'} className="max-w-64" popoverTarget={id}>
        <Icon className="shrink-0" size={16} strokeWidth={1.75} aria-hidden="true" />
        <span className="truncate">{current ? labelWith(current) : name}</span>
        <ChevronDown className="shrink-0" size={14} strokeWidth={1.75} aria-hidden="true" />
      </Button>
      <MenuPopover id={id} className="max-h-96 overflow-y-auto">
        <ul>
          {[{ id: null, name: all }, ...options].map((option) => (
            <li key={option.id ?? ''}>
              <Link
                className="menu-item aria-[current]:font-semibold"
                to={to(option.id)}
                aria-current={chosen === option.id ? 'true' : undefined}
                onClick={() => document.getElementById(id)?.hidePopover()}
              >
                <bdi className="min-w-0 wrap-anywhere">{option.name}</bdi>
              </Link>
            </li>
          ))}
        </ul>
        {children}
      </MenuPopover>
    </div>
  );
}

interface LibraryFiltersProps extends Filters {
  query: LibraryQuery;
  onManage: () => void;
}

/** The whole state is in the address, so the filters work without scripts. */
export function LibraryFilters({ query, projects, tags, onManage }: LibraryFiltersProps) {
  return (
    <div className="mt-8 flex flex-wrap items-center gap-x-6 gap-y-3 border-b border-fg pb-4">
      <LibrarySearch query={query} />
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
      {projects.length > 0 || tags.length > 0 || query.project || query.tag ? (
        <div className="flex flex-wrap gap-1">
          {projects.length > 0 || query.project ? (
            <FilterMenu
              Icon={Folder}
              name={m.library_project()}
              labelWith={m.library_project_is}
              all={m.library_project_any()}
              options={projects}
              chosen={query.project}
              to={(project) => pathOf(query, { project })}
            />
          ) : null}
          {tags.length > 0 || query.tag ? (
            <FilterMenu
              Icon={Tag}
              name={m.library_tag()}
              labelWith={m.library_tag_is}
              all={m.library_tag_any()}
              options={tags}
              chosen={query.tag}
              to={(tag) => pathOf(query, { tag })}
            >
              <div className="menu-line" />
              <MenuItem onClick={onManage}>{m.tag_manage()}</MenuItem>
            </FilterMenu>
          ) : null}
        </div>
      ) : null}
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
