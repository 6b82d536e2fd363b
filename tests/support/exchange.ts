import type { Page } from '@playwright/test';

// Uses selectors: in a long chat, a search by role takes longer than a frame and would distort the measurement.

/** Types a message and sends it. */
export async function send(page: Page, text: string): Promise<void> {
  await page.locator('main textarea').fill(text);
  await page.keyboard.press('Enter');
}

/** Waits until the newest question has its whole reply. */
export async function waitForReply(page: Page): Promise<void> {
  await page.waitForFunction(
    () => {
      const last = document.querySelector('.chat-turn:last-child .chat-reply');
      return last && !last.hasAttribute('data-live') && !last.querySelector('.chat-thinking');
    },
    undefined,
    { timeout: 60_000 },
  );
}

/** Sends a message and waits for its whole reply. */
export async function exchange(page: Page, text: string): Promise<void> {
  const before = await page.locator('.chat-turn').count();
  await send(page, text);
  await page.waitForFunction((least) => document.querySelectorAll('.chat-turn').length > least, before);
  await waitForReply(page);
}
