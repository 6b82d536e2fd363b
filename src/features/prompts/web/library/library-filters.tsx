import { useEffect, useRef } from 'react';
import { Link, useNavigate, useNavigation } from 'react-router';
import { formActionUrl } from '#client/form-address.ts';
import { m } from '#messages';
import { filterClass, SearchBox } from '#ui/search-box.tsx';
import {
  categories,
  categoryNames,
  type PromptQuery,
  parseQuery,
  promptLimits,
  promptsPath,
  type Sort,
} from '../../contract.ts';

const DEBOUNCE_MS = 300;

const sortNames: [Sort, () => string][] = [
  ['popular', m.prompts_sort_popular],
  ['new', m.prompts_sort_new],
  ['mine', m.prompts_sort_mine],
];

const changedPath = (query: PromptQuery, changed: Partial<PromptQuery>) =>
  promptsPath({ ...query, from: 0, shown: promptLimits.perStep, ...changed });

function PromptSearch({ query }: { query: PromptQuery }) {
  const navigate = useNavigate();
  const { state } = useNavigation();
  const box = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  /** The last words that this box put into the address. */
  const lastQuery = useRef(query.q);
  const pendingSearches = useRef(0);
  // Overwrite the box if the words changed from outside, for example by Clear or Back.
  useEffect(() => {
    const { current } = box;
    if (!current || state !== 'idle' || pendingSearches.current > 0 || query.q === lastQuery.current) return;
    clearTimeout(timer.current);
    lastQuery.current = query.q;
    current.value = query.q;
  }, [query.q, state]);
  const search = (form: HTMLFormElement | null) => {
    clearTimeout(timer.current);
    if (!form) return;
    lastQuery.current = parseQuery(new URLSearchParams({ q: box.current?.value ?? '' })).q;
    pendingSearches.current++;
    void Promise.resolve(navigate(formActionUrl(form), { replace: true })).finally(
      () => pendingSearches.current--,
    );
  };
  return (
    <SearchBox
      id="prompt-q"
      action="/tools/prompts"
      label={m.prompts_search_label()}
      placeholder={m.prompts_search_placeholder()}
      maxLength={promptLimits.searchLength}
      words={query.q}
      otherParameters={{
        category: query.category || null,
        sort: query.sort === 'popular' ? null : query.sort,
      }}
      box={box}
      onType={(form) => {
        clearTimeout(timer.current);
        timer.current = setTimeout(() => search(form), DEBOUNCE_MS);
      }}
      onSearch={search}
    />
  );
}

/** The whole state is in the address, so the filters work without scripts. */
export function LibraryFilters({ query, signedIn }: { query: PromptQuery; signedIn: boolean }) {
  return (
    <div className="flex flex-wrap items-center gap-y-3 gap-x-6 mt-10 pb-4 border-b border-fg">
      <PromptSearch query={query} />
      <nav aria-label={m.common_category()}>
        <ul className="flex flex-wrap gap-1">
          {([null, ...categories] as const).map((category) => (
            <li key={category ?? 'all'}>
              <Link
                className={filterClass}
                to={changedPath(query, { category })}
                aria-current={query.category === category ? 'true' : undefined}
              >
                {category ? categoryNames[category]() : m.prompts_filter_all()}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <nav aria-label={m.prompts_filter_order()} className="ms-auto max-md:ms-0">
        <ul className="flex flex-wrap gap-1">
          {sortNames.map(([sort, name]) => {
            const to = changedPath(query, { sort });
            const current = query.sort === sort ? 'true' : undefined;
            return (
              <li key={sort}>
                {sort === 'mine' && !signedIn ? (
                  <a className={filterClass} href={`/sign-in?next=${encodeURIComponent(to)}`} data-sign-in="">
                    {name()}
                  </a>
                ) : (
                  <Link className={filterClass} to={to} aria-current={current}>
                    {name()}
                  </Link>
                )}
              </li>
            );
          })}
        </ul>
      </nav>
    </div>
  );
}
