import type { BrowserContext, Page } from '@playwright/test';

/** Makes the context's pages behave as in an installed app's window, which test browsers do not have. */
export async function installed(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const real = window.matchMedia.bind(window);
    window.matchMedia = (query) => real(query === '(display-mode: standalone)' ? 'all' : query);
  });
}

/** Waits until a service worker controls the page. */
export const controlled = (page: Page) =>
  page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');

export const cacheNames = (page: Page) => page.evaluate(() => caches.keys());
