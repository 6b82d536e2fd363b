import type { Page } from '@playwright/test';

/** Largest sum to ignore: the browser reports a font swap as some ten-thousandths even where no line moves. */
const NEGLIGIBLE = 0.0002;

interface Shift extends PerformanceEntry {
  value: number;
  sources: Array<{ node: Node | null; previousRect: DOMRect; currentRect: DOMRect }>;
}

/**
 * Hides each page from now on until its HTML is parsed, because which parts are painted before that depends on the
 * machine's speed. Shifts during loading are tested on pages with their last parts removed
 * (`app-layout-shifts.e2e.ts`).
 */
export const hideUntilParsed = (page: Page) =>
  page.addInitScript(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('html { visibility: hidden !important }');
    document.adoptedStyleSheets.push(sheet);
    document.addEventListener('DOMContentLoaded', () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
    });
  });

/**
 * Records layout shifts on each page from now on, once its HTML is parsed.
 * @returns a function that returns the shifts of the current page, with their sum.
 */
export async function watchShifts(page: Page): Promise<() => Promise<string[]>> {
  await hideUntilParsed(page);
  await page.addInitScript(() => {
    const shifts = { sum: 0, moved: [] as string[] };
    Object.assign(window, { shifts });
    const describeRect = ({ x, y, width, height }: DOMRect) =>
      [x, y, width, height].map(Math.round).join(' ');
    new PerformanceObserver((list) => {
      for (const { value, sources, startTime } of list.getEntries() as Shift[]) {
        shifts.sum += value;
        for (const { node, previousRect, currentRect } of sources)
          shifts.moved.push(
            `${node?.nodeName} "${node?.textContent?.slice(0, 40)}" from ${describeRect(previousRect)} to ${describeRect(currentRect)} at ${Math.round(startTime)} ms`,
          );
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return async () => {
    const { sum, moved } = await page.evaluate(
      () => (window as unknown as { shifts: { sum: number; moved: string[] } }).shifts,
    );
    return sum > NEGLIGIBLE ? [`${page.url()} moved by ${sum}`, ...moved] : [];
  };
}
