import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { setInitialScroll } from './initial-scroll.ts';
import { firstVisible } from './scroll-position.tsx';

/** Pixels from the end within which the reader counts as being there. */
const endTolerance = 32;

/** Milliseconds after input during which scrolling counts as the reader's. */
const inputTime = 1_000;
const inputEvents = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/** Content never scrolls the box by this many pixels; such a jump is the reader's (find in page). */
const jumpDistance = 200;

const distanceToEnd = (box: HTMLElement) => box.scrollHeight - box.clientHeight - box.scrollTop;

function seesEnd(box: HTMLElement, inner: HTMLElement | null): boolean {
  if (box.dataset.newer !== undefined) return false;
  const last = inner?.lastElementChild?.firstElementChild;
  return !last || last.getBoundingClientRect().bottom - box.getBoundingClientRect().bottom <= endTolerance;
}

/** In pixels, at the last check; if it differs later, something has scrolled the box. */
interface ScrollSnapshot {
  top: number;
  height: number;
}

function takeSnapshot(snapshot: ScrollSnapshot, box: HTMLElement): void {
  snapshot.top = box.scrollTop;
  snapshot.height = box.scrollHeight;
}

export interface StickToBottom {
  scroller: RefObject<HTMLElement | null>;
  content: RefObject<HTMLDivElement | null>;
  seesEnd: boolean;
  follow: () => void;
  place: () => void;
  release: () => void;
}

/**
 * Follows growing content while the reader is at its end. Scrolling up or selecting text stops this; reaching the end,
 * or `follow`, resumes it.
 */
export function useStickToBottom(lastKey: string | undefined): StickToBottom {
  const scroller = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const following = useRef(false);
  const snapshot = useRef<ScrollSnapshot>({ top: 0, height: 0 });
  const [endSeen, setEndSeen] = useState(true);

  const settle = useCallback((follows: boolean) => {
    const box = scroller.current;
    if (!box) return;
    following.current = follows;
    if (follows) box.scrollTop = box.scrollHeight;
    takeSnapshot(snapshot.current, box);
    setEndSeen(follows || seesEnd(box, content.current));
  }, []);
  const follow = useCallback(() => settle(true), [settle]);
  const release = useCallback(() => settle(false), [settle]);
  const place = useCallback(() => {
    setInitialScroll(scroller.current, 'sent');
    settle(true);
  }, [settle]);

  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return;
    // If the inline script has already scrolled, the reader may have moved since.
    if (box.dataset.landing !== undefined) setInitialScroll(box, 'open');
    following.current = distanceToEnd(box) <= endTolerance && box.dataset.newer === undefined;
    setEndSeen(following.current || seesEnd(box, content.current));
  }, []);

  useEffect(() => {
    const box = scroller.current;
    const inner = content.current;
    return box && inner
      ? stickWhileFollowing(box, inner, following, snapshot.current, setEndSeen)
      : undefined;
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another turn is another element
  useLayoutEffect(() => {
    const [box, last] = [scroller.current, content.current?.lastElementChild?.firstElementChild];
    if (!box || !last) return;
    // In the reserved space of its row the last message grows without resizing the other observed boxes.
    const observer = new ResizeObserver(() => setEndSeen(following.current || seesEnd(box, content.current)));
    observer.observe(last);
    return () => observer.disconnect();
  }, [lastKey]);

  return { scroller, content, seesEnd: endSeen, follow, place, release };
}

/** Lets the reader's scrolling decide on `following`. @returns a function that removes the listeners */
function stickWhileFollowing(
  box: HTMLElement,
  inner: HTMLElement,
  following: { current: boolean },
  snapshot: ScrollSnapshot,
  setEndSeen: (seen: boolean) => void,
) {
  takeSnapshot(snapshot, box);
  let lastInput = Number.NEGATIVE_INFINITY;
  const anchor = CSS.supports('overflow-anchor', 'auto') ? null : new ManualAnchor(box);
  const onInput = () => {
    lastInput = performance.now();
  };
  const onScroll = () => {
    // Growing content scrolls the box too: only a scroll after input, or without a change of size, is the reader's.
    const { top, height } = snapshot;
    const moved = top - box.scrollTop - Math.max(0, height - box.scrollHeight);
    const byReader =
      performance.now() - lastInput < inputTime || box.scrollHeight === height || moved > jumpDistance;
    const near = distanceToEnd(box) <= endTolerance && box.dataset.newer === undefined;
    if (box.scrollTop < top - 1 && distanceToEnd(box) > 1 && byReader) following.current = false;
    else if (box.scrollTop > top && near) following.current = !hasSelection(inner);
    takeSnapshot(snapshot, box);
    anchor?.capture();
    setEndSeen(following.current || seesEnd(box, inner));
  };
  const onGrowth = () => {
    setInitialScroll(box, 'resized');
    if (following.current) box.scrollTop = box.scrollHeight;
    else {
      anchor?.restore();
      setEndSeen(seesEnd(box, inner));
    }
    // Scrolling caused by a resize, including the browser's scroll anchoring, is not the reader's.
    takeSnapshot(snapshot, box);
  };
  // Unfolded content is read from its start.
  const onUnfold = ({ target }: Event) => {
    if (target instanceof Element && target.closest('[aria-expanded="false"]')) following.current = false;
  };
  const onSelection = () => {
    if (hasSelection(inner)) following.current = false;
  };
  const observer = new ResizeObserver(onGrowth);
  observer.observe(inner);
  observer.observe(box);
  const listening = new AbortController();
  const options = { passive: true, signal: listening.signal };
  box.addEventListener('scroll', onScroll, options);
  for (const name of inputEvents) box.addEventListener(name, onInput, options);
  inner.addEventListener('click', onUnfold, options);
  document.addEventListener('selectionchange', onSelection, options);
  return () => {
    observer.disconnect();
    listening.abort();
  };
}

class ManualAnchor {
  private readonly box: HTMLElement;
  private row: HTMLElement | undefined;
  private top = 0;

  constructor(box: HTMLElement) {
    this.box = box;
    this.capture();
  }

  capture(): void {
    this.row = firstVisible(this.box);
    this.top = this.row?.getBoundingClientRect().top ?? 0;
  }

  restore(): void {
    if (this.row?.isConnected) this.box.scrollTop += this.row.getBoundingClientRect().top - this.top;
    this.capture();
  }
}

function hasSelection(inside: HTMLElement): boolean {
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed) return false;
  return inside.contains(selection.anchorNode) || inside.contains(selection.focusNode);
}
