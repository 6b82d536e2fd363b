import { join } from 'node:path';
import process from 'node:process';
import { type Page, test } from '@playwright/test';
import axe, { type Result } from 'axe-core';

/** Folder for a picture of every state that axe looks at; none are made without it. */
const { SCREENSHOTS } = process.env;
let pictures = 0;

async function takePicture(page: Page): Promise<void> {
  const { title, file } = test.info();
  const place = [file.replace(/.*\/|\..*/g, ''), title, process.pid, ++pictures].join(' ');
  await page.screenshot({
    path: join(SCREENSHOTS ?? '', `${place.replaceAll(/[^\p{L}\p{N}]+/gu, '-')}.png`),
  });
}

/** Waits until the page has drawn what was last asked of it and nothing fades any more: colours are their own then. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
    const moving = () =>
      document
        .getAnimations()
        .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
        // In a part that was folded meanwhile they stand still and never end.
        .filter(({ effect }) => (effect as KeyframeEffect).target?.checkVisibility())
        .map(({ finished }) => finished);
    // A change of theme is heard in one frame and drawn in the next; one fading can begin another.
    do {
      await Promise.allSettled(moving());
      await frame();
      await frame();
    } while (moving().length > 0);
  });
}

/** @returns null where a colour began to fade while it was looked at: axe takes what is half way for the colour. */
async function axeViolations(page: Page): Promise<Result[] | null> {
  await settled(page);
  return page.evaluate(async () => {
    const { axe: rules } = window as unknown as { axe: typeof axe };
    const looking = new AbortController();
    let faded = false;
    const note = () => {
      faded = true;
    };
    document.addEventListener('transitionrun', note, { signal: looking.signal });
    const { violations } = await rules.run(document, { resultTypes: ['violations'] });
    looking.abort();
    return faded && violations.length > 0 ? null : violations;
  });
}

/** What the page violates at this moment: rules of axe, and a page that is wider than the screen. */
export async function violationsOf(page: Page): Promise<string[]> {
  // Run in the page itself: no page of ours has a frame, and a driver's detour through a second page takes a second.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  // A menu whose code is on its way has nothing to look at yet.
  await page
    .getByText('Loading…', { exact: true })
    .filter({ visible: true })
    .first()
    .waitFor({ state: 'hidden' });
  let violations: Result[] | null = null;
  while (violations === null) violations = await axeViolations(page);
  if (SCREENSHOTS) await takePicture(page);
  const found = violations.map(
    ({ id, nodes }) => `${id} ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  );
  const wide = await page.evaluate(
    () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
  );
  return wide ? [...found, 'scrolls sideways'] : found;
}
