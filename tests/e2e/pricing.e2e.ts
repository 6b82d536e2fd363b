import process from 'node:process';
import type { Page } from '@playwright/test';
import { control } from '../support/gateway.ts';
import { composer, expect, sendMessage, signInAs, test } from '../support/journey.ts';
import { mailTo } from '../support/mailbox.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { newAddress } from '../support/visitor.ts';

const start = Date.parse('2026-11-21T12:00:00Z');

const plan = (page: Page, name: RegExp) => page.getByRole('main').getByRole('radio', { name });
const buy = (page: Page) => page.getByRole('button', { name: 'Continue to checkout at Creem' });
const banner = (page: Page) => page.locator('#payment-cancelled');
/** The stand-in's payment page of the provider. */
const payPage = (server: TestServer) => new RegExp(`^${server.standins}/creem/pay/`);

/** Signs in on /sign-in with the code of a mail. */
async function signInByCode(page: Page, server: TestServer): Promise<void> {
  const main = page.getByRole('main');
  const address = newAddress();
  await main.getByLabel('Email').fill(address);
  await main.getByRole('button', { name: 'Send Magic Link' }).click();
  const { code } = await mailTo(server, address);
  await main.getByLabel('6-digit code').fill(code);
  await main.getByRole('button', { name: 'Sign in with code' }).click();
}

/** Removes the expected error statuses from the browser errors. */
const dropErrors = (browserErrors: string[], status: RegExp) =>
  browserErrors.splice(0, browserErrors.length, ...browserErrors.filter((text) => !status.test(text)));

test('a guest reads prices that add up, and the choice leads through the sign-in to the checkout', async ({
  page,
  server,
}) => {
  await page.goto('/pricing');
  await expect(plan(page, /1 Year/)).toBeChecked();
  await expect(page.locator('.plan-pro label').first()).toContainText('Save 70%');
  const price = page.locator('.plan-pro .price:visible');
  await expect(price).toContainText('$69.99 for 1 year · $0.19 a day');
  await plan(page, /1 Year/).focus();
  await page.keyboard.press('ArrowDown');
  await expect(plan(page, /3 Months Most Popular/)).toBeChecked();
  await expect(price).toContainText('$39.99 for 3 months · $0.44 a day');
  const pro = page.getByRole('form', { name: 'Pro' });
  await expect(pro).toContainText('Renews automatically; cancel anytime in your dashboard. Taxes included.');
  await expect(pro.getByRole('listitem')).toHaveCount(7);
  await expect(pro.getByRole('listitem').first()).toHaveText('AI chatNo credits · 300 messages a day');
  const free = page.getByRole('region', { name: 'Free' }).getByRole('listitem');
  await expect(free.first()).toHaveText('AI chat1 credit per message');
  await expect(free.filter({ hasText: 'PDF Analyzer' })).toContainText('Not included');
  await expect(free.last()).toHaveText('New chats3 a day');
  await expect(page.locator('#fair-use')).toContainText('300');
  await page.getByText('Other limits').click();
  await expect(page.locator('#fair-use')).toContainText('16,000 tokens');
  const product = JSON.parse(
    (await page.locator('[type="application/ld+json"]').first().textContent()) ?? '',
  );
  expect(product.offers.map(({ price }: { price: string }) => `$${price}`).toSorted()).toEqual(
    (await page.locator('.plan-pro .price').allTextContents()).map((text) => text.split(' ')[0]).toSorted(),
  );

  await page.getByRole('button', { name: 'Sign in and continue to checkout' }).click();
  await expect(page).toHaveURL(/\/sign-in\?plan=quarterly$/);
  await expect(page.getByText('You chose Pro (3 Months, $39.99).')).toContainText(
    /checkout at Creem.*Pro renews until you cancel/,
  );
  await signInByCode(page, server);
  await expect(page).toHaveURL(payPage(server));
  await expect(page.getByText('$39.99').first()).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(`${server.url}/pricing`);
  await expect(banner(page)).toBeVisible();
});

test('the banner of a cancelled payment disappears after five seconds, waits while it is read, and shifts nothing @soak', async ({
  page,
}) => {
  await page.clock.install({ time: start });
  await page.clock.pauseAt(start + 60_000);
  await page.goto('/pricing?payment=cancelled');
  await expect(banner(page)).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'Payment Cancelled' })).toHaveCount(1);
  await expect(page).toHaveURL(/\/pricing$/);
  const headingBox = () => page.locator('h1').boundingBox();
  const before = await headingBox();
  await page.clock.runFor(4_900);
  await expect(banner(page)).toBeVisible();
  await banner(page).hover();
  await page.clock.runFor(60_000);
  await expect(banner(page)).toBeVisible();
  await page.mouse.move(0, 0);
  await page.clock.runFor(50);
  await expect(banner(page)).toBeVisible();
  await page.clock.runFor(200);
  await expect(banner(page)).toBeHidden();
  expect(await headingBox()).toEqual(before);
  await page.reload();
  await expect(banner(page)).toBeHidden();
  // The address of an answer opens that answer.
  await page.goto('/pricing#refund');
  await expect(page.getByText('Within 7 days of your first payment')).toContainText('once per person');
  await page.goto('/pricing?payment=cancelled');
  await banner(page).getByRole('button', { name: 'Close' }).focus();
  await page.clock.runFor(60_000);
  await page.keyboard.press('Enter');
  await expect(banner(page)).toBeHidden();
  await expect(page.locator('h1')).toBeFocused();
});

test('a checkout from a chat: a failure is explained, and Back restores the typed text @soak', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  await signInAs(context, server, { credits: 0 });
  await page.goto('/chat/new');
  await sendMessage(page, 'words that cost me time');
  const dialog = page.getByRole('dialog', { name: 'You’re out of credits' });
  await expect(dialog).toContainText(
    /Limited Time - 50% OFF \$139\.98 \$69\.99 for 1 Year, until [A-Z][a-z]+ (28|29|30|31), \d{4}/,
  );
  await expect(dialog).toContainText('Taxes included. 7-day refund on your first payment.');
  await control(server, { creem: { api: { fault: 'status500', path: '/v1/checkouts' } } });
  await dialog.getByText('1 Month').click();
  await buy(page).click();
  await expect(dialog.getByRole('alert')).toHaveText('Failed to start subscription. Please try again.');
  await expect(buy(page)).toHaveAttribute('aria-busy', 'false');
  await control(server, { creem: { api: null } });
  await buy(page).click();
  await expect(page).toHaveURL(payPage(server));
  await expect(page.getByText('$19.99').first()).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/\/chat\/new$/);
  await expect(composer(page)).toHaveValue('words that cost me time');
  dropErrors(browserErrors, /402|503/);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('a guest gets through the sign-in to the checkout, and a failure is explained in the page @soak', async ({
    page,
    server,
    browserErrors,
  }) => {
    await page.goto('/pricing');
    await plan(page, /1 Month/).check();
    await expect(page.locator('.plan-pro .price:visible')).toContainText('$19.99 for 1 month');
    await page.getByRole('button', { name: 'Sign in and continue to checkout' }).click();
    await signInByCode(page, server);
    await expect(page).toHaveURL(payPage(server));

    await page.goto('/pricing');
    await plan(page, /3 Months/).check();
    await control(server, { creem: { api: { fault: 'status500', path: '/v1/checkouts' } } });
    await buy(page).click();
    const alert = page.getByRole('form', { name: 'Pro' }).getByRole('alert');
    await expect(alert).toHaveText('Failed to start subscription. Please try again.');
    await expect(plan(page, /3 Months/)).toBeChecked();
    await control(server, { creem: { api: null } });
    await buy(page).click();
    await expect(page).toHaveURL(payPage(server));
    await expect(page.getByText('$39.99').first()).toBeVisible();
    await page.goto('/pricing?payment=cancelled');
    await expect(banner(page)).toBeVisible();
    dropErrors(browserErrors, /503/);
  });
});

test('where nothing is for sale every page says so, and none has a button for it @soak', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  // This site has a payment key for moderation only, and no products.
  const shop = await startTestServer({
    postgres: process.env.TEST_POSTGRES ?? '',
    standins: server.standins,
  });
  try {
    const notForSale = 'Pro isn’t available on this site yet';
    for (const path of ['/pricing', '/', '/sign-in?plan=yearly']) {
      await page.goto(shop.url + path);
      await expect(page.getByRole('main').getByText(notForSale).first()).toBeVisible();
      await expect(page.getByRole('main').getByRole('button', { name: /checkout|subscribe/i })).toHaveCount(
        0,
      );
      const structuredData = await page.locator('[type="application/ld+json"]').allTextContents();
      expect(structuredData.join()).not.toContain('Offer');
    }
    await page.goto(`${shop.url}/pricing`);
    await page.getByRole('banner').getByRole('link', { name: 'Sign In' }).click();
    const box = page.getByRole('dialog', { name: 'Sign in' });
    await expect(box).toContainText(notForSale);
    await expect(box.getByRole('button', { name: 'Sign In & Subscribe' })).toHaveCount(0);
    await signInAs(context, shop, { credits: 0 });
    await page.goto(`${shop.url}/chat/new`);
    await sendMessage(page, 'not today');
    const dialog = page.getByRole('dialog', { name: 'You’re out of credits' });
    await expect(dialog).toContainText(notForSale);
    await expect(dialog.getByRole('button')).toHaveText(['', 'Not now']);
    dropErrors(browserErrors, /402/);
  } finally {
    await shop.stop();
  }
});
