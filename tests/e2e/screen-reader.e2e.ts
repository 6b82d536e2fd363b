import type { BrowserContext, Page } from '@playwright/test';
import { uniqueWord } from '../support/chat.ts';
import { release } from '../support/gateway.ts';
import { waitForHydration } from '../support/hydration.ts';
import { expect, sendMessage, signInAs, test } from '../support/journey.ts';
import { writeChat } from '../support/long-chat.ts';
import { transcript, waitUntilStill } from '../support/transcript.ts';

/** Records the announcements of replies in order. */
const recordAnnouncements = (context: BrowserContext) =>
  context.addInitScript(() => {
    const announcements: string[] = [];
    Object.assign(window, { announcements });
    new MutationObserver(() => {
      const text = document.querySelector('[data-announcer]')?.textContent ?? '';
      if (text !== (announcements.at(-1) ?? '')) announcements.push(text);
    }).observe(document, { childList: true, subtree: true, characterData: true });
  });

const announcements = (page: Page) =>
  page.evaluate(() =>
    (window as unknown as { announcements: string[] }).announcements.filter((text) => text !== ''),
  );

const rawReply = (text: string) => `[[raw:${Buffer.from(text).toString('base64')}]] [[first:0]]`;

test('a reply is announced once: that it is coming, and then its text or its length', async ({
  page,
  context,
  server,
}) => {
  await recordAnnouncements(context);
  const person = await signInAs(context, server);
  const { id } = await writeChat(server, person, 6);
  await page.goto(`/chat/${id}`);
  await waitForHydration(page);
  await waitUntilStill(page);
  expect(await announcements(page)).toEqual([]);
  await sendMessage(page, rawReply('A **short** answer with a [link](https://example.com) and `code`.'));
  await expect
    .poll(() => announcements(page))
    .toEqual(['Assistant is replying.', 'Assistant said: A short answer with a link and code.']);
  await sendMessage(page, `${uniqueWord()} [[answer:lorem]] [[tokens:240]] [[tps:400]] [[first:0]]`);
  await expect
    .poll(async () => (await announcements(page)).slice(2))
    .toEqual(['Assistant is replying.', 'Reply ready, 240 words.']);
  await sendMessage(page, `${uniqueWord()} [[answer:lorem]] [[tokens:2000]] [[tps:30]] [[first:0]]`);
  await expect(transcript(page).getByText('w0005').last()).toBeVisible();
  await page.getByRole('button', { name: 'Stop generating' }).click();
  await expect
    .poll(async () => (await announcements(page)).slice(4))
    .toEqual(['Assistant is replying.', 'The reply was stopped.']);
  await sendMessage(page, `${uniqueWord()} [[mode:502]]`);
  await expect
    .poll(async () => (await announcements(page)).slice(6))
    .toEqual(['Assistant is replying.', 'Sorry, I encountered an error. Please try again.']);
  expect(await person.credits()).toBe(7);
});

test('a reply that takes long is announced again, and followed after a reload @soak', async ({
  page,
  context,
  server,
}) => {
  await recordAnnouncements(context);
  await page.clock.install();
  await signInAs(context, server);
  const word = uniqueWord();
  await page.goto('/chat/new');
  await sendMessage(page, `${word} [[mode:hold]] [[holdAfter:3]] [[answer:lorem]] [[tokens:80]] [[first:0]]`);
  await expect(transcript(page).getByText('w0003')).toBeVisible();
  expect(await announcements(page)).toEqual(['Assistant is replying.']);
  await page.clock.fastForward(15_000);
  await expect
    .poll(() => announcements(page))
    .toEqual(['Assistant is replying.', 'Assistant is still replying.']);
  await page.reload();
  await expect.poll(() => announcements(page)).toEqual(['Assistant is replying.']);
  await release(server, word);
  await expect.poll(() => announcements(page)).toEqual(['Assistant is replying.', 'Reply ready, 80 words.']);
});

test('the conversation is a focusable region with a heading for each turn, and is not a live region itself @soak', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server);
  const { id } = await writeChat(server, person, 6);
  await page.goto(`/chat/${id}`);
  await expect(transcript(page)).toHaveAttribute('tabindex', '0');
  await expect(transcript(page).getByRole('heading', { level: 2, name: 'You said' })).toHaveCount(3);
  await expect(transcript(page).getByRole('heading', { level: 2, name: 'Assistant said' })).toHaveCount(3);
  const live = await transcript(page).evaluate(
    (box) =>
      box.closest('[aria-live], [role=log], [role=status], [role=alert]') !== null ||
      box.querySelector('[aria-live], [role=log], [role=status], [role=alert]') !== null,
  );
  expect(live).toBe(false);
});

test('a message that the address points to is shown, highlighted, focused and announced @soak', async ({
  page,
  context,
  server,
}) => {
  await recordAnnouncements(context);
  const person = await signInAs(context, server);
  const { id, messages } = await writeChat(server, person, 400);
  await page.goto(`/chat/${id}?at=${messages[151]}`);
  await waitForHydration(page);
  const found = page.locator(`[data-id="${messages[151]}"]`);
  await expect(found).toBeFocused();
  await expect(found).toHaveAttribute('data-found');
  await expect(found).toBeInViewport();
  expect(await announcements(page)).toEqual(['Showing the message you searched for.']);
  await expect(found).not.toHaveAttribute('data-found');
});
