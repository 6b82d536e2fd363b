import { type MouseEvent, type RefObject, useCallback, useEffect, useRef } from 'react';
import { local } from '../../../../client/storage.ts';
import { type BackEntry, backEntry } from './back-entry.ts';

/** Kept in the browser; the script in the page's head reads it before the first paint. */
const storedName = 'sidebar';
/** As in sidebar.css. */
const narrow = '(width < 60rem)';
const isNarrow = () => matchMedia(narrow).matches;
/** The buttons that show and hide it, in the header and in the sidebar itself. */
const buttonsOf = (box: HTMLElement) => `[popovertarget="${box.id}"]`;

/** What the drawer lies over. Dialogs and toasts, which may come above it, are not. */
const behind = '.skip-link, #site-header, .chat-main';

/** A link of the sidebar was pressed: the drawer closes before the page goes on. */
export type GoTo = (event: MouseEvent, to: string) => void;

function setHidden(hidden: boolean) {
  const root = document.documentElement;
  if (hidden) root.dataset.sidebar = 'hidden';
  else delete root.dataset.sidebar;
  if (hidden) local.setItem(storedName, 'hidden');
  else local.removeItem(storedName);
}

/** Shows or hides the sidebar: the drawer on narrow screens, else the column, which is remembered. */
function toggleSidebar(box: HTMLElement) {
  if (isNarrow()) {
    box.togglePopover();
    return;
  }
  const hides = document.documentElement.dataset.sidebar !== 'hidden';
  const focused = document.activeElement;
  const within = hides ? box.contains(focused) : focused?.matches(buttonsOf(box));
  setHidden(hides);
  if (!within) return;
  // What had the focus is hidden: the other button takes it.
  const buttons = [...document.querySelectorAll<HTMLElement>(buttonsOf(box))];
  buttons.find((button) => box.contains(button) !== hides)?.focus();
}

/** Keeps the keyboard inside the open drawer, as a dialog does. */
function follow(box: HTMLElement, event: ToggleEvent) {
  const opens = event.newState === 'open';
  // Free again before the browser gives the focus back, bound once it can move in.
  if (opens !== (event.type === 'toggle')) return;
  for (const element of document.querySelectorAll<HTMLElement>(behind)) element.inert = opens;
  if (opens) {
    box.setAttribute('role', 'dialog');
    box.setAttribute('aria-modal', 'true');
    box.querySelector<HTMLElement>('a, button')?.focus();
    box.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'nearest' });
  } else {
    box.removeAttribute('role');
    box.removeAttribute('aria-modal');
  }
}

/**
 * The sidebar's behaviour: buttons whose popover target it is and the event `chat:sidebar` on `document` toggle it.
 * As an auto popover the drawer is closed by Esc and the Back gesture of Android (its close watcher); an entry of
 * history lets the Back button do so everywhere. `leave` closes it and resolves once that entry is gone; null where no
 * drawer is open.
 */
export function useDrawer(ref: RefObject<HTMLElement | null>): { leave: () => Promise<void> | null } {
  const entry = useRef<BackEntry | null>(null);
  useEffect(() => {
    const box = ref.current;
    if (!box) return;
    const listening = new AbortController();
    const { signal } = listening;
    const isOpen = () => box.matches(':popover-open');
    const back = backEntry(() => box.hidePopover());
    entry.current = back;
    const onToggle = (event: Event) => {
      if (event.target !== box) return;
      follow(box, event as ToggleEvent);
      if (event.type === 'beforetoggle') return;
      if (isOpen()) back.add();
      else void back.remove();
    };
    box.addEventListener('beforetoggle', onToggle, { signal });
    box.addEventListener('toggle', onToggle, { signal });
    document.addEventListener('chat:sidebar', () => toggleSidebar(box), { signal });
    const onPress = (event: Event) => {
      if (isNarrow() || !(event.target instanceof Element && event.target.closest(buttonsOf(box)))) return;
      event.preventDefault();
      toggleSidebar(box);
    };
    document.addEventListener('click', onPress, { signal });
    // A wide screen has no drawer.
    const onWidth = (event: MediaQueryListEvent) => !event.matches && isOpen() && box.hidePopover();
    matchMedia(narrow).addEventListener('change', onWidth, { signal });
    return () => {
      listening.abort();
      back.release();
    };
  }, [ref]);
  const leave = useCallback(() => {
    if (!ref.current?.matches(':popover-open')) return null;
    ref.current.hidePopover();
    return entry.current?.remove() ?? Promise.resolve();
  }, [ref]);
  return { leave };
}
