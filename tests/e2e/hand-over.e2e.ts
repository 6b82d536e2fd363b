import type { Page } from '@playwright/test';
import { violationsOf } from '../support/axe.ts';
import { waitForHydration } from '../support/hydration.ts';
import { drawImages, quick } from '../support/images.ts';
import { composer, expect, signInAs, test } from '../support/journey.ts';
import { layoutFaults } from '../support/layout-faults.ts';
import { writeChat } from '../support/long-chat.ts';
import { changeSetting } from '../support/settings.ts';
import { seedWork } from '../support/works.ts';

const item = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const prompt = (page: Page) => page.getByRole('textbox', { name: 'Prompt' });

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await waitForHydration(page);
}

const reply = '# A tide clock\n\nIt is **late** by a day.';

test('a reply becomes a text of the Writer, and is put into forms before the typed text', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server, { credits: 7 });
  const { id } = await writeChat(server, person, 2, (at) => (at === 0 ? 'What is it?' : reply));
  await open(page, '/tools/image');
  await prompt(page).fill('a red fox');
  await open(page, `/chat/${id}`);
  const menu = async () => {
    await page.getByRole('button', { name: 'About this reply' }).click();
    await expect(item(page, 'Edit in AI Writer')).toBeVisible();
  };
  await menu();
  expect(await violationsOf(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await layoutFaults(page)).toEqual([]);
  await item(page, 'Open in Image Generator').click();
  await page.waitForURL('**/tools/image');
  await waitForHydration(page);
  const both = 'A tide clock\n\nIt is late by a day.\n\na red fox';
  await expect(prompt(page)).toHaveValue(both);
  await page.reload();
  await expect(prompt(page)).toHaveValue(both);

  await open(page, `/chat/${id}`);
  // Only the selected text is handed over.
  await page.locator('.chat-reply .md p').selectText();
  await menu();
  await item(page, 'Open in Script Generator').click();
  await page.waitForURL('**/tools/script');
  await waitForHydration(page);
  await expect(page.getByRole('textbox', { name: 'Scene', exact: true })).toHaveValue('It is late by a day.');

  await open(page, `/chat/${id}`);
  await menu();
  await item(page, 'Edit in AI Writer').click();
  await page.waitForURL(/\/tools\/writer\/[0-9a-f-]{36}$/);
  await waitForHydration(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('A tide clock');
  await expect(
    page.getByRole('region', { name: 'Draft', exact: true }).getByText('It is late by a day.'),
  ).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  await expect(page.locator('[data-me="credits"]').first()).toHaveText('7 credits');
});

test('a text that is too long for a form says so and stays in place @soak', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server);
  const long = 'word '.repeat(900);
  const { id } = await writeChat(server, person, 2, () => long);
  await open(page, `/chat/${id}`);
  await page.getByRole('button', { name: 'About this reply' }).click();
  await item(page, 'Open in Image Generator').click();
  await expect(page.locator('#toasts')).toContainText('Image Generator takes up to 4,000 characters');
  expect(page.url()).toContain(id);
});

test('a text and a script go to the chat, and a scene becomes the prompt of an image @soak', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server, { plan: 'pro' });
  const text = await seedWork(server, person, { texts: ['# Harbor\n\nThe sea is gone.'] });
  await open(page, '/chat/new');
  await composer(page).fill('What was typed');
  await open(page, `/tools/writer/${text.work}`);
  await item(page, 'Export').click();
  await item(page, 'Open in chat').click();
  await page.waitForURL('**/chat/new');
  await expect(composer(page)).toHaveValue('# Harbor\n\nThe sea is gone.\n\nWhat was typed');

  const fountain = 'INT. SHOP - NIGHT\n\nA clock stops.\n\nEXT. HARBOR - DAY\n\nThe sea is gone.';
  const script = await seedWork(server, person, { feature: 'script', texts: [fountain] });
  await open(page, `/tools/script/${script.work}`);
  await page.getByRole('button', { name: 'More for scene 2' }).click();
  expect(await violationsOf(page)).toEqual([]);
  await item(page, 'Open in Image Generator').click();
  await page.waitForURL('**/tools/image');
  await expect(prompt(page)).toHaveValue('EXT. HARBOR - DAY\n\nThe sea is gone.');
});

test('an image is attached to a new message, next to the typed text @soak', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server, { plan: 'pro' });
  const job = await drawImages(person, { prompt: `a green bicycle ${quick}` });
  await open(page, '/chat/new');
  await composer(page).fill('What is on it?');
  await open(page, `/tools/image/${job.id}`);
  await page.getByRole('button', { name: /^Open image/ }).click();
  const viewer = page.getByRole('dialog');
  await viewer.getByRole('button', { name: 'Use in…' }).click();
  await expect(viewer.getByRole('button', { name: 'Open in Script Generator' })).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  await viewer.getByRole('button', { name: 'Attach to a chat message' }).click();
  await page.waitForURL('**/chat/new');
  await waitForHydration(page);
  await expect(page.getByText('a-green-bicycle-first-0.png')).toBeVisible();
  await expect(composer(page)).toHaveValue('What is on it?');
  await page.reload();
  await waitForHydration(page);
  await expect(page.getByText('a-green-bicycle-first-0.png')).toBeVisible();
});

test('a tool that is switched off is not offered as a target @soak', async ({ page, context, server }) => {
  const person = await signInAs(context, server);
  const { id } = await writeChat(server, person, 2, () => reply);
  await changeSetting([server], ['set', 'tool.script.on', 'false']);
  try {
    await open(page, `/chat/${id}`);
    await page.getByRole('button', { name: 'About this reply' }).click();
    await expect(item(page, 'Open in Image Generator')).toBeVisible();
    await expect(item(page, 'Open in Script Generator')).toHaveCount(0);
  } finally {
    await changeSetting([server], ['unset', 'tool.script.on']);
  }
});
