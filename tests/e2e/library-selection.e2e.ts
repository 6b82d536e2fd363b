import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { violationsOf } from '../support/axe.ts';
import { waitForHydration } from '../support/hydration.ts';
import { expect, signInAs, test } from '../support/journey.ts';
import { seedChat } from '../support/library.ts';
import { seedWork } from '../support/works.ts';
import { unzip } from '../support/zip.ts';

const items = (page: Page) => page.locator('#library-items').getByRole('listitem');
const box = (page: Page, name: string) => page.getByRole('checkbox', { name, exact: true });
const toolbar = (page: Page) => page.getByRole('toolbar', { name: 'Selected items' });
const button = (page: Page, name: string) => toolbar(page).getByRole('button', { name });
const count = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text });

async function select(page: Page, query = ''): Promise<void> {
  await page.goto(`/library${query}`);
  await waitForHydration(page);
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  await expect(page.getByRole('checkbox').first()).toBeFocused();
}

test('many items are selected with Shift or all at once, deleted, and restored by Undo', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server);
  for (const [at, title] of ['One', 'Two', 'Three'].entries())
    await seedChat(server, person, { title, hoursAgo: at + 1 });
  await seedWork(server, person, { title: 'A draft' });
  await select(page);
  expect(await violationsOf(page)).toEqual([]);
  await box(page, 'One').click();
  await box(page, 'Three').click({ modifiers: ['Shift'] });
  await expect(count(page, '3 items selected.')).toHaveCount(1);
  await expect(box(page, 'A draft')).not.toBeChecked();
  await button(page, 'Clear selection').click();
  await button(page, 'Select all').click();
  await expect(count(page, '4 items selected.')).toHaveCount(1);
  await box(page, 'Two').click();
  await button(page, 'Delete').click();
  await expect(items(page)).toHaveCount(1);
  await expect(page.getByText('3 items were deleted.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Select', exact: true })).toBeFocused();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(items(page)).toHaveCount(4);
  await page.reload();
  await expect(items(page)).toHaveCount(4);
});

test('items are selected by keyboard alone; Escape ends it, and a refusal gives the reason @soak', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server);
  const { id } = await seedChat(server, person, { title: 'Gone elsewhere', hoursAgo: 1 });
  await seedWork(server, person, { title: 'A draft' });
  await select(page, '?view=grid');
  await page.keyboard.press('Space');
  await expect(box(page, 'A draft')).toBeChecked();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('checkbox')).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(box(page, 'A draft')).toBeFocused();
  await person.send('DELETE', `/api/chats/${id}`);
  await server.database.query(
    "update chat_sessions set deleted_at = now() - interval '30 days' where id = $1",
    [id],
  );
  await button(page, 'Select all').press('Enter');
  await button(page, 'Delete').press('Enter');
  const refused = page.getByRole('alert').filter({ hasText: '1 item wasn’t deleted' });
  await expect(refused).toContainText('Gone elsewhere: Not found.');
  await expect(items(page)).toHaveCount(1);
  await expect(count(page, '1 item selected.')).toHaveCount(1);
});

test('items are downloaded as one archive @soak', async ({ page, context, server }) => {
  const person = await signInAs(context, server);
  const { id } = await seedChat(server, person, { title: 'Birds', text: 'The sparrow sings.' });
  const { work } = await seedWork(server, person, { title: 'A draft', texts: ['Rise early.'] });
  await select(page);
  await button(page, 'Select all').click();
  const downloading = page.waitForEvent('download');
  await button(page, 'Download').click();
  const file = await downloading;
  expect(file.suggestedFilename()).toBe('Library - 2 items.zip');
  const files = unzip(await readFile(await file.path()));
  const textOf = (part: string) => [...files].find(([name]) => name.includes(part))?.[1].toString();
  expect(textOf(id)).toContain('The sparrow sings.');
  expect(textOf(work)).toContain('Rise early.');
});

test('selected chats are moved to a project, and back by Undo @soak', async ({ page, context, server }) => {
  const person = await signInAs(context, server);
  await seedChat(server, person, { title: 'Birds' });
  await seedChat(server, person, { title: 'Bees', hoursAgo: 1 });
  await seedWork(server, person, { title: 'A draft' });
  const created = await person.send('POST', '/api/projects', { name: 'Garden' });
  const { id } = (await created.json()) as { id: string };
  const inProject = async () => {
    const { chats } = (await (await person.get(`/api/chats?project=${id}`)).json()) as { chats: object[] };
    return chats.length;
  };
  await select(page);
  await expect(button(page, 'Move to project')).toBeDisabled();
  await button(page, 'Select all').click();
  await button(page, 'Move to project').click();
  const dialog = page.getByRole('dialog', { name: 'Move to project' });
  await expect(dialog).toContainText('Only chats can be in a project. 2 chats will be moved.');
  expect(await violationsOf(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Garden' }).click();
  await expect(page.getByText('2 chats were moved to “Garden”.')).toBeVisible();
  expect(await inProject()).toBe(2);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(inProject).toBe(0);
});

test('many items are tagged by keyboard on a phone, restored by Undo, filtered by the tag, which is renamed and deleted @soak', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server);
  await page.setViewportSize({ width: 390, height: 844 });
  await seedChat(server, person, { title: 'Birds', hoursAgo: 1 });
  await seedChat(server, person, { title: 'Bees', hoursAgo: 2 });
  await seedWork(server, person, { title: 'A draft' });
  const tagged = items(page).filter({ hasText: 'Urgent' });
  const dialog = page.getByRole('dialog', { name: 'Edit tags' });
  const choice = dialog.getByRole('checkbox', { name: 'Urgent' });
  const save = dialog.getByRole('button', { name: 'Save' });
  await select(page);
  await button(page, 'Select all').press('Enter');
  await box(page, 'Bees').press('Space');
  await button(page, 'Edit tags').press('Enter');
  await dialog.getByRole('textbox', { name: 'Find or create a tag' }).pressSequentially('Urgent');
  await expect(dialog.getByRole('button', { name: 'Create “Urgent”' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(choice).toBeChecked();
  expect(await violationsOf(page)).toEqual([]);
  await save.press('Enter');
  await expect(page.getByText('Tags updated on 2 items.')).toBeVisible();
  await expect(button(page, 'Edit tags')).toBeFocused();
  await expect(tagged).toHaveCount(2);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(tagged).toHaveCount(0);
  await box(page, 'Birds').press('Space');
  await button(page, 'Edit tags').press('Enter');
  await choice.press('Space');
  await save.press('Enter');
  await expect(tagged).toHaveCount(1);
  await box(page, 'Birds').press('Space');
  await button(page, 'Edit tags').press('Enter');
  expect(await choice.evaluate((input: HTMLInputElement) => input.indeterminate)).toBe(true);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await page.keyboard.press('Escape');

  await page.getByRole('link', { name: 'Tag: Urgent' }).press('Enter');
  await expect(items(page)).toHaveCount(1);
  const filter = page.getByRole('button', { name: 'Tag: Urgent' });
  await filter.press('Enter');
  expect(await violationsOf(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await page.getByRole('button', { name: 'Manage tags' }).press('Enter');
  const manage = page.getByRole('dialog', { name: 'Manage tags' });
  await manage.getByRole('button', { name: 'Rename Urgent' }).press('Enter');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('Later');
  await page.keyboard.press('Enter');
  await expect(manage.getByRole('button', { name: 'Rename Later' })).toBeFocused();
  await expect(items(page).filter({ hasText: 'Later' })).toHaveCount(1);
  await manage.getByRole('button', { name: 'Delete Later' }).press('Enter');
  await expect(manage.getByRole('button', { name: 'Delete tag' })).toBeFocused();
  expect(await violationsOf(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(manage.getByRole('list')).toBeFocused();
  await expect(items(page)).toHaveCount(3);
  expect(new URL(page.url()).search).toBe('');
});
