import type { Page } from '@playwright/test';
import { send, waitForEnd } from '../support/chat.ts';
import { forbiddenElements, vectors, watch } from '../support/hostile.ts';
import { expect, sendMessage, signInAs, test } from '../support/journey.ts';

/** Prompt for a reply with exactly this text. */
const reply = (text: string, markers = '[[tps:0]]') =>
  `[[raw:${Buffer.from(text).toString('base64')}]] ${markers} [[first:0]]`;

const foreignLinks = (page: Page) =>
  page.getByRole('region', { name: 'Messages' }).locator(forbiddenElements).count();

test('nothing in a reply runs or contacts another server', async ({ page, context, server }) => {
  await signInAs(context, server, { plan: 'pro' });
  const observed = await watch(page, server);
  await page.goto('/chat/new');
  for (const [index, text] of vectors.entries()) {
    await sendMessage(page, reply(`${text}\n\nend-of-${index}`));
    await expect(page.getByText(`end-of-${index}`, { exact: false }).last()).toBeVisible();
    await expect(page.getByRole('button', { name: 'Send message' })).toBeVisible();
  }
  expect(observed).toEqual({ foreign: [], ran: [] });
  expect(await foreignLinks(page)).toBe(0);
  expect(new URL(page.url()).origin).toBe(server.url);
});

test('nothing runs while it arrives in pieces of three characters', async ({ page, context, server }) => {
  await signInAs(context, server, { plan: 'pro' });
  const observed = await watch(page, server);
  await page.goto('/chat/new');
  const short = vectors.filter((text) => text.length < 300);
  for (let from = 0; from < short.length; from += 10) {
    const text = short.slice(from, from + 10).join('\n\n');
    await sendMessage(page, reply(`${text}\n\nend-of-${from}`, '[[piece:3]] [[tps:100]]'));
    await expect(page.getByRole('button', { name: 'Send message' })).toBeVisible();
    await expect(page.getByText(`end-of-${from}`, { exact: false }).last()).toBeVisible();
    expect(await foreignLinks(page)).toBe(0);
  }
  expect(observed).toEqual({ foreign: [], ran: [] });
});

/** In groups: a question is not rendered as Markdown, so one vector cannot hide the next. */
const groups = (texts: string[], size: number) =>
  Array.from({ length: Math.ceil(texts.length / size) }, (_, at) => texts.slice(at * size, (at + 1) * size));

test('nothing in a question runs', async ({ page, context, server }) => {
  const person = await signInAs(context, server, { plan: 'pro' });
  const observed = await watch(page, server);
  const first = await send(person, `${vectors[0]} [[tokens:1]]`);
  await waitForEnd(person, first.body.generation.id);
  await page.goto(`/chat/${first.chatId}`);
  for (const [index, group] of groups(vectors, 6).entries()) {
    await sendMessage(page, `${group.join('\n\n')}\n\nquestion-${index} [[tokens:1]]`);
    await expect(page.locator('.bubble', { hasText: `question-${index}` })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Send message' })).toBeVisible();
    expect(await foreignLinks(page)).toBe(0);
  }
  await page.reload();
  await expect(page.locator('.bubble').last()).toBeVisible();
  expect(await foreignLinks(page)).toBe(0);
  expect(observed).toEqual({ foreign: [], ran: [] });
});

test('nothing in a title runs, in the list, above the chat and in the window', async ({
  page,
  context,
  server,
}) => {
  const observed = await watch(page, server);
  const forbidden = page.locator('main').locator(forbiddenElements);
  let ownCount: number | undefined;
  for (const group of groups(vectors, 20)) {
    const person = await signInAs(context, server, { plan: 'pro' });
    const chats: Array<{ id: string; title: string }> = [];
    for (const text of group) {
      const { id } = (await (await person.send('POST', '/api/chats', {})).json()) as { id: string };
      await person.send('PATCH', `/api/chats/${id}`, { title: text.slice(0, 120) });
      chats.push({ id, title: text.slice(0, 120).replace(/\s+/g, ' ').trim() });
    }
    await page.goto(`/chat/${chats[0]?.id}`);
    for (const { id, title } of chats) {
      const entry = page.locator(`a[href="/chat/${id}"]`);
      await expect(entry).toContainText(title.slice(0, 20));
      await entry.click();
      await expect(page).toHaveURL(new RegExp(`${id}$`));
      await expect(page.locator('.chat-head h1')).toContainText(title.slice(0, 20));
      ownCount ??= await forbidden.count();
      expect(await forbidden.count()).toBe(ownCount);
    }
  }
  expect(observed).toEqual({ foreign: [], ran: [] });
});
