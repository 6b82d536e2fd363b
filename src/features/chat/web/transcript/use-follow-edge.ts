import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Pixels from the end within which the reader counts as being at it. */
const edge = 32;

/** Milliseconds after a touch of the reader's in which movement counts as theirs. */
const handTime = 1_000;
const handEvents = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

const gap = (box: HTMLElement) => box.scrollHeight - box.clientHeight - box.scrollTop;

export interface FollowEdge {
  scroller: RefObject<HTMLElement | null>;
  content: RefObject<HTMLDivElement | null>;
  /** Whether the end is in view and growing text is followed. */
  atEdge: boolean;
  /** Goes to the end and follows again. */
  follow: () => void;
}

/**
 * Follows growing content while the reader is at its end. Any movement up (wheel, touch, keys, scrollbar, find in page)
 * and a selection in the text release it; reaching the end, or `follow`, takes it up again. `place` names what is
 * shown: a new one is opened at its end.
 */
export function useFollowEdge(place: string): FollowEdge {
  const scroller = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  const [atEdge, setAtEdge] = useState(true);

  const follow = useCallback(() => {
    const box = scroller.current;
    if (!box) return;
    following.current = true;
    box.scrollTop = box.scrollHeight;
    setAtEdge(true);
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new place is opened at its end
  useLayoutEffect(() => {
    const box = scroller.current;
    // Until now the server's markup stood at its end by itself, counted from below.
    const below = box && box.dataset.atEnd !== undefined ? -box.scrollTop : 0;
    if (box) delete box.dataset.atEnd;
    follow();
    if (box && below > edge) box.scrollTop = box.scrollHeight - box.clientHeight - below;
  }, [place, follow]);

  useEffect(() => {
    const box = scroller.current;
    const inner = content.current;
    return box && inner ? watch(box, inner, following, setAtEdge) : undefined;
  }, []);

  return { scroller, content, atEdge, follow };
}

/** Keeps the box at its end while `following`, and lets the reader's own movements decide on that. Returns the undoing. */
function watch(
  box: HTMLElement,
  inner: HTMLElement,
  following: { current: boolean },
  setAtEdge: (at: boolean) => void,
) {
  let top = box.scrollTop;
  let height = box.scrollHeight;
  let handled = Number.NEGATIVE_INFINITY;
  const onHand = () => {
    handled = performance.now();
  };
  const onScroll = () => {
    // Content that changes its size moves the box too: a move is the reader's after a touch, or when no size changed.
    const byReader = performance.now() - handled < handTime || box.scrollHeight === height;
    const near = gap(box) <= edge;
    if (box.scrollTop < top - 1 && gap(box) > 1 && byReader) following.current = false;
    else if (box.scrollTop > top && near) following.current = !hasSelection(inner);
    top = box.scrollTop;
    height = box.scrollHeight;
    setAtEdge(near || following.current);
  };
  const onGrowth = () => {
    height = box.scrollHeight;
    if (following.current) box.scrollTop = height;
    else setAtEdge(gap(box) <= edge);
  };
  const onSelection = () => {
    if (hasSelection(inner)) following.current = false;
  };
  const observer = new ResizeObserver(onGrowth);
  observer.observe(inner);
  observer.observe(box);
  const undo = new AbortController();
  const options = { passive: true, signal: undo.signal };
  box.addEventListener('scroll', onScroll, options);
  for (const name of handEvents) box.addEventListener(name, onHand, options);
  document.addEventListener('selectionchange', onSelection, options);
  return () => {
    observer.disconnect();
    undo.abort();
  };
}

function hasSelection(inside: HTMLElement): boolean {
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed) return false;
  return inside.contains(selection.anchorNode) || inside.contains(selection.focusNode);
}
