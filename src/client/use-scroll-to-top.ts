import { useLayoutEffect } from 'react';
import { useLocation, useNavigationType } from 'react-router';

/** Navigation state for a new address of the same content: the scroll position stays. */
export const keepsScroll = { keepsScroll: true };

/** Scrolls to the top after opening a page. For Back and Forward, the browser restores the position. */
export function useScrollToTop(): void {
  const { pathname, state } = useLocation();
  const type = useNavigationType();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the query only stays on the same page
  useLayoutEffect(() => {
    if (type === 'PUSH' && !state?.keepsScroll) scrollTo(0, 0);
  }, [pathname]);
}
