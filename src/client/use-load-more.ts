import { type RefObject, useEffect, useRef, useState } from 'react';

/**
 * `from` is where it goes on from, null when there is no more; `ahead` in pixels from the view. A failed attempt waits
 * for the button to be pressed, or to come near again.
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
    // It goes with the last page, and the focus would be lost with it.
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
