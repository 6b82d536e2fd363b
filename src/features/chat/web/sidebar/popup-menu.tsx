import type { LucideIcon } from 'lucide-react';
import {
  createContext,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
} from 'react';
import { MenuItem } from '#ui/menu.tsx';

export interface PopupMenuProps {
  button: HTMLElement;
  opened: number;
  onClose: (opened: number) => void;
}

/** Pixels between a button and its menu, and at least to the edge of the screen. */
const gap = 4;

function placeMenu(menu: HTMLElement, button: HTMLElement): void {
  const at = button.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = menu;
  const below = at.bottom + gap + height <= innerHeight - gap;
  menu.style.top = `${below ? at.bottom + gap : Math.max(gap, at.top - gap - height)}px`;
  menu.style.left = `${Math.max(gap, Math.min(at.left, innerWidth - gap - width))}px`;
}

function onArrow(event: KeyboardEvent<HTMLElement>) {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role^="menuitem"]')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  items.at(to % items.length)?.focus();
}

function useMenu(menu: RefObject<HTMLElement | null>, { button, opened, onClose }: PopupMenuProps) {
  useLayoutEffect(() => {
    const box = menu.current;
    if (!box) return;
    box.showPopover();
    placeMenu(box, button);
    const items = box.querySelectorAll<HTMLElement>('[role^="menuitem"]');
    const chosen = [...items].find((item) => item.ariaChecked === 'true') ?? items[0];
    chosen?.focus({ preventScroll: true });
  }, [menu, button]);
  useEffect(() => {
    const box = menu.current;
    const onToggle = (event: Event) => {
      if ((event as ToggleEvent).newState !== 'closed') return;
      const active = document.activeElement;
      // A press elsewhere has already moved the focus.
      if (!active || active === document.body || box?.contains(active)) button.focus({ preventScroll: true });
      onClose(opened);
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
  }, [menu, button, opened, onClose]);
  // Closes immediately: the toggle event comes a task later, when the next menu may be open.
  return (action: () => void) => () => {
    menu.current?.hidePopover();
    button.focus({ preventScroll: true });
    onClose(opened);
    action();
  };
}

const Choose = createContext((action: () => void) => action);

/** For custom items: wraps an action so that it runs after the menu has closed. */
export const useChoose = () => useContext(Choose);

/** Acts after the menu has closed and its button has the focus again. */
export function PopupItem({
  Icon,
  name,
  onChoose,
}: {
  Icon: LucideIcon;
  name: string;
  onChoose: () => void;
}) {
  const choose = useChoose();
  return (
    <MenuItem role="menuitem" tabIndex={-1} onClick={choose(onChoose)}>
      <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
      {name}
    </MenuItem>
  );
}

/** In the top layer, so that nothing clips it. */
export function PopupMenu({
  label,
  className = '',
  children,
  ...props
}: PopupMenuProps & { label: string; className?: string; children: ReactNode }) {
  const menu = useRef<HTMLDivElement>(null);
  const choose = useMenu(menu, props);
  return (
    <div
      ref={menu}
      className={`menu fixed ${className}`}
      popover="auto"
      role="menu"
      tabIndex={-1}
      aria-label={label}
      onKeyDown={(event) => {
        if (event.key === 'Tab') menu.current?.hidePopover();
        else onArrow(event);
      }}
    >
      <Choose value={choose}>{children}</Choose>
    </div>
  );
}
