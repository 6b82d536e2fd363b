import { type RefObject, useEffect } from 'react';

/** In localStorage; the script in the page's head reads it before the first paint. */
const storedName = 'sidebar';
/** As in sidebar.css. */
const narrow = '(width < 60rem)';
const isNarrow = () => matchMedia(narrow).matches;
/** The buttons that show and hide it, in the header and in the sidebar itself. */
const buttonsOf = (box: HTMLElement) => `[popovertarget="${box.id}"]`;

/** What the drawer lies over. Dialogs and toasts, which may come above it, are not. */
const behind = '.skip-link, #site-header, .chat-main';

function setHidden(hidden: boolean) {
  const root = document.documentElement;
  if (hidden) root.dataset.sidebar = 'hidden';
  else delete root.dataset.sidebar;
  try {
    if (hidden) localStorage.setItem(storedName, 'hidden');
    else localStorage.removeItem(storedName);
  } catch {
    // Storage may be full or off: then it holds as long as the page.
  }
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

/** Keeps the keyboard inside the open drawer, as a dialog does, and closes it by Back. */
function follow(box: HTMLElement, event: ToggleEvent) {
  const opens = event.newState === 'open';
  // Free again before the browser gives the focus back, bound once it can move in.
  if (opens !== (event.type === 'toggle')) return;
  for (const element of document.querySelectorAll<HTMLElement>(behind)) element.inert = opens;
  if (opens) {
    box.setAttribute('role', 'dialog');
    box.setAttribute('aria-modal', 'true');
    box.querySelector<HTMLElement>('a, button')?.focus();
  } else {
    box.removeAttribute('role');
    box.removeAttribute('aria-modal');
  }
}

/**
 * The sidebar's behaviour: buttons whose popover target it is and the event `chat:sidebar` on `document` toggle it.
 * As an auto popover the drawer has a close watcher, so that Esc and the Back gesture of Android close it; a Back that
 * is a step in history is called off by the Navigation API. No entry of history is made for it.
 */
export function useDrawer(ref: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const box = ref.current;
    if (!box) return;
    const listening = new AbortController();
    const { signal } = listening;
    const isOpen = () => box.matches(':popover-open');
    const onToggle = (event: Event) => event.target === box && follow(box, event as ToggleEvent);
    box.addEventListener('beforetoggle', onToggle, { signal });
    box.addEventListener('toggle', onToggle, { signal });
    document.addEventListener('chat:sidebar', () => toggleSidebar(box), { signal });
    const onPress = (event: MouseEvent) => {
      if (isNarrow() || !(event.target instanceof Element && event.target.closest(buttonsOf(box)))) return;
      event.preventDefault();
      toggleSidebar(box);
    };
    document.addEventListener('click', onPress, { signal });
    const onNavigate = (event: NavigateEvent) => {
      if (!isOpen() || event.navigationType !== 'traverse' || !event.cancelable) return;
      event.preventDefault();
      box.hidePopover();
    };
    if ('navigation' in window) navigation.addEventListener('navigate', onNavigate, { signal });
    // A wide screen has no drawer.
    const onWidth = (event: MediaQueryListEvent) => !event.matches && isOpen() && box.hidePopover();
    matchMedia(narrow).addEventListener('change', onWidth, { signal });
    return () => listening.abort();
  }, [ref]);
}
