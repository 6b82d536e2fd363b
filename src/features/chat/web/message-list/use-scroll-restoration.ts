import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router';
import { unspacedLetter } from '#shared/unspaced-scripts.ts';
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

/** @returns whether Back or Forward opened the chat where it was left. */
export function useScrollRestoration(
  { scroller, follow, release }: StickToBottom,
  { id }: OpenChat,
  controls: ChatControls,
): RefObject<boolean> {
  const returned = useRef(false);
  const back = useNavigationType() === 'POP';
  // biome-ignore lint/correctness/useExhaustiveDependencies: a chat is opened once
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return;
    const place = back ? savedScrollPosition(id) : undefined;
    returned.current = place !== undefined;
    if (place === 'end') follow();
    else if (place && restoreScrollPosition(box, place)) release();
    else if (place) {
      // It is in a part of the chat that is not loaded; nothing is shown until it is.
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
 * Shows and focuses the message of a search hit or of the address, and marks the words searched for, or for a moment
 * the message. Not where Back has shown another place.
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
    const unmark = typeof words.current === 'string' ? highlightWords(row, words.current) : null;
    if (unmark) return unmark;
    row.dataset.found = '';
    const timer = setTimeout(() => delete row.dataset.found, markTime);
    return () => {
      clearTimeout(timer);
      delete row.dataset.found;
    };
  }, [scroller, at]);
}

/** Name of the highlight in message.css. */
const highlight = 'chat-found';
const most = 500;

export function searchPattern(query: string): RegExp | null {
  const words = query.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu) ?? [];
  const parts = words.map((word) => (unspacedLetter.test(word) ? word : `(?<![\\p{L}\\p{N}])${word}`));
  return parts.length > 0 ? new RegExp(parts.join('|'), 'giu') : null;
}

function rangesIn(box: Element, words: RegExp): Range[] {
  const ranges: Range[] = [];
  const texts = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node && ranges.length < most; node = texts.nextNode()) {
    if (node.parentElement?.closest('.turn-actions, .visually-hidden, .md-code-head')) continue;
    for (const { index, 0: word } of (node.nodeValue ?? '').matchAll(words)) {
      const range = new Range();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      ranges.push(range);
    }
  }
  return ranges;
}

/**
 * Marks the words without changing the elements, and again when those change. Null where there is nothing to mark, or
 * the browser cannot. @returns the undoing.
 */
export function highlightWords(box: Element, query: string): (() => void) | null {
  const words = searchPattern(query);
  if (!words || !('highlights' in CSS)) return null;
  const mark = () => CSS.highlights.set(highlight, new Highlight(...rangesIn(box, words)));
  if (rangesIn(box, words).length === 0) return null;
  mark();
  const observer = new MutationObserver(mark);
  observer.observe(box, { childList: true, subtree: true, characterData: true });
  return () => {
    observer.disconnect();
    CSS.highlights.delete(highlight);
  };
}
