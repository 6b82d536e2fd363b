import { violationsOf } from '../support/axe.ts';
import { uniqueWord } from '../support/chat.ts';
import { forbiddenElements, vectors, watch } from '../support/hostile.ts';
import { waitForHydration } from '../support/hydration.ts';
import { expect, signInAs, test } from '../support/journey.ts';
import { layoutFaults } from '../support/layout-faults.ts';
import { writeChat } from '../support/long-chat.ts';
import { mailTo } from '../support/mailbox.ts';
import { sharedChat, sharesOf } from '../support/shares.ts';
import { newAddress } from '../support/visitor.ts';

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

test('a chat is shared, changed and stopped in its menu, and a guest reads it meanwhile', async ({
  page,
  context,
  browser,
  server,
}) => {
  const person = await signInAs(context, server);
  const chat = await writeChat(server, person, 4);
  await page.goto(`/chat/${chat.id}`);
  await waitForHydration(page);
  await page.getByRole('button', { name: 'Chat options' }).press('Enter');
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Share this chat' });
  await expect(dialog).toContainText('The page shows 4 messages of this chat');
  await expect(dialog.getByRole('checkbox', { name: 'Show my name' })).not.toBeChecked();
  await expect(dialog.getByRole('checkbox', { name: 'Search engines' })).not.toBeChecked();
  await expect(dialog.getByLabel('Link expires')).toHaveValue('never');
  expect(await violationsOf(page)).toEqual([]);
  expect(await sharesOf(person)).toEqual([]);
  await dialog.getByRole('button', { name: 'Create link' }).press('Enter');
  const field = dialog.getByLabel('Shared link');
  await expect(field).toHaveValue(/\/share\/[\w-]{24}$/);
  const url = await field.inputValue();
  await dialog.getByRole('button', { name: 'Copy link' }).press('Enter');
  await expect(dialog.getByRole('button', { name: 'Copied' })).toBeVisible();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(url);
  expect(await violationsOf(page)).toEqual([]);

  const guest = await (await browser.newContext()).newPage();
  await guest.goto(new URL(url).pathname.replace(/^/, server.url));
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText('Chat of 4');
  await expect(guest.getByRole('article')).toHaveCount(4);
  await dialog.getByRole('checkbox', { name: 'Show my name' }).press('Space');
  await expect.poll(async () => (await sharesOf(person))[0]?.showName).toBe(true);
  await dialog.getByLabel('Link expires').selectOption('7');
  await expect(dialog.getByLabel('Link expires')).toHaveValue('keep');
  await guest.reload();
  await expect(guest.getByText('Shared by Test Person')).toBeVisible();
  await dialog.getByRole('button', { name: 'Update link' }).press('Enter');
  await expect(page.getByText('Link updated.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Stop sharing' }).press('Enter');
  await expect(dialog.getByRole('button', { name: 'Create link' })).toBeFocused();
  expect((await guest.reload())?.status()).toBe(404);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await guest.context().close();
});

test('a reply is shared from its details, and the settings open, copy and stop the link @soak', async ({
  page,
  context,
  server,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const person = await signInAs(context, server);
  const chat = await writeChat(server, person, 4);
  await page.goto(`/chat/${chat.id}`);
  await waitForHydration(page);
  await page.getByRole('button', { name: 'About this reply' }).last().press('Enter');
  await page.getByRole('button', { name: 'Share this reply' }).last().click();
  const dialog = page.getByRole('dialog', { name: 'Share this reply' });
  await dialog.getByRole('button', { name: 'Create link' }).click();
  await expect(dialog.getByLabel('Shared link')).toHaveValue(/share/);
  expect(await layoutFaults(page)).toEqual([]);
  const [created] = await sharesOf(person);
  expect(created).toMatchObject({ messageId: chat.messages[3], count: 2 });
  await dialog.getByRole('link', { name: 'settings' }).click();
  await waitForHydration(page);
  const row = page.getByRole('listitem').filter({ hasText: 'Chat of 4' });
  await expect(row.getByRole('link', { name: 'Open Chat of 4' })).toHaveAttribute('href', created?.url ?? '');
  await row.getByRole('button', { name: 'Copy link Chat of 4' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(created?.url);
  expect(await violationsOf(page)).toEqual([]);
  expect(await layoutFaults(page)).toEqual([]);
  await row.getByRole('button', { name: 'Stop sharing Chat of 4' }).press('Enter');
  await expect(page.getByText('Sharing stopped.')).toBeVisible();
  await expect(row).toHaveCount(0);
  expect(await sharesOf(person)).toEqual([]);
});

for (const [name, language, scheme, width] of [
  ['on a phone in the dark', 'en', 'dark', 390],
  ['from right to left', 'ar', 'light', 1280],
] as const)
  test(`a shared page is complete ${name}, without React @soak`, async ({ browser, context, server }) => {
    const person = await signInAs(context, server);
    const { share } = await sharedChat(server, person, [
      'How do I sort a list?\nIn TypeScript.',
      '# Sorting\n\nUse `sort`:\n\n```ts\nconst sorted = [...list].sort((a, b) => a - b); // keeps the list that you have as it was\n```\n\n| a | b |\n|-|-|\n| 1 | 2 |\n\nSee [the docs](https://developer.example/docs) and [your bank](https://user@evil.example/).',
    ]);
    const guest = await browser.newContext({
      locale: language,
      colorScheme: scheme,
      viewport: { width, height: 844 },
    });
    const page = await guest.newPage();
    const scripts: string[] = [];
    page.on('response', (response) => {
      if (response.request().resourceType() === 'script') scripts.push(response.url());
    });
    await page.goto(`${server.url}/share/${share.id}`, { waitUntil: 'networkidle' });
    expect(scripts).toHaveLength(1);
    expect(await violationsOf(page)).toEqual([]);
    expect(await layoutFaults(page)).toEqual([]);
    const bank = page.getByRole('button', { name: 'your bank' });
    await bank.press('Enter');
    const box = page.locator('[popover]:popover-open', { hasText: 'https://user@evil.example/' });
    await expect(box).toBeVisible();
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(box).toHaveCount(0);
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByRole('article').first()).toBeVisible();
    await guest.close();
  });

test('a guest continues a chat in an account that they sign in to for it @soak', async ({
  browser,
  context,
  server,
}) => {
  const person = await signInAs(context, server);
  const word = uniqueWord();
  const { share } = await sharedChat(server, person, [word, `About ${word}`]);
  const guest = await browser.newContext({ baseURL: server.url });
  const page = await guest.newPage();
  await page.goto(`/share/${share.id}`);
  await page.getByRole('link', { name: 'Continue in your account' }).press('Enter');
  const dialog = page.getByRole('dialog');
  const email = newAddress();
  await dialog.getByLabel('Email').fill(email);
  // The dialog closes automatically unless a code is being typed, so the clock is paused until one is.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 1000);
  await dialog.getByLabel('Email').press('Enter');
  await dialog.getByLabel('6-digit code').fill((await mailTo(server, email)).code);
  await page.clock.resume();
  await dialog.getByRole('button', { name: 'Sign in with code' }).click();
  await page.waitForURL(/\/chat\/[\w-]{36}$/);
  await waitForHydration(page);
  await expect(page.getByText(`About ${word}`)).toBeVisible();
  // Opening the page again copies nothing automatically.
  await page.goto(`/share/${share.id}?continue`);
  await expect(page.getByText('You’re signed in.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Continue in your account' })).toBeFocused();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Continue in your account' }).press('Enter');
  await page.waitForURL(/\/chat\/[\w-]{36}$/);
  await guest.close();
});

test('a guest reports a page without scripts @soak', async ({ browser, context, server }) => {
  const person = await signInAs(context, server);
  const { share } = await sharedChat(server, person, ['Q', 'A']);
  const guest = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
  const page = await guest.newPage();
  await page.goto(`${server.url}/share/${share.id}`);
  await page.getByText('Report this page').click();
  await page.getByLabel('What’s wrong with it?').selectOption('personal');
  await page.getByLabel('Details').fill('My address is in it.');
  const opened = Number(await page.locator('[name=opened]').inputValue());
  await expect.poll(() => Date.now() - opened).toBeGreaterThan(3000);
  await page.getByRole('button', { name: 'Send report' }).click();
  await expect(page.getByRole('status')).toHaveText('Thanks. We’ll take a look at this page.');
  await guest.close();
});

test('nothing of a shared page runs or contacts another server', async ({ page, context, server }) => {
  const person = await signInAs(context, server);
  const observed = await watch(page, server);
  const texts = vectors.map((text) => text.replaceAll('\0', ''));
  const { share } = await sharedChat(server, person, texts.length % 2 ? [...texts, 'end'] : texts);
  await page.goto(`/share/${share.id}`, { waitUntil: 'networkidle' });
  await expect(page.getByRole('article')).toHaveCount(share.count);
  expect(await page.locator('article').locator(forbiddenElements).count()).toBe(0);
  expect(observed).toEqual({ foreign: [], ran: [] });
});
