import type { Page } from '@playwright/test';
import { uniqueWord } from '../support/chat.ts';
import { raw } from '../support/gateway.ts';
import { waitForHydration } from '../support/hydration.ts';
import { composer, expect, sendMessage, signInAs, test } from '../support/journey.ts';

const help = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' });
const code = 'const answer = 42;\n\nexport { answer };';

/** Counts the requests to toggle the sidebar. */
const countSidebar = (page: Page) =>
  page.evaluate(() => {
    document.addEventListener('chat:sidebar', () => {
      document.body.dataset.asked = String(Number(document.body.dataset.asked ?? 0) + 1);
    });
  });
const requestCount = (page: Page) => page.evaluate(() => Number(document.body.dataset.asked ?? 0));

test('each key does what the help says @soak', async ({ page, context, server }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signInAs(context, server);
  await page.goto('/chat/new');
  await sendMessage(
    page,
    `${uniqueWord()} ${raw(`Look:\n\n- here\n\n  \`\`\`js\n  ${code.replaceAll('\n', '\n  ')}\n  \`\`\`\n\nDone.`)}`,
  );
  await expect(page.getByText('Done.', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send message' })).toBeVisible();

  await page.keyboard.press('Control+Shift+;');
  await expect(page.getByText('Code copied.')).toBeVisible();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(code);

  await countSidebar(page);
  await page.keyboard.press('Control+Shift+S');
  expect(await requestCount(page)).toBe(1);

  await page.getByRole('region', { name: 'Messages' }).focus();
  await page.keyboard.press('Shift+Escape');
  await expect(composer(page)).toBeFocused();

  await page.keyboard.press('Control+/');
  await expect(help(page)).toBeVisible();
  await expect(help(page).locator('dl > div')).toHaveCount(7);
  await expect(help(page).locator('dl > div').first()).toContainText('New ChatCtrlShiftO');
  // The page's shortcuts do not work while a dialog is open.
  await page.keyboard.press('Control+Shift+S');
  expect(await requestCount(page)).toBe(1);
  await page.keyboard.press('Control+Shift+O');
  await expect(page).not.toHaveURL(/\/chat\/new$/);
  await page.keyboard.press('Escape');
  await expect(help(page)).toBeHidden();
  await expect(composer(page)).toBeFocused();

  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog', { name: /search/i })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(composer(page)).toBeFocused();

  await composer(page).fill('a draft');
  await page.keyboard.press('Control+Shift+O');
  await expect(page).toHaveURL(/\/chat\/new$/);
  await expect(composer(page)).toHaveValue('');
});

test('Escape stops a reply from within the composer, after open menus have closed @soak', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server);
  await page.goto('/chat/new');
  await sendMessage(page, `${uniqueWord()} [[answer:lorem]] [[tokens:2000]] [[tps:20]]`);
  await expect(page.getByText('w0003')).toBeVisible();
  const stop = page.getByRole('button', { name: 'Stop generating' });
  await page.getByRole('button', { name: 'Chat options' }).click();
  await expect(page.getByRole('button', { name: 'Print' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
  await expect(stop).toBeVisible();
  await page.keyboard.press('Control+/');
  await expect(help(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(help(page)).toBeHidden();
  await expect(stop).toBeVisible();
  await composer(page).focus();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('region', { name: 'Messages' }).getByText('Stopped.')).toBeVisible();
});

test('no shortcut works in another field or while an input method composes @soak', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server);
  await page.goto('/chat/new');
  await sendMessage(page, `${uniqueWord()} [[tps:0]]`);
  await expect(page.getByRole('article').getByText('It seems to be about')).toBeVisible();
  await countSidebar(page);
  await page.getByRole('button', { name: 'Rename', exact: true }).click();
  const title = page.getByRole('textbox', { name: 'Chat title' });
  await expect(title).toBeFocused();
  await page.keyboard.press('Control+Shift+S');
  await page.keyboard.press('Control+/');
  await expect(help(page)).toBeHidden();
  expect(await requestCount(page)).toBe(0);
  await expect(title).toBeFocused();
  await page.keyboard.press('Escape');
  await composer(page).focus();
  await composer(page).evaluate((box) => {
    const init = { key: 'S', code: 'KeyS', ctrlKey: true, shiftKey: true, bubbles: true };
    box.dispatchEvent(new KeyboardEvent('keydown', { ...init, isComposing: true }));
  });
  expect(await requestCount(page)).toBe(0);
  await page.keyboard.press('Control+Shift+S');
  expect(await requestCount(page)).toBe(1);
});

test('one switch turns all shortcuts off, and is reachable without them @soak', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server);
  await page.goto('/chat/new');
  await sendMessage(page, `${uniqueWord()} [[answer:lorem]] [[tokens:2000]] [[tps:20]]`);
  await expect(page.getByText('w0003')).toBeVisible();
  await page.getByRole('button', { name: 'Chat options' }).click();
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  const use = help(page).getByRole('checkbox', { name: 'Use these shortcuts' });
  await expect(use).toBeChecked();
  await use.click();
  await expect(use).not.toBeChecked();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Chat options' })).toBeFocused();
  await countSidebar(page);
  await page.keyboard.press('Control+Shift+S');
  await page.keyboard.press('Control+/');
  await page.keyboard.press('Escape');
  await expect(help(page)).toBeHidden();
  expect(await requestCount(page)).toBe(0);
  await expect(page.getByRole('button', { name: 'Stop generating' })).toBeVisible();
  await page.getByRole('button', { name: 'Stop generating' }).click();
  await expect(page.getByRole('button', { name: 'Send message' })).toBeVisible();
  await page.reload();
  await page.getByRole('button', { name: 'Chat options' }).click();
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await expect(use).not.toBeChecked();
  await use.press('Space');
  await expect(use).toBeChecked();
  await page.keyboard.press('Escape');
  await expect(help(page)).toBeHidden();
  await page.keyboard.press('Control+/');
  await expect(help(page)).toBeVisible();
});

test('a guest who starts a chat or searches by shortcut is asked to sign in @soak', async ({ page }) => {
  await page.goto('/chat');
  await waitForHydration(page);
  const signIn = page.getByRole('dialog', { name: 'Sign in' });
  await page.keyboard.press('Control+Shift+O');
  await expect(signIn).toContainText('Sign in to start a chat.');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+K');
  await expect(signIn).toContainText('Sign in to search your chats.');
});
