import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { waitForHydration } from '../support/hydration.ts';
import { expect, signInAs, test } from '../support/journey.ts';
import { writeChat } from '../support/long-chat.ts';
import { soak } from '../support/soak.ts';
import { firstVisibleRow, transcript, waitUntilStill } from '../support/transcript.ts';

const rows = (page: Page) => page.locator('.chat-turn').count();

for (const width of soak ? [1280, 390] : [390]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 800 } });

    test('earlier messages load as the top comes near, and the visible text stays in place', async ({
      page,
      context,
      server,
    }) => {
      const person = await signInAs(context, server);
      const { id } = await writeChat(server, person, 250);
      await page.goto(`/chat/${id}`);
      expect(await rows(page)).toBe(40);
      let passing = Promise.withResolvers<void>();
      await page.route(/\?before=/, async (route) => {
        await passing.promise;
        await route.continue();
      });
      await transcript(page).hover();
      for (const known of [40, 140]) {
        await transcript(page).evaluate((box) => {
          box.scrollTop = 1_000;
        });
        await waitUntilStill(page);
        await page.mouse.wheel(0, -300);
        await waitUntilStill(page);
        const before = await firstVisibleRow(page);
        expect(await rows(page)).toBe(known);
        passing.resolve();
        await expect.poll(() => rows(page)).toBe(Math.min(250, known + 100));
        passing = Promise.withResolvers();
        await waitUntilStill(page);
        const after = await firstVisibleRow(page);
        expect(after.id).toBe(before.id);
        // Scroll positions are whole pixels, but rows end between them.
        expect(Math.abs(after.top - before.top)).toBeLessThan(1);
      }
    });
  });
}

test('the button loads earlier messages by keyboard and keeps the focus in the conversation @soak', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server);
  const { id } = await writeChat(server, person, 120);
  await page.goto(`/chat/${id}`);
  await waitForHydration(page);
  await page.getByRole('button', { name: 'Load earlier messages' }).press('Enter');
  await expect.poll(() => rows(page)).toBe(120);
  await expect(transcript(page)).toBeFocused();
  await expect(page.getByRole('button', { name: 'Load earlier messages' })).toHaveCount(0);
});

test('in the middle of a chat later messages load as the end comes near, and Jump to latest shows the end @soak', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server);
  const { id, messages } = await writeChat(server, person, 700);
  await page.goto(`/chat/${id}?at=${messages[200]}`);
  await waitForHydration(page);
  await expect(page.locator('.chat-jump')).not.toHaveAttribute('inert');
  const known = await rows(page);
  await expect(page.getByRole('button', { name: 'Load later messages' })).toBeAttached();
  await transcript(page).evaluate((box) => {
    box.scrollTop = box.scrollHeight - box.clientHeight - 900;
  });
  await expect.poll(() => rows(page)).toBeGreaterThan(known);
  await page.getByRole('button', { name: 'Jump to latest' }).click();
  await expect(page.locator(`[data-id="${messages[699]}"]`)).toBeInViewport();
  await expect(page.getByRole('button', { name: 'Load later messages' })).toHaveCount(0);
  await expect(page.locator('.chat-jump')).toHaveAttribute('inert');
});

test('another version of a reply replaces it without moving it @soak', async ({ page, context, server }) => {
  // Both versions fit into the window, so that their buttons can be pressed without scrolling.
  await page.setViewportSize({ width: 1280, height: 1300 });
  const person = await signInAs(context, server);
  const { id, messages } = await writeChat(server, person, 30);
  const run = randomUUID();
  const other = randomUUID();
  await server.database.query(
    `insert into generations (id, user_id, feature, state, counted, idempotency_key, request_hash, price, owner, text, finish_reason, finished_at)
     values ($1, $2, 'chat', 'done', true, $1::uuid::text, '', 0, 'tests', 'Another version', 'stop', now())`,
    [run, person.id],
  );
  await server.database.query(
    `insert into chat_messages (id, session_id, parent_id, role, content, generation_id, depth)
     values ($1, $2, $3, 'assistant', 'Another version', $4, 16)`,
    [other, id, messages[14], run],
  );
  await page.goto(`/chat/${id}`);
  await waitForHydration(page);
  const topOf = (message: string | undefined) =>
    page.locator(`[data-id="${message}"]`).evaluate((row) => row.getBoundingClientRect().top);
  expect(await rows(page)).toBe(16);
  const before = await topOf(other);
  await page.getByRole('button', { name: 'Previous version' }).click();
  await expect.poll(() => rows(page)).toBe(30);
  await waitUntilStill(page);
  expect(Math.abs((await topOf(messages[15])) - before)).toBeLessThan(1);
  await page.getByRole('button', { name: 'Next version' }).click();
  await expect.poll(() => rows(page)).toBe(16);
  await waitUntilStill(page);
  expect(Math.abs((await topOf(other)) - before)).toBeLessThan(1);
});
