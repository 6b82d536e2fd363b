/** Pages that stand for the choice of a plan: their place in the history says that the payment was left. */
const planPages = ['/pricing', '/dashboard'];

/** Where Back leads from a checkout that was begun on one of them. */
const cancelledPath = '/pricing?payment=cancelled';

/**
 * Goes on to a checkout. The provider has no way to send the browser back from there unpaid, so that the page that is
 * left takes the address of the cancelled payment before. A chat or a tool keeps its own: what was typed is there.
 */
export function leaveForCheckout(url: string): void {
  const { pathname } = location;
  if (planPages.includes(pathname)) history.replaceState(history.state, '', cancelledPath);
  // A page that the browser kept whole comes back as it was, under an address that is no longer its own.
  if (pathname === '/dashboard')
    addEventListener('pageshow', ({ persisted }) => persisted && location.reload(), { once: true });
  location.assign(url);
}
