import type { Page } from '@playwright/test';
import { violationsOf } from '../support/axe.ts';
import { uniqueWord } from '../support/chat.ts';
import { release } from '../support/gateway.ts';
import { waitForHydration } from '../support/hydration.ts';
import { expect, sendMessage, signInAs, test } from '../support/journey.ts';
import { layoutFaults } from '../support/layout-faults.ts';

const heldPrompt = (word: string) =>
  `${word} [[mode:reasoning]] [[thought:9]] [[holdThought:4]] [[answer:lorem]] [[tokens:3]] [[tps:0]] [[first:0]]`;

const reply = (page: Page) => page.locator('article.chat-reply').last();
const summary = (page: Page) => reply(page).locator('summary').first();
const thought = (page: Page, text: string) => reply(page).getByText(text);

test('thinking is collapsed above the reply, opens by keyboard, survives a reload and is there in another tab', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server);
  const word = uniqueWord();
  await page.goto('/chat/new');
  await waitForHydration(page);
  await sendMessage(page, heldPrompt(word));
  await expect(summary(page)).toHaveText(/^Thinking… ?\d+s$/);
  // Screen readers do not read the running time.
  await expect(summary(page).getByText(/^\d+s$/)).toHaveAttribute('aria-hidden', 'true');
  await expect(thought(page, 'thought4')).toBeHidden();
  expect(await violationsOf(page)).toEqual([]);
  await summary(page).focus();
  await page.keyboard.press('Enter');
  await expect(thought(page, 'thought4')).toBeVisible();
  await expect(summary(page)).toHaveText(/^Thinking… ?[1-9]\d*s$/);
  expect(await violationsOf(page)).toEqual([]);

  await page.waitForURL(/\/chat\/[0-9a-f-]{36}$/);
  const other = await context.newPage();
  for (const each of [other, page]) {
    await each.goto(page.url());
    await waitForHydration(each);
    await expect(summary(each)).toHaveText(/^Thinking… ?\d+s$/);
    await expect(thought(each, 'thought4')).toBeHidden();
    await summary(each).click();
    await expect(thought(each, 'thought4')).toBeVisible();
  }
  await release(server, word);
  for (const each of [other, page]) {
    await expect(reply(each).getByText('w0003')).toBeVisible();
    await expect(summary(each)).toHaveText(/^Thought for \d+ seconds?$/);
    await expect(thought(each, 'thought9')).toBeVisible();
  }
  expect(await violationsOf(page)).toEqual([]);

  await page.reload();
  await waitForHydration(page);
  await expect(summary(page)).toHaveText(/^Thought for \d+ seconds?$/);
  await expect(reply(page).getByText('thought9')).toHaveCount(0);
  await summary(page).click();
  await expect(thought(page, 'thought9')).toBeVisible();
  await summary(page).click();
  await expect(thought(page, 'thought9')).toBeHidden();
});

test('on a phone in the dark theme, Stop mid-thinking keeps it, and a failed load is reported @soak', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await signInAs(context, server);
  await page.goto('/chat/new');
  await waitForHydration(page);
  await sendMessage(page, heldPrompt(uniqueWord()));
  await summary(page).click();
  await expect(thought(page, 'thought4')).toBeVisible();
  await page.getByRole('button', { name: 'Stop generating' }).click();
  await expect(summary(page)).toHaveText(/^Thought for \d+ seconds?$/);
  await expect(thought(page, 'thought4')).toBeVisible();
  await expect(reply(page).getByText('Stopped.')).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  expect(await layoutFaults(page)).toEqual([]);

  await page.reload();
  await waitForHydration(page);
  await context.setOffline(true);
  await summary(page).click();
  await expect(reply(page).getByRole('alert')).toBeVisible();
  await context.setOffline(false);
  await summary(page).click();
  await summary(page).click();
  await expect(thought(page, 'thought4')).toBeVisible();
  // Removes browser errors of requests that failed while offline.
  browserErrors.splice(
    0,
    browserErrors.length,
    ...browserErrors.filter((text) => !text.includes('ERR_INTERNET_DISCONNECTED')),
  );
});

test('in Arabic it reads from right to left @soak', async ({ page, context, server }) => {
  await signInAs(context, server);
  await page.goto('/ar/chat/new');
  await waitForHydration(page);
  await page
    .getByRole('textbox')
    .first()
    .fill(`${uniqueWord()} [[mode:thinktags]] [[tokens:5]] [[tps:0]] [[first:0]]`);
  await page.keyboard.press('Enter');
  await expect(summary(page)).toHaveText(/^فكّر لمدة /);
  await summary(page).click();
  await expect(thought(page, 'thought6')).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  expect(await layoutFaults(page)).toEqual([]);
});

test('a reply without thinking shows none @soak', async ({ page, context, server }) => {
  await signInAs(context, server);
  await page.goto('/chat/new');
  await waitForHydration(page);
  await sendMessage(page, `${uniqueWord()} [[answer:lorem]] [[tokens:3]] [[tps:0]] [[first:0]]`);
  await expect(reply(page).getByText('w0003')).toBeVisible();
  await expect(reply(page).locator('summary')).toHaveCount(0);
});
