import type { Page } from '@playwright/test';
import { violationsOf } from '../support/axe.ts';
import { waitForHydration } from '../support/hydration.ts';
import { expect, signInAs, test } from '../support/journey.ts';
import { writeChat } from '../support/long-chat.ts';
import { seedWork } from '../support/works.ts';

const items = (page: Page) => page.locator('#library-items').getByRole('listitem');

async function open(page: Page, query = ''): Promise<void> {
  await page.goto(`/library${query}`);
  await waitForHydration(page);
}

test('the library opens from the account menu; items are found by their words, and open', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server);
  await seedWork(server, person, { title: 'Ten quiet habits', texts: ['Rise before the sparrows do.'] });
  await seedWork(server, person, { feature: 'script', title: 'INT. KITCHEN' });
  const { id, messages } = await writeChat(server, person, 20);
  await page.goto('/');
  await page.getByRole('button', { name: 'Account' }).click();
  await page.locator('#user-menu').getByRole('link', { name: 'Library' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Library' })).toBeVisible();
  await waitForHydration(page);
  await expect(items(page)).toHaveCount(3);

  await page.getByRole('searchbox', { name: 'Search your library' }).fill('sparrow');
  await page.keyboard.press('Enter');
  await expect(items(page)).toHaveCount(1);
  await expect(items(page).locator('mark')).toHaveText('sparrow');
  await expect(page.getByRole('status').filter({ hasText: '1 result' })).toHaveCount(1);
  await expect(page).toHaveURL(/q=sparrow/);
  await page.goBack();
  await expect(page.getByRole('searchbox')).toHaveValue('');
  await expect(items(page)).toHaveCount(3);

  await page.getByRole('link', { name: 'Scripts', exact: true }).click();
  await expect(items(page)).toHaveCount(1);
  await page.getByRole('link', { name: 'All', exact: true }).click();
  await expect(items(page)).toHaveCount(3);
  await page.getByRole('link', { name: 'Name', exact: true }).click();
  await expect(items(page).nth(1)).toContainText('INT. KITCHEN');
  await page.getByRole('link', { name: 'Grid' }).click();
  await expect(items(page)).toHaveCount(3);

  const { rows } = await server.database.query<{ content: string }>(
    'select content from chat_messages where id = $1',
    [messages[4]],
  );
  const words = rows[0]?.content.split(/\s+/).slice(0, 3).join(' ') ?? '';
  await open(page, `?kind=chat&q=${encodeURIComponent(words)}`);
  await items(page).first().getByRole('link').click();
  await expect(page).toHaveURL(new RegExp(`/chat/${id}`));
});

test('it shows more on request, and has the same pages without scripts @soak', async ({
  page,
  context,
  server,
  browser,
}) => {
  const person = await signInAs(context, server, { plan: 'pro' });
  await server.database.query(
    `insert into chat_sessions (id, user_id, title, updated_at)
     select gen_random_uuid(), $1, 'Chat ' || n, app_now() - n * interval '1 minute' from generate_series(1, 45) n`,
    [person.id],
  );
  await open(page);
  await expect(items(page)).toHaveCount(40);
  const more = page.getByRole('link', { name: 'Show more' });
  await more.click();
  await expect(items(page)).toHaveCount(45);
  await expect(more).toHaveCount(0);
  await expect(items(page).last()).toContainText('Chat 45');

  const noScripts = await browser.newContext({ javaScriptEnabled: false, baseURL: server.url });
  await noScripts.addCookies(await context.cookies());
  const plainPage = await noScripts.newPage();
  await plainPage.goto('/library');
  await plainPage.getByRole('link', { name: 'Show more' }).click();
  await expect(items(plainPage)).toHaveCount(5);
  await plainPage.getByRole('link', { name: 'Back to the beginning' }).click();
  await expect(items(plainPage)).toHaveCount(40);
  await plainPage.getByRole('searchbox').fill('chat 45');
  await plainPage.keyboard.press('Enter');
  await expect(items(plainPage)).toHaveCount(1);
  await plainPage.getByRole('link', { name: 'Drafts' }).click();
  await expect(plainPage.getByText('No results for “chat 45”.')).toBeVisible();
  await plainPage.getByRole('link', { name: 'Show everything' }).click();
  await expect(items(plainPage)).toHaveCount(40);
  await noScripts.close();
});

test('Ctrl+K finds everything on each page of the app, and opens it by keyboard @soak', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server);
  const { work } = await seedWork(server, person, {
    title: 'Ten quiet habits',
    texts: ['Rise before the sparrows do.'],
  });
  const { id, messages } = await writeChat(server, person, 4, (at) => `Message ${at} about sparrows`);
  const field = page.getByRole('combobox', { name: 'Search everything' });
  const found = page.getByRole('dialog', { name: 'Search everything' }).getByRole('option');
  for (const path of ['/tools/image', '/dashboard', '/settings']) {
    await page.goto(path);
    await waitForHydration(page);
    await page.keyboard.press('ControlOrMeta+k');
    await expect(field).toBeFocused();
    await expect(found).toHaveCount(2);
    await page.keyboard.press('Escape');
    await expect(field).toHaveCount(0);
  }
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('sparrow');
  await expect(found.first()).toContainText('Ten quiet habits');
  await expect(found.first()).toContainText('Draft');
  await expect(found).toHaveCount(5);
  expect(await violationsOf(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${server.url}/tools/writer/${work}#find=sparrow`);
  await waitForHydration(page);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.keyboard.press('ControlOrMeta+k');
  await expect(field).toHaveValue('sparrow');
  await expect(found).toHaveCount(5);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/chat/${id}\\?at=(${messages.join('|')})$`));
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  // The chat page has the same search, which now shows its own results.
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('dialog', { name: 'Search everything' })).toHaveCount(1);
  await expect(field).toHaveValue('sparrow');
});

test('Ctrl+K does nothing for guests, and where shortcuts are off @soak', async ({
  page,
  context,
  server,
}) => {
  await page.goto('/tools/prompts');
  await waitForHydration(page);
  await page.keyboard.press('ControlOrMeta+k');
  await signInAs(context, server);
  await page.goto('/dashboard');
  await waitForHydration(page);
  await page.evaluate(() => localStorage.setItem('shortcuts', 'off'));
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('combobox', { name: 'Search everything' })).toHaveCount(0);
});
