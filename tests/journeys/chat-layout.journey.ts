import type { Locator, Page } from '@playwright/test';
import { alive } from '../support/alive.ts';
import { violationsOf } from '../support/axe.ts';
import { seedChats } from '../support/chat-list.ts';
import { composer, expect, signInAs, test } from '../support/journey.ts';
import { writeChat } from '../support/long-chat.ts';
import { scrolled, transcript } from '../support/transcript.ts';

/** Where something stands in the window. */
async function edges(of: Locator) {
  const box = await of.boundingBox();
  if (!box) throw new Error('It is not there.');
  return { left: box.x, top: box.y, right: box.x + box.width, bottom: box.y + box.height };
}

const toast = (page: Page, text: string) =>
  page.evaluate(
    (said) =>
      document.dispatchEvent(
        new CustomEvent('toast', {
          detail: { text: said, stays: true, action: { label: 'Undo', run: () => undefined } },
        }),
      ),
    text,
  );

for (const [width, height] of [
  [1280, 800],
  [390, 844],
] as const) {
  test(`${width} px: a toast covers neither the title nor the end of the text, the composer or a notice`, async ({
    page,
    context,
    server,
  }) => {
    await page.setViewportSize({ width, height });
    const person = await signInAs(context, server);
    const { id } = await writeChat(server, person, 6);
    await page.goto(`/chat/${id}`);
    await alive(page);
    await transcript(page).evaluate((box) => box.scrollTo(0, box.scrollHeight));
    const before = await scrolled(page);
    await toast(page, '“A title of about forty letters, which i…” was deleted.');
    await page
      .locator('.toast')
      .evaluate((box) => Promise.all(box.getAnimations().map((one) => one.finished)));
    const box = await edges(page.locator('.toast'));
    const pane = await edges(page.locator('.chat-pane'));
    expect(box.top).toBeGreaterThan((await edges(page.locator('.chat-head'))).bottom + 100);
    expect(box.top).toBeGreaterThanOrEqual((await edges(page.locator('.md').last())).bottom);
    expect(box.bottom).toBeLessThanOrEqual((await edges(page.locator('.chat-composer'))).top);
    expect(box.left).toBeGreaterThanOrEqual(pane.left);
    expect(box.right).toBeLessThanOrEqual(pane.right);
    expect(await scrolled(page)).toEqual(before);
    if (width === 1280) expect(box.left).toBeGreaterThan((await edges(page.locator('.chat-jump'))).right);
    await page.keyboard.press('F6');
    await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused();
    // What grows below it lifts it.
    await composer(page).fill('one\ntwo\nthree\nfour');
    await expect
      .poll(async () => (await edges(page.locator('.toast'))).bottom)
      .toBeLessThanOrEqual((await edges(page.locator('.chat-composer'))).top);
    expect((await edges(page.locator('.toast'))).bottom).toBeLessThan(box.bottom - 20);
  });

  test(`${width} px: in an empty chat no tool's name wraps`, async ({ page, context, server }) => {
    await page.setViewportSize({ width, height });
    await signInAs(context, server);
    await page.goto('/chat/new');
    const names = page.locator('.start-tool-name');
    await expect(names).toHaveCount(4);
    for (const name of await names.all()) {
      const { lines, cut } = await name.evaluate((box) => ({
        lines: box.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(box).lineHeight),
        cut: box.scrollWidth > box.clientWidth + 1,
      }));
      expect(Math.round(lines)).toBe(1);
      expect(cut).toBe(false);
    }
    const pane = await edges(page.locator('.chat-pane'));
    if (width === 1280)
      expect((await edges(page.locator('.start-foot'))).bottom).toBeLessThanOrEqual(pane.bottom);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  });

  test(`${width} px: a long question is folded until it is wanted, and whole in print`, async ({
    page,
    context,
    server,
  }) => {
    await page.setViewportSize({ width, height });
    const person = await signInAs(context, server);
    const long = Array.from({ length: 90 }, (_, at) => `Line ${at} of the question`).join('\n');
    const { id, messages } = await writeChat(server, person, 4, (at) => (at % 2 === 0 ? long : 'Noted.'));
    await page.goto(`/chat/${id}`);
    await alive(page);
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
    expect(await violationsOf(page)).toEqual([]);
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

test('on a phone a table keeps its words whole and scrolls by itself', async ({ page, context, server }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const person = await signInAs(context, server);
  const { id } = await writeChat(server, person, 2, (at) => (at % 2 === 1 ? wideTable : 'Which?'));
  await page.goto(`/chat/${id}`);
  await alive(page);
  const table = page.getByRole('region', { name: 'Table: Country, Capital, Population, Government form' });
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

test('in a low drawer the chats come at once, and the tools unfold', async ({ page, context, server }) => {
  await page.setViewportSize({ width: 320, height: 568 });
  const person = await signInAs(context, server);
  const chats = Array.from({ length: 8 }, (_, at) => ({
    title: `Chat ${at}`,
    updatedAt: new Date(Date.now() - at * 60_000),
  }));
  await seedChats(server, person, chats);
  await page.goto('/chat/new');
  await alive(page);
  await page.getByRole('button', { name: 'Chats', exact: true }).click();
  const list = page.getByRole('navigation', { name: 'Recent chats' });
  for (const at of [0, 1, 2])
    await expect(list.getByRole('link', { name: `Chat ${at}` })).toBeInViewport({ ratio: 1 });
  const tools = page.getByRole('navigation', { name: 'AI tools' });
  await expect(tools.getByRole('link').first()).toBeHidden();
  await tools.getByRole('heading', { name: 'AI Tools' }).click();
  await expect(tools.getByRole('link').first()).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(tools.locator('summary')).toHaveCount(0);
  await expect(tools.getByRole('link').first()).toBeVisible();
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('a chat is read, and in place of the composer it says that sending needs them', async ({
    page,
    context,
    server,
  }) => {
    const person = await signInAs(context, server);
    const { id } = await writeChat(server, person, 2);
    await page.goto(`/chat/${id}`);
    const note = page.locator('.chat-unscripted');
    await expect(note).toHaveText('Sending needs JavaScript; reading works without it.');
    await expect(note).toBeVisible();
    await expect(page.locator('.chat-composer')).toBeHidden();
    await expect(page.getByText('A paragraph of a usual length').last()).toBeVisible();
  });
});
