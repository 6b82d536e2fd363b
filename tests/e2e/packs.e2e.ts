import type { Page } from '@playwright/test';
import { violationsOf } from '../support/axe.ts';
import { uniqueWord } from '../support/chat.ts';
import { waitForHydration } from '../support/hydration.ts';
import { composer, expect, sendMessage, signInAs, test } from '../support/journey.ts';
import { soak } from '../support/soak.ts';

const outOfCredits = (page: Page) => page.getByRole('dialog', { name: 'You’re out of credits' });
const pay = (page: Page) => page.getByRole('button', { name: /^Pay \$/ });

for (const [name, viewport] of Object.entries({
  desk: { width: 1280, height: 800 },
  ...(soak ? { phone: { width: 390, height: 844 } } : {}),
}))
  test(`out of credits, a pack is bought, and the same message is sent (${name})`, async ({
    page,
    context,
    server,
    browserErrors,
  }) => {
    await page.setViewportSize(viewport);
    const person = await signInAs(context, server, { credits: 0 });
    const question = `How long does honey keep? ${uniqueWord()} [[tps:0]]`;
    await page.goto('/chat/new');
    await sendMessage(page, question);
    const out = outOfCredits(page);
    await expect(out.getByRole('radio', { name: /100 credits/ })).toBeChecked();
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    const notice = page.locator('.chat-notice');
    await expect(notice).toContainText('Please purchase more credits or subscribe to a plan.');
    await notice.getByRole('button', { name: 'Purchase more credits' }).click();
    await out.getByRole('radio', { name: /500 credits.*19\.99/ }).check();
    await out.getByRole('button', { name: 'Continue to checkout at Creem' }).click();

    // The provider's page shows the same price, charged once.
    await expect(page.getByText('once.')).toBeVisible();
    await expect(pay(page)).toHaveText('Pay $19.99');
    await pay(page).click();
    // One look, because the banner closes after five seconds.
    await expect(page.locator('.pay-banner')).toContainText(
      'Payment Successful! 500 credits were added to your balance.',
    );
    await expect(page).toHaveURL(/\/dashboard/);
    await expect(page.locator('.balance-figure')).toHaveText('500 credits left');
    await expect(page.getByRole('cell', { name: '500 credits: $19.99 paid' })).toBeVisible();
    expect(await violationsOf(page)).toEqual([]);

    await page.getByRole('link', { name: 'Open chat' }).click();
    await waitForHydration(page);
    await expect(composer(page)).toHaveValue(question);
    await composer(page).press('Enter');
    await expect(page.locator('main')).toContainText('How long does honey keep?');
    await expect.poll(() => person.credits()).toBe(499);
    browserErrors.splice(0);
  });

test('packs are bought on the pricing page, with scripts and without, and going back says nothing was charged @soak', async ({
  page,
  context,
  browser,
  server,
}) => {
  await page.goto('/pricing');
  const packs = page.getByRole('region', { name: 'Credits', exact: true });
  await expect(packs).toContainText('$4.99 One-time payment');
  await packs.getByRole('link', { name: 'Sign in to buy' }).first().click();
  await expect(page).toHaveURL(/\/sign-in\?next=%2Fpricing$/);
  await signInAs(context, server);
  await page.goto('/pricing');
  await packs.getByRole('button', { name: 'Buy 100 credits' }).click();
  await expect(pay(page)).toHaveText('Pay $4.99');
  await page.getByRole('button', { name: 'Abandon' }).click();
  await expect(page.getByText('Payment Cancelled')).toBeVisible();

  const noScripts = await browser.newContext({ javaScriptEnabled: false, baseURL: server.url });
  try {
    await signInAs(noScripts, server);
    const plainPage = await noScripts.newPage();
    await plainPage.goto('/pricing');
    await plainPage.getByRole('button', { name: 'Buy 500 credits' }).click();
    await pay(plainPage).click();
    await expect(plainPage).toHaveURL(/\/dashboard/);
  } finally {
    await noScripts.close();
  }
});

test('on Pro the pricing page says that packs stay, and sells none @soak', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server, { plan: 'pro' });
  await page.goto('/pricing');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('You’re on Pro');
  const packs = page.getByRole('region', { name: 'Credits', exact: true });
  await expect(packs).toContainText('they stay in your account while Pro is on');
  await expect(packs.getByRole('button')).toHaveCount(0);
});
