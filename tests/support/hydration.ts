import type { Page } from '@playwright/test';

/** Waits until a page of the app is hydrated: before that, a press does nothing. */
export const waitForHydration = (page: Page) =>
  page.locator('html[data-ready]').waitFor({ state: 'attached' });
