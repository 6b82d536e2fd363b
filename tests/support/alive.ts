import type { Page } from '@playwright/test';

/** Waits until a page of the app has taken over from the server's HTML: until then a press does nothing. */
export const alive = (page: Page) => page.locator('html[data-ready]').waitFor({ state: 'attached' });
