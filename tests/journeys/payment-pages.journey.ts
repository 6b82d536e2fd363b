import type { Page } from '@playwright/test';
import { Shopper } from '../../standins/creem/shopper.ts';
import { violationsOf } from '../support/axe.ts';
import { expect, test } from '../support/journey.ts';

/** Walks by Tab to a button and presses it. */
async function tabTo(page: Page, name: string): Promise<void> {
  const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim());
  await page.getByRole('button', { name }).waitFor();
  for (let stops = 0; stops < 20 && (await focused()) !== name; stops += 1) await page.keyboard.press('Tab');
  expect(await focused()).toBe(name);
  await page.keyboard.press('Enter');
}

/** A checkout of the stand-in that leads back to the site. */
async function open(page: Page, shop: Shopper, site: string): Promise<string> {
  const { id, checkout_url } = await shop.checkout({
    success_url: `${site}/tools?payment=success&plan=monthly`,
  });
  await page.goto(`${site}/about`);
  await page.goto(String(checkout_url));
  return String(id);
}

test('the hosted checkout by the keyboard: declined twice, left by Abandon, paid, and back at the shop', async ({
  page,
  server,
}) => {
  const shop = new Shopper(server.standins);
  await page.setViewportSize({ width: 390, height: 800 });
  const id = await open(page, shop, server.url);
  expect(await violationsOf(page)).toEqual([]);
  for (const time of [1, 2]) {
    await tabTo(page, 'Decline');
    await expect(page).toHaveURL(new RegExp(`declined=${time}$`));
    await expect(page.getByRole('alert')).toHaveText('Your card was declined. Nothing was charged.');
  }
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await violationsOf(page)).toEqual([]);
  await tabTo(page, 'Abandon');
  await expect(page).toHaveURL(`${server.url}/about`);
  await page.goto(`${server.standins}/creem/pay/${id}`);
  await tabTo(page, 'Pay $19.99');
  await expect(page).toHaveURL(
    new RegExp(`^${server.url}/tools\\?payment=success&plan=monthly&checkout_id=${id}&`),
  );
  await page.goto(`${server.standins}/creem/pay/${id}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Paid');
});

test('the portal and the dashboard by the keyboard: cancelled, resumed, given back', async ({
  page,
  server,
  complaints,
}) => {
  const shop = new Shopper(server.standins);
  const { customer, subscription } = await shop.buy({ customer: { email: 'portal@example.com' } });
  const { body } = await shop.call('POST', '/v1/customers/billing', { customer_id: customer });
  await page.goto(String(body.customer_portal_link));
  await tabTo(page, 'Cancel at the end of the period');
  await expect(page.getByText(/^Ends on /)).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  await tabTo(page, 'Resume');
  await expect(page.getByText(/^Active, renews on /)).toBeVisible();
  await page.goto(`${server.standins}/creem`);
  const own = page.locator('section').filter({ hasText: subscription });
  await own.getByRole('button', { name: 'Card: refuse' }).click();
  await expect(own.getByText('refuses the next payment')).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  await own.getByRole('button', { name: 'Refund the last payment' }).click();
  await own.getByRole('button', { name: 'Dispute it' }).click();
  await expect(page.getByRole('alert')).toHaveText('Transaction cannot be disputed');
  expect(complaints.splice(0)).toEqual([expect.stringContaining('400')]);
});
