import type { Page } from '@playwright/test';
import { violationsOf } from '../support/axe.ts';
import { noDelay, uniqueWord } from '../support/chat.ts';
import { waitForHydration } from '../support/hydration.ts';
import { composer, expect, sendMessage, signInAs, test } from '../support/journey.ts';
import { layoutFaults } from '../support/layout-faults.ts';
import { eventually, type TestServer } from '../support/server.ts';

test.use({ viewport: { width: 390, height: 844 } });

const title = (page: Page) => page.getByRole('heading', { name: 'Temporary chat', level: 1 });

async function messagesOf(server: TestServer, word: string): Promise<number> {
  const { rows } = await server.database.query<{ count: string }>(
    'select count(*) from chat_messages where content ilike $1',
    [`%${word}%`],
  );
  return Number(rows[0]?.count);
}

/** Starts a temporary chat by keyboard and waits for the first reply. */
async function startChat(page: Page, word: string): Promise<void> {
  await page.goto('/chat/new');
  await waitForHydration(page);
  await page.getByRole('link', { name: 'Temporary chat' }).press('Enter');
  await expect(title(page)).toBeVisible();
  await sendMessage(page, `${word} ${noDelay}`);
  await page.waitForURL(/\/chat\/[0-9a-f-]{36}$/);
  await expect(page.getByRole('button', { name: 'Regenerate' }).first()).toBeVisible();
}

test('a temporary chat is started by keyboard, says what it is, survives a reload and is erased when it is left', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  const person = await signInAs(context, server);
  const word = uniqueWord();
  await page.goto('/chat/new');
  await waitForHydration(page);
  await composer(page).fill('typed before');
  await page.getByRole('link', { name: 'Temporary chat' }).press('Enter');
  await expect(title(page)).toBeVisible();
  await expect(composer(page)).toHaveValue('typed before');
  await expect(page.getByText(/Erased when you leave it, or within 24 hours of/)).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  expect(await layoutFaults(page)).toEqual([]);
  await page.getByRole('link', { name: 'Turn off temporary chat' }).press('Enter');
  await expect(title(page)).toHaveCount(0);

  await startChat(page, word);
  expect(await violationsOf(page)).toEqual([]);
  expect(await layoutFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Chat options' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Export as Markdown' })).toBeVisible();
  for (const name of ['Pin', 'Archive', 'Rename'])
    await expect(page.getByRole('button', { name, exact: true })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await page.reload();
  await waitForHydration(page);
  await expect(page.getByText(word).first()).toBeVisible();
  await expect(page.getByText('Temporary: erased when you leave')).toBeVisible();
  expect(await (await person.get('/api/chats')).json()).toMatchObject({ chats: [] });
  const other = await context.newPage();
  await other.goto('/chat');
  await waitForHydration(other);
  await expect(other.getByText(word)).toHaveCount(0);

  await composer(page).fill('half a thought');
  await page.getByRole('link', { name: 'New Chat' }).first().press('Enter');
  await page.waitForURL('**/chat/new');
  await expect(title(page)).toHaveCount(0);
  await eventually(async () => (await messagesOf(server, word)) === 0);
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'We can’t find this chat.' })).toBeVisible();
  await expect(page.getByText('half a thought')).toHaveCount(0);
  // The browser logs the 404 of the erased chat.
  await expect.poll(() => browserErrors).toEqual([expect.stringContaining('404')]);
  browserErrors.length = 0;
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('half a thought');
});

test('one that was left for a page of another kind is erased when the tab returns @soak', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server);
  const word = uniqueWord();
  await startChat(page, word);
  await page.goto('/about');
  expect(await messagesOf(server, word)).toBeGreaterThan(0);
  await page.goto('/chat/new');
  await eventually(async () => (await messagesOf(server, word)) === 0);
});
