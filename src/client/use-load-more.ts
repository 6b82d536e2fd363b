import { type RefObject, useEffect, useRef, useState } from 'react';

/**
 * Loads more when the button comes within `margin` pixels of the view. `cursor` leads to the next page; null if
 * there is none. After an error, it waits until the button is pressed or scrolled into view again.
 */
export function useLoadMore(
  scroller: string,
  margin: number,
  cursor: string | null,
  load: () => Promise<void>,
): { button: RefObject<HTMLButtonElement | null>; busy: boolean; more: () => void } {
  const button = useRef<HTMLButtonElement>(null);
  const scrollerRef = useRef<HTMLElement>(null);
  const running = useRef(false);
  const wasFocused = useRef(false);
  const [busy, setBusy] = useState(false);
  const more = async () => {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    await load();
    // The button disappears after the last page, and would take the focus with it.
    wasFocused.current = document.activeElement === button.current;
    running.current = false;
    setBusy(false);
  };
  const latest = useRef(more);
  latest.current = more;
  useEffect(() => {
    if (cursor === null && wasFocused.current) scrollerRef.current?.focus({ preventScroll: true });
    wasFocused.current = false;
    if (cursor === null || !button.current) return;
    scrollerRef.current = button.current.closest<HTMLElement>(scroller);
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) void latest.current();
      },
      { root: scrollerRef.current, rootMargin: `${margin}px 0px` },
    );
    observer.observe(button.current);
    return () => observer.disconnect();
  }, [cursor, scroller, margin]);
  return { button, busy, more: () => void more() };
}
