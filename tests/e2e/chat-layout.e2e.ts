import { randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { settled } from '../support/axe.ts';
import { seedChats } from '../support/chat-list.ts';
import { waitForHydration } from '../support/hydration.ts';
import { composer, expect, signInAs, test } from '../support/journey.ts';
import { writeChat } from '../support/long-chat.ts';
import { soak } from '../support/soak.ts';
import { scrolled, transcript } from '../support/transcript.ts';

/** Returns an element's edges in the viewport, in pixels. */
async function edges(locator: Locator) {
  const box = await locator.boundingBox();
  if (!box) throw new Error('It is not there.');
  return { left: box.x, top: box.y, right: box.x + box.width, bottom: box.y + box.height };
}

const toast = (page: Page, text: string) =>
  page.evaluate(
    (message) =>
      document.dispatchEvent(
        new CustomEvent('toast', {
          detail: { text: message, persistent: true, action: { label: 'Undo', run: () => undefined } },
        }),
      ),
    text,
  );

const wide = [1280, 800] as const;
const narrow = [390, 844] as const;

for (const [width, height] of [wide, narrow])
  test(`${width} px: a toast covers neither the title nor the end of the text, the composer or a notice`, async ({
    page,
    context,
    server,
  }) => {
    await page.setViewportSize({ width, height });
    const person = await signInAs(context, server);
    const { id } = await writeChat(server, person, 6);
    await page.goto(`/chat/${id}`);
    await waitForHydration(page);
    await transcript(page).evaluate((box) => box.scrollTo(0, box.scrollHeight));
    const before = await scrolled(page);
    await toast(page, '“A title of about forty letters, which i…” was deleted.');
    await settled(page);
    const box = await edges(page.locator('.toast'));
    const pane = await edges(page.locator('.chat-pane'));
    expect(box.left).toBeGreaterThanOrEqual(pane.left);
    expect(box.right).toBeLessThanOrEqual(pane.right);
    expect(await scrolled(page)).toEqual(before);
    if (width === 1280) {
      expect(box.left).toBeGreaterThan((await edges(page.locator('.chat-head h1'))).right);
      expect(box.right).toBeLessThan((await edges(page.getByRole('button', { name: 'Rename' }))).left);
      expect(box.bottom).toBeLessThan((await edges(page.locator('.chat-head'))).bottom + 24);
    } else {
      expect(box.top).toBeGreaterThanOrEqual((await edges(page.locator('.md').last())).bottom);
      expect(box.bottom).toBeLessThanOrEqual((await edges(page.locator('.chat-composer'))).top);
    }
    const undo = page.getByRole('button', { name: 'Undo' });
    await expect(undo).toBeVisible();
    await page.keyboard.press('F6');
    await expect(undo).toBeFocused();
    if (width === 1280) return;
    // The toast moves up when the composer below it grows.
    await composer(page).fill('one\ntwo\nthree\nfour');
    await expect
      .poll(async () => (await edges(page.locator('.toast'))).bottom)
      .toBeLessThanOrEqual((await edges(page.locator('.chat-composer'))).top);
    expect((await edges(page.locator('.toast'))).bottom).toBeLessThan(box.bottom - 20);
  });

for (const [width, height] of soak ? [wide, narrow] : [narrow]) {
  test(`${width} px: an empty chat is completely visible, and a toast leaves the composer free`, async ({
    page,
    context,
    server,
    browserErrors,
  }) => {
    await page.setViewportSize({ width, height: width === 1280 ? 720 : height });
    await signInAs(context, server);
    await page.goto('/chat/new');
    await expect(page.getByRole('region', { name: 'Try asking' }).getByRole('button')).toHaveCount(5);
    const pane = page.locator('.chat-main');
    expect(await pane.evaluate((box) => box.scrollHeight - box.clientHeight)).toBe(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    for (const path of ['/chat/new', `/chat/${randomUUID()}`]) {
      await page.goto(path);
      await waitForHydration(page);
      await toast(page, 'Link sent to somebody@example.com.');
      await settled(page);
      const bottom = (await edges(page.locator('.toast'))).bottom;
      expect(bottom).toBeLessThanOrEqual((await edges(page.locator('.chat-composer'))).top);
    }
    // The page of a missing chat returns 404.
    browserErrors.splice(0, browserErrors.length, ...browserErrors.filter((each) => !each.includes('404')));
  });

  test(`${width} px: a long question is collapsed until it is opened, and printed in full @soak`, async ({
    page,
    context,
    server,
  }) => {
    await page.setViewportSize({ width, height });
    const person = await signInAs(context, server);
    const long = Array.from({ length: 90 }, (_, at) => `Line ${at} of the question`).join('\n');
    const { id, messages } = await writeChat(server, person, 4, (at) => (at % 2 === 0 ? long : 'Noted.'));
    await page.goto(`/chat/${id}`);
    await waitForHydration(page);
    const bubble = page.locator('.bubble').last();
    const more = page.locator('.bubble-more').last();
    const lines = () =>
      bubble.evaluate((box) => box.clientHeight / Number.parseFloat(getComputedStyle(box).lineHeight));
    expect(await lines()).toBeLessThan(22);
    await expect(more).toHaveText('Show all');
    await expect(more).toHaveAttribute('aria-expanded', 'false');
    await more.focus();
    const { top, right } = await edges(bubble);
    expect(Math.abs((await edges(more)).right - 8 - right)).toBeLessThan(1);
    await more.press('Enter');
    await expect(more).toHaveAttribute('aria-expanded', 'true');
    expect(await lines()).toBeGreaterThan(89);
    expect(Math.abs((await edges(bubble)).top - top)).toBeLessThan(1);
    await more.press('Enter');
    await expect(more).toHaveText('Show all');
    await expect(more).toBeInViewport();
    await page.emulateMedia({ media: 'print' });
    expect(await lines()).toBeGreaterThan(89);
    await expect(more).toBeHidden();
    await page.emulateMedia({ media: 'screen' });
    await page.goto(`/chat/${id}?at=${messages[2]}`);
    await expect(more).toHaveAttribute('aria-expanded', 'true');
    expect(await lines()).toBeGreaterThan(89);
    await expect(page.locator('.bubble-more').first()).toHaveAttribute('aria-expanded', 'false');
  });
}

const wideTable = `| Country | Capital | Population | Government form |
|---|---|---:|---|
| Germany | Berlin | 84,000,000 | Federal parliamentary republic |
| Liechtenstein | Vaduz | 39,000 | Constitutional monarchy |
`;

test('on a phone a table does not break words, and scrolls by itself @soak', async ({
  page,
  context,
  server,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const person = await signInAs(context, server);
  const { id } = await writeChat(server, person, 2, (at) => (at % 2 === 1 ? wideTable : 'Which?'));
  await page.goto(`/chat/${id}`);
  await waitForHydration(page);
  const table = page.getByRole('group', { name: 'Table: Country, Capital, Population, Government form' });
  const broken = await table.locator('th, td').evaluateAll((cells) =>
    cells.flatMap((cell) => {
      const words = [...(cell.textContent ?? '').matchAll(/\S+/g)];
      return words.flatMap((word) => {
        const range = new Range();
        range.setStart(cell.firstChild as Node, word.index);
        range.setEnd(cell.firstChild as Node, word.index + word[0].length);
        return range.getClientRects().length > 1 ? [word[0]] : [];
      });
    }),
  );
  expect(broken).toEqual([]);
  await table.focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => table.evaluate((box) => box.scrollLeft)).toBeGreaterThan(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
});

test('the conversation fills the window beside fourteen chats, with its intended space @soak', async ({
  page,
  context,
  server,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const person = await signInAs(context, server);
  const { id } = await writeChat(server, person, 2);
  const chats = Array.from({ length: 20 }, (_, at) => ({
    title: `Chat ${at}.`,
    updatedAt: new Date(Date.now() - (at + 1) * 12 * 3_600_000),
  }));
  await seedChats(server, person, chats);
  await page.goto(`/chat/${id}`);
  await waitForHydration(page);
  await expect(page.locator('#site-header')).toBeHidden();
  const list = page.getByRole('navigation', { name: 'Recent chats' });
  await expect(list.getByRole('link', { name: 'Chat 12.' })).toBeInViewport({ ratio: 1 });
  for (const [width, height, least] of [
    [390, 844, 0.9],
    [640, 360, 0.6],
  ] as const) {
    await page.setViewportSize({ width, height });
    const { bottom } = await edges(page.locator('.chat-head'));
    expect((height - bottom) / height).toBeGreaterThan(least);
  }
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('a chat is readable, and a note in place of the composer says that sending needs scripts', async ({
    page,
    context,
    server,
  }) => {
    const person = await signInAs(context, server);
    const { id } = await writeChat(server, person, 2);
    await page.goto(`/chat/${id}`);
    const note = page.locator('.chat-unscripted');
    await expect(note).toHaveText('Turn on JavaScript to send messages. You can read your chats without it.');
    await expect(note).toBeVisible();
    await expect(page.locator('.chat-composer')).toBeHidden();
    await expect(page.getByText('A paragraph of a usual length').last()).toBeVisible();
  });
});
