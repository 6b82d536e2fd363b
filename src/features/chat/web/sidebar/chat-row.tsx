import { Ellipsis } from 'lucide-react';
import { type KeyboardEvent, memo, useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { chatLimits } from '../../contract.ts';
import { LocalDate, useLongDate } from './local-date.tsx';

export interface RowActions {
  /** A chat was chosen. */
  onOpen: () => void;
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

interface TitleFieldProps {
  title: string;
  onDone: (title: string | null, byKey: boolean) => void;
}

/** The title in a box: Enter and leaving it save, Esc and a blank title leave it as it was. */
function TitleField({ title, onDone }: TitleFieldProps) {
  const box = useRef<HTMLInputElement>(null);
  const done = useRef(false);
  useEffect(() => {
    box.current?.focus();
    box.current?.select();
  }, []);
  const finish = (save: boolean, byKey: boolean) => {
    // Taking the box away makes it lose the focus once more.
    if (done.current) return;
    done.current = true;
    onDone(save ? (box.current?.value ?? null) : null, byKey);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    // Esc is for the box alone, not for the drawer or a running reply.
    event.preventDefault();
    finish(event.key === 'Enter', true);
  };
  return (
    <input
      ref={box}
      className="chat-rename"
      aria-label="Title of the chat"
      defaultValue={title}
      maxLength={chatLimits.titleLength}
      autoComplete="off"
      onKeyDown={onKey}
      onBlur={() => finish(true, false)}
    />
  );
}

/** A chat in the list, with the button of its menu in the place of its date. */
export const ChatRow = memo(function ChatRow(props: ChatRowProps) {
  const { id, title, updatedAt, current, menuOpen } = props;
  const updated = useLongDate(updatedAt);
  if (props.renaming) {
    return (
      <li className="chat-row" data-row={id}>
        <TitleField title={title} onDone={(text, byKey) => props.onRenamed(id, text, byKey)} />
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
        onClick={props.onOpen}
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
