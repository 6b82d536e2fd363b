import { highlightedRanges, highlightWords } from './highlight-words.ts';

export interface Passage {
  words: string;
  /** Of a document. */
  page: number | null;
}

/** Milliseconds within which the page may still bring what holds the words. */
const patience = 15_000;

const blocks = 'p, li, h1, h2, h3, h4, h5, h6, blockquote, pre, tr, div';

/** Of the block that holds most of the words; the first one of its like. */
function bestRange(ranges: Range[]): Range | undefined {
  const byBlock = Map.groupBy(ranges, ({ startContainer }) => startContainer.parentElement?.closest(blocks));
  const wordsOf = (some: Range[]) => new Set(some.map((range) => `${range}`.toLowerCase())).size;
  const [best] = [...byBlock.values()].toSorted((one, other) => wordsOf(other) - wordsOf(one));
  return best?.[0];
}

function bringIntoView(range: Range): void {
  const element = range.startContainer.parentElement;
  const panel = element?.closest<HTMLElement>('[role="tabpanel"][hidden]');
  const tab = panel && document.getElementById(panel.getAttribute('aria-labelledby') ?? '');
  tab?.click();
  const show = () => {
    element?.scrollIntoView({ block: 'nearest' });
    // A block may be longer than the window.
    scrollBy(0, range.getBoundingClientRect().top - innerHeight / 3);
    const block = element?.closest<HTMLElement>(blocks);
    if (!block || (document.activeElement !== document.body && document.activeElement !== tab)) return;
    block.tabIndex = -1;
    block.focus({ preventScroll: true });
  };
  if (tab) requestAnimationFrame(show);
  else show();
}

/**
 * Marks the words of an address in the box, once they are there, and shows the passage that holds most of them, unless the
 * person has turned to something else meanwhile. @returns the undoing.
 */
export function showPassage(box: HTMLElement, { words, page }: Passage): () => void {
  const ended = new AbortController();
  let unmark: (() => void) | null = null;
  // A page of a document is shown by its own search.
  let moves = page === null;
  const stay = () => {
    moves = false;
  };
  for (const name of ['wheel', 'touchmove', 'keydown', 'pointerdown'])
    addEventListener(name, stay, { signal: ended.signal, passive: true });
  const observer = new MutationObserver(attempt);
  const timer = setTimeout(() => observer.disconnect(), patience);
  function attempt() {
    unmark = highlightWords(box, words);
    if (!unmark) return;
    observer.disconnect();
    const range = bestRange(highlightedRanges());
    if (range && moves) bringIntoView(range);
  }
  observer.observe(box, { childList: true, subtree: true });
  attempt();
  return () => {
    ended.abort();
    clearTimeout(timer);
    observer.disconnect();
    unmark?.();
  };
}
