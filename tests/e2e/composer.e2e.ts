import type { Page, Route } from '@playwright/test';
import { violationsOf } from '../support/axe.ts';
import { uniqueWord } from '../support/chat.ts';
import { release } from '../support/gateway.ts';
import { waitForHydration } from '../support/hydration.ts';
import { composer, expect, sendMessage, signInAs, test } from '../support/journey.ts';
import { layoutFaults } from '../support/layout-faults.ts';
import { writeChat } from '../support/long-chat.ts';
import { transcript } from '../support/transcript.ts';

const noDelay = '[[tps:0]] [[first:0]]';
const sendButton = (page: Page) => page.getByRole('button', { name: 'Send message' });
const waitForReply = (page: Page) =>
  expect(page.getByRole('button', { name: 'Regenerate' }).first()).toBeVisible();

test('arrow keys recall sent messages, as in a shell, and leave typed text alone @soak', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server);
  await page.goto('/chat');
  await sendMessage(page, 'first [[tps:400]]');
  await waitForReply(page);
  await sendMessage(page, 'second\nwith a line [[tps:400]]');
  await expect(page.getByRole('article').getByText('turn 2 of our conversation')).toBeVisible();
  await waitForReply(page);
  const box = composer(page);
  await box.press('ArrowUp');
  await expect(box).toHaveValue('second\nwith a line [[tps:400]]');
  await box.press('ArrowUp');
  await expect(box).toHaveValue('first [[tps:400]]');
  await box.press('ArrowUp');
  await expect(box).toHaveValue('first [[tps:400]]');
  await box.press('ArrowDown');
  await box.press('ArrowDown');
  await expect(box).toHaveValue('');
  await box.fill('mine');
  await box.press('ArrowUp');
  await expect(box).toHaveValue('mine');
});

test('the box grows to eight lines, on phones to four, and then scrolls @soak', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server);
  await page.goto('/chat');
  const lines = async (count: number) => {
    await composer(page).fill(Array.from({ length: count }, (_, at) => `line ${at}`).join('\n'));
    return composer(page).evaluate((box) => (box.clientHeight - 12) / 26);
  };
  expect([await lines(1), await lines(3), await lines(8), await lines(20)]).toEqual([2, 3, 8, 8]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect([await lines(1), await lines(4), await lines(20)]).toEqual([1, 4, 4]);
  expect(await composer(page).evaluate((box) => getComputedStyle(box).fontSize)).toBe('16px');
});

test('a paste that is too long is reported and kept complete', async ({ page, context, server }) => {
  await signInAs(context, server);
  await page.goto('/chat');
  const long = 'word '.repeat(6_642);
  await sendMessage(page, long);
  await expect(page.getByRole('alert').filter({ hasText: 'This message is too long' })).toBeVisible();
  await expect(page.getByText('33,210 of 32,000 characters')).toBeVisible();
  await expect(sendButton(page)).toBeDisabled();
  await page.reload();
  await expect(composer(page)).toHaveValue(long);
  await composer(page).fill(long.slice(0, 32_000));
  await expect(page.getByText('This message is too long')).toHaveCount(0);
  await expect(sendButton(page)).toBeEnabled();
});

test('the box has the focus after opening, sending, stopping and changing the chat @soak', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server);
  await page.goto('/chat');
  await expect(composer(page)).toBeFocused();
  await sendMessage(page, 'One [[answer:lorem]] [[tokens:2000]] [[tps:30]]');
  await expect(transcript(page).getByText('w0003')).toBeVisible();
  await expect(composer(page)).toBeFocused();
  await page.getByRole('button', { name: 'Stop generating' }).click();
  await expect(composer(page)).toBeFocused();
  await page.getByRole('link', { name: 'New Chat' }).click();
  await expect(page).toHaveURL(/\/chat\/new$/);
  await expect(composer(page)).toBeFocused();
});

test.describe('on a touch-only device', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });
  test('Enter breaks the line, the button sends, and nothing takes the focus @soak', async ({
    page,
    context,
    server,
  }) => {
    await signInAs(context, server);
    await page.goto('/chat');
    await expect(composer(page)).toHaveAttribute('enterkeyhint', 'enter');
    await expect(composer(page)).not.toBeFocused();
    await composer(page).fill('one');
    await composer(page).press('Enter');
    await expect(composer(page)).toHaveValue('one\n');
    await composer(page).blur();
    await sendButton(page).tap();
    await expect(page.locator('.bubble').last()).toContainText('one');
    await expect(composer(page)).not.toBeFocused();
  });

  test('a message is queued behind the running reply by a button next to Stop @soak', async ({
    page,
    context,
    server,
  }) => {
    await signInAs(context, server, { credits: 5 });
    const word = uniqueWord();
    await page.goto('/chat/new');
    await waitForHydration(page);
    await composer(page).fill(`${word} [[mode:hold]] [[holdAfter:3]] ${noDelay}`);
    await sendButton(page).tap();
    const stop = page.getByRole('button', { name: 'Stop generating' });
    await expect(stop).toBeEnabled();
    const after = page.getByRole('button', { name: 'Send after this reply' });
    await expect(after).toHaveCount(0);
    await composer(page).fill(`And then? ${noDelay}`);
    expect(await layoutFaults(page)).toEqual([]);
    await expect(stop).toBeVisible();
    await after.tap();
    await expect(after).toHaveCount(0);
    await expect(
      page.getByRole('status').filter({ hasText: 'Sends when this reply is done.' }),
    ).toBeVisible();
    await release(server, word);
    await expect(page.locator('.bubble').last()).toContainText('And then?');
    await expect(composer(page)).toHaveValue('');
  });

  test('Edit moves the focus into the box, an edit that starts by itself does not @soak', async ({
    page,
    context,
    server,
  }) => {
    const person = await signInAs(context, server);
    const { id } = await writeChat(server, person, 2, (at) => `Part ${at}`);
    await page.goto(`/chat/${id}`);
    await waitForHydration(page);
    await page.getByRole('button', { name: 'Edit', exact: true }).tap();
    await expect(composer(page)).toHaveValue('Part 0');
    await expect(composer(page)).toBeFocused();
    await page.getByRole('button', { name: 'Cancel' }).tap();
    await composer(page).blur();
    await page.getByRole('button', { name: 'Chat options' }).tap();
    await page.getByRole('button', { name: 'Edit last' }).tap();
    await expect(composer(page)).toBeFocused();
    await composer(page).fill('half an edit');
    await page.reload();
    await expect(composer(page)).toHaveValue('half an edit');
    await expect(composer(page)).not.toBeFocused();
  });
});

test('a message that is sent during a reply goes out when that one is done', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server);
  await page.goto('/chat/new');
  await waitForHydration(page);
  const first = uniqueWord();
  await sendMessage(page, `${first} [[tps:0]] [[first:0]] [[mode:hold]] [[holdAfter:3]]`);
  await expect(page.getByRole('button', { name: 'Stop generating' })).toBeVisible();
  const line = page.getByRole('status').filter({ hasText: 'Sends when this reply is done.' });
  await composer(page).press('Enter');
  await expect(line).toHaveCount(0);
  await composer(page).pressSequentially('The next [[tps:0]] [[first:0]]');
  await composer(page).press('Enter');
  await expect(line).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  await page.locator('.chat-composer').getByRole('button', { name: 'Cancel' }).press('Enter');
  await expect(line).toHaveCount(0);
  await expect(composer(page)).toBeFocused();
  await composer(page).press('Enter');
  await expect(line).toBeVisible();
  await release(server, first);
  await expect(page.locator('.chat-question')).toHaveCount(2);
  await expect(page.locator('.chat-question').last()).toContainText('The next');
  await expect(composer(page)).toHaveValue('');
  await waitForReply(page);
});

test('a queued message is not sent after its text was changed or the reply stopped @soak', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server);
  await page.goto('/chat');
  await sendMessage(page, 'One [[answer:lorem]] [[tokens:2000]] [[tps:30]]');
  await expect(page.getByText('w0003')).toBeVisible();
  const line = page.getByRole('status').filter({ hasText: 'Sends when this reply is done.' });
  await composer(page).pressSequentially('next');
  await composer(page).press('Enter');
  await expect(line).toBeVisible();
  await composer(page).pressSequentially(' one');
  await expect(line).toHaveCount(0);
  await composer(page).press('Enter');
  await expect(line).toBeVisible();
  await composer(page).press('Escape');
  await waitForReply(page);
  await expect(line).toHaveCount(0);
  await expect(composer(page)).toHaveValue('next one');
  await expect(page.locator('.chat-question')).toHaveCount(1);
});

test('an Enter before the page is hydrated leaves no empty line and sends nothing @soak', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server);
  let releaseScripts = () => {};
  const released = new Promise<void>((resolve) => {
    releaseScripts = resolve;
  });
  await page.route('**/*.js', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto('/chat', { waitUntil: 'commit' });
  await composer(page).pressSequentially('typed early');
  await composer(page).press('Enter');
  await expect(composer(page)).toHaveValue('typed early\n');
  releaseScripts();
  await waitForHydration(page);
  await expect(composer(page)).toHaveValue('typed early');
  await expect(page.locator('.bubble')).toHaveCount(0);
  await page.reload();
  await waitForHydration(page);
  await expect(composer(page)).toHaveValue('typed early');
});

test('text that another tab has sent disappears from the box, and text that was changed here stays @soak', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server);
  await page.goto('/chat/new');
  await waitForHydration(page);
  await composer(page).fill('from both tabs [[tps:400]]');
  const other = await context.newPage();
  await other.goto('/chat/new');
  await expect(composer(other)).toHaveValue('from both tabs [[tps:400]]');
  await composer(other).press('Enter');
  await waitForReply(other);
  await expect(composer(page)).toHaveValue('');
  await other.goto('/chat/new');
  await waitForHydration(other);
  await composer(other).fill('mine [[tps:400]]');
  await composer(page).evaluate((box: HTMLTextAreaElement) => {
    box.value = 'mine, and not kept yet';
  });
  await composer(other).press('Enter');
  await waitForReply(other);
  await expect(composer(page)).toHaveValue('mine, and not kept yet');
});

const refuse =
  (status: number, body: object, headers = {}) =>
  (route: Route) =>
    route.fulfill({ status, headers, json: { requestId: 'r', ...body } });

test('a refusal counts down in seconds, says when it is over, and sends nothing by itself @soak', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  await signInAs(context, server);
  await page.goto('/chat');
  let requestCount = 0;
  const limited = refuse(429, { error: 'Too many messages.', code: 'rate_limited' }, { 'retry-after': '3' });
  await page.route('**/messages', (route) => {
    requestCount += 1;
    return limited(route);
  });
  await sendMessage(page, 'Am I too fast?');
  await expect(page.getByRole('alert').filter({ hasText: 'Too many messages.' })).toBeVisible();
  await expect(page.getByRole('timer')).toHaveText('Try again in 2 seconds.');
  await expect(page.getByRole('timer')).toHaveText('Try again in 1 second.');
  await expect(page.getByRole('status').filter({ hasText: 'You can send it again now.' })).toBeVisible();
  await expect(composer(page)).toHaveValue('Am I too fast?');
  expect(requestCount).toBe(1);
  await page.unroute('**/messages');
  await composer(page).press('Enter');
  await waitForReply(page);
  await expect(page.getByText('Too many messages.')).toHaveCount(0);
  browserErrors.splice(0, browserErrors.length, ...browserErrors.filter((text) => !text.includes('429')));
});

test('a notice covers nothing @soak', async ({ page, context, server, browserErrors }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signInAs(context, server);
  await page.goto('/chat');
  await sendMessage(page, 'Long [[answer:lorem]] [[tokens:600]] [[tps:2000]]');
  await expect(transcript(page).getByText('w0600')).toBeInViewport();
  await waitForReply(page);
  await page.route('**/messages', refuse(402, { error: 'Insufficient credits.', code: 'credits_exhausted' }));
  await sendMessage(page, 'More');
  await expect(
    page.locator('.chat-notice').getByRole('button', { name: 'Purchase more credits', includeHidden: true }),
  ).toBeVisible();
  // The dialog with plans opens automatically, shortly after the notice.
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  const box = await transcript(page)
    .getByText('w0600')
    .evaluate((text) => text.getBoundingClientRect().bottom);
  const notice = await page.locator('.chat-notice').evaluate((line) => line.getBoundingClientRect().top);
  expect(box).toBeLessThanOrEqual(notice);
  browserErrors.splice(0, browserErrors.length, ...browserErrors.filter((text) => !text.includes('402')));
});
test('a question is edited: the draft waits, Esc cancels the edit, and it is sent as another version', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server);
  await page.goto('/chat');
  await sendMessage(page, 'What is a lightship? [[tps:400]]');
  await waitForReply(page);
  await composer(page).fill('my draft');
  const edit = page.getByRole('button', { name: /^Edit/ }).first();
  await edit.click();
  await expect(page.getByRole('status').filter({ hasText: 'Editing your message' })).toBeVisible();
  await expect(composer(page)).toHaveValue('What is a lightship? [[tps:400]]');
  await expect(composer(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(composer(page)).toHaveValue('my draft');
  await edit.click();
  await composer(page).fill('What is a foghorn? [[tps:400]]');
  await composer(page).press('Enter');
  await expect(page.locator('.bubble')).toHaveText(['What is a foghorn? [[tps:400]]']);
  await expect(composer(page)).toHaveValue('my draft');
  await expect(page.getByText('Editing your message')).toHaveCount(0);
  await waitForReply(page);
  await page.reload();
  await expect(page.locator('.bubble')).toHaveText(['What is a foghorn? [[tps:400]]']);
  await expect(composer(page)).toHaveValue('my draft');
  const questions = page.locator('article.chat-question');
  await expect(questions.getByText('Version 2 of 2')).toBeVisible();
  await questions.getByRole('button', { name: 'Previous version' }).click();
  await expect(page.locator('.bubble')).toHaveText(['What is a lightship? [[tps:400]]']);
});

test('a refused edit is restored as an edit @soak', async ({ page, context, server, browserErrors }) => {
  await signInAs(context, server);
  await page.goto('/chat');
  await sendMessage(page, 'What is a lightship? [[tps:400]]');
  await waitForReply(page);
  await composer(page).fill('my draft');
  await page.getByRole('button', { name: /^Edit/ }).first().click();
  await composer(page).fill('What is a foghorn?');
  await page.route('**/messages', refuse(429, { error: 'Too many.', code: 'rate_limited' }));
  await composer(page).press('Enter');
  await expect(page.getByText('Too many.')).toBeVisible();
  await expect(page.getByText('Editing your message')).toBeVisible();
  await expect(composer(page)).toHaveValue('What is a foghorn?');
  await expect(page.locator('.bubble')).toHaveText(['What is a lightship? [[tps:400]]']);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(composer(page)).toHaveValue('my draft');
  await expect(page.getByText('Too many.')).toHaveCount(0);
  browserErrors.splice(0, browserErrors.length, ...browserErrors.filter((text) => !text.includes('429')));
});
