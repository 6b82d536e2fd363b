import type { Page } from '@playwright/test';
import { openChat, send, uniqueWord, waitForEnd } from '../support/chat.ts';
import { seedChats } from '../support/chat-list.ts';
import { waitForHydration } from '../support/hydration.ts';
import { composer, expect, signInAs, test } from '../support/journey.ts';
import type { Person } from '../support/people.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Search everything' });
const field = (page: Page) => page.getByRole('combobox', { name: 'Search everything' });
const hits = (page: Page) => dialog(page).getByRole('option');
const opener = (page: Page) => page.getByRole('button', { name: 'Search everything' });

// An aborted search can delay the next one with a silent 429; how often depends on the typing speed.
test.afterEach(({ browserErrors }) => {
  browserErrors.splice(0, browserErrors.length, ...browserErrors.filter((text) => !text.includes('429')));
});

/** Makes a chat with one finished exchange; returns its id. */
async function createChat(person: Person, text: string): Promise<string> {
  const { chatId, body } = await send(person, `${text} [[tps:0]]`);
  await waitForEnd(person, body.generation.id);
  return chatId;
}

test('search works by keyboard alone: open, type, choose, and arrive at the message', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server, { plan: 'pro' });
  const word = uniqueWord();
  const chatId = await createChat(person, `Where do lamps of a ${word} lighthouse come from?`);
  await createChat(person, 'Something else entirely');
  const question = (await openChat(person, chatId)).messages.find(({ role }) => role === 'user');
  await page.goto('/chat/new');
  await waitForHydration(page);
  await composer(page).focus();
  await page.keyboard.press('ControlOrMeta+k');
  await expect(field(page)).toBeFocused();
  await expect(dialog(page).getByText('Recent chats')).toBeVisible();
  await expect(hits(page)).toHaveCount(2);
  await page.keyboard.type(`lighthouse ${word.slice(0, 5)}`);
  await expect(dialog(page).locator('mark.mark').first()).toBeVisible();
  const own = hits(page).filter({ hasText: 'You:' });
  await expect(own.locator('mark.mark', { hasText: 'lighthouse' }).first()).toBeVisible();
  const activeOption = () => field(page).getAttribute('aria-activedescendant');
  const id = await own.first().getAttribute('id');
  for (let steps = 0; steps < 5 && (await activeOption()) !== id; steps += 1)
    await page.keyboard.press('ArrowDown');
  expect(await activeOption()).toBe(id);
  await expect(own.first()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/chat/${chatId}\\?at=${question?.id}$`));
  await expect(dialog(page)).toBeHidden();
  await expect(page.getByRole('region', { name: 'Messages' }).getByText(word).first()).toBeInViewport();
  // The words are marked, not the whole message.
  const marked = () =>
    page.evaluate(() => [...(CSS.highlights.get('found') ?? [])].map((range) => `${range}`));
  await expect.poll(marked).toEqual([word.slice(0, 5), 'lighthouse']);
  await expect(page.locator('[data-found]')).toHaveCount(0);
});

test('Esc returns the focus, and the typed text is there the next time @soak', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server);
  await seedChats(server, person, [{ title: 'Winter tyres', updatedAt: new Date() }]);
  await page.goto('/chat/new');
  await waitForHydration(page);
  await opener(page).click();
  await field(page).fill('winter');
  await expect(hits(page)).toHaveText([/^Winter tyres/]);
  await expect(dialog(page).getByRole('status')).toHaveText('1 result');
  await page.keyboard.press('Escape');
  await expect(opener(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(field(page)).toHaveValue('winter');
  await expect(hits(page)).toHaveCount(1);
  await page.keyboard.type('nothing like this');
  await expect(dialog(page).getByRole('status')).toHaveText('No results for “nothing like this”.');
  await expect(hits(page)).toHaveCount(0);
});

test('a late response is not shown; an error is reported @soak', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  const person = await signInAs(context, server);
  await seedChats(server, person, [
    { title: 'First thought', updatedAt: new Date() },
    { title: 'Second thought', updatedAt: new Date() },
  ]);
  await page.goto('/chat/new');
  await waitForHydration(page);
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/search?q=first', async (route) => {
    await released;
    await route.continue().catch(() => undefined);
  });
  await opener(page).click();
  const requested = page.waitForRequest('**/api/search?q=first');
  await field(page).fill('first');
  const cancelled = page.waitForEvent('requestfailed', (request) => request.url().endsWith('q=first'));
  await requested;
  await field(page).fill('second');
  await expect(hits(page)).toHaveText([/^Second thought/]);
  await cancelled;
  release();
  await expect(hits(page)).toHaveText([/^Second thought/]);

  await page.route('**/api/search?q=third', (route) =>
    route.fulfill({ status: 500, json: { error: 'The search is not well.', code: 'internal' } }),
  );
  await field(page).fill('third');
  await expect(dialog(page).getByRole('alert')).toHaveText('The search is not well.');
  await page.route('**/api/search?q=fourth', (route) => route.abort());
  await field(page).fill('fourth');
  await expect(dialog(page).getByRole('alert')).toContainText('Check your connection');
  browserErrors.splice(
    0,
    browserErrors.length,
    ...browserErrors.filter((text) => !/500|ERR_FAILED/.test(text)),
  );
});

test('a search that is refused because of a parallel one, or lost, is retried silently @soak', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  const person = await signInAs(context, server);
  await seedChats(server, person, [{ title: 'Winter tyres', updatedAt: new Date() }]);
  await page.goto('/chat/new');
  await waitForHydration(page);
  const error = { error: 'Your last search is still running.', code: 'rate_limited', requestId: 'x' };
  const requestCounts = { winter: 0, tyres: 0 };
  await page.route('**/api/search?q=winter', (route) => {
    requestCounts.winter += 1;
    return requestCounts.winter <= 2
      ? route.fulfill({ status: 429, headers: { 'retry-after': '1' }, json: error })
      : route.continue();
  });
  await page.route('**/api/search?q=tyres', (route) => {
    requestCounts.tyres += 1;
    return requestCounts.tyres === 1 ? route.abort() : route.continue();
  });
  await page.evaluate(() => {
    new MutationObserver(() => {
      if (document.querySelector('dialog [role=alert]')) document.documentElement.dataset.alerted = 'yes';
    }).observe(document.body, { childList: true, subtree: true });
  });
  await opener(page).click();
  for (const word of ['winter', 'tyres'] as const) {
    await field(page).fill(word);
    await expect(dialog(page).locator('mark.mark')).toHaveText(new RegExp(word, 'i'));
  }
  expect(requestCounts).toEqual({ winter: 3, tyres: 2 });
  expect(await page.evaluate(() => document.documentElement.dataset.alerted)).toBeUndefined();
  // A longer wait is shown.
  await page.route('**/api/search?q=wheels', (route) =>
    route.fulfill({ status: 429, headers: { 'retry-after': '40' }, json: error }),
  );
  await field(page).fill('wheels');
  await expect(dialog(page).getByRole('alert')).toHaveText(error.error);
  browserErrors.splice(
    0,
    browserErrors.length,
    ...browserErrors.filter((text) => !/429|ERR_FAILED/.test(text)),
  );
});
