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

const markTime = 2_000;

/** @returns whether Back or Forward reopened the chat at its last position */
export function useScrollRestoration(
  { scroller, follow, release }: StickToBottom,
  { id }: OpenChat,
  controls: ChatControls,
): RefObject<boolean> {
  const returned = useRef(false);
  const back = useNavigationType() === 'POP';
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per opened chat
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return;
    const place = back ? savedScrollPosition(id) : undefined;
    returned.current = place !== undefined;
    if (place === 'end') follow();
    else if (place && restoreScrollPosition(box, place)) release();
    else if (place) {
      // The row is in a part of the chat that is not loaded; nothing is shown until it is.
      box.dataset.landing = '';
      void controls.loadAround(place.id).then(() => {
        delete box.dataset.landing;
        if (restoreScrollPosition(box, place)) release();
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
  wanted: { id: string } | null,
  returned: RefObject<boolean>,
): void {
  const first = useRef(wanted);
  const sought: unknown = Object(useLocation().state).find;
  const words = useRef(sought);
  words.current = sought;
  const at = wanted === first.current && returned.current ? null : wanted;
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
    let left = false;
    const find = words.current;
    void (typeof find === 'string' ? import('#client/highlight-words.ts') : Promise.resolve(null)).then(
      (code) => {
        if (!left) undo = code?.highlightWords(row, String(find)) ?? flash(row);
      },
      () => undefined,
    );
    return () => {
      left = true;
      undo?.();
    };
  }, [scroller, at]);
}

/** @returns a function that ends it early */
function flash(row: HTMLElement): () => void {
  row.dataset.found = '';
  const end = () => void delete row.dataset.found;
  const timer = setTimeout(end, markTime);
  return () => {
    clearTimeout(timer);
    end();
  };
}
