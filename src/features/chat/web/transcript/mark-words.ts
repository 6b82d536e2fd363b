/** Name of the highlight in transcript.css. */
const highlight = 'chat-found';
/** Places of one message that are marked. */
const most = 500;

/** Scripts that are written without blanks between words: there a part of the text is marked. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** The words of a search, at the beginnings of words; null for none. */
export function wordsIn(query: string): RegExp | null {
  const words = query.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu) ?? [];
  const parts = words.map((word) => (unspaced.test(word) ? word : `(?<![\\p{L}\\p{N}])${word}`));
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
 * Marks the words of a search in a message without changing its elements, and again when those change. Null where
 * there is nothing to mark, or the browser cannot.
 * @returns the undoing.
 */
export function markWords(box: Element, query: string): (() => void) | null {
  const words = wordsIn(query);
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
