import type { Page } from '@playwright/test';
import { violationsOf } from '../support/axe.ts';
import { seedChats } from '../support/chat-list.ts';
import { waitForHydration } from '../support/hydration.ts';
import { composer, expect, sendMessage, signInAs, test } from '../support/journey.ts';
import { writeChat } from '../support/long-chat.ts';
import { eventually, type TestServer } from '../support/server.ts';

const list = (page: Page) => page.getByRole('navigation', { name: 'Recent chats' });
const link = (page: Page, title: string) => list(page).getByRole('link', { name: title });
const links = (page: Page) => list(page).getByRole('link');
const pinned = (page: Page) => list(page).getByRole('list', { name: 'Pinned' });
const options = (page: Page, title: string) =>
  list(page).getByRole('button', { name: `Options for “${title}”` });
const item = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true });
const opener = (page: Page) => page.locator('.chat-head button[popovertarget]');
const archive = (page: Page) => page.getByRole('dialog', { name: 'Archived chats' });
const hours = (count: number) => new Date(Date.now() - count * 3_600_000);

const three = [
  { title: 'First', updatedAt: hours(1) },
  { title: 'Second', updatedAt: hours(2) },
  { title: 'Third', updatedAt: hours(3) },
];

/** Opens a row's menu and selects an item by keyboard. */
async function choose(page: Page, title: string, name: string): Promise<void> {
  await options(page, title).focus();
  await page.keyboard.press('Enter');
  await expect(item(page, 'Rename')).toBeFocused();
  await item(page, name).focus();
  await page.keyboard.press('Enter');
}

const selection = (page: Page) => page.getByRole('navigation', { name: 'Select chats' });
const box = (page: Page, title: string) => selection(page).getByRole('checkbox', { name: title });
const tool = (page: Page, name: string) => selection(page).getByRole('button', { name, exact: true });

const archivedAt = async (server: TestServer, id: string) =>
  (
    await server.database.query<{ archived_at: Date | null }>(
      'select archived_at from chat_sessions where id = $1',
      [id],
    )
  ).rows[0]?.archived_at;

test('a chat is pinned, archived and restored by keyboard, and another tab follows', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server);
  const [, , third = ''] = await seedChats(server, person, three);
  await page.goto('/chat/new');
  await waitForHydration(page);
  const other = await context.newPage();
  await other.goto('/chat/new');
  await waitForHydration(other);
  await page.bringToFront();

  await choose(page, 'Third', 'Pin');
  await expect(pinned(page).getByRole('link')).toHaveText(['Third']);
  await expect(link(page, 'Third')).toBeFocused();
  await expect(links(page)).toHaveText(['Third', 'First', 'Second']);
  await expect(pinned(other).getByRole('link')).toHaveText(['Third']);
  expect(await violationsOf(page)).toEqual([]);

  await choose(page, 'First', 'Archive');
  await expect(links(page)).toHaveText(['Third', 'Second']);
  await expect(link(page, 'Second')).toBeFocused();
  await expect(links(other)).toHaveText(['Third', 'Second']);
  await page.keyboard.press('F6');
  await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(links(page)).toHaveText(['Third', 'First', 'Second']);

  await choose(page, 'Third', 'Archive');
  // Wait for the first: concurrent requests may finish in any order, and the archive is sorted by time.
  await expect.poll(() => archivedAt(server, third)).toBeTruthy();
  await choose(page, 'First', 'Archive');
  await expect(links(page)).toHaveText(['Second']);
  await list(page).getByRole('button', { name: 'Options for recent chats' }).press('Enter');
  await expect(item(page, 'Select chats')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(item(page, 'Archived chats')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(archive(page).getByRole('link')).toHaveText([/^First/, /^Third/]);
  expect(await violationsOf(page)).toEqual([]);
  await archive(page).getByRole('button', { name: 'Unarchive “Third”' }).press('Enter');
  await expect(archive(page).getByRole('button', { name: 'Unarchive “First”' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(archive(page).getByText('Chats you archive will appear here.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(links(page)).toHaveText(['Third', 'First', 'Second']);
  await expect(pinned(page).getByRole('link')).toHaveText(['Third']);
  await expect(links(other)).toHaveText(['Third', 'First', 'Second']);

  await choose(page, 'Third', 'Unpin');
  await expect(pinned(page)).toBeHidden();
  await expect(link(page, 'Third')).toBeFocused();
  await expect(pinned(other)).toBeHidden();
});

test('an archived chat that is open in another tab says so, is found by search, and returns with a message @soak', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server);
  const { id } = await writeChat(server, person, 2, (at) => `needle${at}`);
  await page.goto(`/chat/${id}`);
  await waitForHydration(page);
  const other = await context.newPage();
  await other.goto(`/chat/${id}`);
  await waitForHydration(other);
  await page.bringToFront();
  await page.getByRole('button', { name: 'Chat options', exact: true }).click();
  await page.getByRole('button', { name: 'Archive', exact: true }).click();
  await expect(page).toHaveURL(/\/chat\/new$/);
  await expect(links(page)).toHaveCount(0);
  const archivedNotice = 'This chat is archived. Sending a message moves it back to your chats.';
  await expect(other.getByText(archivedNotice)).toBeVisible();
  await expect(other.getByText('This chat was deleted in another tab')).toBeHidden();

  await page.keyboard.press('ControlOrMeta+K');
  await page.getByRole('combobox', { name: 'Search everything' }).fill('needle1');
  const hit = page.getByRole('option').first();
  await expect(hit).toContainText('Archived');
  await page.keyboard.press('Enter');
  await expect(page.getByText(archivedNotice)).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Unarchive', exact: true }).click();
  await expect(page.getByText(archivedNotice)).toBeHidden();
  await expect(links(page)).toHaveCount(1);
  await expect(other.getByText(archivedNotice)).toBeHidden();

  await page.getByRole('button', { name: 'Chat options', exact: true }).click();
  await page.getByRole('button', { name: 'Archive', exact: true }).click();
  await expect(page).toHaveURL(/\/chat\/new$/);
  await eventually(async () => (await archivedAt(server, id)) !== null);
  await page.goto(`/chat/${id}`);
  await sendMessage(page, 'Back again [[tps:0]]');
  await expect(page.getByText(archivedNotice)).toBeHidden();
  await expect(links(page)).toHaveCount(1);
  await eventually(async () => (await archivedAt(server, id)) === null);
  await expect(composer(page)).toBeFocused();
});

test('several chats are selected by keyboard, archived, exported and deleted, and one Undo restores all @soak', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server);
  await seedChats(server, person, [...three, { title: 'Fourth', updatedAt: hours(4) }]);
  await page.goto('/chat/new');
  await waitForHydration(page);
  const startSelection = async () => {
    await list(page).getByRole('button', { name: 'Options for recent chats' }).press('Enter');
    await expect(item(page, 'Select chats')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(selection(page).getByRole('status')).toHaveText('0 chats selected.');
  };
  await startSelection();
  await expect(tool(page, 'Select all')).toBeFocused();
  await expect(tool(page, 'Delete')).toBeDisabled();
  await box(page, 'First').press('Space');
  await expect(selection(page).getByRole('status')).toHaveText('1 chat selected.');
  await box(page, 'Third').click({ modifiers: ['Shift'] });
  await expect(selection(page).getByRole('status')).toHaveText('3 chats selected.');
  await expect(box(page, 'Second')).toBeChecked();
  await expect(box(page, 'Fourth')).not.toBeChecked();
  expect(await violationsOf(page)).toEqual([]);
  const saved = page.waitForEvent('download');
  await tool(page, 'Export as Markdown').press('Enter');
  expect((await saved).suggestedFilename()).toBe('3 chats.zip');

  await tool(page, 'Delete').press('Enter');
  await expect(links(page)).toHaveText(['Fourth']);
  await expect(list(page).getByRole('button', { name: 'Options for recent chats' })).toBeFocused();
  await page.keyboard.press('F6');
  await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(links(page)).toHaveText(['First', 'Second', 'Third', 'Fourth']);

  await startSelection();
  await page.keyboard.press('Enter');
  await expect(selection(page).getByRole('status')).toHaveText('4 chats selected.');
  await box(page, 'Second').press('Space');
  await tool(page, 'Archive').press('Enter');
  await expect(links(page)).toHaveText(['Second']);
  await expect(page.locator('#toasts')).toContainText('3 chats were archived.');
  await startSelection();
  await page.keyboard.press('Escape');
  await expect(selection(page)).toBeHidden();
  await expect(links(page)).toHaveText(['Second']);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('chats are pinned and archived in the drawer, and the archive fits @soak', async ({
    page,
    context,
    server,
  }) => {
    const person = await signInAs(context, server);
    await seedChats(server, person, three);
    await page.goto('/chat/new');
    await waitForHydration(page);
    await opener(page).tap();
    await options(page, 'Second').tap();
    await item(page, 'Pin').tap();
    await expect(links(page)).toHaveText(['Second', 'First', 'Third']);
    await options(page, 'First').tap();
    await item(page, 'Archive').tap();
    await expect(links(page)).toHaveText(['Second', 'Third']);
    await list(page).getByRole('button', { name: 'Options for recent chats' }).tap();
    await item(page, 'Archived chats').tap();
    await expect(archive(page).getByRole('link', { name: 'First' })).toBeVisible();
    expect(await violationsOf(page)).toEqual([]);
    await archive(page).getByRole('link', { name: 'First' }).tap();
    await expect(page).toHaveURL(/\/chat\/[0-9a-f-]{36}$/);
    await expect(archive(page)).toBeHidden();
  });

  test('chats are selected in the drawer @soak', async ({ page, context, server }) => {
    const person = await signInAs(context, server);
    await seedChats(server, person, three);
    await page.goto('/chat/new');
    await waitForHydration(page);
    await opener(page).tap();
    await list(page).getByRole('button', { name: 'Options for recent chats' }).tap();
    await item(page, 'Select chats').tap();
    await box(page, 'First').tap();
    await box(page, 'Third').tap();
    expect(await violationsOf(page)).toEqual([]);
    await tool(page, 'Delete').tap();
    await expect(links(page)).toHaveText(['Second']);
  });
});
