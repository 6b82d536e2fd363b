import type { Page } from '@playwright/test';
import { expectConsistent } from '../support/consistency.ts';
import { expect, signInAs, signInByCode, test } from '../support/journey.ts';
import { mailsTo, mailTo } from '../support/mailbox.ts';
import { advanceClock, extendSessions } from '../support/payments.ts';
import { eventually, startTestServer } from '../support/server.ts';

const DAY = 24 * 3600 * 1000;

const plan = (page: Page) => page.locator('.dash-top');
const pay = (page: Page) => page.getByRole('button', { name: /^Pay \$/ });
const expectText = (page: Page, text: string | RegExp) =>
  expect(plan(page).getByText(text, { exact: false }).first()).toBeVisible();

/** Goes from the list of plans to the provider's page. */
async function checkout(page: Page, duration: RegExp): Promise<void> {
  await page.goto('/pricing');
  await page.getByRole('radio', { name: duration }).check();
  await page.getByRole('button', { name: /checkout at Creem/i }).click();
  await expect(pay(page)).toBeVisible();
}

test('a plan works from the first press to its end a year later', async ({ page, server: shared }) => {
  // A separate site, because a year passes on it.
  const server = await startTestServer({ postgres: process.env.TEST_POSTGRES ?? '' });
  try {
    const email = `buyer-${Date.now()}@example.com`;
    expect(server.url).not.toBe(shared.url);

    // A guest subscribes: the chosen plan is kept through the sign-in to the checkout.
    await page.goto(`${server.url}/`);
    await page.getByRole('link', { name: 'Sign In' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('radio', { name: /1 Year/ }).check();
    await dialog.getByRole('button', { name: 'Sign In & Subscribe' }).click();
    await signInByCode(page, server, email);
    await expect(pay(page)).toHaveText(/69\.99/);
    await expect(page.getByLabel('E-mail')).toHaveValue(email);

    // After the payment the page shows Pro without a reload, once the server confirms it.
    await pay(page).click();
    await expect(page.locator('.pay-banner')).toContainText(/Payment Successful! Welcome to Pro.*1 Year/);
    await expect(page).toHaveURL(`${server.url}/dashboard`);
    await expectText(page, 'Active');
    await expectText(page, 'Unlimited');
    const { subject, text } = await mailTo(server, email, 2);
    expect(`${subject} ${text}`).toMatch(/69\.99/);
    await expect(page.getByRole('cell', { name: /paid until/ })).toHaveCount(1);

    // A year passes: the plan has renewed once.
    await extendSessions(server, email);
    await advanceClock(server, 366 * DAY);
    await extendSessions(server, email);
    await eventually(async () => {
      const { rows } = await server.database.query('select count(*)::int as n from payments');
      return rows[0].n === 2;
    });
    await page.reload();
    await expectText(page, 'Active');
    await expect(page.getByRole('cell', { name: /paid until/ })).toHaveCount(2);
    await expect(page.getByRole('button', { name: 'Get a refund' })).toHaveCount(0);

    // Cancels in two steps that name the end, resumes, and cancels again.
    const { rows } = await server.database.query('select period_end from subscriptions');
    const end: Date = rows[0].period_end;
    const inTwoYears = new Date().setFullYear(new Date().getFullYear() + 2);
    expect(Math.abs(end.getTime() - inTwoYears)).toBeLessThan(2 * DAY);
    const lastDay = end.toLocaleDateString('en-US', { dateStyle: 'long' });
    for (const last of [false, true]) {
      await page.getByRole('button', { name: 'Cancel plan' }).click();
      await expect(dialog.getByText(`Pro ends on ${lastDay}`)).toBeVisible();
      await dialog.getByRole('button', { name: 'Cancel plan' }).click();
      await expect(dialog).toBeHidden();
      await expectText(page, 'Canceled');
      if (last) break;
      await page.getByRole('button', { name: 'Resume' }).click();
      await expectText(page, 'Active');
    }
    await eventually(async () =>
      (await mailsTo(server, email)).some((mail) => /is canceled/.test(mail.subject)),
    );

    // Pro ends with the paid period, and the person's work stays.
    await advanceClock(server, 365 * DAY);
    await extendSessions(server, email);
    await page.reload();
    await expectText(page, 'Free');
    await page.goto(`${server.url}/tools/pdf`);
    await expect(page.getByRole('heading', { name: /included in Pro/ })).toBeVisible();
    // Does the work of the minutely job without waiting for it.
    await server.database.query(`select refresh_plans(null, 'clock', 'refresh-plans')`);
    await expectConsistent(server);
  } finally {
    await server.stop();
  }
});

test('two plans in two tabs: the page names the plan of its own checkout, warns at once, and one press ends the other @soak', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server);
  const other = await context.newPage();
  await checkout(page, /1 Month/);
  await checkout(other, /1 Year/);
  await pay(page).click();
  await expect(page.getByText(/Welcome to Pro.*1 Month/)).toBeVisible();
  await pay(other).click();
  await expect(other.getByText(/Welcome to Pro.*1 Year/)).toBeVisible();
  const warning = other.getByRole('region', { name: 'You’re paying for 2 plans' });
  await expect(warning.getByRole('listitem')).toHaveText([/Pro, 1 Year/, /Pro, 1 Month/]);
  await eventually(async () =>
    (await mailsTo(server, person.email)).some((mail) => /You’re paying for 2 .* plans/.test(mail.subject)),
  );
  await warning.getByRole('button', { name: 'Refund $19.99 and end now' }).click();
  await expect(warning).toBeHidden();
  await expectText(other, 'Refunded');
  expect(await (await person.get('/api/me')).json()).toMatchObject({ plan: 'pro' });
});
