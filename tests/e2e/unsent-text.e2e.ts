import type { BrowserContext, Page } from '@playwright/test';
import { uniqueWord } from '../support/chat.ts';
import { waitForHydration } from '../support/hydration.ts';
import { composer, expect, sendMessage, signInAs, signInByCode, test } from '../support/journey.ts';
import { writeChat } from '../support/long-chat.ts';
import type { Person } from '../support/people.ts';
import type { TestServer } from '../support/server.ts';
import { soak } from '../support/soak.ts';

const signIn = (page: Page) => page.getByRole('dialog', { name: 'Sign in' });
const editing = (page: Page) => page.getByRole('status').filter({ hasText: 'Editing your message' });
const waitForReply = (page: Page) =>
  expect(page.getByRole('button', { name: 'Regenerate' }).first()).toBeVisible();

/** Removes browser errors about an expected status. */
const dropErrors = (browserErrors: string[], status: RegExp) =>
  browserErrors.splice(0, browserErrors.length, ...browserErrors.filter((text) => !status.test(text)));

/** Ends the session on the server only, so that the page does not know it yet. */
const endSession = (server: TestServer, person: Person) =>
  server.database.query('delete from sessions where user_id = $1', [person.id]);

async function signInAndWait(page: Page, server: TestServer, email: string) {
  await signInByCode(page, server, email);
  await expect(page.getByText('FREE PLAN')).toBeVisible();
}

/** Returns how many messages contain a word, whoever owns them. */
async function countOf(server: TestServer, word: string): Promise<number> {
  const { rows } = await server.database.query(
    'select count(*)::int as n from chat_messages where content like $1',
    [`%${word}%`],
  );
  return rows[0].n as number;
}

/** Returns how many messages of users contain a word. */
async function sentWith(server: TestServer, word: string): Promise<number> {
  const { rows } = await server.database.query(
    `select count(*)::int as n from chat_messages where role = 'user' and content like $1`,
    [`%${word}%`],
  );
  return rows[0].n as number;
}

/** Expects a word to be absent from the page, the composer and localStorage. */
async function expectAbsent(page: Page, word: string) {
  await expect(composer(page)).toHaveValue('');
  await expect(page.locator('body')).not.toContainText(word);
  await expect
    .poll(() => page.evaluate((text) => JSON.stringify({ ...localStorage }).includes(text), word))
    .toBe(false);
}

/** Creates a person with a chat and a draft for a new one, on a page whose session has ended. */
async function endedSession(page: Page, context: BrowserContext, server: TestServer) {
  const first = await signInAs(context, server);
  const word = uniqueWord();
  const chat = await writeChat(server, first, 2, (at) => `Secret ${word} ${at}`);
  await page.goto('/chat/new');
  await waitForHydration(page);
  await composer(page).fill(`a draft ${word}`);
  await page.goto(`/chat/${chat.id}`);
  await waitForHydration(page);
  await endSession(server, first);
  return { first, word, chatId: chat.id };
}

test.describe('when the session has ended', () => {
  test('one person’s message is neither sent for nor shown to the next person who signs in', async ({
    page,
    context,
    server,
    browserErrors,
  }) => {
    const { word } = await endedSession(page, context, server);
    await sendMessage(page, `and another ${word}`);
    await expect(signIn(page)).toBeVisible();
    await signInAndWait(page, server, `other-${uniqueWord()}@example.com`);
    await expectAbsent(page, word);
    await page.goto('/chat/new');
    await waitForHydration(page);
    await expectAbsent(page, word);
    await expect(page.getByText('10 credits left')).toBeVisible();
    expect(await countOf(server, word)).toBe(2);
    dropErrors(browserErrors, /40[14]/);
  });

  test('a message that was sent again as a guest, after a reload, is not either @soak', async ({
    page,
    context,
    server,
    browserErrors,
  }) => {
    const { word } = await endedSession(page, context, server);
    await page.goto('/chat/new');
    await waitForHydration(page);
    await expect(composer(page)).toHaveValue(`a draft ${word}`);
    await composer(page).press('Enter');
    await expect(signIn(page)).toContainText('Your message is saved');
    await signInAndWait(page, server, `other-${uniqueWord()}@example.com`);
    await expectAbsent(page, word);
    expect(await countOf(server, word)).toBe(2);
    dropErrors(browserErrors, /401/);
  });

  test('a draft is not shown to somebody else who signs in in the same browser', async ({
    page,
    context,
    server,
  }) => {
    const { word } = await endedSession(page, context, server);
    await signInAs(context, server);
    await page.goto('/chat/new');
    await waitForHydration(page);
    await expectAbsent(page, word);
  });

  test('the page turns into a guest’s, and the same person’s message is sent once', async ({
    page,
    context,
    server,
    browserErrors,
  }) => {
    const { first, word } = await endedSession(page, context, server);
    await sendMessage(page, `and another ${word} [[tps:400]]`);
    await expect(signIn(page)).toContainText('You were signed out. Your draft is saved.');
    await expect(page.getByText('GUEST')).toBeVisible();
    await expect(composer(page)).toHaveValue(`and another ${word} [[tps:400]]`);
    await signInAndWait(page, server, first.email);
    await expect(page.locator('.bubble').last()).toHaveText(`and another ${word} [[tps:400]]`);
    await waitForReply(page);
    await expect(composer(page)).toHaveValue('');
    const { rows } = await server.database.query(
      `select count(*)::int as n from chat_messages where role = 'user' and content like $1`,
      [`and another ${word}%`],
    );
    expect(rows[0].n).toBe(1);
    await page.getByRole('link', { name: 'New Chat' }).click();
    await expect(composer(page)).toHaveValue(`a draft ${word}`);
    dropErrors(browserErrors, /401/);
  });
});

test('an edit continues after a reload and after another chat @soak', async ({ page, context, server }) => {
  const person = await signInAs(context, server);
  const { id, messages } = await writeChat(server, person, 4, (at) => `Part ${at}`);
  await page.goto(`/chat/${id}`);
  await waitForHydration(page);
  await composer(page).fill('my draft');
  await page.getByRole('button', { name: 'Edit', exact: true }).last().click();
  await composer(page).fill('half an edit');
  await page.reload();
  await expect(editing(page)).toBeVisible();
  await expect(composer(page)).toHaveValue('half an edit');
  await expect(composer(page)).toBeFocused();
  await page.getByRole('link', { name: 'New Chat' }).click();
  await expect(composer(page)).toHaveValue('');
  await expect(editing(page)).toHaveCount(0);
  await page.goBack();
  await expect(editing(page)).toBeVisible();
  await expect(composer(page)).toHaveValue('half an edit');
  // The message in the address keeps the focus.
  await page.goto(`/chat/${id}?at=${messages[1]}`);
  await expect(editing(page)).toBeVisible();
  await expect(page.locator('[data-found]')).toBeFocused();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(composer(page)).toHaveValue('my draft');
  await page.reload();
  await waitForHydration(page);
  await expect(composer(page)).toHaveValue('my draft');
  await expect(editing(page)).toHaveCount(0);
});

for (const { way, action } of [
  {
    way: 'sending a message',
    action: (page: Page) => sendMessage(page, 'And then? [[tps:400]]'),
  },
  {
    way: 'going to the end',
    action: (page: Page) => page.getByRole('button', { name: 'Jump to latest' }).click(),
  },
].slice(0, soak ? 2 : 1)) {
  test(`${way} removes a search hit from the address, without reloading the page @soak`, async ({
    page,
    context,
    server,
  }) => {
    const person = await signInAs(context, server);
    const { id, messages } = await writeChat(server, person, 120);
    await page.goto(`/chat/${id}?at=${messages[4]}`);
    await waitForHydration(page);
    await expect(page.locator(`[data-id="${messages[4]}"]`)).toBeInViewport();
    const loads: string[] = [];
    page.on('request', (request) => {
      // Only the root's data, for the shell, is loaded again; the chat's is not.
      const { pathname, searchParams } = new URL(request.url());
      if (pathname.endsWith('.data') && searchParams.get('_routes') !== 'root') loads.push(request.url());
    });
    await action(page);
    await expect(page).toHaveURL(new RegExp(`/chat/${id}$`));
    await expect(page.locator('.chat-turn').last()).toBeInViewport();
    await waitForReply(page);
    expect(loads).toEqual([]);
    await page.reload();
    await waitForHydration(page);
    await expect(page.locator('.chat-turn').last()).toBeInViewport();
  });
}

test.describe('a message that was accepted while all its responses were lost', () => {
  /** Lets a request reach the server, but answers the page with an error of a proxy. */
  async function loseAnswer(page: Page) {
    await page.route(
      '**/api/chats/*/messages',
      async (route) => {
        await route.fetch();
        await route.fulfill({ status: 500, contentType: 'text/html', body: '<h1>Bad gateway</h1>' });
      },
      { times: 1 },
    );
  }
  const notice = (page: Page) => page.locator('.chat-notice');
  const bubbles = (page: Page) => page.locator('.bubble');
  const goOnline = (page: Page) => page.evaluate(() => dispatchEvent(new Event('online')));

  test('is followed and not kept to be sent again', async ({ page, context, server, browserErrors }) => {
    const person = await signInAs(context, server);
    const word = uniqueWord();
    await page.goto('/chat/new');
    await loseAnswer(page);
    // In a new chat.
    await sendMessage(page, `first ${word} [[tps:400]]`);
    await expect(notice(page)).toBeVisible();
    await expect(composer(page)).toHaveValue(`first ${word} [[tps:400]]`);
    await goOnline(page);
    await expect(composer(page)).toHaveValue('');
    await expect(notice(page)).toHaveCount(0);
    await expect(bubbles(page)).toHaveText([`first ${word} [[tps:400]]`]);
    await waitForReply(page);
    // In an existing chat, as an edit; afterwards the earlier draft is back in the composer.
    await composer(page).fill('my draft');
    await page.getByRole('button', { name: 'Edit', exact: true }).last().click();
    await loseAnswer(page);
    await sendMessage(page, `second ${word} [[tps:400]]`);
    await expect(editing(page)).toBeVisible();
    await expect(composer(page)).toHaveValue(`second ${word} [[tps:400]]`);
    await goOnline(page);
    await expect(composer(page)).toHaveValue('my draft');
    await expect(bubbles(page)).toHaveText([`second ${word} [[tps:400]]`]);
    await waitForReply(page);
    // Text that was changed since is kept.
    await composer(page).fill('');
    await loseAnswer(page);
    await sendMessage(page, `third ${word} [[tps:400]]`);
    await expect(notice(page)).toBeVisible();
    await composer(page).press('End');
    await composer(page).pressSequentially(', and more');
    await goOnline(page);
    await expect(bubbles(page)).toHaveCount(2);
    await expect(composer(page)).toHaveValue(`third ${word} [[tps:400]], and more`);
    expect(await sentWith(server, word)).toBe(3);
    await expect.poll(() => person.credits()).toBe(7);
    dropErrors(browserErrors, /500/);
  });

  test('is only in the chat when the page is reloaded before its response @soak', async ({
    page,
    context,
    server,
  }) => {
    await signInAs(context, server);
    const word = uniqueWord();
    await page.goto('/chat/new');
    const reached = new Promise<void>((resolve) => {
      // The server accepts the message, but the page never gets the response.
      void page.route('**/api/chats/*/messages', (route) => route.fetch().then(() => resolve()), {
        times: 1,
      });
    });
    await sendMessage(page, `once ${word} [[tps:400]]`);
    await reached;
    await page.goto('/chat');
    await expect(bubbles(page)).toHaveText([`once ${word} [[tps:400]]`]);
    await waitForHydration(page);
    await expect(composer(page)).toHaveValue('');
    await expect
      .poll(() => page.evaluate((text) => JSON.stringify({ ...localStorage }).includes(text), word))
      .toBe(false);
    expect(await sentWith(server, word)).toBe(1);
  });
});
