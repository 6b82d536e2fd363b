import type { Page } from '@playwright/test';

/** The conversation's scroll box. */
export const transcript = (page: Page) => page.getByRole('region', { name: 'Messages' });

/** Returns the scroll position of the box, in pixels. */
export const scrolled = (page: Page) =>
  transcript(page).evaluate((box) => ({
    top: box.scrollTop,
    /** Pixels from the end. */
    gap: box.scrollHeight - box.clientHeight - box.scrollTop,
    view: box.clientHeight,
  }));

/** Returns the pixels from the top of the view to the last element that matches. */
export const fromTop = (page: Page, selector: string) =>
  transcript(page).evaluate((box, query) => {
    const element = [...box.querySelectorAll(query)].at(-1);
    if (!element) throw new Error(`Nothing is ${query}.`);
    return element.getBoundingClientRect().top - box.getBoundingClientRect().top;
  }, selector);

/** Returns the first visible row and its position, which must not change while a person reads. */
export const firstVisibleRow = (page: Page) =>
  transcript(page).evaluate((box) => {
    const edge = box.getBoundingClientRect().top;
    const row = [...box.querySelectorAll<HTMLElement>('.chat-turn')].find(
      (one) => one.getBoundingClientRect().bottom > edge + 1,
    );
    return { id: row?.dataset.id, top: (row?.getBoundingClientRect().top ?? Number.NaN) - edge };
  });

/** Waits until the scroll position has not changed for 18 frames. */
export const waitUntilStill = (page: Page) =>
  transcript(page).evaluate(
    (box) =>
      new Promise<void>((resolve) => {
        let [frames, last] = [0, -1];
        const check = () => {
          frames = box.scrollTop === last ? frames + 1 : 0;
          last = box.scrollTop;
          if (frames < 18) requestAnimationFrame(check);
          else resolve();
        };
        check();
      }),
  );

/** Records the lowest and highest scroll position until `characters` more characters have arrived. */
export const trackScroll = (page: Page, characters: number) =>
  transcript(page).evaluate(
    (box, query) =>
      new Promise<{ least: number; most: number }>((resolve) => {
        const length = () => box.querySelector('.chat-turns')?.textContent?.length ?? 0;
        const until = length() + query;
        let [least, most] = [box.scrollTop, box.scrollTop];
        const check = () => {
          least = Math.min(least, box.scrollTop);
          most = Math.max(most, box.scrollTop);
          if (length() < until) requestAnimationFrame(check);
          else resolve({ least, most });
        };
        check();
      }),
    characters,
  );
