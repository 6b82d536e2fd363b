import { Search, X } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { request } from '#client/api-request.ts';
import { isComposing } from '#client/is-composing.ts';
import { ProblemError } from '#client/problem-error.ts';
import { m } from '#messages';
import { sentenceGap } from '#shared/join-sentences.ts';
import type { TextSegment } from '#shared/search-words.ts';
import { useDialogEnd } from '#ui/dialog.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { Notice } from '#ui/notice.tsx';
import { type ChatRow, chatLimits, type SearchHit } from '../contract.ts';
import { delay } from './state/chat-api.ts';
import type { ChatProps } from './state/chat-controls.ts';
import type { ChatState } from './state/chat-state.ts';

const searchChats = (query: string, signal: AbortSignal) =>
  request<{ hits: SearchHit[] }>(`/api/search?${new URLSearchParams({ q: query })}`, { signal });

interface ChatSearchState {
  query: string;
  hits: SearchHit[];
  error: string | null;
}

/** Milliseconds without a key before the server is asked. */
const pause = 120;

const nothing: ChatSearchState = { query: '', hits: [], error: null };

const textOf = (error: unknown) =>
  error instanceof ProblemError ? error.body.error : m.chat_search_failed();

/** Seconds of Retry-After to wait silently: the search before this one, aborted here, still runs. */
const briefly = 2;
/** A search has two statements of at most 2 s. */
const refusals = 4;
const again = 300;

/** Milliseconds until the next try after the n-th failure; null to show the error. */
function retryDelay(error: unknown, failures: number): number | null {
  if (!(error instanceof ProblemError)) return failures === 1 ? again : null;
  const wait = error.body.code === 'rate_limited' ? error.retryAfter : null;
  return wait !== null && wait <= briefly && failures <= refusals ? wait * 1000 : null;
}

async function ask(query: string, signal: AbortSignal): Promise<ChatSearchState> {
  for (let failures = 1; ; failures += 1) {
    try {
      return { query, ...(await searchChats(query, signal)), error: null };
    } catch (error) {
      const ms = retryDelay(error, failures);
      if (ms !== null) await delay(ms, signal);
      if (ms === null || signal.aborted) return { query, hits: [], error: textOf(error) };
    }
  }
}

function useChatSearch(query: string): ChatSearchState {
  const [found, setFound] = useState(nothing);
  useEffect(() => {
    if (query === '') {
      setFound(nothing);
      return;
    }
    const asking = new AbortController();
    const timer = setTimeout(async () => {
      const answer = await ask(query, asking.signal);
      if (!asking.signal.aborted) setFound(answer);
    }, pause);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [query]);
  return found;
}

/** The next search of this person begins with it while the page lives. */
let kept = { owner: '', text: '' };

const recentShown = 8;

const ofHit = ({ chatId, messageId, title, role, excerpt, at, archived }: SearchHit): Result => ({
  key: `${chatId} ${messageId}`,
  to: messageId === null ? `/chat/${chatId}` : `/chat/${chatId}?at=${messageId}`,
  title,
  role,
  excerpt,
  at,
  archived,
});

const ofRow = ({ id, title, updatedAt }: ChatRow): Result => ({
  key: id,
  to: `/chat/${id}`,
  title: [{ text: title, hit: false }],
  role: null,
  excerpt: [],
  at: updatedAt,
  archived: false,
});

const optionId = (at: number) => `search-option-${at}`;

function useSelection(results: Result[], open: (result: Result) => void) {
  const [choice, setChoice] = useState({ results, at: 0 });
  // Other results begin at their first.
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
}

function SearchStatus({ query, waiting, error, count }: SearchStatusProps) {
  if (error !== null)
    return (
      <Notice kind="danger" className="m-2">
        {error}
      </Notice>
    );
  const none = query === '' ? m.chat_recent_empty() : m.chat_search_none({ query });
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
    <div className="search-head flex items-center gap-3 border-b border-line py-2 ps-4 pe-2">
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
        maxLength={chatLimits.searchLength}
        value={text}
        onChange={(event) => onType(event.currentTarget.value)}
        onKeyDown={onKey}
      />
      <IconButton Icon={X} iconSize={20} label={m.common_close()} onClick={onClose} />
    </div>
  );
}

function useResults({ me, chats }: ChatState) {
  const owner = me?.id ?? '';
  const [text, setText] = useState(kept.owner === owner ? kept.text : '');
  const [recent] = useState(() => chats.slice(0, recentShown).map(ofRow));
  const query = text.trim();
  const found = useChatSearch(query);
  // A search that was kept is answered before anything is shown.
  const [shown, setShown] = useState({ found, results: query === '' ? recent : [] });
  if (shown.found !== found)
    setShown({ found, results: found.query === '' ? recent : found.hits.map(ofHit) });
  const type = (typed: string) => {
    setText(typed);
    kept = { owner, text: typed };
  };
  const { results } = shown;
  return { text, type, query, found, results, isRecent: results === recent };
}

/** The drawer that it was opened from is gone: its button takes the focus. */
function returnFocus() {
  const active = document.activeElement;
  if (!active || active === document.body || !active.checkVisibility())
    document.querySelector<HTMLElement>('.chat-head button')?.focus();
}

export default function SearchDialog({ state, controls }: ChatProps) {
  const box = useRef<HTMLDialogElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  const { text, type, query, found, results, isRecent } = useResults(state);
  const { close, onEnd } = useDialogEnd(box, () => {
    controls.show(null);
    returnFocus();
  });
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
      className="dialog search overflow-hidden"
      aria-label={m.chat_search_open()}
      closedby="any"
      onCancel={onEnd}
      onClose={onEnd}
    >
      <SearchHead input={input} text={text} active={chosen} onType={type} onKey={onKey} onClose={close} />
      <div className="scroll-py-2 min-h-0 flex-1 overflow-y-auto overscroll-contain p-2" aria-busy={waiting}>
        {isRecent && results.length > 0 ? <p className="eyebrow px-2 py-1">{m.chat_recent()}</p> : null}
        <div
          id="search-results"
          role="listbox"
          aria-label={isRecent ? m.chat_recent() : m.chat_search_list()}
        >
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
        <SearchStatus query={query} waiting={waiting} error={found.error} count={results.length} />
      </div>
    </dialog>
  );
}

export interface Result {
  key: string;
  to: string;
  title: TextSegment[];
  role: 'user' | 'assistant' | null;
  excerpt: TextSegment[];
  at: string;
  archived: boolean;
}

interface SearchResultRowProps {
  id: string;
  result: Result;
  find: string;
  active: boolean;
  onPoint: () => void;
  onChoose: () => void;
}

function HighlightedText({ pieces }: { pieces: TextSegment[] }) {
  return pieces.map(({ text, hit }, at) =>
    hit ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have no other name
      <mark key={at} className="mark">
        {text}
      </mark>
    ) : (
      text
    ),
  );
}

const day = { month: 'short', day: 'numeric' } as const;

/** A link, so that it can be opened in another tab too. */
function SearchResultRow({ id, result, find, active, onPoint, onChoose }: SearchResultRowProps) {
  const { to, title, role, excerpt, at, archived } = result;
  return (
    <Link
      id={id}
      className="chat-option grid grid-cols-[minmax(0,1fr)_auto] pointer-coarse:min-h-11 content-center items-baseline gap-x-3 text-sm"
      role="option"
      aria-selected={active}
      tabIndex={-1}
      to={to}
      state={{ find }}
      onPointerMove={onPoint}
      onClick={(event) => {
        if (!event.metaKey && !event.ctrlKey && !event.shiftKey) onChoose();
      }}
    >
      <span className="truncate">
        <HighlightedText pieces={title} />
        {archived ? <span className="ms-2 text-2xs text-fg-subtle">{m.chat_archived()}</span> : null}
      </span>
      <LocalTime className="text-2xs text-fg-subtle" iso={at} format={day} title={null} />
      {excerpt.length === 0 ? null : (
        <span className="col-span-full line-clamp-2 text-xs wrap-anywhere text-fg-muted">
          {role ? (
            <b className="font-semibold">
              {role === 'user' ? m.chat_search_you() : m.chat_search_assistant()}
              {sentenceGap()}
            </b>
          ) : null}
          <HighlightedText pieces={excerpt} />
        </span>
      )}
    </Link>
  );
}
