import { gatewayLog, uniqueWord } from '../support/chat.ts';
import { composer, expect, sendMessage, signInAs, test } from '../support/journey.ts';
import { eventually, startTestServer } from '../support/server.ts';
import { expectWithin } from '../support/soak.ts';

/** The last reply on the page. */
const lastReply = (page: import('@playwright/test').Page) => page.locator('article.chat-reply').last();

test('a network failure of some seconds leaves no gap @soak', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  await signInAs(context, server);
  const word = uniqueWord();
  await page.goto('/chat');
  await sendMessage(page, `${word} [[answer:lorem]] [[tokens:200]] [[tps:40]]`);
  await expect(page.getByText('w0020')).toBeVisible();
  await context.setOffline(true);
  await eventually(async () => (await gatewayLog(server, word))[0]?.sentText.includes('w0080'));
  await context.setOffline(false);
  await expect(page.getByText('w0200')).toBeVisible();
  const [call] = await gatewayLog(server, word);
  expect(((await lastReply(page).textContent()) ?? '').replace(/\s+/g, ' ')).toContain(call?.sentText.trim());
  // Removes browser errors of requests that failed while offline.
  browserErrors.splice(
    0,
    browserErrors.length,
    ...browserErrors.filter((text) => !text.includes('ERR_INTERNET_DISCONNECTED')),
  );
});

test('a reload mid-reply continues from the text so far, within a second, to the gateway’s full text', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server);
  const word = uniqueWord();
  await page.goto('/chat');
  await sendMessage(page, `${word} [[answer:lorem]] [[tokens:120]] [[tps:20]]`);
  await expect(page.getByText('w0020')).toBeVisible();
  await page.reload();
  const loadedAt = Date.now();
  const count = async () => ((await lastReply(page).textContent()) ?? '').match(/w\d{4}/g)?.length ?? 0;
  await expect.poll(count, { intervals: [50] }).toBeGreaterThan(20);
  expectWithin(Date.now() - loadedAt, 1_000);
  await expect(page.getByText('w0120')).toBeVisible();
  const [call, more] = await gatewayLog(server, word);
  expect(more).toBeUndefined();
  expect(((await lastReply(page).textContent()) ?? '').replace(/\s+/g, ' ')).toContain(call?.sentText.trim());
});

test('Stop keeps the text so far; typing continues during a reply', async ({ page, context, server }) => {
  const person = await signInAs(context, server);
  await page.goto('/chat');
  await sendMessage(page, `${uniqueWord()} [[answer:lorem]] [[tokens:2000]] [[tps:30]]`);
  await expect(page.getByText('w0005')).toBeVisible();
  await composer(page).fill('my next thought');
  await composer(page).press('Enter');
  await expect(composer(page)).toHaveValue('my next thought');
  await page.getByRole('button', { name: 'Stop generating' }).click();
  await expect(page.getByRole('region', { name: 'Messages' }).getByText('Stopped.')).toBeVisible();
  await expect(composer(page)).toHaveValue('my next thought');
  await page.reload();
  await expect(page.getByRole('region', { name: 'Messages' }).getByText('Stopped.')).toBeVisible();
  await expect(page.getByText('w0005')).toBeVisible();
  await expect(composer(page)).toHaveValue('my next thought');
  expect(await person.credits()).toBe(9);
});

test('kill -9 mid-reply: after the restart the reply is marked, refunded, and Retry works @soak', async ({
  page,
  context,
  browserErrors,
}) => {
  const options = { postgres: process.env.TEST_POSTGRES ?? '' };
  const server = await startTestServer(options);
  const port = new URL(server.url).port;
  const person = await signInAs(context, server);
  await page.goto(`${server.url}/chat`);
  await sendMessage(page, `${uniqueWord()} [[answer:lorem]] [[tokens:400]] [[tps:30]]`);
  await expect(page.getByText('w0040')).toBeVisible();
  await server.kill();
  const again = await startTestServer({
    ...options,
    databaseUrl: server.databaseUrl,
    dataDir: server.dataDir,
    env: { PORT: port },
  });
  await expect(page.getByRole('region', { name: 'Messages' }).getByText(/Interrupted/)).toBeVisible();
  await expect(page.getByText('w0020')).toBeVisible();
  expect(await person.credits()).toBe(10);
  await page.getByRole('button', { name: 'Retry' }).first().click();
  await expect(page.getByText('w0060')).toBeVisible();
  await page.getByRole('button', { name: 'Stop generating' }).click();
  await expect(page.getByText('9 credits left')).toBeVisible();
  await page.close();
  await again.stop();
  await server.stop();
  browserErrors.splice(
    0,
    browserErrors.length,
    ...browserErrors.filter((text) => !/ERR_(CONNECTION|INCOMPLETE|EMPTY|SOCKET)|50[0-9]/.test(text)),
  );
});

test('a pending reply shows activity from its first moment, which is static with reduced motion @soak', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server);
  await page.goto('/chat/new');
  // The request is held, so whatever shows is there before any response.
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/messages', async (route) => {
    await released;
    await route.continue();
  });
  await sendMessage(page, 'Wait a little [[tokens:3]]');
  const dots = page.locator('.chat-thinking i');
  await expect(dots).toHaveCount(3);
  const moving = () =>
    dots.evaluateAll((all) => all.flatMap((dot) => dot.getAnimations()).map(({ playState }) => playState));
  expect(await moving()).toEqual(['running', 'running', 'running']);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await moving()).toEqual([]);
  release();
  await expect(page.getByRole('button', { name: 'Regenerate' }).first()).toBeVisible();
  await expect(dots).toHaveCount(0);
});
