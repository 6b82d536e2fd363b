import { type RefObject, useEffect, useRef, useState } from 'react';

/** How far from the view more is asked for. */
const ahead = '1200px';

/**
 * Loads more when a button comes near the view; `from` is where it goes on from, null when there is no more. A failed
 * attempt waits for the button to be pressed, or to come near again.
 */
export function useMore(
  scroller: RefObject<HTMLElement | null>,
  from: string | null,
  load: () => Promise<void>,
): { button: RefObject<HTMLButtonElement | null>; busy: boolean; more: () => void } {
  const button = useRef<HTMLButtonElement>(null);
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
    const root = scroller.current;
    if (!root) return;
    if (from === null && pressed.current) root.focus({ preventScroll: true });
    pressed.current = false;
    if (from === null || !button.current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) void latest.current();
      },
      { root, rootMargin: `${ahead} 0px` },
    );
    observer.observe(button.current);
    return () => observer.disconnect();
  }, [from, scroller]);
  return { button, busy, more: () => void more() };
}
