/** Pages where plans are chosen: their history entry may be replaced with that of a cancelled payment. */
const planPages = ['/pricing', '/dashboard'];

const cancelledPath = '/pricing?payment=cancelled';

/**
 * The provider cannot send the browser back from an unpaid checkout, so the page first replaces its history entry with
 * that of a cancelled payment. Chats and tools keep their address, because they contain typed text.
 */
export function leaveForCheckout(url: string): void {
  const { pathname } = location;
  if (planPages.includes(pathname)) history.replaceState(history.state, '', cancelledPath);
  // The back/forward cache would restore the old page under the new address.
  if (pathname === '/dashboard')
    addEventListener('pageshow', ({ persisted }) => persisted && location.reload(), { once: true });
  location.assign(url);
}
