import type { Page } from '@playwright/test';
import { expect, signInAs, test } from '../support/journey.ts';
import { mailTo } from '../support/mailbox.ts';
import { newAddress } from '../support/visitor.ts';

/** Opens the dialog, presses a provider's button and arrives at its page. */
async function leaveFor(page: Page, provider: 'Google' | 'GitHub', from = '/'): Promise<void> {
  await page.goto(from);
  await page.getByRole('link', { name: 'Sign In' }).first().click();
  await page.getByRole('button', { name: `Continue with ${provider}` }).click();
}

/** Signs in there with an address of one's own. */
async function chooseAddress(page: Page, address: string): Promise<void> {
  await expect(page).toHaveURL(/127\.0\.0\.1:\d+\/(google|github)/);
  await page.getByLabel(/e-?mail/i).fill(address);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
}

for (const provider of ['Google', 'GitHub'] as const) {
  test(`${provider}: from the dialog to the provider and back, greeted by name`, async ({ page, server }) => {
    await leaveFor(page, provider);
    await chooseAddress(page, newAddress());
    await expect(page.getByText(/^Signed in as/)).toBeVisible();
    await expect(page).toHaveURL(`${server.url}/`);
    await page.getByRole('button', { name: 'Account' }).click();
    await expect(page.getByText('10 credits').first()).toBeVisible();
  });

  test(`${provider}: whoever denies is told so, and nobody is signed in`, async ({ page, context }) => {
    await leaveFor(page, provider);
    await page.getByRole('button', { name: /deny/i }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Access Denied');
    expect((await context.cookies()).filter(({ name }) => name === 'session')).toEqual([]);
  });
}

test('after the sign-in one is back where one began', async ({ page }) => {
  await leaveFor(page, 'Google', '/cookies');
  await chooseAddress(page, newAddress());
  await expect(page).toHaveURL(/\/cookies$/);
  await expect(page.getByRole('button', { name: 'Account' })).toBeVisible();
});

test('Sign In & Subscribe carries the plan through the provider to its checkout', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('link', { name: 'Sign In' }).first().click();
  const box = page.getByRole('dialog', { name: 'Sign in' });
  await box.getByText('1 Month').click();
  await box.getByRole('button', { name: 'Sign In & Subscribe' }).click();
  await box.getByRole('button', { name: 'Continue with GitHub' }).click();
  await chooseAddress(page, newAddress());
  await expect(page).toHaveURL(/\/creem\/pay\/ch_\w+$/);
  await expect(page.getByText('19.99').first()).toBeVisible();
});

test('a provider that is down leads to the error page, as the specification says', async ({
  page,
  server,
}) => {
  await leaveFor(page, 'Google');
  await fetch(`${server.standins}/control`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ google: { fault: 'status500', at: 'token' } }),
  });
  await chooseAddress(page, newAddress());
  await expect(page).toHaveURL(/\/error\?error=google_auth_error&.*from=compact_auth_modal/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Authentication Error');
  await fetch(`${server.standins}/control`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ reset: true }),
  });
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('the links of the sign-in page lead there and back', async ({ page, server }) => {
    await page.goto('/sign-in?next=/cookies');
    await page.getByRole('link', { name: 'Continue with Google' }).click();
    await chooseAddress(page, newAddress());
    await expect(page).toHaveURL(`${server.url}/cookies?success=login`);
  });
});

test('a request that our own rules refuse is told in the dialog', async ({ page, complaints }) => {
  await page.goto('/');
  await page.getByRole('link', { name: 'Sign In' }).first().click();
  const box = page.getByRole('dialog', { name: 'Sign in' });
  await page.route('**/api/auth/google', (route) => route.abort());
  await box.getByRole('button', { name: 'Continue with Google' }).click();
  await expect(box.getByRole('alert')).toHaveText('Google login failed, please try again');
  await page.route('**/api/auth/github', (route) => route.fulfill({ status: 429, json: {} }));
  await box.getByRole('button', { name: 'Continue with GitHub' }).click();
  await expect(box.getByRole('alert')).toHaveText('GitHub login failed, please try again');
  complaints.length = 0;
});

test('a linked provider is told by mail and removed in the settings', async ({ page, context, server }) => {
  const person = await signInAs(context, server);
  await page.goto('/api/auth/google?next=/settings');
  await chooseAddress(page, person.email);
  await expect(page.getByText(/^Signed in as/)).toBeVisible();
  await expect(page).toHaveURL(/\/settings$/);
  const mail = await mailTo(server, person.email);
  expect(mail.subject).toContain('Google');
  expect(mail.text).toContain(`${server.url}/settings`);
  const identities = async () =>
    (await server.database.query('select provider from identities where user_id = $1', [person.id])).rowCount;
  expect(await identities()).toBe(1);
  const remove = page.getByRole('button', { name: /Remove.*Google/ });
  await expect(async () => {
    await remove.click({ timeout: 1_000 });
    await expect(remove).toHaveCount(0, { timeout: 2_000 });
  }).toPass();
  expect(await identities()).toBe(0);
  await page.reload();
  await expect(page.getByText('By a link or code that we mail you')).toBeVisible();
  await expect(remove).toHaveCount(0);
});
