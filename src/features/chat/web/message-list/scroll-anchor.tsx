import { Component, type ReactNode, type RefObject } from 'react';
import type { Message } from '../state/chat-state.ts';
import { setInitialScroll } from './initial-scroll.ts';
import { firstVisible } from './scroll-position.ts';

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
 * Keeps the first message in view where it is when others come before, after or in place of it. Another version keeps
 * its top, or its end where the top is out of view, as the version switcher stands there.
 */
export class ScrollAnchor extends Component<ScrollAnchorProps> {
  override getSnapshotBeforeUpdate({ turns }: ScrollAnchorProps): Seen | null {
    const box = this.props.scroller.current;
    const last = this.props.turns.at(-1);
    // What is sent gets its own place.
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
