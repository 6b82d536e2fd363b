import { brotliCompressSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { setting } from '#shared/settings.ts';
import { mailsOf, waitForMails } from '../support/contact.ts';
import { expect, signInAs, test } from '../support/journey.ts';
import { newAddress } from '../support/visitor.ts';

const field = (page: Page, label: string) => page.locator('main').getByLabel(label, { exact: true });
const button = (page: Page) => page.getByRole('button', { name: 'Send message' });
const reference = (page: Page) => page.locator('.contact-reference dd');
const problems = (page: Page) => page.getByRole('region', { name: 'Your message was not sent' });
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.id || document.activeElement?.tagName);

/** Makes the form look as if it had been open for 10 s, so that it is not refused as too quick. */
const openedBefore = (page: Page) =>
  page.locator('[name=opened]').evaluate((input) => {
    (input as HTMLInputElement).value = String(Date.now() - 10_000);
  });

/** Removes the browser's error about a page with this status. */
const dropErrors = (browserErrors: string[], status: number) =>
  browserErrors.splice(
    0,
    browserErrors.length,
    ...browserErrors.filter((text) => !text.includes(`status of ${status}`)),
  );

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', {
    tag: javaScriptEnabled ? [] : '@soak',
  }, () => {
    test.use({ javaScriptEnabled });

    test('a message is corrected, sent and acknowledged', async ({
      page,
      server,
      browserErrors,
      context,
    }) => {
      const email = newAddress();
      await page.goto('/contact?about=problem');
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Talk to a person');
      await expect(field(page, 'What’s it about?')).toHaveValue('problem');
      await field(page, 'Message').fill('The picture 😀\nis gone.');
      await expect(
        page.getByText(javaScriptEnabled ? '22 of 5,000 characters' : 'Up to 5,000 characters'),
      ).toBeVisible();
      await openedBefore(page);
      await field(page, 'Email').fill('ada@');
      await button(page).click();
      await expect(problems(page)).toBeFocused();
      await expect(field(page, 'Email')).toHaveAttribute('aria-invalid', 'true');
      await expect(field(page, 'Email')).toHaveAccessibleDescription(/valid email address/);
      await expect(field(page, 'Message')).toHaveValue('The picture 😀\nis gone.');
      await expect(page.getByText('22 of 5,000 characters')).toBeVisible();
      await problems(page)
        .getByRole('link', { name: /valid email address/ })
        .click();
      await expect(field(page, 'Email')).toBeFocused();
      await field(page, 'Email').fill(email);
      await button(page).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Message received' })).toBeFocused();
      await expect(page).toHaveTitle(/^Message received/);
      const shownReference = (await reference(page).textContent()) ?? '';
      await waitForMails(server, shownReference);
      expect(await mailsOf(server, email, shownReference)).toHaveLength(1);
      expect((await mailsOf(server, setting('contact.email'), shownReference))[0]?.text).toContain(
        'The picture 😀',
      );
      await page.reload();
      await expect(reference(page)).toHaveText(shownReference);
      // Going back and sending the same text again is the same message.
      await page.goBack();
      await field(page, 'Message').fill('The picture 😀\nis gone.');
      await field(page, 'What’s it about?').selectOption('problem');
      await field(page, 'Email').fill(email);
      await openedBefore(page);
      await button(page).click();
      await expect(reference(page)).toHaveText(shownReference);
      expect(await context.cookies()).toEqual([]);
      dropErrors(browserErrors, 422);
    });
  });
}

test('a signed-in person finds their address filled in, and sends by keyboard alone @soak', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server);
  const scripts: string[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.push(response.url());
  });
  await page.goto('/contact', { waitUntil: 'networkidle' });
  expect(scripts).toHaveLength(1);
  expect(brotliCompressSync(await (await fetch(scripts[0] ?? '')).text()).length).toBeLessThan(8 * 1024);
  await openedBefore(page);
  await field(page, 'What’s it about?').focus();
  await page.keyboard.press('End');
  const stops = ['contact-name', 'contact-email', 'contact-message'];
  for (const stop of stops) {
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe(stop);
  }
  await page.keyboard.type('Sent by keys alone.');
  await page.keyboard.press('Tab');
  await expect(button(page)).toBeFocused();
  await page.keyboard.press('Enter');
  const shownReference = (await reference(page).textContent()) ?? '';
  await waitForMails(server, shownReference);
  const [mail] = await mailsOf(server, setting('contact.email'), shownReference);
  expect(mail?.subject).toBe(`[${shownReference}] Press and business`);
  expect(mail?.text).toContain(`signed in as that address (${person.id})`);
});

test('going back restores the typed text, but nothing of a person who has signed out @soak', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server);
  await page.goto('/contact');
  const typeAndReturn = async () => {
    await field(page, 'Email').fill('mine@example.com');
    await field(page, 'Message').fill('Between us alone.');
    await page.getByRole('link', { name: 'What we store' }).click();
    await page.waitForURL('/privacy#what-we-store');
  };
  const holds = async (email: string, message: string) => {
    await expect(page).toHaveURL(/\/contact$/);
    await expect(field(page, 'Email')).toHaveValue(email);
    await expect(field(page, 'Message')).toHaveValue(message);
  };
  await typeAndReturn();
  await page.goBack();
  await holds('mine@example.com', 'Between us alone.');
  await page.goForward();
  const other = await signInAs(context, server);
  await page.goBack();
  await holds(other.email, '');
  await typeAndReturn();
  await page.getByRole('button', { name: 'Account' }).click();
  await page.locator('#user-menu').getByRole('button', { name: 'Sign Out' }).click();
  await page.waitForURL('/');
  await page.evaluate(() => history.go(-2));
  await holds('', '');
  expect(await page.content()).not.toContain(other.email);
});
