import type { Page } from '@playwright/test';
import { violationsOf } from '../support/axe.ts';
import { raw } from '../support/gateway.ts';
import { waitForHydration } from '../support/hydration.ts';
import { composer, expect, sendMessage, signInAs, test } from '../support/journey.ts';
import { layoutFaults } from '../support/layout-faults.ts';
import { writeChat } from '../support/long-chat.ts';

const list = (page: Page) => page.getByRole('navigation', { name: 'Recent chats' });
const replies = (page: Page) => page.locator('.chat-reply');
const menuOf = (page: Page, at: number) =>
  replies(page).nth(at).getByRole('button', { name: 'About this reply' });
const item = (page: Page) => page.getByRole('button', { name: 'Branch in new chat' });

test('a chat is forked at a reply by keyboard, and continues in a new chat', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server, { plan: 'pro' });
  const { id } = await writeChat(server, person, 4, (at) => `Text ${at}`);
  await page.goto(`/chat/${id}`);
  await waitForHydration(page);
  await menuOf(page, 0).press('Enter');
  await expect(item(page)).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  expect(await layoutFaults(page)).toEqual([]);
  await item(page).press('Enter');
  await expect(list(page).getByRole('link', { name: 'Branch · Chat of 4' })).toHaveAttribute(
    'aria-current',
    'page',
  );
  await expect(page.getByText('Branched into a new chat. The original is unchanged.')).toBeVisible();
  await expect(replies(page)).toHaveCount(1);
  await expect(page).not.toHaveURL(new RegExp(id));
  await expect(composer(page)).toBeFocused();
  await sendMessage(page, `${raw('It goes on.')} [[tps:0]] [[first:0]]`);
  await expect(replies(page)).toHaveCount(2);
  await expect(replies(page).last()).toContainText('It goes on.');
  await page.reload();
  await expect(replies(page)).toHaveCount(2);
  expect(await violationsOf(page)).toEqual([]);
  await list(page).getByRole('link', { name: 'Chat of 4', exact: true }).click();
  await expect(replies(page)).toHaveCount(2);
  await expect(replies(page).last()).toContainText('Text 3');
});

test('a chat that cannot be forked is reported, and stays @soak', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  await signInAs(context, server);
  await page.goto('/chat/new?temporary=1');
  await sendMessage(page, `${raw('Not kept.')} [[tps:0]] [[first:0]]`);
  await menuOf(page, 0).press('Enter');
  await item(page).press('Enter');
  await expect(page.getByText('Temporary chats can’t be branched, because they aren’t saved.')).toBeVisible();
  await expect(replies(page)).toHaveCount(1);
  expect(browserErrors.splice(0).every((error) => error.includes('409'))).toBe(true);
});
