import type { Page } from '@playwright/test';
import { violationsOf } from '../support/axe.ts';
import { gatewayLog, uniqueWord } from '../support/chat.ts';
import { waitForHydration } from '../support/hydration.ts';
import { expect, sendMessage, signInAs, test } from '../support/journey.ts';
import { layoutFaults, untranslatedWords } from '../support/layout-faults.ts';
import type { Person } from '../support/people.ts';

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });
const choosing = (page: Page) => dialog(page, 'Choose assistant');
const choice = (page: Page, name: string | RegExp) => choosing(page).getByRole('button', { name });
const answeringName = (page: Page, name: string) =>
  page.locator('.composer').getByText(name, { exact: true });

async function create(person: Person, body: object = {}): Promise<string> {
  const answer = await person.send('POST', '/api/assistants', { name: 'Baker', ...body });
  return ((await answer.json()) as { id: string }).id;
}

async function openFromMenu(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Chat options', exact: true }).press('Enter');
  await page.getByRole('button', { name: 'Choose assistant', exact: true }).press('Enter');
  await expect(choosing(page)).toBeVisible();
}

test('an assistant is created by keyboard, answers, and is changed in the running chat, in another tab too', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server, { plan: 'pro' });
  await page.goto('/chat/new');
  await waitForHydration(page);
  await page.getByRole('button', { name: 'My assistants' }).press('Enter');
  await expect(choice(page, /^General/)).toHaveAttribute('aria-current', 'true');
  await expect(choosing(page).getByText('Give an assistant its own instructions')).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  await choosing(page).getByRole('button', { name: 'New assistant' }).press('Enter');
  const making = dialog(page, 'New assistant');
  await making.getByRole('button', { name: 'Create assistant' }).press('Enter');
  await expect(making.getByRole('alert')).toHaveText('Enter a name for the assistant.');
  const [word, secret, replyWord] = [uniqueWord(), uniqueWord(), uniqueWord()];
  await making.getByLabel('Name').fill('Baker');
  await expect(making.getByRole('alert')).toHaveCount(0);
  await making.getByLabel('Short description').fill('Knows dough.');
  await making.getByLabel('Instructions').fill(`Answer as ${word}.`);
  const chooser = page.waitForEvent('filechooser');
  await making.getByRole('button', { name: 'Add files' }).click();
  const buffer = Buffer.from(`Rolls: ${secret}`);
  await (await chooser).setFiles({ name: 'rolls.txt', mimeType: 'text/plain', buffer });
  await expect(making.getByText('Attached.')).toBeAttached();
  expect(await violationsOf(page)).toEqual([]);
  expect(await layoutFaults(page)).toEqual([]);
  await making.getByRole('button', { name: 'Create assistant' }).press('Enter');
  await expect(page.locator('#toasts')).toContainText('Assistant created.');
  await choice(page, /^Baker/).press('Enter');
  await expect(page).toHaveURL(/\/chat\/new\?assistant=[0-9a-f-]{36}$/);
  const chosen = page.getByRole('navigation', { name: 'Assistant' });
  await expect(chosen.locator('[aria-current]')).toHaveText('Baker');
  await expect(chosen.getByText('Knows dough.')).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);

  await sendMessage(page, `${replyWord} [[tps:0]] [[first:0]]`);
  await expect(page.getByRole('button', { name: 'Regenerate' }).last()).toBeVisible();
  await expect(answeringName(page, 'Baker')).toBeVisible();
  const [call] = await gatewayLog(server, replyWord);
  expect(call?.messages[0]?.content).toContain(word);
  expect(JSON.stringify(call?.messages)).toContain(secret);
  await page.getByRole('button', { name: 'About this reply' }).click();
  await expect(page.locator('.turn-facts')).toContainText('AssistantBaker');
  await page.keyboard.press('Escape');

  const other = await context.newPage();
  await other.goto(page.url());
  await waitForHydration(other);
  await expect(answeringName(other, 'Baker')).toBeVisible();
  await page.bringToFront();
  await openFromMenu(page);
  await expect(choice(page, /^Baker/)).toHaveAttribute('aria-current', 'true');
  await choice(page, /^Code/).press('Enter');
  await expect(choosing(page)).toBeHidden();
  await expect(answeringName(page, 'Code assistant')).toBeVisible();
  await other.bringToFront();
  await expect(answeringName(other, 'Code assistant')).toBeVisible();
});

test('a deleted assistant is restored, its chat says that it was deleted, and another one is chosen @soak', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server, { plan: 'pro' });
  const id = await create(person, { instruction: 'Bake.' });
  await page.goto(`/chat/new?assistant=${id}`);
  await waitForHydration(page);
  await sendMessage(page, 'Rolls [[tps:0]] [[first:0]]');
  await expect(page.getByRole('button', { name: 'Regenerate' }).last()).toBeVisible();
  await openFromMenu(page);
  await choosing(page).getByRole('button', { name: 'Edit Baker' }).press('Enter');
  const editing = dialog(page, 'Edit assistant');
  await editing.getByLabel('Name').fill('Chef');
  await editing.getByRole('button', { name: 'Save' }).press('Enter');
  await expect(choice(page, /^Chef/)).toBeVisible();
  await expect(answeringName(page, 'Chef')).toBeVisible();
  await choosing(page).getByRole('button', { name: 'Delete Chef' }).press('Enter');
  await expect(choosing(page).getByRole('button', { name: 'New assistant' })).toBeFocused();
  await expect(choice(page, /^Chef/)).toHaveCount(0);
  const deletedNote = page.getByText('This chat’s assistant was deleted.');
  await expect(deletedNote).toBeAttached();
  await page.keyboard.press('Escape');
  await expect(deletedNote).toBeVisible();
  await expect(answeringName(page, 'Chef')).toHaveCount(0);
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(deletedNote).toHaveCount(0);
  await expect(answeringName(page, 'Chef')).toBeVisible();

  await person.send('DELETE', `/api/assistants/${id}`);
  await page.reload();
  await waitForHydration(page);
  await expect(deletedNote).toBeVisible();
  await page.getByRole('button', { name: 'Choose assistant' }).click();
  await choice(page, /^Business/).press('Enter');
  await expect(deletedNote).toHaveCount(0);
  await expect(answeringName(page, 'Business assistant')).toBeVisible();
});

test.describe('ar, 390 px', () => {
  test.use({ locale: 'ar', viewport: { width: 390, height: 844 } });
  test('the picker and the form fit, with nothing in English @soak', async ({ page, context, server }) => {
    const person = await signInAs(context, server, { plan: 'pro' });
    await create(person, { name: 'Ada', about: 'Ada', instruction: 'Ada' });
    await page.goto('/chat/new');
    await waitForHydration(page);
    await page.getByRole('button', { name: 'المساعدون الخاصون بي' }).click();
    const list = dialog(page, 'اختيار المساعد');
    await expect(list.getByRole('button', { name: /^Ada/ })).toBeVisible();
    expect(await layoutFaults(page)).toEqual([]);
    expect(await violationsOf(page)).toEqual([]);
    expect(await untranslatedWords(page, 'pre')).toEqual([]);
    await list.getByRole('button', { name: 'تعديل Ada' }).click();
    await expect(dialog(page, 'تعديل المساعد').getByText('الملفات', { exact: false }).first()).toBeVisible();
    expect(await layoutFaults(page)).toEqual([]);
    expect(await violationsOf(page)).toEqual([]);
  });
});
