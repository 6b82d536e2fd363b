import { useLayoutEffect } from 'react';
import { useLocation, useNavigationType } from 'react-router';

/** For what becomes of the page that one is on: it stays where it is. */
export const keepsScroll = { keepsScroll: true };

/** A page that is opened is shown from its beginning; the browser itself goes back to where one was. */
export function useScrollToTop(): void {
  const { pathname, state } = useLocation();
  const type = useNavigationType();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another query is the same page
  useLayoutEffect(() => {
    if (type === 'PUSH' && !state?.keepsScroll) scrollTo(0, 0);
  }, [pathname]);
}
