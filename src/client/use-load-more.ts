import { type RefObject, useEffect, useRef, useState } from 'react';

/**
 * Loads more when the button comes within `ahead` pixels of the view. `from` is the cursor of the next page; null if
 * there is none. After an error, it waits until the button is pressed or scrolled into view again.
 */
export function useLoadMore(
  scroller: string,
  ahead: number,
  from: string | null,
  load: () => Promise<void>,
): { button: RefObject<HTMLButtonElement | null>; busy: boolean; more: () => void } {
  const button = useRef<HTMLButtonElement>(null);
  const box = useRef<HTMLElement>(null);
  const running = useRef(false);
  const pressed = useRef(false);
  const [busy, setBusy] = useState(false);
  const more = async () => {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    await load();
    // The button disappears after the last page, and would take the focus with it.
    pressed.current = document.activeElement === button.current;
    running.current = false;
    setBusy(false);
  };
  const latest = useRef(more);
  latest.current = more;
  useEffect(() => {
    if (from === null && pressed.current) box.current?.focus({ preventScroll: true });
    pressed.current = false;
    if (from === null || !button.current) return;
    box.current = button.current.closest<HTMLElement>(scroller);
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) void latest.current();
      },
      { root: box.current, rootMargin: `${ahead}px 0px` },
    );
    observer.observe(button.current);
    return () => observer.disconnect();
  }, [from, scroller, ahead]);
  return { button, busy, more: () => void more() };
}
