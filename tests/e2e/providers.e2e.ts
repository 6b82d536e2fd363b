import type { Page } from '@playwright/test';
import { expect, test } from '../support/journey.ts';
import { newAddress, visitor } from '../support/visitor.ts';

/** Opens the sign-in dialog and presses a provider's button. */
async function leaveFor(page: Page, provider: 'Google' | 'GitHub', from = '/'): Promise<void> {
  await page.goto(from);
  await page.getByRole('link', { name: 'Sign In' }).first().click();
  await page.getByRole('button', { name: `Continue with ${provider}` }).click();
}

/** Signs in at the provider with this address. */
async function chooseAddress(page: Page, address: string): Promise<void> {
  await expect(page).toHaveURL(/127\.0\.0\.1:\d+\/(google|github)/);
  await page.getByLabel(/e-?mail/i).fill(address);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
}

test('a person goes from the dialog to the provider and back, greeted by name', async ({ page, server }) => {
  await leaveFor(page, 'Google');
  await chooseAddress(page, newAddress());
  await expect(page.getByText(/^Signed in as/)).toBeVisible();
  await expect(page).toHaveURL(`${server.url}/`);
  await page.getByRole('button', { name: 'Account' }).click();
  await expect(page.getByText('10 credits').first()).toBeVisible();
});

test('a person whose mailbox already had the free credits is told why there are none @soak', async ({
  page,
  server,
}) => {
  const [local, domain] = newAddress().split('@');
  await visitor(server).signIn(`${local}+1@${domain}`);
  await leaveFor(page, 'Google');
  await chooseAddress(page, `${local}+2@${domain}`);
  await expect(page.getByText(/^Signed in as .*Free credits are given once per person/)).toBeVisible();
  await page.getByRole('button', { name: 'Account' }).click();
  await expect(page.getByText('0 credits').first()).toBeVisible();
});

test('a person who denies access is told so, and nobody is signed in @soak', async ({ page, context }) => {
  await leaveFor(page, 'GitHub');
  await page.getByRole('button', { name: /deny/i }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Access Denied');
  expect((await context.cookies()).filter(({ name }) => name === 'session')).toEqual([]);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('the links of the sign-in page lead there and back @soak', async ({ page, server }) => {
    await page.goto('/sign-in?next=/cookies');
    await page.getByRole('link', { name: 'Continue with Google' }).click();
    await chooseAddress(page, newAddress());
    await expect(page).toHaveURL(`${server.url}/cookies?success=login`);
  });
});

test('a request that our own rules refuse is explained in the dialog @soak', async ({
  page,
  browserErrors,
}) => {
  await page.goto('/');
  await page.getByRole('link', { name: 'Sign In' }).first().click();
  const box = page.getByRole('dialog', { name: 'Sign in' });
  await page.route('**/api/auth/google', (route) => route.abort());
  await box.getByRole('button', { name: 'Continue with Google' }).click();
  await expect(box.getByRole('alert')).toHaveText('Google login failed, please try again');
  await page.route('**/api/auth/github', (route) => route.fulfill({ status: 429, json: {} }));
  await box.getByRole('button', { name: 'Continue with GitHub' }).click();
  await expect(box.getByRole('alert')).toHaveText('GitHub login failed, please try again');
  browserErrors.length = 0;
});
