import type { Page } from '@playwright/test';
import { violationsOf } from '../support/axe.ts';
import { waitForHydration } from '../support/hydration.ts';
import { composer, expect, sendMessage, signInAs, test } from '../support/journey.ts';
import { layoutFaults } from '../support/layout-faults.ts';
import type { Person } from '../support/people.ts';
import { type PickedFile, pdfFile, pngFile } from '../support/picked-files.ts';

const projects = (page: Page) => page.getByRole('navigation', { name: 'Projects' });
const settings = (page: Page) => page.getByRole('dialog', { name: 'Project settings' });
const files = (page: Page) => page.getByRole('dialog').getByRole('region', { name: /^Files/ });
const chips = (page: Page) => files(page).getByRole('group', { name: 'Attached file' });

const textFile = (name: string, text: string): PickedFile => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(text),
});

async function pick(page: Page, ...picked: PickedFile[]): Promise<void> {
  const button = files(page).getByRole('button', { name: 'Add files' });
  await expect(button).toBeEnabled();
  const chooser = page.waitForEvent('filechooser');
  await button.press('Enter');
  await (await chooser).setFiles(picked);
}

async function open(page: Page): Promise<void> {
  await projects(page).getByRole('button', { name: 'Options for project “Bakery”' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Project settings' }).press('Enter');
  await expect(settings(page)).toBeVisible();
}

async function create(person: Person): Promise<string> {
  const answer = await person.send('POST', '/api/projects', { name: 'Bakery' });
  return ((await answer.json()) as { id: string }).id;
}

test('files are added to a project, used in its chat and removed, by keyboard', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server);
  const id = await create(person);
  await page.goto(`/chat/new?project=${id}`);
  await waitForHydration(page);
  await open(page);
  await pick(
    page,
    textFile('rolls.txt', 'Rolls rise for an hour.'),
    await pdfFile('bread.pdf'),
    await pngFile(),
  );
  await expect(chips(page)).toHaveCount(3);
  await expect(chips(page).getByText('1 page')).toBeVisible();
  await expect(chips(page).filter({ hasText: 'photo.png' }).getByRole('status')).toHaveText(/Attached\./);
  expect(await violationsOf(page)).toEqual([]);
  expect(await layoutFaults(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(settings(page)).toBeHidden();

  await sendMessage(page, 'How long do the rolls rise? [[tps:0]] [[first:0]]');
  await expect(page.locator('.chat-reply')).toContainText('Rolls rise for an hour.');
  await open(page);
  await expect(chips(page)).toHaveCount(3);
  await chips(page).getByRole('button', { name: 'Remove rolls.txt' }).press('Enter');
  await expect(chips(page)).toHaveCount(2);
  await expect(files(page).getByRole('status').getByText('“rolls.txt” was removed.')).toBeVisible();
  const undo = files(page).getByRole('button', { name: 'Undo' });
  await expect(undo).toBeFocused();
  await undo.press('Enter');
  await expect(chips(page)).toHaveCount(3);
  await expect(files(page).getByRole('button', { name: 'Add files' })).toBeFocused();
  await expect(undo).toBeHidden();
  await chips(page).getByRole('button', { name: 'Remove rolls.txt' }).press('Enter');
  await expect(chips(page)).toHaveCount(2);
  await expect(undo).toBeFocused();
  await page.keyboard.press('Escape');
  await page.reload();
  await waitForHydration(page);
  await open(page);
  await expect(chips(page)).toHaveCount(2);
});

test('a new project is created with its files, and a refused file is reported @soak', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/chat/new');
  await waitForHydration(page);
  await page.getByRole('button', { name: 'Chats', exact: true }).click();
  await page.getByRole('button', { name: 'Options for recent chats' }).click();
  await page.getByRole('menuitem', { name: 'New project' }).click();
  const making = page.getByRole('dialog', { name: 'New project' });
  await making.getByLabel('Name').fill('Bakery');
  await pick(page, textFile('rolls.exe', 'no'));
  await expect(page.locator('#toasts')).toContainText('are supported');
  const many = Array.from({ length: 11 }, (_, at) => textFile(`r${at}.txt`, `Roll ${at}.`));
  await pick(page, ...many);
  await expect(page.locator('#toasts')).toContainText('You can add up to 10 files here.');
  await expect(chips(page)).toHaveCount(10);
  await expect(making.getByRole('button', { name: 'Create project' })).toBeEnabled();
  expect(await violationsOf(page)).toEqual([]);
  expect(await layoutFaults(page)).toEqual([]);
  await making.getByRole('button', { name: 'Create project' }).click();
  await expect(making).toBeHidden();
  await page.getByRole('button', { name: 'Chats', exact: true }).click();
  await open(page);
  await expect(chips(page)).toHaveCount(10);
  await expect(composer(page)).toBeAttached();
});

test('a reply names the project files that did not fit @soak', async ({ page, context, server }) => {
  const person = await signInAs(context, server);
  const id = await create(person);
  for (const name of ['first.txt', 'second.txt']) {
    const answer = await person.send('POST', `/api/files?name=${name}`, 'word '.repeat(5_000));
    const { id: file } = (await answer.json()) as { id: string };
    expect((await person.send('PUT', `/api/projects/${id}/files/${file}`)).status).toBe(200);
  }
  await page.goto(`/chat/new?project=${id}`);
  await waitForHydration(page);
  await open(page);
  await expect(chips(page).getByText('Only the first 55% of what was read fits')).toHaveCount(2);
  await page.keyboard.press('Escape');
  await sendMessage(page, 'What do they say? [[tps:0]] [[first:0]]');
  await expect(page.locator('.chat-reply')).toContainText(
    'Not everything fit in this reply: first.txt (only the first 55%) and second.txt (only the first 55%).',
  );
});
