import { find } from './dom.ts';

/** What lies behind the drawer. The dialogs and toasts, which may come above it, are not. */
const behind = 'main, .site-footer, .wordmark, .site-nav, .site-header-end > :not(#site-drawer)';

/** A popover alone lets the keyboard go on to what it covers. */
export function startDrawer(): void {
  const follow = (event: Event) => {
    const drawer = event.target as Element;
    if (drawer.id !== 'site-drawer') return;
    const opening = (event as ToggleEvent).newState === 'open';
    // Free again before the browser gives the focus back, bound once it can move in.
    if (opening !== (event.type === 'toggle')) return;
    for (const element of document.querySelectorAll<HTMLElement>(behind))
      if (!drawer.contains(element)) element.inert = opening;
    if (opening) find('a, button', drawer)?.focus();
  };
  // These events do not bubble.
  document.addEventListener('beforetoggle', follow, true);
  document.addEventListener('toggle', follow, true);
}
