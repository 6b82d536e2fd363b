import type { Page } from '@playwright/test';
import { settled } from './axe.ts';

/**
 * Returns layout faults: a page wider than the screen, text that overflows its box, and text that its box cuts off
 * without an ellipsis.
 */
export async function layoutFaults(page: Page): Promise<string[]> {
  await settled(page);
  return page.evaluate(() => {
    const root = document.documentElement;
    const found = root.scrollWidth > root.clientWidth ? [`the page is ${root.scrollWidth} px wide`] : [];
    const scrolls = (box: Element) => ['auto', 'scroll'].includes(getComputedStyle(box).overflowX);
    const boxes = new Set<Element>();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const box = node.parentElement;
      if (box && node.nodeValue?.trim() && !box.closest('script, style, noscript, svg')) boxes.add(box);
    }
    for (const box of boxes) {
      if (!box.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      if (box.closest('.visually-hidden, [aria-hidden=true], dialog:not([open]), .skip-link')) continue;
      const ancestors: Element[] = [];
      for (let at: Element | null = box; at && at !== root; at = at.parentElement) ancestors.push(at);
      const name = `“${box.textContent.trim().slice(0, 40)}” in ${box.tagName.toLowerCase()}.${box.className}`;
      const { left, right, width } = box.getBoundingClientRect();
      if (width <= 1 || ancestors.some(scrolls)) continue;
      if (left < -1 || right > root.clientWidth + 1) found.push(`${name} reaches over the edge`);
      const clipping = ancestors.find((at) => {
        const { overflowX, textOverflow } = getComputedStyle(at);
        if (!['hidden', 'clip'].includes(overflowX) || textOverflow === 'ellipsis') return false;
        const edge = at.getBoundingClientRect();
        return left < edge.left - 1 || right > edge.right + 1;
      });
      if (clipping) found.push(`${name} is cut off`);
    }
    return found;
  });
}

/**
 * Returns English words on a page in another language, outside elements marked as English and elements that match
 * `excluded`.
 */
export function untranslatedWords(page: Page, excluded: string): Promise<string[]> {
  return page.evaluate((content) => {
    const englishWords = /\b(the|your|you|with|and|this|from|are|to)\b/i;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const box = node.parentElement;
      const text = node.nodeValue?.trim() ?? '';
      // A path is not a sentence, either.
      if (
        !englishWords.test(text) ||
        text.startsWith('/') ||
        !box ||
        box.closest(`script, style, code, [lang|=en], ${content}`)
      )
        continue;
      found.push(text.slice(0, 60));
    }
    return found;
  }, excluded);
}
