import type { Page } from '@playwright/test';
import { violationsOf } from '../support/axe.ts';
import { gatewayLog, uniqueWord } from '../support/chat.ts';
import { waitForHydration } from '../support/hydration.ts';
import { composer, expect, sendMessage, signInAs, test } from '../support/journey.ts';
import { layoutFaults } from '../support/layout-faults.ts';
import { changeSetting } from '../support/settings.ts';

const noDelay = '[[tps:0]] [[first:0]]';
const fast = 'maker/fast | Fast | Everyday questions, quick answers | images';
const deep = 'maker/deep | Deep | Hard problems and long documents | thinks, 5 credits, fallback maker/fast';
const vast = 'maker/vast | Vast | Everything at once | images, thinks, pro';

test.beforeAll(({ server }) => changeSetting([server], ['set', 'models.list', fast, deep, vast]));
test.afterAll(({ server }) => changeSetting([server], ['unset', 'models.list']));

const picker = (page: Page) => page.getByRole('button', { name: /^Model: / });
const expectModel = (page: Page, name: string) => expect(picker(page)).toHaveAccessibleName(`Model: ${name}`);
const menu = (page: Page) => page.getByRole('menu', { name: 'Choose a model' });
const item = (page: Page, name: string) => menu(page).getByRole('menuitemradio', { name });
const send = async (page: Page, word: string) => {
  await sendMessage(page, `${word} ${noDelay}`);
  await expect(page.getByRole('button', { name: 'Regenerate' }).last()).toBeVisible();
};

test('a model is chosen by mouse, and the chat, a reload, other tabs and the next chat keep it', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server, { credits: 50 });
  const word = uniqueWord();
  await page.goto('/chat/new');
  await waitForHydration(page);
  await expectModel(page, 'Fast');
  await expect(page.getByText('1 credit per message · 50 left')).toBeVisible();
  await picker(page).click();
  await expect(item(page, 'Fast')).toHaveAttribute('aria-checked', 'true');
  await expect(item(page, 'Fast')).toBeFocused();
  expect(await violationsOf(page)).toEqual([]);
  await item(page, 'Deep').click();
  await expect(menu(page)).toHaveCount(0);
  await expect(picker(page)).toBeFocused();
  await expectModel(page, 'Deep');
  await expect(page.getByText('5 credits per message · 50 left')).toBeVisible();
  await send(page, word);
  await page.waitForURL(/\/chat\/[0-9a-f-]{36}$/);
  await expect(page.getByText('5 credits per message · 45 left')).toBeVisible();
  expect((await gatewayLog(server, word)).map(({ model }) => model)).toEqual(['maker/deep']);

  const other = await context.newPage();
  await other.goto(page.url());
  await waitForHydration(other);
  await expectModel(other, 'Deep');
  await picker(other).click();
  await item(other, 'Fast').click();
  await expectModel(page, 'Fast');
  await page.reload();
  await expectModel(page, 'Fast');
  await page.goto('/chat/new');
  await waitForHydration(page);
  await expectModel(page, 'Fast');
});

test('a model is chosen by keyboard on a phone, and a Pro model offers Pro @soak', async ({
  page,
  context,
  server,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await signInAs(context, server);
  await page.goto('/chat/new');
  await waitForHydration(page);
  await composer(page).fill('A question that stays');
  await expect(picker(page)).toBeEnabled();
  await picker(page).focus();
  await page.keyboard.press('Enter');
  await expect(item(page, 'Fast')).toBeFocused();
  expect(await violationsOf(page)).toEqual([]);
  expect(await layoutFaults(page)).toEqual([]);
  await page.keyboard.press('ArrowDown');
  await expect(item(page, 'Deep')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(menu(page)).toHaveCount(0);
  await expect(picker(page)).toBeFocused();
  await expectModel(page, 'Fast');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(item(page, 'Vast')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Upgrade to Pro' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expectModel(page, 'Fast');
  await expect(composer(page)).toHaveValue('A question that stays');
  await picker(page).press('Enter');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expectModel(page, 'Deep');
  expect(await violationsOf(page)).toEqual([]);
  expect(await layoutFaults(page)).toEqual([]);
});

test('a model that becomes unavailable is announced, and the typed text stays @soak', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  const person = await signInAs(context, server, { credits: 50 });
  const word = uniqueWord();
  await page.goto('/chat/new');
  await waitForHydration(page);
  await picker(page).click();
  await item(page, 'Deep').click();
  await send(page, word);
  await page.waitForURL(/\/chat\/[0-9a-f-]{36}$/);
  await changeSetting([server], ['set', 'models.list', fast, vast]);
  // The page still has the old list of models.
  const typed = `${word} again ${noDelay}`;
  await composer(page).fill(typed);
  await composer(page).press('Enter');
  await expect(page.getByRole('alert').filter({ hasText: 'no longer offered' })).toBeVisible();
  await expect(composer(page)).toHaveValue(typed);
  expect(await person.credits()).toBe(45);
  await page.reload();
  await waitForHydration(page);
  await expect(page.getByText('maker/deep is no longer offered. Your messages go to Fast.')).toBeVisible();
  await expectModel(page, 'Fast');
  expect(await violationsOf(page)).toEqual([]);
  await send(page, `${word} again`);
  await expect(page.getByText('is no longer offered')).toHaveCount(0);
  expect(await person.credits()).toBe(44);
  await changeSetting([server], ['set', 'models.list', fast, deep, vast]);
  browserErrors.splice(0, browserErrors.length, ...browserErrors.filter((each) => !/409/.test(each)));
});

test('a reply is regenerated by another model, and names it once that model is unavailable @soak', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server, { credits: 50 });
  const word = uniqueWord();
  await page.goto('/chat/new');
  await send(page, `${word} [[away:maker/deep]]`);
  await page.waitForURL(/\/chat\/[0-9a-f-]{36}$/);
  await page.getByRole('button', { name: 'About this reply' }).press('Enter');
  const again = page.getByRole('button', { name: 'Regenerate with Deep' });
  await expect(again).toContainText('5 credits');
  expect(await violationsOf(page)).toEqual([]);
  await again.press('Enter');
  const fallbackNote = page.getByText('Answered by Fast at no extra cost, because Deep wasn’t available.');
  await expect(fallbackNote).toBeVisible();
  expect(await person.credits()).toBe(44);
  await expectModel(page, 'Fast');
  await page.reload();
  await expect(fallbackNote).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Previous version' }).click();
  await expect(page.getByText('Answered by')).toHaveCount(0);
});

test('nothing is shown when there is one model @soak', async ({ page, context, server }) => {
  await changeSetting([server], ['set', 'models.list', fast]);
  await signInAs(context, server);
  await page.goto('/chat/new');
  await waitForHydration(page);
  await expect(picker(page)).toHaveCount(0);
  await changeSetting([server], ['set', 'models.list', fast, deep, vast]);
});
