import type { Page } from '@playwright/test';
import { marker } from '../support/chat.ts';
import { composer, expect, say, signInAs, test } from '../support/journey.ts';
import { writeChat } from '../support/long-chat.ts';
import { fromTop, reading, scrolled, transcript, watched } from '../support/transcript.ts';

const rows = (page: Page) => page.locator('.chat-row').count();

/** Loads every earlier page by going to the top again and again. */
async function loadAll(page: Page, count: number): Promise<void> {
  for (let known = await rows(page); known < count; known = await rows(page)) {
    await transcript(page).evaluate((box) => {
      box.scrollTop = 0;
    });
    await expect.poll(() => rows(page)).toBeGreaterThan(known);
  }
}

for (const width of [1280, 390]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 800 } });

    test('earlier messages come as the top comes near, and what is read stays where it is', async ({
      page,
      context,
      server,
    }) => {
      const person = await signInAs(context, server);
      const { id } = await writeChat(server, person, 450);
      await page.goto(`/chat/${id}`);
      expect(await rows(page)).toBe(100);
      await transcript(page).hover();
      for (let known = 100; known < 400; known = await rows(page)) {
        // The top is near enough to load more, and not so near that nothing is left to see above.
        await transcript(page).evaluate((box) => {
          box.scrollTop = 1_500;
        });
        await watched(page, 200);
        await page.mouse.wheel(0, -600);
        await expect.poll(async () => (await scrolled(page)).top).toBeLessThan(1_000);
        const before = await reading(page);
        await expect.poll(() => rows(page)).toBeGreaterThan(known);
        await watched(page, 300);
        expect(await reading(page)).toEqual(before);
      }
    });
  });
}

test('the button loads earlier messages by keyboard and keeps the focus in the conversation', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server);
  const { id } = await writeChat(server, person, 150);
  await page.goto(`/chat/${id}`);
  await page.getByRole('button', { name: 'Load earlier messages' }).press('Enter');
  await expect.poll(() => rows(page)).toBe(150);
  await expect(transcript(page)).toBeFocused();
  await expect(page.getByRole('button', { name: 'Load earlier messages' })).toHaveCount(0);
});

test('with 2,000 messages in the page typing is quick during a reply', async ({ page, context, server }) => {
  test.slow();
  const person = await signInAs(context, server);
  const { id } = await writeChat(server, person, 2000);
  await page.goto(`/chat/${id}`);
  await expect(page.getByText('Part 1998')).toBeVisible();
  await loadAll(page, 2000);
  await expect(page.getByText('Part 0', { exact: false }).first()).toBeAttached();
  await say(page, `${marker()} [[answer:lorem]] [[tokens:1500]] [[tps:100]] [[first:0]]`);
  await expect(page.getByText('w0020')).toBeVisible();
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
  console.log(sorted.map(Math.round).join(' '));
  expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThan(50);
  await page.getByRole('button', { name: 'Stop generating' }).click();
  await expect(transcript(page).getByText('Stopped.')).toBeVisible();
});
