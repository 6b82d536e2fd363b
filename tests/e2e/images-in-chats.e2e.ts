import type { Page } from '@playwright/test';
import { violationsOf } from '../support/axe.ts';
import { uniqueWord } from '../support/chat.ts';
import { release } from '../support/gateway.ts';
import { waitForHydration } from '../support/hydration.ts';
import { requests } from '../support/images.ts';
import { composer, expect, signInAs, test } from '../support/journey.ts';
import { layoutFaults } from '../support/layout-faults.ts';
import { eventually } from '../support/server.ts';
import { changeSetting } from '../support/settings.ts';

const noDelay = '[[first:0]]';
const picture = (page: Page) => page.locator('.chat-reply img');
const option = (page: Page) => page.getByRole('option', { name: /^Create an image/ });
const send = (page: Page) => page.getByRole('button', { name: 'Send message' });

async function loaded(page: Page) {
  await expect(picture(page)).toHaveJSProperty('complete', true);
  expect(await picture(page).evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
}

test('/draw requests an image in the chat and shows its price; the image survives a reload and is in the gallery', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server, { credits: 20 });
  const word = uniqueWord();
  await page.goto('/chat/new');
  await waitForHydration(page);
  await composer(page).fill(`/draw ${word} a red fox`);
  await expect(option(page)).toContainText('5 credits');
  await expect(page.getByText('Press Enter to create an image, Esc to close.')).toBeVisible();
  await composer(page).press('Enter');
  await expect(composer(page)).toHaveValue(`${word} a red fox`);
  await expect(page.getByRole('status').filter({ hasText: 'Create an image · 5 credits' })).toBeVisible();
  await expect(page.getByText('5 credits per message · 20 left')).toBeVisible();
  await page.getByRole('combobox', { name: 'Size' }).selectOption('768x512');
  expect(await violationsOf(page)).toEqual([]);
  await composer(page).fill(`${word} a red fox [[mode:hold]] ${noDelay}`);
  await composer(page).press('Enter');
  await expect(page.locator('.chat-reply').getByText('Generating')).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Size' })).toHaveCount(0);
  await eventually(async () => (await requests(server, 'images', word)).length === 1);
  await page.waitForURL(/\/chat\/[0-9a-f-]{36}$/);
  await page.reload();
  await waitForHydration(page);
  await expect(page.locator('.chat-reply').getByText('Generating')).toBeVisible();
  await release(server, word);
  await loaded(page);
  await expect(picture(page)).toHaveAttribute('alt', new RegExp(`${word} a red fox`));
  await expect(page.locator('[data-announcer]')).toContainText('Your image is ready.');
  await expect(page.getByText('· 15 left')).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  await page.reload();
  await waitForHydration(page);
  await loaded(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download image' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/\.png$/);

  // The image can be attached to the next message.
  await page.getByRole('button', { name: 'Attach to your message' }).click();
  await expect(page.locator('.chat-composer').getByRole('button', { name: /^Remove / })).toHaveCount(1);

  await page.getByRole('link', { name: 'Open in Image Generator' }).click();
  await page.waitForURL(/\/tools\/image\/[0-9a-f-]{36}$/);
  await waitForHydration(page);
  const deleted = page.waitForResponse((answer) => answer.request().method() === 'DELETE');
  await page.getByRole('button', { name: 'Delete the image' }).click();
  expect((await deleted).ok()).toBe(true);
  await page.goBack();
  await expect(page.getByText('This image was deleted.')).toBeVisible();
});

test('a message that begins with "draw" is a message, for which an image is offered too @soak', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server, { credits: 20 });
  await page.goto('/chat/new');
  await waitForHydration(page);
  await composer(page).pressSequentially('draw a conclusion');
  const instead = page.getByRole('button', { name: 'Create an image instead · 5 credits' });
  await expect(instead).toBeVisible();
  await instead.press('Enter');
  await expect(composer(page)).toBeFocused();
  await expect(page.getByText('5 credits per message')).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('1 credit per message')).toBeVisible();
  await composer(page).fill('draw a conclusion [[tps:0]] [[first:0]]');
  await composer(page).press('Enter');
  await expect(page.locator('.chat-reply')).not.toHaveAttribute('data-live', '');
  await expect(picture(page)).toHaveCount(0);
  await expect(page.getByText('· 19 left')).toBeVisible();
});

test('a refused request stays in the composer; a stopped one is repeated at its price @soak', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  await signInAs(context, server, { credits: 20 });
  await page.goto('/chat/new');
  await waitForHydration(page);
  const draw = async (words: string) => {
    await composer(page).fill('/draw');
    await expect(option(page)).toBeVisible();
    await composer(page).press('Enter');
    await expect(page.getByRole('combobox', { name: 'Size' })).toBeVisible();
    await composer(page).fill(words);
    await composer(page).press('Enter');
  };
  await draw('a nude in oil');
  await expect(page.getByRole('alert')).toContainText('don’t allow in images');
  await expect(composer(page)).toHaveValue('a nude in oil');
  await expect(page.getByRole('combobox', { name: 'Size' })).toBeVisible();
  const word = uniqueWord();
  await composer(page).fill(`${word} [[mode:hold]] ${noDelay}`);
  await send(page).click();
  await eventually(async () => (await requests(server, 'images', word)).length === 1);
  await page.getByRole('button', { name: 'Stop generating' }).click();
  await expect(page.getByText('Stopped', { exact: false }).first()).toBeVisible();
  await expect(page.getByText('· 20 left')).toBeVisible();
  await page.getByRole('button', { name: 'Regenerate · 5 credits' }).click();
  await expect(page.locator('.chat-reply').getByText('Generating')).toBeVisible();
  await release(server, word);
  await loaded(page);
  await expect(page.getByText('· 15 left')).toBeVisible();
  // An edit of the question requests an image again.
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await expect(page.getByRole('combobox', { name: 'Size' })).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).last().click();
  // The browser logs the refused request.
  expect(browserErrors.splice(0)).toEqual([expect.stringContaining('400 (Bad Request)')]);
});

for (const locale of ['en', 'ar'])
  test.describe(`on a phone, ${locale}`, () => {
    test.use({ locale });
    test('it fits and reads well @soak', async ({ page, context, server }) => {
      await page.setViewportSize({ width: 390, height: 844 });
      await signInAs(context, server, { credits: 20 });
      await page.goto('/chat/new');
      await waitForHydration(page);
      const box = page.locator('.composer-input');
      await box.fill('/draw');
      await page.locator('.finder [role=option]').first().click();
      await expect(page.getByRole('combobox')).toBeVisible();
      await box.fill(`a red fox ${noDelay}`);
      expect(await layoutFaults(page)).toEqual([]);
      await page.locator('.composer-send').click();
      await loaded(page);
      expect(await layoutFaults(page)).toEqual([]);
      expect(await violationsOf(page)).toEqual([]);
    });
  });

test('when the operator switches it off it is not offered anywhere @soak', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server, { credits: 20 });
  await changeSetting([server], ['set', 'tool.image.on', 'false']);
  await page.goto('/chat/new');
  await waitForHydration(page);
  await composer(page).pressSequentially('/draw');
  await expect(page.getByText(/prompts? found|# prompt|No prompts found|prompts?\. Press/)).toBeVisible();
  await expect(option(page)).toHaveCount(0);
  await composer(page).fill('draw a fox');
  await expect(page.getByRole('button', { name: /Create an image/ })).toHaveCount(0);
  await changeSetting([server], ['unset', 'tool.image.on']);
});
