import type { Page } from '@playwright/test';
import { uniqueWord } from '../support/chat.ts';
import { composer, expect, sendMessage, signInAs, test } from '../support/journey.ts';
import { writeChat } from '../support/long-chat.ts';
import { transcript } from '../support/transcript.ts';

const rows = (page: Page) => page.locator('.chat-turn').count();

/** Scrolls to the top until all earlier pages are loaded. */
async function loadAll(page: Page, count: number): Promise<void> {
  for (let known = await rows(page); known < count; known = await rows(page)) {
    await transcript(page).evaluate((box) => {
      box.scrollTop = 0;
    });
    await expect.poll(() => rows(page)).toBeGreaterThan(known);
  }
}

test('with 2,000 messages in the page typing is quick during a reply', async ({ page, context, server }) => {
  const person = await signInAs(context, server);
  const { id } = await writeChat(server, person, 2000);
  await page.goto(`/chat/${id}`);
  await loadAll(page, 2000);
  await sendMessage(page, `${uniqueWord()} [[answer:lorem]] [[tokens:1500]] [[tps:100]] [[first:0]]`);
  // Only the last reply: searching the whole page would block it longer than a key press does.
  await expect(page.locator('.chat-reply').last()).toContainText('w0020');
  await page.evaluate(() => {
    const delays: number[] = [];
    Object.assign(window, { delays });
    document.addEventListener('keydown', ({ timeStamp }) => {
      requestAnimationFrame(() => setTimeout(() => delays.push(performance.now() - timeStamp)));
    });
  });
  await composer(page).pressSequentially('typing while a reply arrives', { delay: 60 });
  const delays = await page.evaluate(() => (window as unknown as { delays: number[] }).delays);
  expect(delays.length).toBeGreaterThan(20);
  const sorted = delays.toSorted((a, b) => a - b);
  // The benchmark's limit is 50 ms; here other work may share the machine.
  expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThan(200);
});
