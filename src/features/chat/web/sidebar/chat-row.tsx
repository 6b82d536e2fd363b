import { Ellipsis } from 'lucide-react';
import { memo } from 'react';
import { Link } from 'react-router';
import { TitleForm } from '../header/title-form.tsx';
import type { GoTo } from './drawer.ts';
import { LocalDate, useLongDate } from './local-date.tsx';

export interface RowActions {
  onGo: GoTo;
  onMenu: (id: string, button: HTMLElement) => void;
  /** The menu may be wanted soon. */
  onNearMenu: () => void;
  onRename: (id: string) => void;
  /** The new title, or null to leave it; `byKey` when the focus has to go back to the row. */
  onRenamed: (id: string, title: string | null, byKey: boolean) => void;
}

interface ChatRowProps extends RowActions {
  id: string;
  title: string;
  updatedAt: string;
  running: boolean;
  current: boolean;
  today: boolean;
  renaming: boolean;
  menuOpen: boolean;
}

/** A chat in the list, with the button of its menu in the place of its date. */
export const ChatRow = memo(function ChatRow(props: ChatRowProps) {
  const { id, title, updatedAt, current, menuOpen } = props;
  const updated = useLongDate(updatedAt);
  if (props.renaming) {
    return (
      <li className="chat-row" data-row={id}>
        <TitleForm
          className="chat-rename"
          label="Title of the chat"
          title={title}
          onDone={(text, byKey) => props.onRenamed(id, text, byKey)}
        />
      </li>
    );
  }
  return (
    <li className="chat-row" data-row={id}>
      <Link
        className="nav-item"
        to={`/chat/${id}`}
        title={`${title}\nLast updated ${updated}`}
        aria-current={current ? 'page' : undefined}
        onClick={(event) => props.onGo(event, `/chat/${id}`)}
        onKeyDown={(event) => {
          if (event.key !== 'F2') return;
          event.preventDefault();
          props.onRename(id);
        }}
      >
        <span className="chat-row-title">{title}</span>
        {props.running ? <span className="chat-dot" role="img" aria-label="Replying" /> : null}
        <LocalDate className="chat-row-date" iso={updatedAt} time={props.today} />
      </Link>
      <button
        type="button"
        className="btn btn-ghost btn-icon chat-row-more"
        aria-label={`Options of “${title}”`}
        aria-haspopup="menu"
        aria-expanded={menuOpen}
        onPointerEnter={props.onNearMenu}
        onFocus={props.onNearMenu}
        onClick={(event) => props.onMenu(id, event.currentTarget)}
      >
        <Ellipsis size={16} strokeWidth={1.75} aria-hidden="true" />
      </button>
    </li>
  );
});
