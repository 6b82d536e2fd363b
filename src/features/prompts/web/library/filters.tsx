import { Search } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Form, Link, useNavigation, useSubmit } from 'react-router';
import {
  categories,
  categoryNames,
  type PromptQuery,
  pathOf,
  promptLimits,
  queryOf,
  type Sort,
} from '../../contract.ts';

/** Typing searches after a rest of as many milliseconds. */
const REST_MS = 300;

const sortNames: [Sort, string][] = [
  ['popular', 'Popular'],
  ['new', 'New'],
  ['mine', 'Mine'],
];

/** The beginning of another search: its first page. */
const anew = (query: PromptQuery, changed: Partial<PromptQuery>) =>
  pathOf({ ...query, from: 0, shown: promptLimits.perStep, ...changed });

function SearchBox({ query }: { query: PromptQuery }) {
  const submit = useSubmit();
  const { state } = useNavigation();
  const box = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  /** The words that the address has by this box. */
  const asked = useRef(query.q);
  const searches = useRef(0);
  // Other words in it come from something else, such as Clear or Back, whatever has the focus.
  useEffect(() => {
    const { current } = box;
    if (!current || state !== 'idle' || searches.current > 0 || query.q === asked.current) return;
    clearTimeout(timer.current);
    asked.current = query.q;
    current.value = query.q;
  }, [query.q, state]);
  const search = (form: HTMLFormElement | null) => {
    clearTimeout(timer.current);
    if (!form) return;
    asked.current = queryOf(new URLSearchParams({ q: box.current?.value ?? '' })).q;
    searches.current++;
    void submit(form, { replace: true }).finally(() => searches.current--);
  };
  return (
    <Form
      method="get"
      action="/tools/prompts"
      role="search"
      className="prompt-search"
      onSubmit={(event) => {
        event.preventDefault();
        search(event.currentTarget);
      }}
    >
      <label className="visually-hidden" htmlFor="prompt-q">
        Search prompts
      </label>
      <input
        ref={box}
        className="input"
        id="prompt-q"
        type="search"
        name="q"
        placeholder="Search prompts: email, SEO…"
        autoComplete="off"
        maxLength={promptLimits.searchLength}
        defaultValue={query.q}
        onChange={({ currentTarget: { form } }) => {
          clearTimeout(timer.current);
          timer.current = setTimeout(() => search(form), REST_MS);
        }}
      />
      {query.category ? <input type="hidden" name="category" value={query.category} /> : null}
      {query.sort === 'popular' ? null : <input type="hidden" name="sort" value={query.sort} />}
      <button type="submit" className="btn btn-ghost btn-icon prompt-search-go" aria-label="Search">
        <Search size={16} strokeWidth={1.75} aria-hidden="true" />
      </button>
    </Form>
  );
}

/** Search, categories and order; all of it stands in the address, and works without scripts. */
export function Filters({ query, signedIn }: { query: PromptQuery; signedIn: boolean }) {
  return (
    <div className="prompt-filters">
      <SearchBox query={query} />
      <nav aria-label="Category">
        <ul className="prompt-choices">
          {([null, ...categories] as const).map((category) => (
            <li key={category ?? 'all'}>
              <Link
                to={anew(query, { category })}
                preventScrollReset
                aria-current={query.category === category ? 'true' : undefined}
              >
                {category ? categoryNames[category] : 'All'}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <nav aria-label="Order" className="prompt-order">
        <ul className="prompt-choices">
          {sortNames.map(([sort, name]) => {
            const to = anew(query, { sort });
            const current = query.sort === sort ? 'true' : undefined;
            return (
              <li key={sort}>
                {sort === 'mine' && !signedIn ? (
                  <a href={`/sign-in?next=${encodeURIComponent(to)}`} data-sign-in="">
                    {name}
                  </a>
                ) : (
                  <Link to={to} preventScrollReset aria-current={current}>
                    {name}
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
