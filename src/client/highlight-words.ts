import { unspacedLetter } from '#shared/unspaced-scripts.ts';

/** Name of the highlight in text.css. */
const highlight = 'found';
const MAX_RANGES = 500;

export function searchPattern(query: string): RegExp | null {
  const words = query.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu) ?? [];
  const parts = words.map((word) => (unspacedLetter.test(word) ? word : `(?<![\\p{L}\\p{N}])${word}`));
  return parts.length > 0 ? new RegExp(parts.join('|'), 'giu') : null;
}

const skipped = '.turn-actions, .visually-hidden, .md-code-head, textarea, button, select';

function rangesIn(box: Element, words: RegExp): Range[] {
  const ranges: Range[] = [];
  const texts = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node && ranges.length < MAX_RANGES; node = texts.nextNode()) {
    if (node.parentElement?.closest(skipped)) continue;
    for (const { index, 0: word } of (node.nodeValue ?? '').matchAll(words)) {
      const range = new Range();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      ranges.push(range);
    }
  }
  return ranges;
}

export const highlightedRanges = (): Range[] =>
  [...(CSS.highlights.get(highlight) ?? [])].filter((range) => range instanceof Range);

/**
 * Highlights the words without changing the DOM, and again when the DOM changes. Returns null if there is nothing to
 * highlight, or the browser cannot.
 * @returns a function that removes the highlights
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
