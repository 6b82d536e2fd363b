import { Search, X } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { isComposing } from '#client/is-composing.ts';
import type { SearchHit } from '#features/chat/contract.ts';
import { m } from '#messages';
import { useDialogEnd } from '#ui/dialog.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { Notice } from '#ui/notice.tsx';
import { type LibraryItem, libraryLimits, pathTo, type SearchResponse } from '../contract.ts';
import { type SearchResult, SearchResultRow } from './search-result-row.tsx';
import { useSearch } from './use-search.ts';

/** The last search text, for the next time the dialog opens; cleared when the user changes. */
let lastText = '';
if (typeof document !== 'undefined')
  document.addEventListener('auth:changed', () => {
    lastText = '';
  });

const resultOfHit = ({ chatId, messageId, title, role, excerpt, at, archived }: SearchHit): SearchResult => ({
  key: `${chatId} ${messageId}`,
  to: messageId === null ? `/chat/${chatId}` : `/chat/${chatId}?at=${messageId}`,
  title,
  role,
  excerpt,
  at,
  archived,
  kind: null,
});

const resultOfItem = (item: LibraryItem, query: string): SearchResult => {
  const { id, kind, title, excerpt, at, archived } = item;
  return { key: id, to: pathTo(item, query), title, role: null, excerpt, at, archived, kind };
};

/** Chats with matching titles first, then other items, then messages. */
const resultsOf = ({ hits, items, query }: SearchResponse & { query: string }): SearchResult[] => [
  ...hits.filter(({ messageId }) => messageId === null).map(resultOfHit),
  ...items.map((item) => resultOfItem(item, query)),
  ...hits.filter(({ messageId }) => messageId !== null).map(resultOfHit),
];

const optionId = (at: number) => `search-option-${at}`;

function useSelection(results: SearchResult[], open: (result: SearchResult) => void) {
  const [choice, setChoice] = useState({ results, at: 0 });
  // New results select the first one.
  const active = Math.min(choice.results === results ? choice.at : 0, results.length - 1);
  const choose = (at: number) => setChoice({ results, at });
  useEffect(() => {
    document.getElementById(optionId(active))?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  const onKey = (event: KeyboardEvent) => {
    if (isComposing(event) || results.length === 0) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const result = results[active];
    if (step !== undefined) choose((active + step + results.length) % results.length);
    else if (event.key === 'Enter' && result) open(result);
    else return;
    event.preventDefault();
  };
  return { active, choose, onKey };
}

interface SearchStatusProps {
  query: string;
  waiting: boolean;
  error: string | null;
  count: number;
  /** Shown when nothing is typed. */
  none: string;
}

function SearchStatus({ query, waiting, error, count, none: empty }: SearchStatusProps) {
  if (error !== null)
    return (
      <Notice kind="danger" className="m-2">
        {error}
      </Notice>
    );
  const none = query === '' ? empty : m.chat_search_none({ query });
  const found = m.chat_search_results({ count });
  const text = count === 0 ? none : query === '' ? '' : found;
  return (
    <p className={count === 0 ? 'muted m-2 text-sm wrap-anywhere' : 'visually-hidden'} role="status">
      {waiting && count === 0 ? m.chat_searching() : text}
    </p>
  );
}

interface HeadProps {
  input: RefObject<HTMLInputElement | null>;
  text: string;
  active: string | undefined;
  onType: (text: string) => void;
  onKey: (event: KeyboardEvent) => void;
  onClose: () => void;
}

function SearchHead({ input, text, active, onType, onKey, onClose }: HeadProps) {
  return (
    <div className="flex items-center gap-3 border-b border-line py-2 ps-4 pe-2 has-[>input:focus-visible]:[box-shadow:inset_0_-2px_0_var(--ring)] forced-colors:has-[>input:focus-visible]:border-b-2 forced-colors:has-[>input:focus-visible]:border-[Highlight]">
      <Search className="shrink-0 text-fg-muted" size={20} strokeWidth={1.75} aria-hidden="true" />
      <input
        ref={input}
        className="outline-none min-h-10 min-w-0 flex-1 text-md"
        role="combobox"
        aria-label={m.chat_search_open()}
        aria-expanded={active !== undefined}
        aria-controls="search-results"
        aria-autocomplete="list"
        aria-activedescendant={active}
        placeholder={m.chat_search_placeholder()}
        enterKeyHint="go"
        autoComplete="off"
        spellCheck={false}
        maxLength={libraryLimits.searchLength}
        value={text}
        onChange={(event) => onType(event.currentTarget.value)}
        onKeyDown={onKey}
      />
      <IconButton Icon={X} iconSize={20} label={m.common_close()} onClick={onClose} />
    </div>
  );
}

function useResults(recent: SearchResult[]) {
  const [text, setText] = useState(lastText);
  const query = text.trim();
  const found = useSearch(query);
  // With an earlier search text, nothing is shown until its results arrive.
  const [shown, setShown] = useState({ found, recent, results: query === '' ? recent : [] });
  if (shown.found !== found || shown.recent !== recent)
    setShown({
      found,
      recent,
      results: found.query === '' ? (query === '' ? recent : []) : resultsOf(found),
    });
  const type = (typed: string) => {
    setText(typed);
    lastText = typed;
  };
  const { results } = shown;
  return { text, type, query, found, results, isRecent: results === recent };
}

interface SearchDialogProps {
  /** Shown before anything is typed, under `recentName`. */
  recent: SearchResult[];
  recentName: string;
  recentEmptyText: string;
  onEnd: () => void;
}

/** The search over everything a person has, on every page of the app. */
export default function SearchDialog({
  recent,
  recentName,
  recentEmptyText,
  onEnd: onEnded,
}: SearchDialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  const { text, type, query, found, results, isRecent } = useResults(recent);
  const { close, onEnd } = useDialogEnd(box, onEnded);
  const { active, choose, onKey } = useSelection(results, ({ to }) => {
    close();
    void navigate(to, { state: { find: query } });
  });
  useLayoutEffect(() => {
    box.current?.showModal();
    input.current?.select();
  }, []);
  const waiting = query !== found.query;
  const chosen = results.length > 0 ? optionId(active) : undefined;
  return (
    <dialog
      ref={box}
      className="dialog mt-[max(var(--s-4),10vh)] w-[min(40rem,calc(100vw-2*var(--s-4)))] overflow-hidden open:flex open:max-h-[min(34rem,calc(100dvh-20vh))] open:flex-col max-md:open:m-0 max-md:open:h-dvh max-md:open:max-h-none max-md:open:w-screen max-md:open:max-w-none max-md:open:rounded-none max-md:open:border-0"
      aria-label={m.chat_search_open()}
      closedby="any"
      onCancel={onEnd}
      onClose={onEnd}
    >
      <SearchHead input={input} text={text} active={chosen} onType={type} onKey={onKey} onClose={close} />
      <div className="scroll-py-2 min-h-0 flex-1 overflow-y-auto overscroll-contain p-2" aria-busy={waiting}>
        {isRecent && results.length > 0 ? <p className="eyebrow px-2 py-1">{recentName}</p> : null}
        <div id="search-results" role="listbox" aria-label={isRecent ? recentName : m.chat_search_list()}>
          {results.map((result, at) => (
            <SearchResultRow
              key={result.key}
              id={optionId(at)}
              result={result}
              find={query}
              active={at === active}
              onPoint={() => at !== active && choose(at)}
              onChoose={close}
            />
          ))}
        </div>
        <SearchStatus
          query={query}
          waiting={waiting}
          error={found.error}
          count={results.length}
          none={recentEmptyText}
        />
      </div>
    </dialog>
  );
}
