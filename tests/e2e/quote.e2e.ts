import type { Page } from '@playwright/test';
import { violationsOf } from '../support/axe.ts';
import { raw } from '../support/gateway.ts';
import { composer, expect, sendMessage, signInAs, test } from '../support/journey.ts';
import { layoutFaults } from '../support/layout-faults.ts';

const button = (page: Page) => page.getByRole('button', { name: 'Quote', exact: true });
/** Excludes the raw text that is shown until Markdown is rendered. */
const paragraphs = (page: Page) => page.locator('.chat-reply .md p');

/** Selects from the start of the first element to the end of the last. */
const select = (page: Page, selector: string) =>
  page.evaluate((found) => {
    const all = [...document.querySelectorAll(found)];
    getSelection()?.setBaseAndExtent(all[0]!, 0, all.at(-1)!, all.at(-1)!.childNodes.length);
  }, selector);

async function withReply(page: Page, reply: string): Promise<void> {
  await page.goto('/chat/new');
  await sendMessage(page, `${raw(reply)} [[tps:0]] [[first:0]]`);
  await expect(page.getByRole('button', { name: 'About this reply' })).toBeVisible();
  await expect(paragraphs(page)).toHaveCount(reply.split('\n\n').length);
}

for (const width of [1280, 390])
  test(`a passage of a reply is quoted next to the typed text, at ${width} px`, {
    tag: width === 1280 ? [] : '@soak',
  }, async ({ page, context, server }) => {
    await page.setViewportSize({ width, height: 844 });
    await signInAs(context, server);
    await withReply(page, 'The first one.\n\nThe **second** one.\n\nThe third one.');
    await composer(page).fill('About this');
    await expect(button(page)).toHaveCount(0);
    await select(page, '.chat-reply p:nth-of-type(2)');
    await expect(button(page)).toBeVisible();
    expect(await violationsOf(page)).toEqual([]);
    expect(await layoutFaults(page)).toEqual([]);
    await button(page).click();
    await expect(composer(page)).toHaveValue('About this\n\n> The second one.\n\n');
    await expect(composer(page)).toBeFocused();
    await expect(button(page)).toHaveCount(0);
    await page.reload();
    await expect(composer(page)).toHaveValue('About this\n\n> The second one.\n\n');
  });

test('only a selection within one reply can be quoted, and a dragged one once the mouse is released @soak', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server);
  await withReply(page, 'The only one.');
  await select(page, '.chat-turns article p');
  await expect.poll(() => page.evaluate(() => getSelection()?.toString())).toContain('The only one.');
  await expect(button(page)).toHaveCount(0);
  // Clears the selection; otherwise the mouse would drag it.
  await page.evaluate(() => getSelection()?.removeAllRanges());
  const box = (await paragraphs(page).first().boundingBox())!;
  await page.mouse.move(box.x + 1, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 4 });
  await expect.poll(() => page.evaluate(() => getSelection()?.toString())).not.toBe('');
  await expect(button(page)).toHaveCount(0);
  await page.mouse.up();
  await expect(button(page)).toBeVisible();
  await page.mouse.click(box.x + box.width - 4, box.y + box.height / 2);
  await expect(button(page)).toHaveCount(0);
});

test('by keyboard the menu of a reply quotes all of it @soak', async ({ page, context, server }) => {
  await signInAs(context, server);
  await withReply(page, 'First line.\n\nLast line.');
  await page.getByRole('button', { name: 'About this reply' }).press('Enter');
  await button(page).press('Enter');
  await expect(composer(page)).toBeFocused();
  await expect(composer(page)).toHaveValue(/^> First line\.\n>\n> Last line\.\n\n$/);
});
