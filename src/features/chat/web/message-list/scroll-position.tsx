import { Component, type ReactNode, type RefObject } from 'react';
import type { Message } from '../state/chat-state.ts';
import { setInitialScroll } from './initial-scroll.ts';

/** `above`: pixels from the top of the row to the top of the view. */
type ScrollPosition = { id: string; above: number } | 'end';

const maxPositions = 200;
const positions = new Map<string, ScrollPosition>();

export function saveScrollPosition(chatId: string, position: ScrollPosition): void {
  positions.delete(chatId);
  positions.set(chatId, position);
  for (const oldest of positions.keys()) {
    if (positions.size <= maxPositions) return;
    positions.delete(oldest);
  }
}

export const savedScrollPosition = (chatId: string): ScrollPosition | undefined => positions.get(chatId);

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

const pixelsAbove = (box: HTMLElement, row: HTMLElement) =>
  box.getBoundingClientRect().top - row.getBoundingClientRect().top;

export function readScrollPosition(box: HTMLElement): ScrollPosition {
  if (box.scrollHeight - box.clientHeight - box.scrollTop < 2) return 'end';
  const row = firstVisible(box);
  return row?.dataset.id ? { id: row.dataset.id, above: pixelsAbove(box, row) } : 'end';
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
  box.scrollTop += above - pixelsAbove(box, row);
  return true;
}

interface ScrollAnchorProps {
  scroller: RefObject<HTMLElement | null>;
  turns: Message[];
  children: ReactNode;
}

interface AnchorSnapshot {
  row: HTMLElement;
  top: number;
  bottom: number;
  after: string | undefined;
  role: string | undefined;
}

const sameRows = (before: Message[], after: Message[]) =>
  before.length === after.length && before.every((turn, at) => turn.key === after[at]?.key);

const findReplacement = (box: HTMLElement, { after, role }: AnchorSnapshot) => {
  const selector = after === undefined ? ':first-child' : `[data-after="${CSS.escape(after)}"]`;
  return box.querySelector<HTMLElement>(`.chat-turn${selector}[data-role="${role}"]`);
};

/**
 * Keeps the first visible message in place when others are added before or after it, or replace it. Another version
 * keeps its top, or its end if the top is out of view, because that is where the version switcher is.
 */
export class ScrollAnchor extends Component<ScrollAnchorProps> {
  override getSnapshotBeforeUpdate({ turns }: ScrollAnchorProps): AnchorSnapshot | null {
    const box = this.props.scroller.current;
    const last = this.props.turns.at(-1);
    // A sent message is placed separately.
    const sent = last?.sentHere && last.key !== turns.at(-1)?.key;
    if (!box || sent || sameRows(turns, this.props.turns)) return null;
    const focused = document.activeElement?.closest<HTMLElement>('.chat-turn');
    const row = focused && box.contains(focused) && isInView(box, focused) ? focused : firstVisible(box);
    if (!row) return null;
    const { top, bottom } = row.getBoundingClientRect();
    const { after, role } = row.dataset;
    return { row, top, bottom, after, role };
  }

  override componentDidUpdate(
    _props: ScrollAnchorProps,
    _state: unknown,
    snapshot: AnchorSnapshot | null,
  ): void {
    const box = this.props.scroller.current;
    if (!box || !snapshot) return;
    setInitialScroll(box, 'resized');
    const row = snapshot.row.isConnected ? snapshot.row : findReplacement(box, snapshot);
    if (!row) return;
    const { top, bottom } = row.getBoundingClientRect();
    const keepEnd = row !== snapshot.row && snapshot.top < box.getBoundingClientRect().top;
    box.scrollTop += keepEnd ? bottom - snapshot.bottom : top - snapshot.top;
  }

  override render(): ReactNode {
    return this.props.children;
  }
}

function isInView(box: HTMLElement, row: HTMLElement): boolean {
  const [view, rect] = [box.getBoundingClientRect(), row.getBoundingClientRect()];
  return rect.bottom > view.top && rect.top < view.bottom;
}
