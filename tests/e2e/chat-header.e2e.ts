import type { Page } from '@playwright/test';
import { openChat, send, uniqueWord, waitForEnd } from '../support/chat.ts';
import { waitForHydration } from '../support/hydration.ts';
import { composer, expect, sendMessage, signInAs, test } from '../support/journey.ts';
import type { Person } from '../support/people.ts';
import { transcript } from '../support/transcript.ts';

const head = (page: Page) => page.locator('.chat-head');
const button = (page: Page, name: string) => head(page).getByRole('button', { name, exact: true });
const field = (page: Page) => page.getByRole('textbox', { name: 'Chat title' });

/** Makes a chat with one finished exchange and opens it; returns its id. */
async function openNew(page: Page, person: Person, text = `${uniqueWord()} [[tps:0]]`): Promise<string> {
  const { chatId, body } = await send(person, text);
  await waitForEnd(person, body.generation.id);
  await page.goto(`/chat/${chatId}`);
  await waitForHydration(page);
  return chatId;
}

test('the title is renamed in place: Enter and leaving save, Escape and a blank title do not; the focus returns @soak', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server);
  const id = await openNew(page, person);
  await button(page, 'Rename').press('Enter');
  await expect(field(page)).toBeFocused();
  await page.keyboard.type('  Tides and the moon  ');
  await page.keyboard.press('Enter');
  await expect(head(page).getByRole('heading', { level: 1 })).toHaveText('Tides and the moon');
  await expect(button(page, 'Rename')).toBeFocused();
  await expect(page.getByRole('navigation', { name: /recent chats/i })).toContainText('Tides and the moon');
  await expect.poll(async () => (await openChat(person, id)).title).toBe('Tides and the moon');

  await page.keyboard.press('Enter');
  await page.keyboard.type('Never mind');
  await page.keyboard.press('Escape');
  await expect(head(page).getByRole('heading', { level: 1 })).toHaveText('Tides and the moon');
  await expect(button(page, 'Rename')).toBeFocused();

  await page.keyboard.press('Enter');
  await page.keyboard.type('   ');
  await page.keyboard.press('Enter');
  await expect(field(page)).toBeHidden();

  await button(page, 'Rename').click();
  await field(page).fill('Tides');
  await composer(page).click();
  await expect(composer(page)).toBeFocused();
  await page.goto('/');
  await expect.poll(async () => (await openChat(person, id)).title).toBe('Tides');
});

test('an input method may use Enter and Escape in the title @soak', async ({ page, context, server }) => {
  await openNew(page, await signInAs(context, server));
  await button(page, 'Rename').click();
  await field(page).fill('かい');
  await field(page).evaluate((box) => {
    for (const key of ['Enter', 'Escape'])
      box.dispatchEvent(new KeyboardEvent('keydown', { key, isComposing: true, bubbles: true }));
  });
  await expect(field(page)).toHaveValue('かい');
  await expect(field(page)).toBeFocused();
});

test('a title that the server refuses is restored, and the page says so @soak', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  await openNew(page, await signInAs(context, server));
  const before = await head(page).getByRole('heading', { level: 1 }).textContent();
  await page.route('**/api/chats/*', (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.continue(),
  );
  await button(page, 'Rename').click();
  await field(page).fill('Not to be');
  await field(page).press('Enter');
  await expect(page.locator('.chat-notice')).toBeVisible();
  await expect(head(page).getByRole('heading', { level: 1 })).toHaveText(before ?? '');
  browserErrors.splice(0, browserErrors.length, ...browserErrors.filter((text) => !/ERR_FAILED/.test(text)));
});

test('Stop is shown while a reply runs, then Regenerate, in the same place @soak', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server);
  await page.goto('/chat/new');
  await expect(head(page).getByRole('button', { name: /Rename|Delete|Regenerate|More/ })).toHaveCount(0);
  await sendMessage(page, `${uniqueWord()} [[answer:lorem]] [[tokens:2000]] [[tps:20]]`);
  await expect(transcript(page).getByText('w0003')).toBeVisible();
  await expect(button(page, 'Edit last')).toBeDisabled();
  const place = async (name: string) => (await button(page, name).boundingBox())?.x;
  const x = await place('Stop');
  await button(page, 'Stop').press('Enter');
  await expect(page.getByRole('region', { name: 'Messages' }).getByText('Stopped.')).toBeVisible();
  await expect(button(page, 'Regenerate')).toBeVisible();
  expect(await place('Regenerate')).toBe(x);

  const id = await openNew(page, person);
  expect(await place('Regenerate')).toBe(x);
  await button(page, 'Regenerate').click();
  await expect(button(page, 'Regenerate')).toBeEnabled();
  await expect.poll(async () => (await openChat(person, id)).messages.at(-1)?.versions?.length ?? 1).toBe(2);
});

test('Edit last puts the question into the composer @soak', async ({ page, context, server }) => {
  const person = await signInAs(context, server);
  const text = `${uniqueWord()} where is it? [[tps:0]]`;
  await openNew(page, person, text);
  await button(page, 'Edit last').click();
  await expect(composer(page)).toHaveValue(text);
});

test('Delete removes the chat and offers Undo @soak', async ({ page, context, server }) => {
  const person = await signInAs(context, server);
  const id = await openNew(page, person);
  await button(page, 'Delete').click();
  await expect(page).toHaveURL(/\/chat\/new$/);
  await expect(page.getByText(/was deleted\.$/)).toBeVisible();
  expect((await person.get(`/api/chats/${id}`)).status).toBe(404);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page).toHaveURL(new RegExp(`${id}$`));
  expect((await person.get(`/api/chats/${id}`)).status).toBe(200);
});

test('the menu exports, prints and shows the shortcuts @soak', async ({ page, context, server }) => {
  const person = await signInAs(context, server);
  const text = `${uniqueWord()} [[tps:0]]`;
  await page.addInitScript(() => {
    window.print = () => {
      document.documentElement.dataset.printed = 'yes';
    };
  });
  await openNew(page, person, text);
  const menu = button(page, 'Chat options');
  for (const [name, ending] of [
    ['Export as Markdown', '.md'],
    ['Export as JSON', '.json'],
  ] as const) {
    await menu.click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name }).click(),
    ]);
    expect(file.suggestedFilename().endsWith(ending)).toBe(true);
    const chunks: Buffer[] = [];
    for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString()).toContain(text.split(' ')[0]);
  }
  await menu.click();
  await page.getByRole('button', { name: 'Print' }).click();
  expect(await page.evaluate(() => document.documentElement.dataset.printed)).toBe('yes');
  await menu.press('Enter');
  await page.keyboard.press('Escape');
  await expect(menu).toBeFocused();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 700 }, hasTouch: true });

  test('only the title, the menu and Stop are shown; everything else is in the menu @soak', async ({
    page,
    context,
    server,
  }) => {
    const person = await signInAs(context, server);
    await openNew(page, person);
    for (const name of ['Rename', 'Regenerate', 'Edit last', 'Delete'])
      await expect(button(page, name)).toBeHidden();
    const menu = button(page, 'Chat options');
    const size = await menu.boundingBox();
    expect(Math.min(size?.width ?? 0, size?.height ?? 0)).toBeGreaterThanOrEqual(44);
    await menu.tap();
    await page.locator('#chat-menu').getByRole('button', { name: 'Rename' }).tap();
    await field(page).fill('From a phone');
    await field(page).press('Enter');
    await expect(head(page).getByRole('heading', { level: 1 })).toHaveText('From a phone');
    await expect(menu).toBeFocused();

    await composer(page).fill(`${uniqueWord()} [[answer:lorem]] [[tokens:2000]] [[tps:20]]`);
    await page.getByRole('button', { name: 'Send message' }).tap();
    await expect(transcript(page).getByText('w0003')).toBeVisible();
    await button(page, 'Stop').tap();
    await expect(page.getByRole('region', { name: 'Messages' }).getByText('Stopped.')).toBeVisible();
    await menu.tap();
    await page.locator('#chat-menu').getByRole('button', { name: 'Delete' }).tap();
    await expect(page).toHaveURL(/\/chat\/new$/);
  });
});
