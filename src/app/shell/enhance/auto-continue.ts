import { find } from './dom.ts';

const cancelled = '/pricing?payment=cancelled';

/**
 * Leaves a page that only redirects, so that Back does not return to it. Before a checkout on the provider's site, its
 * history entry becomes the page for a cancelled payment, because the provider has no cancel URL.
 */
export function autoContinue(): void {
  const destination = find('[data-go]')?.dataset.go;
  if (!destination) return;
  if (new URL(destination, location.href).origin === location.origin) {
    location.replace(destination);
    return;
  }
  const leave = () => {
    history.replaceState(null, '', cancelled);
    location.assign(destination);
  };
  // From the back/forward cache the browser would show this page again, under the URL of the cancelled payment.
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload());
  // Browsers keep no history entry for a page that navigates away before its `load` event.
  addEventListener('load', () => setTimeout(leave, 0));
}
