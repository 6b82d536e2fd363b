import { Trash2 } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { Link } from 'react-router';
import { toast } from '#client/page-events.ts';
import type { Feature } from '#features/credits/contract.ts';
import { m } from '#messages';
import { formatTextLength } from '#shared/text-length.ts';
import { Button } from '#ui/button.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import type { TextSummary } from '../contract.ts';
import { deleteText, fetchTexts, restoreText } from './texts-api.ts';
import { type TextPage, useRunningTexts } from './use-running-texts.ts';

const DEBOUNCE_MS = 250;

interface TextListProps {
  feature: Feature;
  title: string;
  empty: string;
  first: TextPage;
  current: string | null;
  onDeleted: () => void;
}

const day = { month: 'short', day: 'numeric' } as const;

function Row({
  row,
  current,
  onDelete,
}: {
  row: TextSummary;
  current: boolean;
  onDelete: (row: TextSummary) => void;
}) {
  const { id, feature, title, updatedAt, running, words, characters } = row;
  return (
    <li className="flex items-center gap-2 border-b border-line">
      <Link
        className="group flex min-w-0 flex-1 flex-wrap justify-between gap-x-4 py-3"
        to={`/tools/${feature}/${id}`}
        aria-current={current ? 'page' : undefined}
        prefetch="intent"
      >
        <span
          className="min-w-0 flex-[1_1_12rem] wrap-anywhere underline-offset-4 group-hover:underline group-aria-[current=page]:font-semibold"
          dir="auto"
        >
          {title}
        </span>
        <span className="flex items-center gap-4 text-xs whitespace-nowrap text-fg-muted">
          <LocalTime iso={updatedAt} format={day} />
          {running ? (
            <span className="font-semibold text-fg">{m.texts_list_writing()}</span>
          ) : (
            <span>{words === 0 ? m.texts_list_empty() : formatTextLength({ words, characters })}</span>
          )}
        </span>
      </Link>
      <IconButton label={m.common_delete_named({ title })} onClick={() => onDelete(row)} Icon={Trash2} />
    </li>
  );
}

export function TextList({ feature, title, empty, first, current, onDeleted }: TextListProps) {
  const [page, setPage] = useState(first);
  const [query, setQuery] = useState('');
  const [busy, setBusy] = useState(false);
  const [status, setStatus] = useState('');
  const searchRequest = useRef<AbortController>(undefined);
  const id = useId();
  // State instead of a ref: a render that React discards must not count as seen.
  const [loaded, setLoaded] = useState(first);
  if (loaded !== first) {
    setLoaded(first);
    const refreshed = (previous: TextPage) => ({
      ...previous,
      works: previous.works.map((row) => first.works.find(({ id }) => id === row.id) ?? row),
    });
    setPage(query === '' ? first : refreshed);
  }
  const latest = useRef(first);
  latest.current = first;
  useRunningTexts(page, setPage, current);

  useEffect(() => {
    searchRequest.current?.abort();
    if (query.trim() === '') {
      setPage(latest.current);
      setStatus('');
      return;
    }
    const controller = new AbortController();
    searchRequest.current = controller;
    const timer = setTimeout(() => {
      fetchTexts(feature, { q: query, signal: controller.signal }).then(
        (results) => {
          setPage(results);
          setStatus(m.common_results({ count: results.works.length }));
        },
        (error: unknown) => {
          if (!controller.signal.aborted)
            setStatus(error instanceof Error ? error.message : m.texts_list_search_failed());
        },
      );
    }, DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [query, feature]);

  const loadMore = async () => {
    setBusy(true);
    try {
      const next = await fetchTexts(feature, { q: query, before: page.next });
      setPage((previous) => ({ works: [...previous.works, ...next.works], next: next.next }));
    } catch (error) {
      toast({ text: error instanceof Error ? error.message : m.texts_list_failed(), kind: 'danger' });
    }
    setBusy(false);
  };

  const hideRow = (rowId: string) =>
    setPage((previous) => ({ ...previous, works: previous.works.filter((row) => row.id !== rowId) }));
  const restoreRow = (row: TextSummary) =>
    setPage((previous) => ({
      ...previous,
      works: [...previous.works, row].sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1)),
    }));
  const remove = async (row: TextSummary) => {
    hideRow(row.id);
    try {
      await deleteText(row.id);
    } catch (error) {
      restoreRow(row);
      toast({ text: error instanceof Error ? error.message : m.texts_list_delete_failed(), kind: 'danger' });
      return;
    }
    if (row.id === current) onDeleted();
    const undo = () => {
      restoreText(row.id).then(
        () => restoreRow(row),
        () => toast({ text: m.texts_list_restore_failed(), kind: 'danger' }),
      );
    };
    toast({
      text: m.texts_list_deleted({ title: row.title }),
      action: { label: m.common_undo(), run: undo },
    });
  };

  const isEmpty = page.works.length === 0;
  return (
    <section className="grid min-w-0 gap-3" aria-labelledby={`${id}-title`}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-2">
        <h2 className="h3" id={`${id}-title`}>
          {title}
        </h2>
        {isEmpty && query === '' ? null : (
          <input
            type="search"
            className="input flex-[0_1_16rem]"
            dir="auto"
            placeholder={m.common_search()}
            aria-label={m.texts_list_search({ list: title })}
            maxLength={200}
            value={query}
            onChange={(event) => setQuery(event.target.value)}
          />
        )}
      </div>
      <p className="visually-hidden" role="status">
        {status}
      </p>
      {isEmpty ? (
        <p className="muted">{query === '' ? empty : m.texts_list_none({ query: query.trim() })}</p>
      ) : null}
      <ul className="border-t border-line">
        {page.works.map((row) => (
          <Row key={row.id} row={row} current={row.id === current} onDelete={remove} />
        ))}
      </ul>
      {page.next ? (
        <Button aria-busy={busy} onClick={loadMore}>
          {m.common_show_more()}
        </Button>
      ) : null}
    </section>
  );
}
