import { join } from 'node:path';
import process from 'node:process';
import { type Page, test } from '@playwright/test';
import axe, { type Result } from 'axe-core';

/** Folder for a screenshot of every state that axe checks; none are taken when it is unset. */
const { SCREENSHOTS } = process.env;
let pictures = 0;

async function takeScreenshot(page: Page): Promise<void> {
  const { title, file } = test.info();
  const fileName = [file.replace(/.*\/|\..*/g, ''), title, process.pid, ++pictures].join(' ');
  await page.screenshot({
    path: join(SCREENSHOTS ?? '', `${fileName.replaceAll(/[^\p{L}\p{N}]+/gu, '-')}.png`),
  });
}

/** Waits until the page has rendered its last change and all animations have ended, so that colours are final. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
    const moving = () =>
      document
        .getAnimations()
        .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
        // In a part that was folded meanwhile, animations pause and never end.
        .filter(({ effect }) => (effect as KeyframeEffect).target?.checkVisibility())
        .map(({ finished }) => finished);
    // A theme change is noticed in one frame and painted in the next; one transition can start another.
    do {
      await Promise.allSettled(moving());
      await frame();
      await frame();
    } while (moving().length > 0);
  });
}

/** @returns null when a colour transition started during the check: axe would judge an intermediate colour. */
async function axeViolations(page: Page): Promise<Result[] | null> {
  await settled(page);
  return page.evaluate(async () => {
    const { axe: rules } = window as unknown as { axe: typeof axe };
    const listening = new AbortController();
    let transitioned = false;
    const note = () => {
      transitioned = true;
    };
    document.addEventListener('transitionrun', note, { signal: listening.signal });
    const { violations } = await rules.run(document, { resultTypes: ['violations'] });
    listening.abort();
    return transitioned && violations.length > 0 ? null : violations;
  });
}

/** Returns the page's current violations: rules of axe, and horizontal scrolling. */
export async function violationsOf(page: Page): Promise<string[]> {
  // Runs axe in the page itself: our pages have no frames, and Playwright's axe driver opens a second page, which takes
  // a second.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  // A menu whose code is still loading cannot be checked yet.
  await page
    .getByText('Loading…', { exact: true })
    .filter({ visible: true })
    .first()
    .waitFor({ state: 'hidden' });
  let violations: Result[] | null = null;
  while (violations === null) violations = await axeViolations(page);
  if (SCREENSHOTS) await takeScreenshot(page);
  const found = violations.map(
    ({ id, nodes }) => `${id} ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  );
  const tooWide = await page.evaluate(
    () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
  );
  return tooWide ? [...found, 'scrolls sideways'] : found;
}
