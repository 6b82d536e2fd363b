import { Link } from 'react-router';
import type { Piece } from '../../contract.ts';
import { LocalDate } from '../sidebar/local-date.tsx';

/** A line of the results: a hit, or a recent chat while nothing is searched for. */
export interface Result {
  key: string;
  to: string;
  title: Piece[];
  role: 'user' | 'assistant' | null;
  excerpt: Piece[];
  /** ISO 8601. */
  at: string;
}

interface HitRowProps {
  id: string;
  result: Result;
  /** What is searched for, '' for nothing: it is marked in the message. */
  find: string;
  active: boolean;
  onPoint: () => void;
  onChoose: () => void;
}

function Pieces({ pieces }: { pieces: Piece[] }) {
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

const speakers = { user: 'You', assistant: 'Assistant' };

/** An option of the list; a link, so that it can be opened in another tab too. */
export function HitRow({ id, result, find, active, onPoint, onChoose }: HitRowProps) {
  const { to, title, role, excerpt, at } = result;
  return (
    <Link
      id={id}
      className="search-hit"
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
      <span className="search-title">
        <Pieces pieces={title} />
      </span>
      <LocalDate className="search-date" iso={at} />
      {excerpt.length === 0 ? null : (
        <span className="search-excerpt">
          {role ? <b>{speakers[role]}: </b> : null}
          <Pieces pieces={excerpt} />
        </span>
      )}
    </Link>
  );
}
