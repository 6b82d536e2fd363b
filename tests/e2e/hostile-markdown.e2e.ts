import type { Page } from '@playwright/test';
import { raw } from '../support/gateway.ts';
import { forbiddenElements, vectors, watch } from '../support/hostile.ts';
import { waitForHydration } from '../support/hydration.ts';
import { expect, sendMessage, signInAs, test } from '../support/journey.ts';
import { writeChat } from '../support/long-chat.ts';
import { sampled } from '../support/soak.ts';

const foreignLinks = (page: Page) =>
  page.getByRole('region', { name: 'Messages' }).locator(forbiddenElements).count();

/** Joins a few texts each, so that a text can only hide its neighbors. */
const groups = (texts: string[], size: number) =>
  Array.from({ length: Math.ceil(texts.length / size) }, (_, at) =>
    texts.slice(at * size, (at + 1) * size).join('\n\n'),
  );

test('nothing in a reply, a question or a title runs or contacts another server', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server, { plan: 'pro' });
  const observed = await watch(page, server);
  const texts = groups(
    vectors.map((text) => text.replaceAll('\0', '')),
    3,
  );
  // Each text is both a question and a reply.
  const chat = await writeChat(
    server,
    person,
    texts.length * 2,
    (at) => `${texts[Math.floor(at / 2)]}\n\nend-of-${at}`,
  );
  await writeChat(server, person, 2);
  await page.goto(`/chat/${chat.id}`);
  await waitForHydration(page);
  await expect(page.getByText(`end-of-${texts.length * 2 - 1}`, { exact: false }).last()).toBeVisible();
  // Until its Markdown is parsed, a text is shown raw.
  await expect(page.locator('.md.md-raw')).toHaveCount(0);
  expect(await foreignLinks(page)).toBe(0);
  const forbidden = page.locator('main').locator(forbiddenElements);
  const ownCount = await forbidden.count();
  for (const text of vectors.slice(0, sampled(2, 6))) {
    const title = text.replaceAll('\0', '').replace(/\s+/g, ' ').trim().slice(0, 120);
    await person.send('PATCH', `/api/chats/${chat.id}`, { title });
    await page.reload();
    await expect(page.locator('.chat-head h1')).toContainText(title.slice(0, 20));
    await expect(page.locator(`a[href="/chat/${chat.id}"]`)).toContainText(title.slice(0, 20));
    expect(await forbidden.count()).toBe(ownCount);
  }
  expect(observed).toEqual({ foreign: [], ran: [] });
  expect(new URL(page.url()).origin).toBe(server.url);
});

test('nothing runs while it arrives in pieces of three characters @soak', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server, { plan: 'pro' });
  const observed = await watch(page, server);
  await page.goto('/chat/new');
  const short = vectors.filter((text, at) => text.length < 300 && at % 4 === 0);
  await sendMessage(page, `${raw(`${short.join('\n\n')}\n\nthe-end`)} [[piece:3]] [[tps:200]] [[first:0]]`);
  await expect(page.getByText('the-end', { exact: false }).last()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send message' })).toBeVisible();
  expect(await foreignLinks(page)).toBe(0);
  expect(observed).toEqual({ foreign: [], ran: [] });
});

test('a deceptive link shows its full address, and opens only after that', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server);
  const address = `https://evil.example/c?d=${'SECRET'.repeat(20)}`;
  const text = `See [the docs](https://a.example/docs) and [your bank](${address}).`;
  const chat = await writeChat(server, person, 2, (at) => (at % 2 === 1 ? text : 'Where?'));
  await context.route(/evil\.example/, (route) => route.fulfill({ body: 'there' }));
  await page.goto(`/chat/${chat.id}`);
  await waitForHydration(page);
  const buttonText = await page
    .getByRole('link', { name: 'the docs' })
    .evaluate((link) => getComputedStyle(link, '::after').content);
  expect(buttonText).toContain('a.example');
  const bank = page.getByRole('button', { name: 'your bank' });
  const dialog = page.getByRole('dialog', { name: 'Open this link?' });
  await bank.click({ button: 'middle' });
  await bank.click();
  await expect(dialog).toContainText(address);
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(bank).toBeFocused();
  expect(context.pages()).toHaveLength(1);
  await page.keyboard.press('Enter');
  const opened = context.waitForEvent('page');
  await dialog.getByRole('link', { name: 'Open' }).click();
  await expect.poll(async () => (await opened).url()).toBe(address);
  await expect(dialog).toHaveCount(0);
});
