import { find } from './dom.ts';

/** Everything covered by the drawer. Dialogs and toasts are left out, as they can open above it. */
const covered = 'main, .site-footer, .wordmark, .site-nav, .site-header-end > :not(#site-drawer)';

/** Makes everything behind the open drawer inert, because Tab can leave a popover. */
export function startDrawer(): void {
  const updateInert = (event: Event) => {
    const drawer = event.target as Element;
    if (drawer.id !== 'site-drawer') return;
    const opening = (event as ToggleEvent).newState === 'open';
    // On closing, undo it before the browser returns the focus; on opening, wait until the drawer can take the focus.
    if (opening !== (event.type === 'toggle')) return;
    for (const element of document.querySelectorAll<HTMLElement>(covered))
      if (!drawer.contains(element)) element.inert = opening;
    if (opening) find('a, button', drawer)?.focus();
  };
  // Capture, because these events do not bubble.
  document.addEventListener('beforetoggle', updateInert, true);
  document.addEventListener('toggle', updateInert, true);
}
