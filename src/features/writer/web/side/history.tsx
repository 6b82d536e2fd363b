import { Search } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { Link } from 'react-router';
import { LocalTime } from '../../../../ui/local-time.tsx';
import type { WorkRow } from '../../../works/contract.ts';
import { fetchTexts } from '../api.ts';

interface Page {
  works: WorkRow[];
  next: string | null;
}

/** Milliseconds without a key after which a search is asked for. */
const PAUSE_MS = 200;

function useFound(
  query: string,
  first: Page,
  onRefused: (error: unknown) => void,
): [Page | null, () => void] {
  const [found, setFound] = useState<{ query: string; page: Page } | null>(null);
  const [older, setOlder] = useState<{ first: Page; page: Page } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a list that was loaded anew asks again
  useEffect(() => {
    if (query === '') return setFound(null);
    const abort = new AbortController();
    const timer = setTimeout(() => {
      fetchTexts(query, null, abort.signal)
        .then((page) => setFound({ query, page }))
        .catch((error: unknown) => abort.signal.aborted || onRefused(error));
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [query, first]);
  const shown = query !== '' ? (found?.page ?? null) : older?.first === first ? older.page : first;
  const more = () => {
    if (!shown?.next) return;
    fetchTexts(query, shown.next)
      .then(({ works, next }) => {
        const page = { works: [...shown.works, ...works], next };
        if (query === '') setOlder({ first, page });
        else setFound({ query, page });
      })
      .catch(onRefused);
  };
  return [shown, more];
}

interface HistoryProps {
  first: Page;
  openId: string | null;
  onRefused: (error: unknown) => void;
}

/** The person's texts, newest first, with a search through titles and texts. */
export function History({ first, openId, onRefused }: HistoryProps) {
  const [query, setQuery] = useState('');
  const [page, more] = useFound(query.trim(), first, onRefused);
  const id = useId();
  if (first.works.length === 0 && query === '') return null;
  return (
    <section className="writer-history" aria-labelledby={id}>
      <div className="writer-history-head">
        <h2 className="eyebrow" id={id}>
          Your texts
        </h2>
        {openId ? (
          <Link className="link text-sm" to="/tools/writer">
            New text
          </Link>
        ) : null}
      </div>
      <label className="writer-search">
        <Search size={16} strokeWidth={1.75} aria-hidden="true" />
        <span className="visually-hidden">Search your texts</span>
        <input
          className="input"
          type="search"
          value={query}
          placeholder="Search"
          onChange={(event) => setQuery(event.target.value)}
        />
      </label>
      <p className="visually-hidden" role="status">
        {query.trim() && page ? `${page.works.length}${page.next ? ' or more' : ''} found` : ''}
      </p>
      {page && page.works.length === 0 ? <p className="muted text-sm">No text holds these words.</p> : null}
      <ul className="writer-list">
        {page?.works.map((work) => (
          <li key={work.id}>
            <Link
              className="writer-row"
              to={`/tools/writer/${work.id}`}
              aria-current={work.id === openId ? 'page' : undefined}
            >
              <span className="writer-row-title">{work.title}</span>
              <span className="fine">
                {work.running ? 'Being written' : `${work.words} words`}, <LocalTime iso={work.updatedAt} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {page?.next ? (
        <button type="button" className="btn btn-ghost" onClick={more}>
          Older texts
        </button>
      ) : null}
    </section>
  );
}
