import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router';
import type { ChatControls } from '../state/chat-controls.ts';
import type { OpenChat } from '../state/chat-state.ts';
import {
  findRow,
  readScrollPosition,
  restoreScrollPosition,
  savedScrollPosition,
  saveScrollPosition,
} from './scroll-position.tsx';
import type { StickToBottom } from './use-stick-to-bottom.ts';

const flashTime = 2_000;

/** @returns whether Back or Forward reopened the chat at its last position */
export function useScrollRestoration(
  { scroller, follow, release }: StickToBottom,
  { id }: OpenChat,
  controls: ChatControls,
): RefObject<boolean> {
  const returned = useRef(false);
  const isBack = useNavigationType() === 'POP';
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per opened chat
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return;
    const position = isBack ? savedScrollPosition(id) : undefined;
    returned.current = position !== undefined;
    if (position === 'end') follow();
    else if (position && restoreScrollPosition(box, position)) release();
    else if (position) {
      // The row is in a part of the chat that is not loaded; nothing is shown until it is.
      box.dataset.landing = '';
      void controls.loadAround(position.id).then(() => {
        delete box.dataset.landing;
        if (restoreScrollPosition(box, position)) release();
      });
    }
    return () => saveScrollPosition(id, readScrollPosition(box));
  }, []);
  return returned;
}

/**
 * Shows and focuses the message of a search hit or of the address, and highlights the words searched for or, briefly,
 * the message. Does nothing if Back restored another position.
 */
export function useFoundMessage(
  { scroller, release }: StickToBottom,
  target: { id: string } | null,
  returned: RefObject<boolean>,
): void {
  const first = useRef(target);
  const searchWords: unknown = Object(useLocation().state).find;
  const words = useRef(searchWords);
  words.current = searchWords;
  const at = target === first.current && returned.current ? null : target;
  useLayoutEffect(() => {
    const box = scroller.current;
    const row = box && at && findRow(box, at.id);
    if (!row) return;
    const lead = Number.parseFloat(getComputedStyle(row).scrollMarginTop);
    restoreScrollPosition(box, { id: at.id, above: -lead });
    release();
  }, [scroller, release, at]);
  useEffect(() => {
    const row = at && scroller.current && findRow(scroller.current, at.id);
    if (!row) return;
    row.tabIndex = -1;
    row.focus({ preventScroll: true });
    let undo: (() => void) | null = null;
    let cancelled = false;
    const search = words.current;
    void (typeof search === 'string' ? import('#client/highlight-words.ts') : Promise.resolve(null)).then(
      (code) => {
        if (!cancelled) undo = code?.highlightWords(row, String(search)) ?? flash(row);
      },
      () => undefined,
    );
    return () => {
      cancelled = true;
      undo?.();
    };
  }, [scroller, at]);
}

/** @returns a function that ends it early */
function flash(row: HTMLElement): () => void {
  row.dataset.found = '';
  const removeMark = () => void delete row.dataset.found;
  const timer = setTimeout(removeMark, flashTime);
  return () => {
    clearTimeout(timer);
    removeMark();
  };
}
