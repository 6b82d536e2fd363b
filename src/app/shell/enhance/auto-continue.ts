import { find } from './dom.ts';

const cancelled = '/pricing?payment=cancelled';

/**
 * A page that only leads on is no place to come back to. Before a checkout, which is another site, its place in the
 * history becomes that of the cancelled payment: the provider has no way of its own to send the browser back unpaid.
 */
export function autoContinue(): void {
  const onward = find('[data-go]')?.dataset.go;
  if (!onward) return;
  if (new URL(onward, location.href).origin === location.origin) {
    location.replace(onward);
    return;
  }
  const leave = () => {
    history.replaceState(null, '', cancelled);
    location.assign(onward);
  };
  // Kept whole by the browser, it comes back as it was, under an address that is no longer its own.
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload());
  // A page that leaves before it is loaded leaves no place in the history.
  addEventListener('load', () => setTimeout(leave, 0));
}
