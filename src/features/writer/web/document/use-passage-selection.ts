import { type RefObject, useEffect, useState } from 'react';
import { formulaMark, sourceMap } from '#ui/markdown/source-map.ts';
import {
  type BlockRange,
  type SelectedPassage,
  selectedPassage,
  trimWhitespace,
} from './passage-selection.ts';
import type { TextBlock } from './text-blocks.ts';

/** Browsers without the highlight API mark only the blocks. */
function highlightRange(range: Range | null): void {
  if (typeof CSS === 'undefined' || !('highlights' in CSS)) return;
  if (range) CSS.highlights.set('passage', new Highlight(range));
  else CSS.highlights.delete('passage');
}

const blockAt = (node: Node | null) =>
  (node instanceof Element ? node : node?.parentElement)?.closest<HTMLElement>('[data-at]') ?? null;

/** Elements within a block that are not part of its words. */
const decoration = 'button, .md-code-head, .md-lines, [role="img"]';

function blockRangeIn(block: Element, textBlock: TextBlock, text: string, range: Range): BlockRange | null {
  const body = block.querySelector('.doc-body');
  if (!body) return null;
  const { visible } = sourceMap(textBlock.token, text, textBlock.from);
  const nodes = document.createTreeWalker(body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, (node) => {
    if (node instanceof Element)
      return node.matches(decoration)
        ? NodeFilter.FILTER_REJECT
        : node.matches('.md-math')
          ? NodeFilter.FILTER_ACCEPT
          : NodeFilter.FILTER_SKIP;
    return node.parentElement?.closest('.md-math') ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT;
  });
  let [offset, first, last] = [0, -1, -1];
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    const nodeText = node instanceof Text ? node.data : formulaMark;
    if (!visible.startsWith(nodeText, offset)) continue;
    if (range.intersectsNode(node)) {
      const from = node === range.startContainer ? range.startOffset : 0;
      const to = node === range.endContainer ? range.endOffset : nodeText.length;
      if (from < to) {
        if (first < 0) first = offset + from;
        last = offset + to - 1;
      }
    }
    offset += nodeText.length;
  }
  const number = Number(block.getAttribute('data-at'));
  return first < 0 ? null : trimWhitespace(visible, { at: number, first, last });
}

/** The passage is valid only in the text `source`: in any other text its offsets point to other words. */
interface Choice {
  passage: SelectedPassage;
  source: string;
}

export function usePassageSelection(page: RefObject<HTMLElement | null>, text: string, blocks: TextBlock[]) {
  const [choice, setChoice] = useState<Choice | null>(null);
  const passage = choice?.source === text ? choice.passage : null;
  useEffect(() => () => highlightRange(null), []);
  useEffect(() => {
    if (!passage) highlightRange(null);
  }, [passage]);
  /** @param source the text that contains the passage, if it is about to become the page's text. */
  const choose = (next: SelectedPassage | null, source = text) => {
    highlightRange(null);
    setChoice(next && { passage: next, source });
  };
  const select = () => {
    const selection = getSelection();
    if (!selection || selection.isCollapsed || selection.rangeCount === 0) return;
    const range = selection.getRangeAt(0);
    const [first, last] = [blockAt(range.startContainer), blockAt(range.endContainer)];
    if (!first || !last || !page.current?.contains(first) || !page.current.contains(last)) return;
    const [from, to] = [Number(first.dataset.at), Number(last.dataset.at)];
    const ranges = Array.from({ length: to - from + 1 }, (_, index) => {
      const [block, textBlock] = [
        page.current?.querySelector(`[data-at="${from + index}"]`),
        blocks[from + index],
      ];
      return block && textBlock ? blockRangeIn(block, textBlock, text, range) : null;
    }).filter((part) => part !== null);
    const [start, stop] = [ranges[0], ranges.at(-1)];
    const next = start && stop ? selectedPassage(text, blocks, start, stop) : null;
    if (!next) return;
    highlightRange(range.cloneRange());
    setChoice({ passage: next, source: text });
  };
  return { passage, choose, select };
}
