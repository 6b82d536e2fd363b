import type { Browser, BrowserContext, Page } from '@playwright/test';
import { consentKey, consentVersion } from '#shared/consent.ts';
import { gatewayLog, openChat, send, uniqueWord, waitForEnd } from '../support/chat.ts';
import { seedChats } from '../support/chat-list.ts';
import { release } from '../support/gateway.ts';
import { waitForHydration } from '../support/hydration.ts';
import { expect, sendMessage, signInAs, test } from '../support/journey.ts';
import type { Person } from '../support/people.ts';
import { eventually, type TestServer } from '../support/server.ts';

const list = (page: Page) => page.getByRole('navigation', { name: 'Recent chats' });
const dot = (page: Page) => list(page).getByRole('img', { name: 'Replying' });
const transcript = (page: Page) => page.getByRole('region', { name: 'Messages' });
const toast = (page: Page) => page.locator('#toasts');
const stop = (page: Page) => page.getByRole('button', { name: 'Stop generating' });
const lastReply = async (page: Page) =>
  ((await page.locator('article.chat-reply').last().textContent()) ?? '').replace(/\s+/g, ' ');
const idOf = (page: Page) => new URL(page.url()).pathname.split('/').at(-1) ?? '';

/** Opens another browser of the same person. */
async function deviceOf(browser: Browser, server: TestServer, person: Person): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: server.url });
  const [name = '', value = ''] = person.cookie.split(/=(.*)/s);
  await context.addCookies([{ name, value, url: server.url, httpOnly: true, sameSite: 'Lax' }]);
  const choice = { essential: true, functional: false, analytics: false, version: consentVersion };
  await context.addInitScript(
    ([key = '', stored = '']) => localStorage.setItem(key, stored),
    [consentKey, JSON.stringify({ ...choice, timestamp: new Date().toISOString() })],
  );
  return context;
}

/** Records all toasts from now on, because each is shown for a few seconds only. */
async function watchToasts(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const recordedToasts: string[] = [];
    Object.assign(window, { recordedToasts });
    const region = document.getElementById('toasts');
    if (!region) throw new Error('The page has no place for toasts.');
    new MutationObserver(() => recordedToasts.push(region.textContent ?? '')).observe(region, {
      childList: true,
      subtree: true,
      characterData: true,
    });
  });
  return () => page.evaluate(() => (window as unknown as { recordedToasts: string[] }).recordedToasts);
}

/** Fires the event of a page that becomes visible again. */
const makeVisible = (page: Page) =>
  page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));

test('two tabs show one chat: a message sent in one appears in the other, with its reply @soak', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server);
  await page.goto('/chat/new');
  await sendMessage(page, `${uniqueWord()} [[tps:0]]`);
  await expect(page.getByRole('button', { name: 'Regenerate' }).first()).toBeVisible();
  const other = await context.newPage();
  await other.goto(page.url());
  await waitForHydration(other);
  await page.bringToFront();
  const word = uniqueWord();
  await sendMessage(page, `${word} [[answer:lorem]] [[tokens:120]] [[tps:30]]`);
  await expect(transcript(page).getByText('w0001')).toBeVisible();
  await expect(transcript(other).getByText('w0001')).toBeVisible();
  await expect(transcript(other).getByText(word)).toBeVisible();
  await expect(stop(other)).toBeVisible();
  await expect(dot(other)).toBeVisible();
  for (const tab of [page, other]) await expect(transcript(tab).getByText('w0120')).toBeVisible();
  for (const tab of [page, other]) await expect(dot(tab)).toBeHidden();
  const [call, more] = await gatewayLog(server, word);
  expect(more).toBeUndefined();
  for (const tab of [page, other]) expect(await lastReply(tab)).toContain(call?.sentText.trim());
  // Neither tab gets a notice of a reply that it showed itself.
  for (const tab of [page, other]) await expect(toast(tab)).not.toContainText('New reply in');
});

test('a reply that ends in another chat is announced, and one press away @soak', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server);
  const [other = '', busy = ''] = await seedChats(server, person, [
    { title: 'Quiet', updatedAt: new Date() },
    { title: 'Busy', updatedAt: new Date(Date.now() - 60_000) },
    { title: 'Unwanted', updatedAt: new Date(Date.now() - 120_000) },
  ]);
  await page.goto(`/chat/${other}`);
  await waitForHydration(page);
  const tab = await context.newPage();
  await tab.goto(`/chat/${busy}`);
  await sendMessage(tab, `${uniqueWord()} [[answer:lorem]] [[tokens:60]] [[tps:30]]`);
  await expect(list(page).getByRole('link', { name: /^Busy Replying/ })).toBeVisible();
  await expect(toast(page)).toContainText('New reply in “Busy”.');
  await expect(dot(page)).toBeHidden();
  await expect(toast(tab)).not.toContainText('New reply in');
  await page.keyboard.press('F6');
  await expect(page.getByRole('button', { name: 'Open' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/chat/${busy}$`));
  await expect(transcript(page).getByText('w0060')).toBeVisible();

  // Also for a reply that was started on this page and left.
  const word = uniqueWord();
  await sendMessage(page, `${word} [[answer:lorem]] [[mode:hold]] [[holdAfter:3]] [[tokens:20]] [[tps:0]]`);
  await expect(transcript(page).getByText('w0003')).toHaveCount(2);
  await list(page)
    .getByRole('link', { name: /^Quiet/ })
    .click();
  await expect(page).toHaveURL(new RegExp(`/chat/${other}$`));
  await expect(dot(page)).toBeVisible();
  // The notice waits while a toast offers Undo.
  await list(page).getByRole('button', { name: 'Options for “Unwanted”' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(toast(page).getByRole('button', { name: 'Undo' })).toBeVisible();
  await release(server, word);
  await expect(dot(page)).toBeHidden();
  await expect(toast(page).getByRole('button', { name: 'Undo' })).toBeVisible();
  await page.mouse.move(0, 0);
  await expect(toast(page)).toContainText('New reply in “Busy”.');
});

test('two devices show the same reply live, after a reload too; Stop on one ends it for both', async ({
  page,
  context,
  browser,
  server,
}) => {
  const person = await signInAs(context, server);
  const word = uniqueWord();
  await page.goto('/chat/new');
  await sendMessage(page, `${word} [[answer:lorem]] [[tokens:2000]] [[tps:20]]`);
  await expect(transcript(page).getByText('w0005')).toBeVisible();
  const device = await deviceOf(browser, server, person);
  const second = await device.newPage();
  await second.goto(page.url());
  await expect(stop(second)).toBeVisible();
  await page.reload();
  await waitForHydration(page);
  const count = async (page: Page) => (await lastReply(page)).match(/w\d{4}/g)?.length ?? 0;
  for (const at of [page, second]) {
    const before = await count(at);
    await expect.poll(() => count(at), { intervals: [50] }).toBeGreaterThan(before);
  }
  await stop(second).click();
  for (const at of [page, second]) await expect(transcript(at).getByText('Stopped.')).toBeVisible();
  const call = await eventually(async () =>
    (await gatewayLog(server, word)).find(({ clientClosedAt }) => clientClosedAt),
  );
  expect(await gatewayLog(server, word)).toHaveLength(1);
  expect(call.finished).toBe(false);
  const stored = (await openChat(person, idOf(page))).messages.at(-1);
  expect(stored?.state).toBe('stopped');
  expect(call.sentText).toContain(stored?.content.trim());
  for (const at of [page, second]) expect(await lastReply(at)).toContain(stored?.content.trim());
  expect(await person.credits()).toBe(9);
  await device.close();
});

test('messages from another device appear when the page is viewed again, and periodically @soak', async ({
  page,
  context,
  browser,
  server,
}) => {
  const person = await signInAs(context, server);
  await page.goto('/chat/new');
  await sendMessage(page, `${uniqueWord()} [[tps:0]]`);
  await expect(page.getByRole('button', { name: 'Regenerate' }).first()).toBeVisible();
  const device = await deviceOf(browser, server, person);
  const second = await device.newPage();
  await second.clock.install();
  await second.goto(page.url());
  await waitForHydration(second);
  const [first, later] = [uniqueWord(), uniqueWord()];
  await sendMessage(page, `${first} [[tps:0]]`);
  await expect(page.locator('article.chat-reply').last()).toContainText(first);
  await expect(page.getByRole('button', { name: 'Regenerate' }).first()).toBeVisible();
  await makeVisible(second);
  await expect(transcript(second).getByText(first).first()).toBeVisible();
  await sendMessage(page, `${later} [[tps:0]]`);
  await expect(page.locator('article.chat-reply').last()).toContainText(later);
  await second.clock.fastForward(21_000);
  await expect(transcript(second).getByText(later).first()).toBeVisible();
  await device.close();
});

test('a message that is sent while the page checks for updates stays @soak', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server);
  await page.goto('/chat/new');
  await sendMessage(page, 'first [[tokens:5]]');
  await expect(page.locator('article.chat-reply .turn-actions button').first()).toBeVisible();
  const chatId = idOf(page);
  await expect(list(page).getByText('first [[tokens:5]]')).toHaveCount(0);
  await page.reload();
  await waitForHydration(page);
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let requested = false;
  await page.route(
    (url) => url.pathname === `/api/chats/${chatId}`,
    async (route) => {
      const response = await route.fetch();
      requested = true;
      await released;
      await route.fulfill({ response });
    },
  );
  const otherMessage = await send(person, 'from elsewhere [[tokens:5]]', { chatId });
  await waitForEnd(person, otherMessage.body.generation.id);
  await makeVisible(page);
  await expect.poll(() => requested).toBe(true);
  await sendMessage(page, 'meanwhile [[tokens:5]]');
  await expect(page.locator('.bubble', { hasText: 'meanwhile' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send message' })).toBeVisible();
  const answer = page.waitForResponse((response) => response.url().endsWith(`/api/chats/${chatId}?`));
  release();
  await (await answer).finished();
  await page.evaluate(
    () => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))),
  );
  await expect(page.locator('.bubble', { hasText: 'meanwhile' })).toBeVisible();
});

test('the first reply of another chat is announced by the title that is generated for it @soak', async ({
  page,
  context,
  browser,
  server,
}) => {
  const person = await signInAs(context, server);
  const [idleChat = ''] = await seedChats(server, person, [{ title: 'Quiet', updatedAt: new Date() }]);
  await page.goto(`/chat/${idleChat}`);
  await waitForHydration(page);
  const tab = await context.newPage();
  await tab.goto('/chat/new');
  const rivers = uniqueWord();
  await sendMessage(tab, `Rivers of Europe ${rivers} [[mode:hold]] [[holdAfter:3]] [[tokens:20]] [[tps:0]]`);
  await expect(dot(page)).toBeVisible();
  await release(server, rivers);
  await expect(toast(page)).toContainText('New reply in');
  await expect(toast(page)).not.toContainText('[[mode');
  await expect(list(page).getByText('[[mode')).toHaveCount(0);

  // Started and left on this page, with a late title: the notice waits for a while, and the list keeps polling.
  const word = uniqueWord();
  const device = await deviceOf(browser, server, person);
  const second = await device.newPage();
  await page.goto('/chat/new');
  await sendMessage(
    page,
    `Lakes of Asia ${word} [[title:hold]] [[mode:hold]] [[holdAfter:3]] [[tokens:20]] [[tps:0]]`,
  );
  await expect(page).not.toHaveURL(/new$/);
  await second.goto(`/chat/${idleChat}`);
  await waitForHydration(second);
  await list(page)
    .getByRole('link', { name: /^Quiet/ })
    .click();
  for (const at of [page, second]) await expect(dot(at)).toBeVisible();
  const toasts = await Promise.all([page, second].map(watchToasts));
  await release(server, word);
  for (const read of toasts)
    await expect
      .poll(async () => (await read()).join('\n'))
      .toContain(`New reply in “Lakes of Asia ${word} [[title:hold]]…”.`);
  await release(server, word);
  for (const at of [page, second]) await expect(list(at).getByText('[[title:hold]]')).toHaveCount(0);
  await device.close();
});

test('a chat that is deleted on another device says so, and is restored, from its address too @soak', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  const person = await signInAs(context, server);
  const newer = Array.from({ length: 25 }, (_, at) => ({
    title: `Newer ${at}`,
    updatedAt: new Date(Date.now() - at * 1_000),
  }));
  await seedChats(server, person, newer);
  const [id = ''] = await seedChats(server, person, [
    { title: 'The last one', updatedAt: new Date(Date.now() - 3_600_000) },
  ]);
  await page.goto(`/chat/${id}`);
  await waitForHydration(page);
  await expect(page).toHaveTitle(/^The last one/);
  await expect(list(page).getByRole('link', { name: 'The last one' })).toBeInViewport();

  expect((await person.send('DELETE', `/api/chats/${id}`)).status).toBe(204);
  await makeVisible(page);
  const notice = page.getByRole('alert').filter({ hasText: 'This chat was deleted in another tab' });
  await expect(notice).toBeVisible();
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect(notice).toHaveCount(0);
  await expect(list(page).getByRole('link', { name: 'The last one' })).toBeVisible();

  expect((await person.send('DELETE', `/api/chats/${id}`)).status).toBe(204);
  await page.reload();
  await waitForHydration(page);
  await expect(page.getByRole('heading', { name: 'This chat was deleted.' })).toBeVisible();
  await expect(page).toHaveTitle(/^Not found/);
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect(page).toHaveTitle(/^The last one/);
  await expect(page.getByRole('heading', { name: 'This chat was deleted.' })).toHaveCount(0);
  // The page of a missing chat returns 404.
  browserErrors.splice(0, browserErrors.length, ...browserErrors.filter((each) => !each.includes('404')));
});
