import { lazy, useEffect, useRef, useState } from 'react';
import { Link, useLocation, useNavigate, useNavigationType, useRevalidator } from 'react-router';
import type { PromptSample } from '#content/prompts/samples.ts';
import type { Me } from '#features/accounts/contract.ts';
import { featureTable } from '#features/credits/contract.ts';
import { useCurrentUser } from '#features/credits/web/use-current-user.ts';
import { landingParts } from '#features/tools/web/landing/landing-parts.tsx';
import { m } from '#messages';
import { Button, buttonClass } from '#ui/button.tsx';
import { EnglishOnly } from '#ui/english-only.tsx';
import { type PromptPage, type PromptQuery, promptLimits, promptsPath } from '../../contract.ts';
import { PromptDialogs } from '../prompt-dialogs.tsx';
import { afterDeletion, type OpenPromptDialog, ownPrompts, usePromptDialogs } from '../use-prompt-dialogs.ts';
import { LibraryFilters } from './library-filters.tsx';
import { PromptCard } from './prompt-card.tsx';
import { resultCount } from './result-count.tsx';
import '../prompts.css';

export interface LibraryData extends PromptPage {
  samples: Partial<Record<string, PromptSample>>;
  me: Me | null;
  query: PromptQuery;
  upload: boolean;
}

function nextQuery({ query, total }: LibraryData): PromptQuery | null {
  const { from, shown } = query;
  if (from + shown >= total) return null;
  const { perStep, perPage } = promptLimits;
  return shown < perPage
    ? { ...query, shown: shown + perStep }
    : { ...query, from: from + shown, shown: perStep };
}

function useFocusNewCards({ prompts, query }: LibraryData) {
  const previous = useRef({ ...query, count: prompts.length });
  useEffect(() => {
    const { current } = previous;
    previous.current = { ...query, count: prompts.length };
    if (query.shown <= current.shown || query.from !== current.from) return;
    const first = prompts[current.count];
    if (first) document.querySelector<HTMLElement>(`#prompt-${first.id} a`)?.focus({ preventScroll: true });
  }, [prompts, query]);
}

const focusOnCount = () =>
  document.querySelector<HTMLElement>('.prompts-count')?.focus({ preventScroll: true });

/** Moves the focus to the count if the focused card was removed, here or on the prompt's page. */
function useFocusAfterRemoval(count: number) {
  const previous = useRef(count);
  useEffect(() => {
    const fewer = count < previous.current;
    previous.current = count;
    if (fewer && document.activeElement === document.body) focusOnCount();
  }, [count]);
  const { state } = useLocation();
  const isNew = useNavigationType() !== 'POP';
  useEffect(() => {
    if (isNew && state === afterDeletion) focusOnCount();
  }, [isNew, state]);
}

/** Drops the dialog from the address, so that a reload or Back does not open it again. */
function useLibraryDialogs({ upload, query }: LibraryData, me: Me | null) {
  const { revalidate } = useRevalidator();
  const navigate = useNavigate();
  const [initial] = useState(() => (upload ? ({ kind: 'edit', prompt: null } as const) : null));
  const { open, openDialog, close } = usePromptDialogs(me, initial);
  const isLeaving = useRef(false);
  const reload = () => void revalidate();
  const onSaved = () => {
    if (open?.kind !== 'edit' || open.prompt) return reload();
    isLeaving.current = true;
    void navigate(ownPrompts, { replace: upload || promptsPath(query) === ownPrompts });
  };
  const onClose = () => {
    close();
    if (upload && !isLeaving.current) void navigate(promptsPath(query), { replace: true });
    isLeaving.current = false;
  };
  return {
    openDialog,
    reload,
    dialogs: <PromptDialogs open={open} me={me} onSaved={onSaved} onUsed={reload} onClose={onClose} />,
  };
}

const landing = landingParts(lazy(() => import('./library-landing.tsx')));

function Head({ guest, openDialog }: { guest: boolean; openDialog: OpenPromptDialog }) {
  return (
    <div
      className={`flex flex-wrap items-end justify-between gap-x-6 gap-y-3 ${guest ? '-mt-12 -mb-4 max-md:-mt-8' : ''}`}
    >
      {guest ? (
        landing.head
      ) : (
        <div className="grid gap-1">
          <h1 className="h2">{featureTable.prompts.name}</h1>
          <p className="muted">{m.prompts_lead()}</p>
        </div>
      )}
      <Button
        className={`js-only ${guest ? 'mb-5' : 'mb-1'}`}
        onClick={() => openDialog({ kind: 'edit', prompt: null })}
      >
        {m.prompts_upload()}
      </Button>
    </div>
  );
}

function NoResults({ query, openDialog }: { query: PromptQuery; openDialog: OpenPromptDialog }) {
  const isFiltered = query.q !== '' || query.category !== null;
  if (query.sort === 'mine' && !isFiltered)
    return (
      <div className="grid justify-items-start gap-3 py-12 border-t border-line">
        <h2 className="h3">{m.prompts_none_mine()}</h2>
        <p className="muted">{m.prompts_none_mine_text()}</p>
        <Button variant="primary" onClick={() => openDialog({ kind: 'edit', prompt: null })}>
          {m.prompts_upload_one()}
        </Button>
      </div>
    );
  return (
    <div className="grid justify-items-start gap-3 py-12 border-t border-line">
      <h2 className="h3">{m.prompts_none()}</h2>
      <p className="muted">{m.prompts_none_text()}</p>
      <Link
        className={buttonClass()}
        to={promptsPath({ ...query, q: '', category: null, from: 0, shown: 0 })}
      >
        {m.prompts_clear()}
      </Link>
    </div>
  );
}

export function LibraryPage({ data }: { data: LibraryData }) {
  const { prompts, total, query } = data;
  const [me] = useCurrentUser(data.me);
  const { openDialog, reload, dialogs } = useLibraryDialogs(data, me);
  const next = nextQuery(data);
  useFocusNewCards(data);
  useFocusAfterRemoval(total);
  return (
    <main id="main" className="wrap prompts pt-12 pb-24 max-md:pt-8 max-md:pb-16">
      <Head guest={me === null} openDialog={openDialog} />
      <EnglishOnly />
      <LibraryFilters query={query} signedIn={me !== null} />
      <p className="prompts-count py-3 text-xs text-fg-muted wrap-anywhere" role="status" tabIndex={-1}>
        {resultCount(total, query)}
      </p>
      {prompts.length === 0 ? <NoResults query={query} openDialog={openDialog} /> : null}
      <ul className="prompt-list">
        {prompts.map((prompt) => (
          <PromptCard
            key={prompt.id}
            prompt={prompt}
            sample={data.samples[prompt.slug]}
            me={me}
            openDialog={openDialog}
            onChanged={reload}
          />
        ))}
      </ul>
      {next ? (
        <div className="pt-8">
          <Link
            className={buttonClass({ size: 'lg' })}
            to={promptsPath(next)}
            replace={next.from === query.from}
          >
            {m.prompts_more({ count: Math.min(promptLimits.perStep, total - query.from - query.shown) })}
          </Link>
        </div>
      ) : null}
      {query.from > 0 ? (
        <p className="pt-8">
          <Link className="link" to={promptsPath({ ...query, from: 0, shown: 0 })}>
            {m.prompts_first()}
          </Link>
        </p>
      ) : null}
      {me ? null : landing.foot}
      {dialogs}
    </main>
  );
}
