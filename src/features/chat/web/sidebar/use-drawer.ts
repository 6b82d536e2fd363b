import { type MouseEvent, type RefObject, useCallback, useEffect, useRef } from 'react';
import { type BackEntry, closeOnBack } from '#client/close-on-back.ts';
import { local } from '#client/storage.ts';

/** The script in the page's head reads this before the first paint. */
const storedName = 'sidebar';
/** The same as in sidebar.css. */
const narrow = '(width < 60rem)';
const isNarrow = () => matchMedia(narrow).matches;
const buttonSelector = (box: HTMLElement) => `[popovertarget="${box.id}"]`;

/** Inert while the drawer is open; dialogs and toasts may appear above it. */
const inertSelector = '.skip-link, #site-header, .chat-main';

export type Navigate = (event: MouseEvent, to: string) => void;

function setHidden(hidden: boolean) {
  const root = document.documentElement;
  if (hidden) root.dataset.sidebar = 'hidden';
  else delete root.dataset.sidebar;
  if (hidden) local.setItem(storedName, 'hidden');
  else local.removeItem(storedName);
}

function toggleSidebar(box: HTMLElement) {
  if (isNarrow()) {
    box.togglePopover();
    return;
  }
  const isHiding = document.documentElement.dataset.sidebar !== 'hidden';
  const focused = document.activeElement;
  const hadFocus = isHiding ? box.contains(focused) : focused?.matches(buttonSelector(box));
  setHidden(isHiding);
  if (!hadFocus) return;
  // The focused element is hidden now, so the other button gets the focus.
  const buttons = [...document.querySelectorAll<HTMLElement>(buttonSelector(box))];
  buttons.find((button) => box.contains(button) !== isHiding)?.focus();
}

function trapFocus(box: HTMLElement, event: ToggleEvent) {
  const isOpening = event.newState === 'open';
  // Releases the focus before the browser restores it, and traps it once it can move into the drawer.
  if (isOpening !== (event.type === 'toggle')) return;
  for (const element of document.querySelectorAll<HTMLElement>(inertSelector)) element.inert = isOpening;
  if (isOpening) {
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
 * The drawer is an auto popover, so Esc and Android's Back close it; an entry in the history makes the Back button do
 * the same in other browsers. `close` resolves once that entry is removed; it returns null if the drawer is not open.
 */
export function useDrawer(ref: RefObject<HTMLElement | null>): { close: () => Promise<void> | null } {
  const entry = useRef<BackEntry | null>(null);
  useEffect(() => {
    const box = ref.current;
    if (!box) return;
    const listening = new AbortController();
    const { signal } = listening;
    const isOpen = () => box.matches(':popover-open');
    const back = closeOnBack(() => box.hidePopover());
    entry.current = back;
    const onToggle = (event: Event) => {
      if (event.target !== box) return;
      trapFocus(box, event as ToggleEvent);
      if (event.type === 'beforetoggle') return;
      if (isOpen()) back.add();
      else void back.remove();
    };
    box.addEventListener('beforetoggle', onToggle, { signal });
    box.addEventListener('toggle', onToggle, { signal });
    document.addEventListener('chat:sidebar', () => toggleSidebar(box), { signal });
    const onPress = (event: Event) => {
      if (isNarrow() || !(event.target instanceof Element && event.target.closest(buttonSelector(box))))
        return;
      event.preventDefault();
      toggleSidebar(box);
    };
    document.addEventListener('click', onPress, { signal });
    // Wide screens have no drawer.
    const onWidth = (event: MediaQueryListEvent) => !event.matches && isOpen() && box.hidePopover();
    matchMedia(narrow).addEventListener('change', onWidth, { signal });
    return () => {
      listening.abort();
      back.release();
    };
  }, [ref]);
  const close = useCallback(() => {
    if (!ref.current?.matches(':popover-open')) return null;
    ref.current.hidePopover();
    return entry.current?.remove() ?? Promise.resolve();
  }, [ref]);
  return { close };
}
