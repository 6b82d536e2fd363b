import type { Page } from '@playwright/test';

/** The browser reports the swap of a font by parts of a thousandth even where no line moves. */
const NOTHING = 0.0002;

interface Shift extends PerformanceEntry {
  value: number;
  sources: Array<{ node: Node | null; previousRect: DOMRect; currentRect: DOMRect }>;
}

/**
 * Hides each page from now on until its HTML is read: in which parts it is painted before depends on the speed of the
 * machine. What must stand still even then is tested on pages whose last parts are removed (`app-layout-shifts.e2e.ts`).
 */
export const hideUntilRead = (page: Page) =>
  page.addInitScript(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('html { visibility: hidden !important }');
    document.adoptedStyleSheets.push(sheet);
    document.addEventListener('DOMContentLoaded', () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
    });
  });

/**
 * Notes what moves by itself on each page from now on, once its HTML is read.
 * @returns what tells it of the present page, with its sum.
 */
export async function watchShifts(page: Page): Promise<() => Promise<string[]>> {
  await hideUntilRead(page);
  await page.addInitScript(() => {
    const shifts = { sum: 0, moved: [] as string[] };
    Object.assign(window, { shifts });
    const place = ({ x, y, width, height }: DOMRect) => [x, y, width, height].map(Math.round).join(' ');
    new PerformanceObserver((list) => {
      for (const { value, sources, startTime } of list.getEntries() as Shift[]) {
        shifts.sum += value;
        for (const { node, previousRect, currentRect } of sources)
          shifts.moved.push(
            `${node?.nodeName} "${node?.textContent?.slice(0, 40)}" from ${place(previousRect)} to ${place(currentRect)} at ${Math.round(startTime)} ms`,
          );
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return async () => {
    const { sum, moved } = await page.evaluate(
      () => (window as unknown as { shifts: { sum: number; moved: string[] } }).shifts,
    );
    return sum > NOTHING ? [`${page.url()} moved by ${sum}`, ...moved] : [];
  };
}
