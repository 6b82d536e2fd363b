import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router';
import type { OpenChat } from '../state/chat-state.ts';
import type { ChatControls } from '../state/controls.ts';
import { markWords } from './mark-words.ts';
import { placeIn, placeOf, rememberPlace, rowOf, showPlace } from './places.ts';
import type { FollowEdge } from './use-follow-edge.ts';

/** Milliseconds for which a row that was asked for is marked. */
const markTime = 2_000;

/**
 * Goes back to where the chat was read when Back or Forward opens it, and remembers the place when it is left.
 * @returns whether it went back.
 */
export function useReadingPlace(
  { scroller, follow, release }: FollowEdge,
  { id }: OpenChat,
  controls: ChatControls,
): RefObject<boolean> {
  const returned = useRef(false);
  const back = useNavigationType() === 'POP';
  // biome-ignore lint/correctness/useExhaustiveDependencies: a chat is opened once
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return;
    const place = back ? placeIn(id) : undefined;
    returned.current = place !== undefined;
    if (place === 'end') follow();
    else if (place && showPlace(box, place)) release();
    else if (place) {
      // It is in a part of the chat that is not loaded; nothing is shown until it is.
      box.dataset.landing = '';
      void controls.loadAround(place.id).then(() => {
        delete box.dataset.landing;
        if (showPlace(box, place)) release();
      });
    }
    return () => rememberPlace(id, placeOf(box));
  }, []);
  return returned;
}

/**
 * Shows the message that was asked for (a search hit, the address) and puts the focus there; marks the words that were
 * searched for, without any the message for a moment. Not again where Back has shown another place.
 */
export function useFound(
  { scroller, release }: FollowEdge,
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
    const row = box && at && rowOf(box, at.id);
    if (!row) return;
    const lead = Number.parseFloat(getComputedStyle(row).scrollMarginTop);
    showPlace(box, { id: at.id, above: -lead });
    release();
  }, [scroller, release, at]);
  useEffect(() => {
    const row = at && scroller.current && rowOf(scroller.current, at.id);
    if (!row) return;
    row.tabIndex = -1;
    row.focus({ preventScroll: true });
    const unmark = typeof words.current === 'string' ? markWords(row, words.current) : null;
    if (unmark) return unmark;
    row.dataset.found = '';
    const timer = setTimeout(() => delete row.dataset.found, markTime);
    return () => {
      clearTimeout(timer);
      delete row.dataset.found;
    };
  }, [scroller, at]);
}
