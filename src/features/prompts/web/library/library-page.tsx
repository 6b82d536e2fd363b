import { useEffect, useRef, useState } from 'react';
import { Link, useLocation, useNavigate, useNavigationType, useRevalidator } from 'react-router';
import type { Me } from '../../../accounts/contract.ts';
import { usePerson } from '../../../credits/web/use-person.ts';
import { type PromptPage, type PromptQuery, pathOf, promptLimits } from '../../contract.ts';
import { Dialogs } from '../dialogs.tsx';
import { type Ask, afterDeletion, ownPrompts, useWishes } from '../wishes.ts';
import { countText } from './count-line.tsx';
import { Filters } from './filters.tsx';
import { PromptCard } from './prompt-card.tsx';
import '../prompts.css';

export interface LibraryData extends PromptPage {
  me: Me | null;
  query: PromptQuery;
  /** The visitor has come to upload one. */
  upload: boolean;
}

/** The search that shows more: more on this page, or the next one when it is full. */
function further({ query, total }: LibraryData): PromptQuery | null {
  const { from, shown } = query;
  if (from + shown >= total) return null;
  const { perStep, perPage } = promptLimits;
  return shown < perPage
    ? { ...query, shown: shown + perStep }
    : { ...query, from: from + shown, shown: perStep };
}

/** More cards on the same page: the focus goes to the first of them. */
function useFocusOnMore({ prompts, query }: LibraryData) {
  const before = useRef({ ...query, count: prompts.length });
  useEffect(() => {
    const { current } = before;
    before.current = { ...query, count: prompts.length };
    if (query.shown <= current.shown || query.from !== current.from) return;
    const first = prompts[current.count];
    if (first) document.querySelector<HTMLElement>(`#prompt-${first.id} a`)?.focus({ preventScroll: true });
  }, [prompts, query]);
}

const focusOnCount = () =>
  document.querySelector<HTMLElement>('.prompts-count')?.focus({ preventScroll: true });

/** Focus whose card has gone, here or with the page of a prompt, goes on at the count of the others. */
function useFocusOnLess(count: number) {
  const before = useRef(count);
  useEffect(() => {
    const fewer = count < before.current;
    before.current = count;
    if (fewer && document.activeElement === document.body) focusOnCount();
  }, [count]);
  const { state } = useLocation();
  const isNew = useNavigationType() !== 'POP';
  useEffect(() => {
    if (isNew && state === afterDeletion) focusOnCount();
  }, [isNew, state]);
}

/** The dialogs of the library; a form that the address opened is not opened again by a reload or by Back. */
function useLibraryDialogs({ upload, query }: LibraryData, me: Me | null) {
  const { revalidate } = useRevalidator();
  const navigate = useNavigate();
  const [first] = useState(() => (upload ? ({ kind: 'edit', prompt: null } as const) : null));
  const { open, ask, close } = useWishes(me, first);
  const leaving = useRef(false);
  const changed = () => void revalidate();
  const onSaved = () => {
    if (open?.kind !== 'edit' || open.prompt) return changed();
    leaving.current = true;
    void navigate(ownPrompts, { replace: upload || pathOf(query) === ownPrompts });
  };
  const onClose = () => {
    close();
    if (upload && !leaving.current) void navigate(pathOf(query), { replace: true, preventScrollReset: true });
    leaving.current = false;
  };
  return {
    ask,
    changed,
    dialogs: <Dialogs open={open} me={me} onSaved={onSaved} onUsed={changed} onClose={onClose} />,
  };
}

function Head({ ask }: { ask: Ask }) {
  return (
    <header className="prompts-head">
      <div className="prompts-intro">
        <h1 className="h1">Prompt Lab</h1>
        <p className="lead">Prompts to fill in and send. Most are free to use.</p>
      </div>
      <div className="prompts-head-side">
        <p className="muted">
          Each says what it needs, what to leave alone and what comes out. Fill in the blanks, and the text
          opens in the chat or the Image Generator, where you send it.
        </p>
        <button
          type="button"
          className="btn btn-secondary js-only"
          onClick={() => ask({ kind: 'edit', prompt: null })}
        >
          Upload
        </button>
      </div>
    </header>
  );
}

function Nothing({ query, ask }: { query: PromptQuery; ask: Ask }) {
  const searched = query.q !== '' || query.category !== null;
  if (query.sort === 'mine' && !searched)
    return (
      <div className="prompts-none">
        <h2 className="h3">You have written no prompts yet</h2>
        <p className="muted">What you upload is private until you submit it.</p>
        <button type="button" className="btn btn-primary" onClick={() => ask({ kind: 'edit', prompt: null })}>
          Upload a prompt
        </button>
      </div>
    );
  return (
    <div className="prompts-none">
      <h2 className="h3">No prompts found</h2>
      <p className="muted">Try fewer words or another category.</p>
      <Link className="btn btn-secondary" to={pathOf({ ...query, q: '', category: null, from: 0, shown: 0 })}>
        Clear
      </Link>
    </div>
  );
}

/** The library of prompts. */
export function LibraryPage({ data }: { data: LibraryData }) {
  const { prompts, total, query } = data;
  const [me] = usePerson(data.me);
  const { ask, changed, dialogs } = useLibraryDialogs(data, me);
  const more = further(data);
  useFocusOnMore(data);
  useFocusOnLess(total);
  return (
    <main id="main" className="wrap prompts">
      <Head ask={ask} />
      <Filters query={query} signedIn={me !== null} />
      <p className="prompts-count" role="status" tabIndex={-1}>
        {countText(total, query)}
      </p>
      {prompts.length === 0 ? <Nothing query={query} ask={ask} /> : null}
      <ul className="prompt-list">
        {prompts.map((prompt) => (
          <PromptCard key={prompt.id} prompt={prompt} me={me} ask={ask} onChanged={changed} />
        ))}
      </ul>
      {more ? (
        <div className="prompts-more">
          <Link
            className="btn btn-secondary btn-lg"
            to={pathOf(more)}
            replace={more.from === query.from}
            preventScrollReset={more.from === query.from}
          >
            Show {Math.min(promptLimits.perStep, total - query.from - query.shown)} more
          </Link>
        </div>
      ) : null}
      {query.from > 0 ? (
        <p className="prompts-more">
          <Link className="link" to={pathOf({ ...query, from: 0, shown: 0 })}>
            Back to the first prompts
          </Link>
        </p>
      ) : null}
      {dialogs}
    </main>
  );
}
