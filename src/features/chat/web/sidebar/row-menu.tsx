import { Download, Pencil, Trash2 } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import type { ChatRow } from '../../contract.ts';

interface RowMenuProps {
  row: ChatRow;
  /** The button that it belongs to. */
  button: HTMLElement;
  onClose: () => void;
  onRename: () => void;
  onDelete: () => void;
}

/** Pixels between the button and the menu, and at least to the edge of the screen. */
const gap = 4;

/** Puts the menu under its button, or above it where there is more room. */
function place(menu: HTMLElement, button: HTMLElement) {
  const at = button.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = menu;
  const below = at.bottom + gap + height <= innerHeight - gap;
  menu.style.top = `${below ? at.bottom + gap : Math.max(gap, at.top - gap - height)}px`;
  menu.style.left = `${Math.max(gap, Math.min(at.left, innerWidth - gap - width))}px`;
}

/** Moves through the items by the arrow keys, Home and End. */
function onArrow(event: KeyboardEvent<HTMLElement>) {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="menuitem"]')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  items.at(to % items.length)?.focus();
}

/**
 * Opens the menu at its button, and gives the focus back when it has closed. The answer closes it and then does what
 * was chosen.
 */
function useMenu(menu: RefObject<HTMLElement | null>, { button, onClose }: RowMenuProps) {
  const chosen = useRef<(() => void) | null>(null);
  useLayoutEffect(() => {
    const box = menu.current;
    if (!box) return;
    box.showPopover();
    place(box, button);
    box.querySelector<HTMLElement>('[role="menuitem"]')?.focus({ preventScroll: true });
  }, [menu, button]);
  useEffect(() => {
    const box = menu.current;
    const onToggle = (event: Event) => {
      if ((event as ToggleEvent).newState !== 'closed') return;
      const active = document.activeElement;
      // A press elsewhere has taken the focus already.
      if (!active || active === document.body || box?.contains(active)) button.focus({ preventScroll: true });
      onClose();
      chosen.current?.();
    };
    const hide = () => box?.hidePopover();
    box?.addEventListener('toggle', onToggle);
    addEventListener('resize', hide);
    button.closest('.chat-side-lists')?.addEventListener('scroll', hide);
    return () => {
      box?.removeEventListener('toggle', onToggle);
      removeEventListener('resize', hide);
      button.closest('.chat-side-lists')?.removeEventListener('scroll', hide);
    };
  }, [menu, button, onClose]);
  return (act: (() => void) | null) => () => {
    chosen.current = act;
    menu.current?.hidePopover();
  };
}

/** What can be done with a chat of the list. */
export default function RowMenu(props: RowMenuProps) {
  const { row, onRename, onDelete } = props;
  const menu = useRef<HTMLDivElement>(null);
  const choose = useMenu(menu, props);
  const file = (format: string) => `/api/chats/${row.id}/export?format=${format}`;
  return (
    <div
      ref={menu}
      className="menu chat-row-menu"
      popover="auto"
      role="menu"
      tabIndex={-1}
      aria-label={`Options of “${row.title}”`}
      onKeyDown={(event) => {
        if (event.key === 'Tab') menu.current?.hidePopover();
        else onArrow(event);
      }}
    >
      <button type="button" role="menuitem" tabIndex={-1} className="menu-item" onClick={choose(onRename)}>
        <Pencil size={16} strokeWidth={1.75} aria-hidden="true" />
        Rename
      </button>
      <a
        role="menuitem"
        tabIndex={-1}
        className="menu-item"
        href={file('md')}
        download=""
        onClick={choose(null)}
      >
        <Download size={16} strokeWidth={1.75} aria-hidden="true" />
        Export as Markdown
      </a>
      <a
        role="menuitem"
        tabIndex={-1}
        className="menu-item"
        href={file('json')}
        download=""
        onClick={choose(null)}
      >
        <Download size={16} strokeWidth={1.75} aria-hidden="true" />
        Export as JSON
      </a>
      <hr className="menu-line" />
      <button type="button" role="menuitem" tabIndex={-1} className="menu-item" onClick={choose(onDelete)}>
        <Trash2 size={16} strokeWidth={1.75} aria-hidden="true" />
        Delete
      </button>
    </div>
  );
}
