import type { Locator, Page } from '@playwright/test';
import { OPERATOR, withEmail } from '../support/admin.ts';
import { expect, signInAs, test } from '../support/journey.ts';
import { payments } from '../support/payments.ts';
import { createPerson } from '../support/people.ts';

/** Counts clicks and Enter presses; typing in between is not counted. */
function countPresses(page: Page) {
  let presses = 0;
  return {
    async press(target: Locator) {
      presses++;
      await target.click();
    },
    async enter() {
      presses++;
      await page.keyboard.press('Enter');
    },
    get presses() {
      return presses;
    },
  };
}

const most = 4;

test.beforeEach(async ({ context, server, page }) => {
  await withEmail(server, await signInAs(context, server), OPERATOR);
  await page.goto('/admin');
});

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const openDetails = (page: Page, name: string) => page.locator('details[open]').filter({ hasText: name });

test('a person is found in one press @soak', async ({ page, server }) => {
  const person = await createPerson(server);
  const keyboard = countPresses(page);
  await page.getByLabel('Search').fill(person.email);
  await keyboard.enter();
  await expect(page.getByRole('heading', { level: 1, name: person.email })).toBeVisible();
  expect(keyboard.presses).toBeLessThanOrEqual(most);
});

test('people are banned, refunded and erased in four presses at most, and found by name in the list too', async ({
  page,
  server,
}) => {
  const banned = await createPerson(server);
  await server.database.query(`update users set name = 'Somebody ' || id where id = $1`, [banned.id]);
  const ban = countPresses(page);
  await page.getByLabel('Search').fill(`Somebody ${banned.id}`);
  await ban.enter();
  await ban.press(page.getByRole('link', { name: banned.email }));
  await ban.press(page.getByText('Ban', { exact: true }));
  await openDetails(page, 'Ban').getByLabel('Reason').fill('spam');
  await ban.press(button(page, 'Ban this account'));
  await expect(page.getByRole('status')).toContainText('Banned');
  expect(ban.presses).toBeLessThanOrEqual(most);
  expect((await banned.get('/api/me')).status).toBe(401);

  const buyer = await createPerson(server);
  await payments(server).buy(buyer);
  await page.goto('/admin');
  const refund = countPresses(page);
  await page.getByLabel('Search').fill(buyer.email);
  await refund.enter();
  await refund.press(page.getByText('Refund', { exact: true }));
  await openDetails(page, 'Refund').getByLabel('Reason').fill('asked by mail');
  await refund.press(button(page, /^Refund \d/));
  await expect(page.getByRole('status')).toContainText('Refund requested');
  expect(refund.presses).toBeLessThanOrEqual(most);

  await page.goto('/admin');
  const erase = countPresses(page);
  await page.getByLabel('Search').fill(banned.email);
  await erase.enter();
  await erase.press(page.getByText('Erase', { exact: true }));
  await openDetails(page, 'Erase').getByLabel('When').selectOption('now');
  await openDetails(page, 'Erase').getByLabel('Reason').fill('asked by mail');
  await erase.press(button(page, 'Erase the account'));
  await expect(page.getByRole('status')).toContainText('Erasing it now');
  expect(erase.presses).toBeLessThanOrEqual(most);
});

test('the operator’s pages work by keyboard on a phone, and none is wider than the screen @soak', async ({
  page,
  server,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const person = await createPerson(server);
  for (const path of [
    'people',
    `people/${person.id}`,
    'money',
    'runs?state=',
    'margin',
    'messages',
    'newsletter',
    'log',
  ]) {
    await page.goto(`/admin/${path}`);
    const overflow = await page.locator('html').evaluate((root) => root.scrollWidth - root.clientWidth);
    expect(overflow, path).toBeLessThanOrEqual(0);
  }
  await page.goto(`/admin/people/${person.id}`);
  const summary = page.locator('summary', { hasText: 'Give credits' });
  await summary.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.type('5');
  await page.keyboard.press('Tab');
  await page.keyboard.type('a lost image');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status')).toContainText('Gave 5 credits.');
  expect(await person.credits()).toBe(15);
});
