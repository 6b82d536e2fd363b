import type { BrowserContext, Page } from '@playwright/test';
import { violationsOf } from '../support/axe.ts';
import { noDelay, uniqueWord } from '../support/chat.ts';
import { release } from '../support/gateway.ts';
import { waitForHydration } from '../support/hydration.ts';
import { expect, sendMessage, signInAs, test } from '../support/journey.ts';
import { layoutFaults } from '../support/layout-faults.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let searxng: TestServer;
let gateway: TestServer;
test.beforeAll(async () => {
  const postgres = process.env.TEST_POSTGRES ?? '';
  searxng = await startTestServer({ postgres, env: { WEB_SEARCH: 'searxng' } });
  gateway = await startTestServer({ postgres, env: { WEB_SEARCH: 'gateway' } });
});
test.afterAll(async () => {
  for (const site of [searxng, gateway]) await site.stop();
});

const reply = (page: Page) => page.locator('article.chat-reply').last();
const webSwitch = (page: Page) => page.getByRole('button', { name: 'Search the web' });
const sources = (page: Page) => reply(page).getByRole('region', { name: 'Sources' });

async function open(page: Page, context: BrowserContext, site: TestServer) {
  const person = await signInAs(context, site, { credits: 20 });
  await page.goto(`${site.url}/chat/new`);
  await waitForHydration(page);
  return person;
}

test('is not offered where no search is configured @soak', async ({ page, context, server }) => {
  await signInAs(context, server);
  await page.goto('/chat/new');
  await waitForHydration(page);
  await expect(page.locator('.composer')).toBeVisible();
  await expect(webSwitch(page)).toHaveCount(0);
});

test('a message with the switch on searches, with numbered sources that are reachable by keyboard', async ({
  page,
  context,
}) => {
  const word = uniqueWord();
  await open(page, context, searxng);
  await expect(webSwitch(page)).toHaveAttribute('aria-pressed', 'false');
  await expect(page.getByText('1 credit per message · 20 left')).toBeVisible();
  // The switch is disabled until the chat has loaded the person's choice.
  await expect(webSwitch(page)).toBeEnabled();
  await webSwitch(page).focus();
  await page.keyboard.press('Space');
  await expect(webSwitch(page)).toHaveAttribute('aria-pressed', 'true');
  await expect(webSwitch(page)).toHaveAttribute('title', 'Adds 1 credit when sources are found');
  await expect(page.getByText('2 credits per message · 20 left')).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  expect(await layoutFaults(page)).toEqual([]);

  await sendMessage(page, `How high is ${word}? [[mode:hold]] [[holdAfter:0]] ${noDelay}`);
  await expect(reply(page).getByText('Searching the web…')).toBeVisible();
  await page.waitForURL(/\/chat\/[0-9a-f-]{36}$/);
  const other = await context.newPage();
  await other.goto(page.url());
  await waitForHydration(other);
  await expect(webSwitch(other)).toHaveAttribute('aria-pressed', 'true');
  await release(searxng, word);
  for (const each of [page, other]) {
    await expect(sources(each).getByRole('link')).toHaveCount(4);
    await expect(reply(each).getByText(`Searched for: How high is ${word}?`)).toBeVisible();
  }
  await other.close();
  await expect(page.getByText('2 credits per message · 18 left')).toBeVisible();

  const mark = reply(page).getByRole('link', { name: 'Source 2' }).first();
  await expect(mark).toHaveText('[2]');
  await mark.focus();
  await page.keyboard.press('Enter');
  await expect(sources(page).getByRole('listitem').nth(1)).toBeFocused();
  await expect(page).toHaveURL(/\/chat\/[0-9a-f-]{36}$/);
  const link = sources(page).getByRole('link').first();
  await expect(link).toHaveAttribute('href', /^https:\/\/www\.example\.org\//);
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer');
  expect(await violationsOf(page)).toEqual([]);

  await page.reload();
  await waitForHydration(page);
  await expect(sources(page).getByRole('link')).toHaveCount(4);
  await expect(reply(page).getByRole('link', { name: 'Source 1' }).first()).toBeVisible();
  await expect(webSwitch(page)).toHaveAttribute('aria-pressed', 'true');
  // Off for the next message.
  await webSwitch(page).click();
  await sendMessage(page, `And ${word}? ${noDelay}`);
  await expect(reply(page).getByText(`And ${word}?`)).toBeVisible();
  await expect(sources(page)).toHaveCount(0);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await layoutFaults(page)).toEqual([]);
  expect(await violationsOf(page)).toEqual([]);
});

test('a deceptive source asks for confirmation first, and a failed search says so @soak', async ({
  page,
  context,
}) => {
  const word = uniqueWord();
  await open(page, context, searxng);
  await webSwitch(page).click();
  await sendMessage(page, `What of ${word}? [[search:hostile]] ${noDelay}`);
  await expect(sources(page)).toBeVisible();
  const inside = sources(page).getByRole('button').first();
  await inside.click();
  await expect(page.getByRole('dialog')).toContainText('http://192.168.0.1/admin');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  for (const link of await sources(page).getByRole('link').all())
    expect(await link.getAttribute('href')).toMatch(/^https?:\/\/[^@]*$/);
  await sendMessage(page, `What of ${word}? [[search:500]] ${noDelay}`);
  await expect(reply(page).getByText(/^Web search failed/)).toBeVisible();
  await expect(page.getByText(/per message · 17 left/)).toBeVisible();
});

test('the gateway’s citations are in the list, with their numbers next to the links of the text @soak', async ({
  page,
  context,
}) => {
  await open(page, context, gateway);
  await webSwitch(page).click();
  await sendMessage(page, `How high is ${uniqueWord()}? ${noDelay}`);
  await expect(sources(page).getByRole('link')).toHaveCount(4);
  await expect(reply(page).getByRole('link', { name: 'Source 1' })).toHaveText('[1]');
  await page.reload();
  await waitForHydration(page);
  await expect(reply(page).getByRole('link', { name: 'Source 1' })).toHaveText('[1]');
  expect(await violationsOf(page)).toEqual([]);
});
