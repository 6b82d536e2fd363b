import type { Page } from '@playwright/test';
import { ended, send } from '../support/chat.ts';
import { strangeElements, vectors, watch } from '../support/hostile.ts';
import { expect, say, signInAs, test } from '../support/journey.ts';

/** The gateway answers with exactly this text. */
const reply = (text: string, how = '[[tps:0]]') =>
  `[[raw:${Buffer.from(text).toString('base64')}]] ${how} [[first:0]]`;

const strangers = (page: Page) =>
  page.getByRole('region', { name: 'Conversation' }).locator(strangeElements).count();

test.setTimeout(180_000);

test('nothing in a reply runs, and nothing leaves the page', async ({ page, context, server }) => {
  await signInAs(context, server, { plan: 'pro' });
  const seen = await watch(page, server);
  await page.goto('/chat/new');
  for (const [index, text] of vectors.entries()) {
    await say(page, reply(`${text}\n\nend-of-${index}`));
    await expect(page.getByText(`end-of-${index}`, { exact: false }).last()).toBeVisible();
    await expect(page.getByRole('button', { name: 'Send message' })).toBeVisible();
  }
  expect(seen).toEqual({ foreign: [], ran: [] });
  expect(await strangers(page)).toBe(0);
  expect(new URL(page.url()).origin).toBe(server.url);
});

test('nor while it arrives in pieces of three characters', async ({ page, context, server }) => {
  await signInAs(context, server, { plan: 'pro' });
  const seen = await watch(page, server);
  await page.goto('/chat/new');
  const short = vectors.filter((text) => text.length < 300);
  for (let from = 0; from < short.length; from += 10) {
    const text = short.slice(from, from + 10).join('\n\n');
    await say(page, reply(`${text}\n\nend-of-${from}`, '[[piece:3]] [[tps:100]]'));
    await expect(page.getByRole('button', { name: 'Send message' })).toBeVisible({ timeout: 30_000 });
    await expect(page.getByText(`end-of-${from}`, { exact: false }).last()).toBeVisible();
    expect(await strangers(page)).toBe(0);
  }
  expect(seen).toEqual({ foreign: [], ran: [] });
});

test('nor in a question', async ({ page, context, server }) => {
  const person = await signInAs(context, server, { plan: 'pro' });
  const seen = await watch(page, server);
  const first = await send(person, `${vectors[0]} [[tokens:1]]`);
  await ended(person, first.body.generation.id);
  await page.goto(`/chat/${first.chatId}`);
  for (const [index, text] of vectors.slice(1).entries()) {
    await say(page, `${text}\n\nquestion-${index} [[tokens:1]]`);
    await expect(page.locator('.bubble', { hasText: `question-${index}` })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Send message' })).toBeVisible();
  }
  await page.reload();
  await expect(page.locator('.bubble').last()).toBeVisible();
  expect(await strangers(page)).toBe(0);
  expect(seen).toEqual({ foreign: [], ran: [] });
});

test('nor in a title, in the list, above the chat and in the window', async ({ page, context, server }) => {
  const person = await signInAs(context, server, { plan: 'pro' });
  const seen = await watch(page, server);
  const { chatId, body } = await send(person, 'hello [[tokens:1]]');
  await ended(person, body.generation.id);
  const strange = page.locator('main').locator(strangeElements);
  await page.goto(`/chat/${chatId}`);
  await expect(page.locator('.chat-head h1')).toBeVisible();
  const ours = await strange.count();
  for (const text of vectors) {
    await person.send('PATCH', `/api/chats/${chatId}`, { title: text.slice(0, 120) });
    await page.goto(`/chat/${chatId}`);
    const shown = text.slice(0, 120).replace(/\s+/g, ' ').trim();
    await expect(page.locator('.chat-head h1')).toContainText(shown.slice(0, 20));
    expect(await strange.count()).toBe(ours);
  }
  expect(seen).toEqual({ foreign: [], ran: [] });
});
