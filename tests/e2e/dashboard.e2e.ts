import type { Page } from '@playwright/test';
import { send, waitForEnd } from '../support/chat.ts';
import { waitForHydration } from '../support/hydration.ts';
import { expect, signInAs, test } from '../support/journey.ts';
import { payments } from '../support/payments.ts';
import { seedDocument } from '../support/seed-document.ts';
import { seedPlan } from '../support/seed-plan.ts';
import { seedWork } from '../support/works.ts';

const plan = (page: Page) => page.getByRole('region', { name: /^(Free|Pro)/ });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const resize = (page: Page, width: number, height = 900) => page.setViewportSize({ width, height });

/** Opens the dashboard and waits until it is hydrated. */
async function open(page: Page, query = ''): Promise<void> {
  await page.goto(`/dashboard${query}`);
  await waitForHydration(page);
}

/** Presses Tab until the button has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const target = button(page, name);
  for (let n = 0; n < 60; n += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${name}.`);
}

test('a guest is asked to sign in, and the header leads here afterwards @soak', async ({
  page,
  context,
  server,
}) => {
  await page.goto('/dashboard');
  await expect(page.getByText('Please sign in to access your dashboard')).toBeVisible();
  await expect(page.getByRole('main').getByRole('link')).toHaveAttribute('href', '/');
  await expect(page.getByRole('banner').getByRole('link', { name: 'Dashboard' })).toHaveCount(0);
  await signInAs(context, server);
  await page.goto('/');
  await page.getByRole('banner').getByRole('link', { name: 'Dashboard' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  await button(page, 'Account').click();
  await expect(page.locator('#user-menu').getByRole('link', { name: 'Dashboard' })).toBeVisible();
});

test('usage and created items are listed here, and can be read and filtered by keyboard', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  const person = await signInAs(context, server, { credits: 5 });
  const { chatId, body } = await send(person, 'What is a quiet habit? [[tps:0]] [[first:0]]');
  await waitForEnd(person, body.generation.id);
  await seedWork(server, person, { title: 'Ten quiet habits' });
  await seedWork(server, person, { feature: 'script', title: 'INT. KITCHEN' });
  const document = await seedDocument(server, person);

  let answer = { status: 500, body: '{"error":"No.","code":"internal","requestId":"x"}' };
  await page.route('**/api/credits', (route) => route.fulfill(answer));
  await open(page);
  await expect(page.getByText('Failed to load credits')).toBeVisible();
  answer = { status: 200, body: '{"currentCredits":4,"plan":"free"}' };
  await button(page, 'Retry').click();
  await expect(page.locator('.balance-figure')).toHaveText('4 credits left');
  expect(browserErrors.splice(0).every((text) => text.includes('500'))).toBe(true);
  await expect(page.getByRole('main').getByRole('link', { name: 'Start a draft' })).toHaveAttribute(
    'href',
    '/tools/writer',
  );
  await expect(page.getByRole('link', { name: 'Open chat' })).toHaveAttribute('href', '/chat');

  const work = page.getByRole('region', { name: 'Recent work' });
  const recent = work.getByRole('listitem').getByRole('link');
  await expect(recent).toHaveCount(4);
  await expect(work.getByRole('link').last()).toHaveAttribute('href', '/library');
  await expect(recent.first()).toHaveAttribute('href', `/tools/pdf/${document}`);
  const use = page.getByRole('row', { name: /^AI chat/ }).first();
  await expect(use.getByRole('cell').last()).toHaveText('1');
  await page.getByText('Day by day').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Usage by day' }).getByRole('row')).toHaveCount(2);

  const ledger = page.getByRole('table', { name: 'Credit history, newest first' });
  const rows = ledger.locator('tbody tr');
  await expect(rows).toHaveCount(2);
  await expect(rows.first().getByRole('link')).toHaveAttribute('href', `/chat/${chatId}`);
  await expect(rows.first()).toContainText('−14');
  await expect(rows.first().locator('time').first()).toHaveAttribute('title', / UTC$/);
  await page.getByLabel('Type').focus();
  await page.keyboard.type('Granted');
  await page.keyboard.press('Enter');
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('Granted');
  await expect(page.getByRole('link', { name: 'Download CSV' })).toHaveAttribute(
    'href',
    '/api/me/ledger.csv?entry=granted',
  );
  await page.getByLabel('Tool', { exact: true }).selectOption('AI Writer');
  await expect(page.getByText('No matching entries.')).toBeVisible();
});

test('resuming a paused plan costs another period, which is stated before; a plan that was given says so @soak', async ({
  page,
  context,
  server,
}) => {
  // A paused plan whose period is over is charged again, so the dialog names the price first.
  const pausing = await signInAs(context, server);
  await seedPlan(server, pausing, { plan: 'monthly', status: 'paused', from: -60, to: -30, until: null });
  await open(page);
  await button(page, 'Resume').press('Enter');
  await expect(page.getByRole('dialog')).toContainText(
    'Creem charges $19.99 now for 1 month of Pro, starting today',
  );
  await expect(page.getByRole('dialog').locator('time')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(button(page, 'Resume')).toBeFocused();
  await resize(page, 320);
  const person = await signInAs(context, server);
  await server.database.query(
    `insert into plan_grants (id, user_id, plan, ends_at, cause) values (gen_random_uuid(), $1, 'business', '2099-07-01T00:00Z', 'test')`,
    [person.id],
  );
  await open(page);
  const business = page.getByRole('region', { name: 'Business' });
  await expect(business).toContainText('Access untilJune 30, 2099');
  await expect(business).toContainText('Next paymentNone');
  await seedPlan(server, person);
  await page.reload();
  await expect(business).toContainText('Next renewal');
  await expect(business).not.toContainText('Next payment');
  await expect(page.getByText('Your invoices, with taxes, are at Creem.')).toBeVisible();
});

test('only the server confirms a payment, and the page updates by itself', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server);
  await open(page, '?payment=success&plan=quarterly');
  await expect(page.getByRole('status').filter({ hasText: 'Confirming your payment' })).toBeVisible();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(plan(page)).toContainText('Free');
  await expect(plan(page).getByRole('link')).toHaveCount(0);
  await seedPlan(server, person, { plan: 'quarterly', to: 91, until: 94 });
  const banner = page.getByText('Payment Successful! Welcome to Pro. Your plan: 3 Months.');
  await banner.hover();
  await expect(plan(page).getByRole('heading')).toHaveText('Pro, 3 Months Active', { useInnerText: true });
  await expect(page.getByRole('banner').getByText('Unlimited').first()).toBeVisible();
  await expect(page.getByRole('table', { name: 'Payments, newest first' })).toContainText('$39.99');
  // The banner stays while the pointer is over it, and then for its usual time.
  await page.clock.install();
  await page.mouse.move(0, 0);
  await page.clock.runFor(4_000);
  await expect(banner).toBeVisible();
  await page.clock.runFor(2_000);
  await expect(banner).toHaveCount(0);
  await page.reload();
  await expect(page.getByText('Payment Successful!')).toHaveCount(0);
});

test('checkout, a longer plan, cancellation and refund all work by keyboard @soak', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server);
  const { creem } = payments(server);
  await open(page, '?subscribe=true&plan=monthly');
  await expect(
    page.getByRole('heading', { name: 'Your checkout for Pro, 1 Month isn’t finished' }),
  ).toBeVisible();
  await expect(page.getByRole('region', { name: 'isn’t finished' })).toContainText(
    'Pro renews until you cancel',
  );
  await tabTo(page, 'Continue to checkout');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/creem\/pay\//);
  await creem({ delay: 1_500 });
  await page.getByRole('button', { name: /^Pay/ }).click();
  await expect(page.getByText('Welcome to Pro. Your plan: 1 Month.')).toBeVisible();
  await expect(page).toHaveURL(/\/dashboard$/);
  await creem({ delay: 0 });

  await tabTo(page, 'Change billing period');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Creem charges $69.99 for 1 year now');
  await dialog.getByRole('radio').first().press('ArrowDown');
  await expect(dialog).toContainText('Creem charges $39.99 for 3 months now');
  await tabTo(page, 'Change to 3 Months');
  await page.keyboard.press('Enter');
  const heading = page.locator('#plan-title');
  await expect(heading).toHaveText('Pro, 3 Months Active', { useInnerText: true });
  await expect(dialog).toHaveCount(0);

  await tabTo(page, 'Cancel plan');
  await page.keyboard.press('Enter');
  const periodEnd = plan(page).getByText('Paid period').locator('..').locator('time').last();
  await expect(dialog.locator('time')).toHaveText((await periodEnd.textContent()) ?? '');
  await page.keyboard.press('Escape');
  await expect(button(page, 'Cancel plan')).toBeFocused();
  await expect(dialog).toHaveCount(0);
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Cancel plan' }).press('Enter');
  await expect(heading).toHaveText('Pro, 3 Months Canceled', { useInnerText: true });
  await expect(heading).toBeFocused();
  await tabTo(page, 'Resume');
  await page.keyboard.press('Enter');
  await expect(heading).toHaveText('Pro, 3 Months Active', { useInnerText: true });
  await expect(heading).toBeFocused();

  await tabTo(page, 'Get a refund');
  await page.keyboard.press('Enter');
  await expect(dialog).toContainText('a full refund of $39.99 for this plan');
  await expect(dialog).toContainText('Pro ends right away');
  await dialog.getByRole('button', { name: 'Refund and end Pro' }).press('Enter');
  await expect(heading).toHaveText('Free Refunded', { useInnerText: true });
  await expect(heading).toBeFocused();
  await expect(page.getByRole('table', { name: 'Payments, newest first' })).toContainText('Refunded');
  await expect(page.locator('.balance-figure')).toHaveText('10 credits left');
  await expect(page.getByRole('banner').getByText('10 credits').first()).toBeVisible();
});

test('ending one of two plans makes no wrong promise about the other @soak', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server);
  await seedPlan(server, person);
  await seedPlan(server, person, { plan: 'monthly', to: 30, until: 33 });
  await page.goto('/dashboard');
  await waitForHydration(page);
  const dialog = page.getByRole('dialog');
  for (const [name, text] of [
    ['Get a refund', 'this plan ends right away'],
    ['Cancel plan', 'This plan ends on'],
  ] as const) {
    await page.locator('.plan > .plan-actions').getByRole('button', { name }).click();
    await expect(dialog).toContainText(text);
    await expect(dialog).toContainText('Pro stays on.');
    await expect(dialog).not.toContainText('Pro ends');
    await expect(dialog.getByText('What you lose')).toHaveCount(0);
    await dialog.getByRole('button', { name: 'Keep plan' }).click();
    await expect(dialog).toHaveCount(0);
  }
});
