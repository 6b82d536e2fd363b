import { Search, X } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { type ChatRow, chatLimits, type SearchHit } from '../../contract.ts';
import type { DialogProps } from '../dialogs.tsx';
import type { ChatState } from '../state/chat-state.ts';
import { HitRow, type Result } from './hit-row.tsx';
import { useSearch } from './use-search.ts';
import './search.css';

/** What was last typed, and by whom: the next search begins with it while the page lives. */
let kept = { owner: '', text: '' };

const recentShown = 8;

const ofHit = ({ chatId, messageId, title, role, excerpt, at }: SearchHit): Result => ({
  key: `${chatId} ${messageId}`,
  to: messageId === null ? `/chat/${chatId}` : `/chat/${chatId}?at=${messageId}`,
  title,
  role,
  excerpt,
  at,
});

const ofRow = ({ id, title, updatedAt }: ChatRow): Result => ({
  key: id,
  to: `/chat/${id}`,
  title: [{ text: title, hit: false }],
  role: null,
  excerpt: [],
  at: updatedAt,
});

const optionId = (at: number) => `search-option-${at}`;

/** The line that is chosen, and the keys that move it; Enter opens it. */
function useChoice(results: Result[], open: (result: Result) => void) {
  const [choice, setChoice] = useState({ results, at: 0 });
  // Other results begin at their first.
  const active = Math.min(choice.results === results ? choice.at : 0, results.length - 1);
  const choose = (at: number) => setChoice({ results, at });
  useEffect(() => {
    document.getElementById(optionId(active))?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  const onKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.keyCode === 229 || results.length === 0) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const result = results[active];
    if (step !== undefined) choose((active + step + results.length) % results.length);
    else if (event.key === 'Enter' && result) open(result);
    else return;
    event.preventDefault();
  };
  return { active, choose, onKey };
}

interface SaidProps {
  query: string;
  waiting: boolean;
  error: string | null;
  count: number;
}

/** What stands where there are no results, and what a screen reader hears of them. */
function Said({ query, waiting, error, count }: SaidProps) {
  if (error !== null)
    return (
      <p className="notice notice-danger search-said" role="alert">
        {error}
      </p>
    );
  const none = query === '' ? 'Your chats will appear here.' : `No chat has all words of “${query}”.`;
  const found = `${count} ${count === 1 ? 'result' : 'results'}`;
  const text = count === 0 ? none : query === '' ? '' : found;
  return (
    <p className={count === 0 ? 'muted search-said' : 'visually-hidden'} role="status">
      {waiting && count === 0 ? 'Searching…' : text}
    </p>
  );
}

interface HeadProps {
  input: RefObject<HTMLInputElement | null>;
  text: string;
  /** Id of the option that Enter opens. */
  active: string | undefined;
  onType: (text: string) => void;
  onKey: (event: KeyboardEvent) => void;
  onClose: () => void;
}

function SearchHead({ input, text, active, onType, onKey, onClose }: HeadProps) {
  return (
    <div className="search-head">
      <Search size={20} strokeWidth={1.75} aria-hidden="true" />
      <input
        ref={input}
        className="search-input"
        role="combobox"
        aria-label="Search chats"
        aria-expanded={active !== undefined}
        aria-controls="search-results"
        aria-autocomplete="list"
        aria-activedescendant={active}
        placeholder="Search titles and messages"
        enterKeyHint="go"
        autoComplete="off"
        spellCheck={false}
        maxLength={chatLimits.searchLength}
        value={text}
        onChange={(event) => onType(event.currentTarget.value)}
        onKeyDown={onKey}
      />
      <button type="button" className="btn btn-ghost btn-icon" aria-label="Close" onClick={onClose}>
        <X size={20} strokeWidth={1.75} aria-hidden="true" />
      </button>
    </div>
  );
}

/** What is typed, and what there is for it: recent chats, or the hits of the last search that was answered. */
function useResults({ me, chats }: ChatState) {
  const owner = me?.id ?? '';
  const [text, setText] = useState(kept.owner === owner ? kept.text : '');
  const [recent] = useState(() => chats.slice(0, recentShown).map(ofRow));
  const query = text.trim();
  const found = useSearch(query);
  // A search that was kept is answered before anything is shown.
  const [shown, setShown] = useState({ found, results: query === '' ? recent : [] });
  if (shown.found !== found)
    setShown({
      found,
      results: found.query === '' ? recent : found.hits.map(ofHit),
    });
  const type = (typed: string) => {
    setText(typed);
    kept = { owner, text: typed };
  };
  const { results } = shown;
  return { text, type, query, found, results, isRecent: results === recent };
}

/** Opened from the drawer, which is gone: the button of the drawer takes the focus. */
function returnFocus() {
  const active = document.activeElement;
  if (!active || active === document.body || !active.checkVisibility())
    document.querySelector<HTMLElement>('.chat-head button')?.focus();
}

/** Finds chats by their title and by what was said in them. */
export default function SearchDialog({ state, controls }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  const { text, type, query, found, results, isRecent } = useResults(state);
  const close = () => box.current?.close();
  const { active, choose, onKey } = useChoice(results, ({ to }) => {
    close();
    void navigate(to, { state: { find: query } });
  });
  useLayoutEffect(() => {
    box.current?.showModal();
    input.current?.select();
  }, []);
  const onClosed = () => {
    controls.show(null);
    returnFocus();
  };
  const waiting = query !== found.query;
  const chosen = results.length > 0 ? optionId(active) : undefined;
  return (
    <dialog ref={box} className="dialog search" aria-label="Search chats" closedby="any" onClose={onClosed}>
      <SearchHead input={input} text={text} active={chosen} onType={type} onKey={onKey} onClose={close} />
      <div className="search-body" aria-busy={waiting}>
        {isRecent && results.length > 0 ? <p className="eyebrow search-label">Recent chats</p> : null}
        <div id="search-results" role="listbox" aria-label={isRecent ? 'Recent chats' : 'Results'}>
          {results.map((result, at) => (
            <HitRow
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
        <Said query={query} waiting={waiting} error={found.error} count={results.length} />
      </div>
    </dialog>
  );
}
