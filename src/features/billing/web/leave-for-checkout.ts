/** Here a plan is chosen: their place in the history tells that the payment was left. */
const planPages = ['/pricing', '/dashboard'];

const cancelledPath = '/pricing?payment=cancelled';

/**
 * The provider cannot send the browser back from a checkout unpaid, so the page that is left takes the address of the
 * cancelled payment before. A chat or a tool keeps its own: what was typed is there.
 */
export function leaveForCheckout(url: string): void {
  const { pathname } = location;
  if (planPages.includes(pathname)) history.replaceState(history.state, '', cancelledPath);
  // From the back/forward cache it would come back as it was, under an address that is no longer its own.
  if (pathname === '/dashboard')
    addEventListener('pageshow', ({ persisted }) => persisted && location.reload(), { once: true });
  location.assign(url);
}
