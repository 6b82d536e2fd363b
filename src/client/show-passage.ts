import { highlightedRanges, highlightWords } from './highlight-words.ts';

export interface Passage {
  words: string;
  /** Page of a document. */
  page: number | null;
}

/** How many milliseconds to wait for the words to appear on the page. */
const WAIT_MS = 15_000;

const blocks = 'p, li, h1, h2, h3, h4, h5, h6, blockquote, pre, tr, div';

/** Returns the first range of the block that contains the most of the words. */
function bestRange(ranges: Range[]): Range | undefined {
  const byBlock = Map.groupBy(ranges, ({ startContainer }) => startContainer.parentElement?.closest(blocks));
  const countWords = (blockRanges: Range[]) =>
    new Set(blockRanges.map((range) => `${range}`.toLowerCase())).size;
  const [best] = [...byBlock.values()].toSorted((one, other) => countWords(other) - countWords(one));
  return best?.[0];
}

function bringIntoView(range: Range): void {
  const element = range.startContainer.parentElement;
  const panel = element?.closest<HTMLElement>('[role="tabpanel"][hidden]');
  const tab = panel && document.getElementById(panel.getAttribute('aria-labelledby') ?? '');
  tab?.click();
  const show = () => {
    element?.scrollIntoView({ block: 'nearest' });
    // A block may be taller than the window.
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
 * Highlights the words from the address once they are on the page, and scrolls to the passage with the most of them,
 * unless the person has started to do something else.
 * @returns a function that undoes it
 */
export function showPassage(box: HTMLElement, { words, page }: Passage): () => void {
  const ended = new AbortController();
  let removeHighlight: (() => void) | null = null;
  // The document viewer shows the page with its own search.
  let mayScroll = page === null;
  const cancelScroll = () => {
    mayScroll = false;
  };
  for (const name of ['wheel', 'touchmove', 'keydown', 'pointerdown'])
    addEventListener(name, cancelScroll, { signal: ended.signal, passive: true });
  const observer = new MutationObserver(attempt);
  const timer = setTimeout(() => observer.disconnect(), WAIT_MS);
  function attempt() {
    removeHighlight = highlightWords(box, words);
    if (!removeHighlight) return;
    observer.disconnect();
    const range = bestRange(highlightedRanges());
    if (range && mayScroll) bringIntoView(range);
  }
  observer.observe(box, { childList: true, subtree: true });
  attempt();
  return () => {
    ended.abort();
    clearTimeout(timer);
    observer.disconnect();
    removeHighlight?.();
  };
}
