import { Component, type ReactNode, type RefObject } from 'react';
import type { Message } from '../state/chat-state.ts';
import { setInitialScroll } from './initial-scroll.ts';

/** `above`: pixels from the top of the row to the top of the view. */
type ScrollPosition = { id: string; above: number } | 'end';

const most = 200;
const places = new Map<string, ScrollPosition>();

export function saveScrollPosition(chatId: string, place: ScrollPosition): void {
  places.delete(chatId);
  places.set(chatId, place);
  for (const oldest of places.keys()) {
    if (places.size <= most) return;
    places.delete(oldest);
  }
}

export const savedScrollPosition = (chatId: string): ScrollPosition | undefined => places.get(chatId);

export function firstVisible(box: HTMLElement): HTMLElement | undefined {
  const rows = box.querySelectorAll<HTMLElement>('.chat-turn');
  const edge = box.getBoundingClientRect().top;
  let [from, to] = [0, rows.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (rows[middle]!.getBoundingClientRect().bottom > edge) to = middle;
    else from = middle + 1;
  }
  return rows[from];
}

export const findRow = (box: HTMLElement, id: string): HTMLElement | null =>
  box.querySelector(`[data-id="${CSS.escape(id)}"]`);

const aboveOf = (box: HTMLElement, row: HTMLElement) =>
  box.getBoundingClientRect().top - row.getBoundingClientRect().top;

export function readScrollPosition(box: HTMLElement): ScrollPosition {
  if (box.scrollHeight - box.clientHeight - box.scrollTop < 2) return 'end';
  const row = firstVisible(box);
  return row?.dataset.id ? { id: row.dataset.id, above: aboveOf(box, row) } : 'end';
}

export function restoreScrollPosition(
  box: HTMLElement,
  { id, above }: Exclude<ScrollPosition, 'end'>,
): boolean {
  const row = findRow(box, id);
  if (!row) return false;
  // A row that was never laid out has no real height, so a position within it would be wrong.
  for (let near: Element | null = row, left = 4; near && left > 0; near = near.nextElementSibling, left--)
    (near as HTMLElement).style.contentVisibility = 'visible';
  box.scrollTop += above - aboveOf(box, row);
  return true;
}

interface ScrollAnchorProps {
  scroller: RefObject<HTMLElement | null>;
  turns: Message[];
  children: ReactNode;
}

interface Seen {
  row: HTMLElement;
  top: number;
  bottom: number;
  after: string | undefined;
  role: string | undefined;
}

const sameRows = (before: Message[], after: Message[]) =>
  before.length === after.length && before.every((turn, at) => turn.key === after[at]?.key);

const successor = (box: HTMLElement, { after, role }: Seen) => {
  const place = after === undefined ? ':first-child' : `[data-after="${CSS.escape(after)}"]`;
  return box.querySelector<HTMLElement>(`.chat-turn${place}[data-role="${role}"]`);
};

/**
 * Keeps the first visible message in place when others are added before or after it, or replace it. Another version
 * keeps its top, or its end if the top is out of view, because that is where the version switcher is.
 */
export class ScrollAnchor extends Component<ScrollAnchorProps> {
  override getSnapshotBeforeUpdate({ turns }: ScrollAnchorProps): Seen | null {
    const box = this.props.scroller.current;
    const last = this.props.turns.at(-1);
    // A sent message is placed separately.
    const sent = last?.sentHere && last.key !== turns.at(-1)?.key;
    if (!box || sent || sameRows(turns, this.props.turns)) return null;
    const focused = document.activeElement?.closest<HTMLElement>('.chat-turn');
    const row = focused && box.contains(focused) && isSeen(box, focused) ? focused : firstVisible(box);
    if (!row) return null;
    const { top, bottom } = row.getBoundingClientRect();
    const { after, role } = row.dataset;
    return { row, top, bottom, after, role };
  }

  override componentDidUpdate(_props: ScrollAnchorProps, _state: unknown, seen: Seen | null): void {
    const box = this.props.scroller.current;
    if (!box || !seen) return;
    setInitialScroll(box, 'resized');
    const row = seen.row.isConnected ? seen.row : successor(box, seen);
    if (!row) return;
    const { top, bottom } = row.getBoundingClientRect();
    const byEnd = row !== seen.row && seen.top < box.getBoundingClientRect().top;
    box.scrollTop += byEnd ? bottom - seen.bottom : top - seen.top;
  }

  override render(): ReactNode {
    return this.props.children;
  }
}

function isSeen(box: HTMLElement, row: HTMLElement): boolean {
  const [view, own] = [box.getBoundingClientRect(), row.getBoundingClientRect()];
  return own.bottom > view.top && own.top < view.bottom;
}
