import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** What the page violates at this moment: rules of axe, and a page that is wider than the screen. */
export async function violationsOf(page: Page): Promise<string[]> {
  // What is still fading in has not its own colours yet.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
        .map(({ finished }) => finished),
    ),
  );
  const { violations } = await new AxeBuilder({ page }).analyze();
  const found = violations.map(
    ({ id, nodes }) => `${id} ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  );
  const wide = await page.evaluate(
    () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
  );
  return wide ? [...found, 'scrolls sideways'] : found;
}
