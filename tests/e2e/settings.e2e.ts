import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { uniqueWord, waitForText } from '../support/chat.ts';
import { waitForHydration } from '../support/hydration.ts';
import { composer, expect, sendMessage, signInAs, signInByCode, test } from '../support/journey.ts';
import { mailTo } from '../support/mailbox.ts';
import { eventually } from '../support/server.ts';
import { soak } from '../support/soak.ts';
import { moveClock } from '../support/visitor.ts';
import { unzip } from '../support/zip.ts';

/** Opens the settings and waits until the page is hydrated. */
async function openSettings(page: Page): Promise<void> {
  await page.goto('/settings');
  await waitForHydration(page);
}

/** Expects only browser errors of refusals that the test provokes, and clears them. */
function expectOnly(browserErrors: string[], pattern: RegExp): void {
  expect(browserErrors.filter((text) => !pattern.test(text))).toEqual([]);
  browserErrors.length = 0;
}

test('name and picture change here and in the header @soak', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  await signInAs(context, server);
  await openSettings(page);
  const name = page.getByLabel('Name', { exact: true });
  const save = page.getByRole('button', { name: 'Save name' });
  await expect(save).toBeDisabled();
  await name.fill('x'.repeat(100));
  await save.click();
  await expect(page.getByRole('alert')).toHaveText('Use 1 to 80 visible characters.');
  await expect(name).toHaveValue('x'.repeat(100));
  await name.fill('  Zoë Q  ');
  await save.focus();
  await save.press('Enter');
  await expect(page.getByText('Name saved.')).toBeVisible();
  await expect(save).toBeDisabled();
  await expect(name).toBeFocused();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(name).toHaveValue('Zoë Q');
  await page.getByRole('button', { name: 'Account', exact: true }).click();
  await expect(page.locator('#user-menu')).toContainText('Zoë Q');
  await page.keyboard.press('Escape');

  const picture = page.getByRole('main').getByRole('img');
  const file = page.getByLabel('Profile image');
  await file.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: Buffer.from('<svg/>') });
  await expect(page.getByRole('alert')).toHaveText('Choose a JPEG, PNG or WebP image.');
  await expect(picture).toHaveCount(0);
  const photo = await sharp({ create: { width: 600, height: 300, channels: 3, background: '#2a7' } })
    .jpeg()
    .toBuffer();
  // A proxy may have a lower limit than the site.
  const refusal = { status: 413, contentType: 'text/html', body: '<h1>413 Request Entity Too Large</h1>' };
  await page.route('**/api/me/avatar', (route) => route.fulfill(refusal), { times: 1 });
  await file.setInputFiles({ name: 'me.jpg', mimeType: 'image/jpeg', buffer: photo });
  await expect(page.getByRole('alert')).toContainText(/This file \([\d.,]+ KB\) was rejected .* up to 5 MB/);
  // The bytes decide the type, not the name.
  await file.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: photo });
  await expect(page.getByText('Image saved.')).toBeVisible();
  await expect(picture).toHaveAttribute('src', /^\/api\/me\/avatar\?v=/);
  await page.reload();
  await expect(picture).toHaveJSProperty('naturalWidth', 256);
  await page.getByRole('button', { name: 'Remove image' }).click();
  await expect(page.getByText('Image removed.')).toBeVisible();
  await expect(picture).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Upload image' })).toBeFocused();
  expectOnly(browserErrors, /413/);
});

test('a name typed before the page responds is kept and can be saved @soak', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server);
  let hydrate = () => {};
  const scripts = new Promise<void>((answer) => {
    hydrate = answer;
  });
  await page.route('**/*.js', async (route) => {
    await scripts;
    await route.continue();
  });
  await page.goto('/settings', { waitUntil: 'commit' });
  const name = page.getByLabel('Name', { exact: true });
  await name.fill('Early Bird');
  hydrate();
  const save = page.getByRole('button', { name: 'Save name' });
  await expect(save).toBeEnabled();
  await expect(name).toHaveValue('Early Bird');
  await save.click();
  await expect(page.getByText('Name saved.')).toBeVisible();
});

test('without JavaScript the page says what works @soak', async ({ browser, server }) => {
  const context = await browser.newContext({ baseURL: server.url, javaScriptEnabled: false });
  await signInAs(context, server);
  const page = await context.newPage();
  await page.goto('/settings');
  await expect(page.locator('main noscript p')).toBeVisible();
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download my data' }).click();
  expect(unzip(readFileSync(await (await downloading).path())).has('export.json')).toBe(true);
  await context.close();
});

test('a provider is removed, and sign-in by mail still works @soak', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  const person = await signInAs(context, server);
  await server.database.query(
    `insert into identities (provider, subject, user_id) select p, $1::text || p, $2 from unnest(array['google', 'github']) p`,
    [uniqueWord(), person.id],
  );
  const requested: string[] = [];
  const answers = [204, 503, 404];
  await page.route('**/api/me/identities/*', (route) => {
    requested.push(`${route.request().method()} ${new URL(route.request().url()).pathname}`);
    const status = answers.shift();
    const [error, code] = status === 404 ? ['Not found.', 'not_found'] : ['Briefly away.', 'unavailable'];
    return route.fulfill({ status, json: status === 204 ? undefined : { error, code, requestId: 'x' } });
  });
  await openSettings(page);
  const section = page.getByRole('region', { name: 'Sign-in' });
  await expect(section.getByRole('listitem')).toHaveText([
    `${person.email}We email you a link and a code. No password needed.`,
    'GoogleIf you remove it, you can still sign in by email.Remove Google',
    'GitHubIf you remove it, you can still sign in by email.Remove GitHub',
  ]);
  await section.getByRole('button', { name: 'Remove Google' }).click();
  await expect(page.getByText('Google removed.')).toBeVisible();
  await expect(section.getByRole('listitem')).toHaveCount(2);
  await expect(section.getByRole('heading', { name: 'Sign-in' })).toBeFocused();

  const github = section.getByRole('button', { name: 'Remove GitHub' });
  await github.click();
  await expect(section.getByRole('alert')).toHaveText('Briefly away.');
  await expect(github).toBeFocused();
  // It was removed elsewhere meanwhile.
  await github.press('Enter');
  await expect(page.getByText('GitHub removed.')).toBeVisible();
  await expect(section.getByRole('alert')).toHaveCount(0);
  await expect(section.getByRole('listitem')).toHaveCount(1);
  expect(requested).toEqual([
    'DELETE /api/me/identities/google',
    'DELETE /api/me/identities/github',
    'DELETE /api/me/identities/github',
  ]);
  expectOnly(browserErrors, /404|503/);
});

test('a session that is ended in one browser asks the other to sign in, and loses nothing @soak', async ({
  page,
  context,
  browser,
  server,
  browserErrors,
}) => {
  const person = await signInAs(context, server, { plan: 'pro' });
  const otherContext = await browser.newContext({
    baseURL: server.url,
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1',
  });
  const otherPage = await otherContext.newPage();
  await otherPage.goto('/sign-in?next=/chat/new');
  await otherPage.getByRole('main').getByLabel('Email').fill(person.email);
  await otherPage.getByRole('main').getByRole('button', { name: 'Send Magic Link' }).click();
  await otherPage
    .getByRole('main')
    .getByLabel(/code/i)
    .fill((await mailTo(server, person.email)).code);
  await otherPage.getByRole('main').getByRole('button', { name: 'Sign in with code' }).click();
  await expect(otherPage).toHaveURL(/\/chat\/new$/);
  const word = uniqueWord();
  await sendMessage(otherPage, `${word} [[mode:hold]] [[holdAfter:3]]`);
  await expect(otherPage).toHaveURL(/\/chat\/[0-9a-f-]{36}$/);
  const { rows } = await server.database.query(
    'select id from generations where user_id = $1 and finished_at is null',
    [person.id],
  );
  await waitForText(person, rows[0].id);
  await composer(otherPage).fill('half a thought');

  await openSettings(page);
  const sessions = page.getByRole('listitem').filter({ hasText: 'Last seen' });
  await expect(sessions).toHaveCount(2);
  await expect(sessions.filter({ hasText: 'This device' })).toHaveCount(1);
  await expect(sessions.filter({ hasText: / This device/ })).toHaveCount(1);
  const endButton = page.getByRole('button', { name: 'End session Safari on iPhone Last seen' });
  await endButton.focus();
  await endButton.press('Enter');
  await expect(page.getByText('Session ended.')).toBeVisible();
  await expect(sessions).toHaveCount(1);
  const heading = page.getByRole('heading', { name: 'Sessions' });
  await expect(heading).toBeFocused();

  await expect(otherPage.getByRole('alert')).toContainText('You were signed out.');
  await expect(otherPage.getByText('Sign in to see the rest.')).toBeVisible();
  await expect(composer(otherPage)).toHaveValue('half a thought');
  await expect(otherPage.locator('.chat-side').getByRole('button', { name: 'Sign In' })).toBeVisible();
  await otherPage.locator('.chat-notice').getByRole('button', { name: 'Sign in' }).click();
  await signInByCode(otherPage, server, person.email, { count: 2 });
  await expect(otherPage.getByRole('button', { name: /^stop/i }).first()).toBeVisible();
  await expect(otherPage.getByText('Sign in to see the rest.')).toHaveCount(0);
  await expect(composer(otherPage)).toHaveValue('half a thought');
  await otherPage.getByRole('button', { name: /^stop/i }).first().click();
  await expect(otherPage.getByText('Stopped.').first()).toBeVisible();

  await page.reload();
  await expect(sessions).toHaveCount(2);
  await openSettings(page);
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await expect(page.getByText('Signed out everywhere else.')).toBeVisible();
  await expect(heading).toBeFocused();
  await otherPage.goto('/settings');
  await expect(otherPage).toHaveURL(/\/sign-in/);
  await otherContext.close();
  expectOnly(browserErrors, /401/);
});

test('an account is deleted with its address typed, after a new sign-in, and restored', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  const person = await signInAs(context, server);
  await openSettings(page);
  await page.getByRole('button', { name: 'Delete account…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
  const confirm = dialog.getByLabel(/to confirm/);
  const button = dialog.getByRole('button', { name: 'Delete account' });
  await expect(button).toBeDisabled();
  await expect(confirm).toBeFocused();
  await confirm.fill('someone@example.com');
  await expect(button).toBeDisabled();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  await moveClock(server, 16 * 60_000);
  await page.getByRole('button', { name: 'Delete account…' }).click();
  await expect(confirm).toHaveValue('');
  await confirm.fill(person.email.toUpperCase());
  await button.click();
  const again = page.getByRole('dialog', { name: 'Sign in' });
  await expect(again).toContainText('For your security, sign in again before deleting your account.');
  await expect(again.getByLabel('Email')).toHaveValue(person.email);
  await expect(again.getByRole('heading', { name: 'Upgrade to Pro' })).toBeHidden();
  await signInByCode(page, server, person.email);
  await expect(page.getByRole('heading', { name: 'Your account was deleted' })).toBeFocused();
  await expect(page.getByText('Signed in as Test Person')).toBeHidden();
  await expect(page).toHaveTitle(/^Your account was deleted · ./);
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible();
  await mailTo(server, person.email, 2);
  await moveClock(server, 0);

  await page.getByRole('link', { name: 'Sign In' }).first().click();
  await signInByCode(page, server, person.email, { count: 3 });
  await expect(page).toHaveURL(/\/restore$/);
  await page.getByRole('button', { name: 'Restore my account' }).click();
  await expect(page.getByText('Signed in as Test Person')).toBeVisible();
  await eventually(async () => {
    const { rows } = await server.database.query('select deleted_at from users where id = $1', [person.id]);
    return rows[0].deleted_at === null;
  });
  expectOnly(browserErrors, /403|401/);
});

for (const width of soak ? [1280, 320] : [320]) {
  test(`by keyboard at ${width} px @soak`, async ({ page, context, server }) => {
    await page.setViewportSize({ width, height: 800 });
    await signInAs(context, server);
    await openSettings(page);
    await page.getByLabel('Name', { exact: true }).focus();
    await page.keyboard.press('Shift+Tab');
    await expect(page.getByRole('button', { name: 'Upload image' })).toBeFocused();
    const button = page.getByRole('button', { name: 'Delete account…' });
    await button.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
    await expect(dialog).toBeVisible();
    const overflow = () =>
      page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
    expect(await overflow()).toBe(false);
    await page.keyboard.press('Escape');
    await expect(button).toBeFocused();
    expect(await overflow()).toBe(false);
  });
}
