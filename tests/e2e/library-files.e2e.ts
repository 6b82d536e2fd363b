import type { Page } from '@playwright/test';
import { violationsOf } from '../support/axe.ts';
import { upload } from '../support/files.ts';
import { waitForHydration } from '../support/hydration.ts';
import { expect, signInAs, test } from '../support/journey.ts';
import { seedChat } from '../support/library.ts';
import type { Person } from '../support/people.ts';
import type { TestServer } from '../support/server.ts';

const chips = (page: Page) => page.getByRole('group', { name: 'Attached file' });

/** Inserts a chat whose message has a new file. */
async function send(server: TestServer, person: Person, name: string): Promise<string> {
  const { body } = await upload(server, person, `The words of ${name}.`, { name });
  const { message } = await seedChat(server, person, { title: `About ${name}` });
  await server.database.query('update chat_messages set attachment_id = $2 where id = $1', [
    message,
    body.id,
  ]);
  return body.id;
}

for (const width of [1280, 390])
  test(`files of earlier chats are attached again by keyboard, ${width}`, {
    tag: width === 390 ? [] : '@soak',
  }, async ({ page, context, server }) => {
    await page.setViewportSize({ width, height: 844 });
    const person = await signInAs(context, server, { plan: 'pro' });
    for (const name of ['plan.txt', 'kestrel.md', 'wombat.csv']) await send(server, person, name);
    await page.goto('/chat/new');
    await waitForHydration(page);
    await page.getByRole('button', { name: 'Attach files' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menuitem', { name: 'Upload from this device' })).toBeFocused();
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Choose from your library' });
    const boxes = dialog.getByRole('checkbox');
    await expect(boxes).toHaveCount(3);
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('searchbox').fill('kest');
    await expect(boxes).toHaveCount(1);
    await boxes.first().press('Space');
    await dialog.getByRole('searchbox').fill('');
    await expect(boxes).toHaveCount(3);
    await dialog.getByRole('checkbox', { name: /plan\.txt/ }).press('Space');
    await dialog.getByRole('button', { name: 'Attach 2 files' }).press('Enter');
    await expect(dialog).toHaveCount(0);
    await expect(chips(page)).toHaveCount(2);
    await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused();
    await page.keyboard.type('What do they say?');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/chat\/[0-9a-f-]{36}/);
    const { rows } = await server.database.query<{ count: number }>(
      'select count(*)::int as count from attachments where user_id = $1',
      [person.id],
    );
    expect(rows[0]?.count).toBe(3);
  });

test('a file opens from the library, and leads to its chat @soak', async ({ page, context, server }) => {
  const person = await signInAs(context, server);
  await send(server, person, 'plan.txt');
  await page.goto('/library?kind=file');
  await waitForHydration(page);
  const row = page.locator('#library-items').getByRole('listitem');
  await expect(row).toContainText('File');
  expect(await violationsOf(page)).toEqual([]);
  const download = page.waitForEvent('download');
  await row.getByRole('link', { name: /^plan\.txt/ }).click();
  expect((await download).suggestedFilename()).toBe('plan.txt');
  await row.getByRole('link', { name: 'In “About plan.txt”' }).click();
  await expect(page).toHaveURL(/\/chat\/[0-9a-f-]{36}\?at=/);
});

test('an empty list says how files get there @soak', async ({ page, context, server }) => {
  await signInAs(context, server);
  await page.goto('/chat/new');
  await waitForHydration(page);
  await page.getByRole('button', { name: 'Attach files' }).click();
  await page.getByRole('menuitem', { name: 'Choose from your library' }).click();
  const dialog = page.getByRole('dialog', { name: 'Choose from your library' });
  await expect(dialog).toContainText('Files you send in a chat appear here.');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Attach files' })).toBeFocused();
});
