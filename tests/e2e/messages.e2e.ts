import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { gatewayLog, uniqueWord } from '../support/chat.ts';
import { waitForHydration } from '../support/hydration.ts';
import { composer, expect, sendMessage, signInAs, test } from '../support/journey.ts';
import { transcript } from '../support/transcript.ts';

const replies = (page: Page) => page.locator('article.chat-reply');
const questions = (page: Page) => page.locator('article.chat-question');
const button = (turn: Locator, name: string) => turn.getByRole('button', { name, exact: true });
const idle = (page: Page) => expect(page.getByRole('button', { name: 'Send message' })).toBeVisible();

/** Prompt for a reply with exactly this text, without delays. */
const reply = (text: string) => `[[raw:${Buffer.from(text).toString('base64')}]] [[tps:0]] [[first:0]]`;

async function waitForReplies(page: Page, count: number) {
  await expect(replies(page)).toHaveCount(count);
  await idle(page);
}

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

test('a reply is copied as Markdown and as text, and confirms it once', async ({ page, context, server }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signInAs(context, server);
  await page.goto('/chat');
  const text = '# Title\n\nSome **bold** and `code`.\n\n- one\n- two';
  await sendMessage(page, reply(text));
  await waitForReplies(page, 1);
  const turn = replies(page).first();
  await button(turn, 'Copy').click();
  await expect(button(turn, 'Copied')).toBeVisible();
  await expect.poll(() => clipboard(page)).toBe(text);
  await expect(page.getByRole('status').filter({ hasText: 'Copied' })).toHaveCount(1);
  await expect(button(turn, 'Copy')).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'Copied' })).toHaveCount(0);

  await button(turn, 'About this reply').click();
  const menu = page.getByRole('dialog', { name: 'About this reply' });
  await expect(menu.getByText('1 credit')).toBeVisible();
  await expect(menu.getByText('7 words')).toBeVisible();
  await expect(menu.getByText(/\/|-/).first()).toBeVisible();
  await menu.getByRole('button', { name: 'Copy as text' }).click();
  await expect(menu.getByRole('button', { name: 'Copied' })).toBeVisible();
  await expect.poll(() => clipboard(page)).toBe('Title\n\nSome bold and code.\n\n- one\n- two');
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
  await expect(button(turn, 'About this reply')).toBeFocused();

  await questions(page).first().hover();
  await button(questions(page).first(), 'Copy').click();
  await expect.poll(() => clipboard(page)).toContain('[[raw:');
});

test('a reply in the middle is regenerated; both versions stay, and the choice survives a reload @soak', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server);
  const word = uniqueWord();
  await page.goto('/chat');
  await sendMessage(page, `${word} [[mode:ok,reasoning]] [[tokens:5]]`);
  await waitForReplies(page, 1);
  await sendMessage(page, 'and more [[tokens:5]]');
  await waitForReplies(page, 2);
  const first = replies(page).first();
  await first.hover();
  await button(first, 'Regenerate').click();
  await waitForReplies(page, 1);
  expect(await gatewayLog(server, word)).toHaveLength(2);
  await expect(first.getByText('Version 2 of 2')).toBeVisible();
  await expect(first.getByText('Later messages are in the other version.')).toBeVisible();
  await expect(button(first, 'Next version')).toBeDisabled();
  await button(first, 'Previous version').click();
  await expect(first.getByText('Version 1 of 2')).toBeVisible();
  await expect(button(first, 'Next version')).toBeFocused();
  await expect(questions(page)).toHaveCount(2);
  await page.reload();
  await expect(first.getByText('Version 1 of 2')).toBeVisible();
  await expect(questions(page)).toHaveCount(2);
  await first.hover();
  await button(first, 'Next version').click();
  await expect(questions(page)).toHaveCount(1);
});

test('a reply that was stopped, or was too long, can be continued @soak', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server);
  await page.goto('/chat');
  await sendMessage(page, `${uniqueWord()} [[answer:lorem]] [[tokens:300]] [[tps:60]]`);
  await expect(transcript(page).getByText('w0010')).toBeVisible();
  await page.getByRole('button', { name: 'Stop generating' }).click();
  const turn = replies(page).last();
  await expect(turn.getByText('Stopped.')).toBeVisible();
  await expect(button(turn, 'Regenerate')).toBeVisible();
  const partialText = ((await turn.locator('.md').textContent()) ?? '').trim();
  await button(turn, 'Continue').click();
  await expect(transcript(page).getByText('w0300')).toBeVisible();
  const fullText = ((await turn.locator('.md').textContent()) ?? '').trim();
  expect(fullText.startsWith(partialText)).toBe(true);
  expect(fullText.match(/w0001/g)).toHaveLength(1);
  await idle(page);
  await expect(button(turn, 'Continue')).toHaveCount(0);
  await expect(turn.getByText('Version 2 of 2')).toBeVisible();

  await sendMessage(page, `${uniqueWord()} [[answer:lorem]] [[tokens:2100]] [[tps:0]]`);
  await waitForReplies(page, 2);
  await expect(turn.getByText('This reply reached its length limit.')).toBeVisible();
  await button(turn, 'Continue').click();
  await expect(turn.getByText('w2100')).toBeVisible();
  await idle(page);
  expect((await turn.locator('.md').textContent())?.match(/w0001/g)).toHaveLength(1);
});

test('a failure says so, gives its reference, and can be retried', async ({ page, context, server }) => {
  const person = await signInAs(context, server);
  await page.goto('/chat');
  await sendMessage(page, `${uniqueWord()} [[mode:502,ok]] [[tokens:5]]`);
  const turn = replies(page).last();
  await expect(turn.getByText('Sorry, I encountered an error. Please try again.')).toBeVisible();
  expect(await person.credits()).toBe(10);
  await expect(turn.getByText('Reference')).toBeHidden();
  await turn.getByText('Details').click();
  await expect(turn.locator('code')).toHaveText(/^[0-9a-f-]{36}$/);
  await button(turn, 'Retry').click();
  await expect(button(turn, 'Regenerate')).toBeVisible();
  await expect(turn.getByText('Sorry')).toHaveCount(0);
});

const code = Array.from(
  { length: 12 },
  (_, at) => `const value${at} = "${'long '.repeat(at === 2 ? 60 : 1)}"; /* line ${at}`,
);

test('code has line numbers that are not copied, wraps on demand, and scrolls separately @soak', async ({
  page,
  context,
  server,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signInAs(context, server);
  await page.goto('/chat');
  await sendMessage(page, reply(`\`\`\`js\n${code.join('\n')}\n*/\n\`\`\``));
  await waitForReplies(page, 1);
  const block = page.locator('.md-code');
  const pre = block.locator('pre');
  await expect(block.getByText('JavaScript')).toBeVisible();
  await expect(pre.locator('.hljs-comment').first()).toBeVisible();
  const scrolls = () => pre.evaluate((box) => box.scrollWidth > box.clientWidth);
  expect(await scrolls()).toBe(true);
  await block.getByRole('button', { name: 'Copy code' }).click();
  await expect.poll(() => clipboard(page)).toBe(`${code.join('\n')}\n*/`);
  const downloading = page.waitForEvent('download');
  await block.getByRole('button', { name: 'Download code' }).click();
  const saved = await downloading;
  expect(saved.suggestedFilename()).toBe('code.js');
  expect(readFileSync(await saved.path(), 'utf8')).toBe(`${code.join('\n')}\n*/\n`);
  const selected = () =>
    pre.evaluate((box) => {
      const selection = getSelection();
      selection?.selectAllChildren(box);
      return String(selection).trim();
    });
  expect((await selected()).split('\n')).toEqual([...code, '*/']);

  const wrap = block.getByRole('button', { name: 'Wrap lines' });
  await wrap.click();
  await expect(wrap).toHaveAttribute('aria-pressed', 'true');
  expect(await scrolls()).toBe(false);
  await expect(pre.locator('.md-line')).toHaveCount(13);
  const heights = await pre
    .locator('.md-line')
    .evaluateAll((lines) => lines.map((line) => line.clientHeight));
  expect(heights[2]).toBeGreaterThan(heights[1]! * 2);
  expect((await selected()).split('\n')).toEqual([...code, '*/']);
  await page.getByRole('region', { name: 'Messages' }).evaluate((box) => box.scrollTo(0, 0));
});

test('formulas are MathML, money is text, and nothing is fetched for them from another server @soak', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server);
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(server.url)) foreign.push(request.url());
  });
  await page.goto('/chat');
  const wideFormula = Array.from({ length: 60 }, (_, at) => `x_{${at}}`).join('+');
  await sendMessage(
    page,
    `${reply(`It is $x^2$ for $5 to $10, \\(y\\), and $\\href{javascript:alert(1)}{z}$.\n\n$$\n${wideFormula}\n$$`)}`,
  );
  await waitForReplies(page, 1);
  const turn = replies(page).first();
  await expect(turn.locator('math')).toHaveCount(3);
  await expect(turn.locator('math').first().locator('msup')).toHaveCount(1);
  await expect(turn.getByText('for $5 to $10')).toBeVisible();
  await expect(turn.locator('code', { hasText: '\\href' })).toBeVisible();
  const box = turn.getByRole('group', { name: 'Formula' });
  await box.focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => box.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0);
  expect(foreign).toEqual([]);
});

test('every action works by keyboard @soak', async ({ page, context, server }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signInAs(context, server);
  await page.goto('/chat');
  await sendMessage(page, 'one [[tokens:5]]');
  await waitForReplies(page, 1);
  await sendMessage(page, 'two [[tokens:5]]');
  await waitForReplies(page, 2);
  await page.getByRole('region', { name: 'Messages' }).focus();
  const first = questions(page).first();
  await page.keyboard.press('Tab');
  await expect(button(first, 'Copy')).toBeFocused();
  await expect(first.locator('.turn-actions')).toHaveCSS('opacity', '1');
  await expect(first.locator('time')).toHaveCSS('opacity', '1');
  await expect(first.locator('time')).toHaveAttribute('title', /20\d\d/);
  await page.keyboard.press('Tab');
  await expect(button(first, 'Remember this')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(button(first, 'Edit')).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  const turn = replies(page).first();
  await expect(button(turn, 'Regenerate')).toBeFocused();
  for (const name of ['Good reply', 'Bad reply', 'About this reply']) {
    await page.keyboard.press('Tab');
    await expect(button(turn, name)).toBeFocused();
  }
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'About this reply' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Copy as text' })).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Copy as text' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(button(turn, 'About this reply')).toBeFocused();
  for (let presses = 0; presses < 3; presses++) await page.keyboard.press('Shift+Tab');
  await expect(button(turn, 'Regenerate')).toBeFocused();
  await page.keyboard.press('Enter');
  await waitForReplies(page, 1);
  await expect(page.locator(':focus')).not.toHaveCount(0);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('actions are visible without hovering, large enough, and nothing is wider than the screen @soak', async ({
    page,
    context,
    server,
  }) => {
    await signInAs(context, server);
    await page.goto('/chat');
    const sendAndWait = async (text: string, count: number) => {
      await expect(composer(page)).toBeEditable();
      await composer(page).fill(text);
      await page.getByRole('button', { name: 'Send message' }).tap();
      await waitForReplies(page, count);
    };
    await page.waitForLoadState('networkidle');
    await sendAndWait(
      reply(`\`\`\`js\n${code.join('\n')}\n\`\`\`\n\n| a | b |\n|---|---|\n| ${'wide'.repeat(80)} | c |`),
      1,
    );
    await sendAndWait('two [[tokens:5]]', 2);
    await button(replies(page).first(), 'Regenerate').tap();
    await waitForReplies(page, 1);
    const buttons = page.locator('.turn-actions button, .md-code-head button');
    await expect(buttons.first()).toBeVisible();
    for (const box of await buttons.all()) {
      const { height, width } = (await box.boundingBox())!;
      expect(Math.round(height)).toBeGreaterThanOrEqual(44);
      expect(Math.round(width)).toBeGreaterThanOrEqual(44);
      await expect(box.locator('xpath=ancestor::div[1]')).toHaveCSS('opacity', '1');
    }
  });

  test('the menu of a reply scrolls in a low window @soak', async ({ page, context, server }) => {
    await signInAs(context, server);
    await page.setViewportSize({ width: 390, height: 480 });
    await page.goto('/chat');
    await waitForHydration(page);
    await composer(page).fill('one [[tokens:5]]');
    await page.getByRole('button', { name: 'Send message' }).tap();
    await waitForReplies(page, 1);
    await button(replies(page).first(), 'About this reply').tap();
    const menu = page.getByRole('dialog', { name: 'About this reply' });
    const last = menu.getByRole('button', { name: 'Copy reference' });
    await last.scrollIntoViewIfNeeded();
    await expect(last).toBeInViewport({ ratio: 1 });
    const { y, height } = (await menu.boundingBox())!;
    expect(y).toBeGreaterThanOrEqual(0);
    expect(y + height).toBeLessThanOrEqual(480);
  });
});
