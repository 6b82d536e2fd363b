import { Trash2 } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { Link } from 'react-router';
import { toast } from '../../../client/page-events.ts';
import type { WorkFeature, WorkRow } from '../contract.ts';
import { deleteWork, fetchWorks, restoreWork } from './api.ts';
import { inWords, SavedAt } from './facts.tsx';
import { useRunningWorks, type WorkPage } from './use-running-works.ts';
import './works.css';

/** Milliseconds after the last key at which the list is searched. */
const PAUSE_MS = 250;

interface WorkListProps {
  feature: WorkFeature;
  /** Heading of the list: 'Your texts'. */
  title: string;
  /** What is said while there are none. */
  empty: string;
  /** The first page, from the loader; it is taken anew when this changes. */
  first: WorkPage;
  /** The work that the page shows. */
  current: string | null;
  /** After the shown one was deleted. */
  onGone: () => void;
}

const day = { month: 'short', day: 'numeric' } as const;

function Row({
  row,
  current,
  onDelete,
}: {
  row: WorkRow;
  current: boolean;
  onDelete: (row: WorkRow) => void;
}) {
  const { id, feature, title, updatedAt, running, words } = row;
  return (
    <li className="work-row">
      <Link
        className="work-link"
        to={`/tools/${feature}/${id}`}
        aria-current={current ? 'page' : undefined}
        prefetch="intent"
      >
        <span className="work-title" dir="auto">
          {title}
        </span>
        <span className="work-facts">
          <SavedAt iso={updatedAt} format={day} />
          {running ? (
            <span className="work-running">Writing</span>
          ) : (
            <span>{words === 0 ? 'No text yet' : inWords(words)}</span>
          )}
        </span>
      </Link>
      <button
        type="button"
        className="btn btn-ghost btn-icon"
        aria-label={`Delete ${title}`}
        onClick={() => onDelete(row)}
      >
        <Trash2 size={16} strokeWidth={1.75} aria-hidden="true" />
      </button>
    </li>
  );
}

/** What a person made with a tool: newest first, with search, more pages, and deletion that can be undone. */
export function WorkList({ feature, title, empty, first, current, onGone }: WorkListProps) {
  const [page, setPage] = useState(first);
  const [query, setQuery] = useState('');
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState('');
  const asked = useRef<AbortController>(undefined);
  const id = useId();
  // In the state, not in a ref: a rendering that is given up must not count as seen.
  const [seen, setSeen] = useState(first);
  if (seen !== first) {
    setSeen(first);
    if (query === '') setPage(first);
  }
  const latest = useRef(first);
  latest.current = first;
  useRunningWorks({ feature, query, page, setPage, current });

  useEffect(() => {
    asked.current?.abort();
    if (query.trim() === '') {
      setPage(latest.current);
      setSaid('');
      return;
    }
    const mine = new AbortController();
    asked.current = mine;
    const timer = setTimeout(() => {
      fetchWorks(feature, { q: query, signal: mine.signal }).then(
        (found) => {
          setPage(found);
          setSaid(found.works.length === 1 ? '1 found' : `${found.works.length} found`);
        },
        (error: unknown) => {
          if (!mine.signal.aborted) setSaid(error instanceof Error ? error.message : 'The search failed.');
        },
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      mine.abort();
    };
  }, [query, feature]);

  const more = async () => {
    setBusy(true);
    try {
      const next = await fetchWorks(feature, { q: query, before: page.next });
      setPage((was) => ({ works: [...was.works, ...next.works], next: next.next }));
    } catch (error) {
      toast({
        text: error instanceof Error ? error.message : 'The list could not be loaded.',
        kind: 'danger',
      });
    }
    setBusy(false);
  };

  const without = (gone: string) =>
    setPage((was) => ({ ...was, works: was.works.filter((row) => row.id !== gone) }));
  const back = (row: WorkRow) =>
    setPage((was) => ({
      ...was,
      works: [...was.works, row].sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1)),
    }));
  const remove = async (row: WorkRow) => {
    without(row.id);
    try {
      await deleteWork(row.id);
    } catch (error) {
      back(row);
      toast({ text: error instanceof Error ? error.message : 'It could not be deleted.', kind: 'danger' });
      return;
    }
    if (row.id === current) onGone();
    const undo = () => {
      restoreWork(row.id).then(
        () => back(row),
        () => toast({ text: 'It could not be brought back.', kind: 'danger' }),
      );
    };
    toast({ text: `“${row.title}” was deleted.`, action: { label: 'Undo', run: undo } });
  };

  const none = page.works.length === 0;
  return (
    <section className="works" aria-labelledby={`${id}-title`}>
      <div className="works-head">
        <h2 className="h3" id={`${id}-title`}>
          {title}
        </h2>
        {none && query === '' ? null : (
          <input
            type="search"
            className="input works-search"
            dir="auto"
            placeholder="Search"
            aria-label={`Search ${title.toLowerCase()}`}
            maxLength={200}
            value={query}
            onChange={(event) => setQuery(event.target.value)}
          />
        )}
      </div>
      <p className="visually-hidden" role="status">
        {said}
      </p>
      {none ? <p className="muted">{query === '' ? empty : 'Nothing found.'}</p> : null}
      <ul className="works-rows">
        {page.works.map((row) => (
          <Row key={row.id} row={row} current={row.id === current} onDelete={remove} />
        ))}
      </ul>
      {page.next ? (
        <button type="button" className="btn btn-secondary" aria-busy={busy} onClick={more}>
          Show more
        </button>
      ) : null}
    </section>
  );
}
