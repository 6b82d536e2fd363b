import { type RefObject, useEffect, useState } from 'react';
import { type Passage, type Place, passageOf } from './places.ts';

/** Paints the words that were chosen, while the focus is elsewhere; browsers without it mark the blocks alone. */
function paint(range: Range | null): void {
  if (typeof CSS === 'undefined' || !('highlights' in CSS)) return;
  if (range) CSS.highlights.set('passage', new Highlight(range));
  else CSS.highlights.delete('passage');
}

const blockAt = (node: Node | null) =>
  (node instanceof Element ? node : node?.parentElement)?.closest<HTMLElement>('[data-at]') ?? null;

interface Selecting {
  passage: Passage | null;
  choose(passage: Passage | null): void;
  /** Takes what is selected on the page, if that is in the document. */
  select(): void;
}

/** The passage that is to be changed: chosen, or selected on the page. */
export function usePassage(page: RefObject<HTMLElement | null>, text: string, places: Place[]): Selecting {
  const [passage, setPassage] = useState<Passage | null>(null);
  useEffect(() => () => paint(null), []);
  const choose = (next: Passage | null) => {
    paint(null);
    setPassage(next);
  };
  const select = () => {
    const selection = getSelection();
    if (!selection || selection.isCollapsed || selection.rangeCount === 0) return;
    const range = selection.getRangeAt(0);
    const [first, last] = [blockAt(range.startContainer), blockAt(range.endContainer)];
    if (!first || !last || !page.current?.contains(first) || !page.current.contains(last)) return;
    const [from, to] = [Number(first.dataset.at), Number(last.dataset.at)];
    const chosen = passageOf(text, places, from, to, selection.toString());
    if (!chosen) return;
    paint(range.cloneRange());
    setPassage(chosen);
  };
  return { passage, choose, select };
}
