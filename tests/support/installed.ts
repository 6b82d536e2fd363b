import type { BrowserContext, Page } from '@playwright/test';

/** Pages of the context are as in the window of an installed app, which no browser of a test has. */
export async function installed(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const real = window.matchMedia.bind(window);
    window.matchMedia = (query) => real(query === '(display-mode: standalone)' ? 'all' : query);
  });
}

/** Waits until a worker answers for the page. */
export const controlled = (page: Page) =>
  page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');

export const cacheNames = (page: Page) => page.evaluate(() => caches.keys());
