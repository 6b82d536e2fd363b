import type { Page } from '@playwright/test';
import { composer, expect, sendMessage, signInByCode, test } from '../support/journey.ts';
import { mailTo } from '../support/mailbox.ts';
import { eventually } from '../support/server.ts';

test('a visitor asks, signs in by code, and the question is sent once', async ({ page, server }) => {
  const email = `first-${Date.now()}@example.com`;
  await page.goto('/');
  const box = page.getByLabel('Your message, topic, question or prompt');
  await box.fill('What is a lighthouse for? [[tps:200]]');
  await box.press('Enter');
  await expect(composer(page)).toHaveValue('What is a lighthouse for? [[tps:200]]');
  await composer(page).press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Your message is saved and will be sent once you sign in.');
  await page.keyboard.press('Escape');
  await expect(composer(page)).toHaveValue('What is a lighthouse for? [[tps:200]]');
  await composer(page).press('Enter');
  await signInByCode(page, server, email);
  await expect(page.getByRole('article').getByText('It seems to be about')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Regenerate' }).first()).toBeVisible();
  await expect(page.getByText('9 credits left')).toBeVisible();
  await expect(composer(page)).toHaveValue('');
  await expect(page).toHaveURL(/\/chat\/[0-9a-f-]{36}$/);
  const { rows } = await server.database.query(
    `select count(*)::int as n from chat_messages m join chat_sessions s on s.id = m.session_id join users u on u.id = s.user_id
      where u.email = $1 and m.role = 'user'`,
    [email],
  );
  expect(rows[0].n).toBe(1);

  await sendMessage(page, 'And who looks after one? [[tps:200]]');
  await expect(page.getByText('8 credits left')).toBeVisible();
  await expect(page.getByRole('article').getByText('This is turn 2 of our conversation')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('article').getByText('This is turn 2 of our conversation')).toBeVisible();
  await expect(page.getByText('What is a lighthouse for?').first()).toBeVisible();
  const title = await eventually(async () => {
    const { rows } = await server.database.query(
      `select s.title, s.title_source from chat_sessions s join users u on u.id = s.user_id where u.email = $1`,
      [email],
    );
    return rows[0].title_source === 'model' && (rows[0].title as string);
  });
  await page.reload();
  await expect(page.getByRole('navigation', { name: /recent chats/i }).getByText(title)).toBeVisible();
  // A person without a name is not greeted by email address.
  await page.goto('/chat/new');
  await expect(page.getByRole('heading', { name: 'What are you working on' })).toHaveText(
    'What are you working on?',
  );
});

test('a link opened in another tab signs the first tab in, and its question is sent once', async ({
  page,
  context,
  server,
}) => {
  const email = `link-${Date.now()}@example.com`;
  await page.goto('/chat');
  await sendMessage(page, 'Tell me about two tabs [[tps:200]]');
  await page.getByRole('dialog').getByLabel('Email').fill(email);
  await page.keyboard.press('Enter');
  const link = (await mailTo(server, email)).link;
  const other = await context.newPage();
  await other.goto(link);
  await other.getByRole('button', { name: /sign in as/i }).click();
  // Either tab may send the question; both show the new balance.
  for (const tab of [page, other]) await expect(tab.getByText('9 credits left')).toBeVisible();
  const answers = (tab: Page) => tab.getByRole('article').getByText('It seems to be about').count();
  await expect.poll(async () => (await answers(page)) + (await answers(other))).toBeGreaterThan(0);
  const { rows } = await server.database.query(
    `select count(*)::int as n from generations g join users u on u.id = g.user_id where u.email = $1 and g.feature = 'chat'`,
    [email],
  );
  expect(rows[0].n).toBe(1);
});

test('a first tab that follows late shows what the other tab has sent for it @soak', async ({
  page,
  context,
  server,
}) => {
  const email = `late-follower-of-a-sign-in-${Date.now()}@mail.example.com`;
  await page.goto('/chat');
  await sendMessage(page, 'Tell me about a slow tab [[tps:200]]');
  await page.getByRole('dialog').getByLabel('Email').fill(email);
  await page.keyboard.press('Enter');
  const enterCode = page.getByRole('button', { name: 'Enter the code' });
  await expect(enterCode).toBeVisible();
  const lines = await page.locator('.toast p').evaluate((text) => {
    const { height } = text.getBoundingClientRect();
    return Math.round(height / Number.parseFloat(getComputedStyle(text).lineHeight));
  });
  expect(lines).toBeLessThan(5);
  const link = (await mailTo(server, email)).link;
  // The first tab's response is computed before the other tab's message, and arrives after its reply has ended.
  const [computed, shown] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route(/\/chat.*\.data/, async (route) => {
    const response = await route.fetch();
    computed.resolve();
    await shown.promise;
    await route.fulfill({ response });
  });
  const other = await context.newPage();
  await other.route('**/messages', async (route) => {
    await computed.promise;
    await route.continue();
  });
  await other.goto(link);
  await other.getByRole('button', { name: /sign in as/i }).click();
  await expect(other.getByRole('button', { name: 'Regenerate' }).first()).toBeVisible();
  await expect(enterCode).toBeHidden();
  shown.resolve();
  await expect(page.getByText('9 credits left')).toBeVisible();
  await expect(page.getByRole('article').getByText('It seems to be about')).toBeVisible();
  await expect(page).toHaveURL(/\/chat\/[0-9a-f-]{36}$/);
  await expect(composer(page)).toHaveValue('');
  await expect(page.getByRole('article')).toHaveCount(2);
});

test('signing in works without JavaScript @soak', async ({ browser, server }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: server.url });
  const page = await context.newPage();
  const email = `plain-${Date.now()}@example.com`;
  await page.goto('/');
  await page.getByRole('link', { name: 'Sign In' }).click();
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByRole('button', { name: 'Send Magic Link' }).click();
  await expect(page.getByText('Magic link sent! Check your email.')).toBeVisible();
  await page.goto((await mailTo(server, email)).link);
  await page.getByRole('button', { name: /sign in as/i }).click();
  await expect(page).toHaveURL(/\/\?success=login$/);
  await page.goto('/chat');
  await expect(page.getByText('10 credits left')).toBeVisible();
  await context.close();
});
