import { Link } from 'react-router';
import { m } from '#messages';
import { sentenceSeparator } from '#shared/join-sentences.ts';
import type { TextSegment } from '#shared/search-words.ts';
import { LocalTime } from '#ui/local-time.tsx';
import { kindName, type LibraryKind } from '../contract.ts';
import { HighlightedText } from './highlighted-text.tsx';

export interface SearchResult {
  key: string;
  to: string;
  title: TextSegment[];
  role: 'user' | 'assistant' | null;
  excerpt: TextSegment[];
  at: string;
  archived: boolean;
  /** Null in a list of only one kind. */
  kind: LibraryKind | null;
}

interface SearchResultRowProps {
  id: string;
  result: SearchResult;
  find: string;
  active: boolean;
  onPoint: () => void;
  onChoose: () => void;
}

const day = { month: 'short', day: 'numeric' } as const;

/** A link, so that it can be opened in another tab too. */
export function SearchResultRow({ id, result, find, active, onPoint, onChoose }: SearchResultRowProps) {
  const { to, title, role, excerpt, at, archived, kind } = result;
  return (
    <Link
      id={id}
      className="grid rounded-sm p-2 aria-selected:bg-sunken aria-selected:[box-shadow:inset_calc(var(--forward)*2px)_0_0_var(--mark)] forced-colors:aria-selected:outline-2 forced-colors:aria-selected:-outline-offset-2 forced-colors:aria-selected:outline-[Highlight] grid-cols-[minmax(0,1fr)_auto] pointer-coarse:min-h-11 content-center items-baseline gap-x-3 text-sm"
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
      <span className="flex min-w-0 items-baseline gap-2">
        <span className="truncate">
          <HighlightedText pieces={title} />
        </span>
        {kind ? <span className="shrink-0 text-2xs text-fg-subtle">{kindName(kind, 'one')}</span> : null}
        {archived ? <span className="shrink-0 text-2xs text-fg-subtle">{m.chat_archived()}</span> : null}
      </span>
      <LocalTime className="text-2xs text-fg-subtle" iso={at} format={day} title={null} />
      {excerpt.length === 0 ? null : (
        <span className="col-span-full line-clamp-2 text-xs wrap-anywhere text-fg-muted">
          {role ? (
            <b className="font-semibold">
              {role === 'user' ? m.chat_search_you() : m.chat_search_assistant()}
              {sentenceSeparator()}
            </b>
          ) : null}
          <HighlightedText pieces={excerpt} />
        </span>
      )}
    </Link>
  );
}
