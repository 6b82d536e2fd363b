import { violationsOf } from '../support/axe.ts';
import { expect, test } from '../support/journey.ts';
import { tokenOf, waitForMail } from '../support/newsletter.ts';
import { network, newAddress } from '../support/visitor.ts';

test.beforeEach(({ context }) => context.setExtraHTTPHeaders({ 'x-forwarded-for': network() }));

const box = { name: 'Get new articles by email' };

for (const [colorScheme, width, javaScriptEnabled] of [
  ['light', 1280, true],
  ['dark', 390, false],
] as const)
  test.describe(`${colorScheme}, ${width} px, ${javaScriptEnabled ? 'with' : 'without'} scripts`, {
    tag: javaScriptEnabled ? [] : '@soak',
  }, () => {
    test.use({ colorScheme, viewport: { width, height: 844 }, javaScriptEnabled });

    test('a person subscribes and unsubscribes by keyboard alone', async ({
      page,
      server,
      browserErrors,
    }) => {
      const found: string[] = [];
      const check = async (name: string) => {
        // A screen reader reads the title first, so it must contain the heading.
        if (new URL(page.url()).pathname.startsWith('/newsletter/'))
          expect(await page.title()).toContain(await page.getByRole('heading', { level: 1 }).textContent());
        // axe needs scripts.
        if (javaScriptEnabled) found.push(...(await violationsOf(page)).map((fault) => `${name}: ${fault}`));
      };
      const email = newAddress();
      await page.goto('/blog');
      const region = page.getByRole('region', box);
      const field = region.getByRole('textbox', { name: 'Email' });
      await expect(region.getByRole('textbox')).toHaveCount(1);
      await expect(region.getByText('No email?')).toBeHidden();
      // Chromium accepts this address, but the site does not; Tab skips the honeypot.
      await field.fill('ada@localhost');
      await page.keyboard.press('Tab');
      await expect(region.getByRole('button', { name: 'Subscribe' })).toBeFocused();
      await page.keyboard.press('Enter');
      await expect(page.getByText('Enter a valid email address.')).toBeVisible();
      const again = page.getByRole('main').getByRole('textbox', { name: 'Email' });
      await expect(again).toHaveValue('ada@localhost');
      await check('wrong');
      expect(browserErrors.splice(0).every((text) => text.includes('400'))).toBe(true);
      await again.fill(email);
      await page.keyboard.press('Enter');
      const answer = page.getByRole('main').getByText('open the link to confirm');
      await expect(answer).toBeVisible();
      await expect(again).toBeHidden();
      if (javaScriptEnabled) await expect(answer).toBeFocused();
      // The links are the same in the place of the form and on a separate page.
      await expect(page.getByRole('main').getByText('No email?')).toBeVisible();
      await expect(page.getByRole('link', { name: 'Open the local mailbox' })).toBeVisible();
      await expect(page.getByRole('link', { name: 'Send again' })).toHaveAttribute('href', '/newsletter');
      await check('asked');

      const confirmation = await waitForMail(server, email, /^Confirm/);
      await page.goto(`/newsletter/confirm?token=${tokenOf(confirmation, '/newsletter/confirm')}`);
      await check('confirm');
      await page.getByRole('main').getByRole('button', { name: 'Subscribe' }).focus();
      await page.keyboard.press('Enter');
      await expect(page.getByRole('heading', { name: 'You’re subscribed' })).toBeVisible();
      await check('confirmed');
      await page.reload();
      await expect(page.getByRole('heading', { name: 'You’re subscribed' })).toBeVisible();

      const welcome = await waitForMail(server, email, /^You’re subscribed/);
      await page.goto(`/newsletter/unsubscribe?token=${tokenOf(welcome, '/newsletter/unsubscribe')}`);
      await check('leave');
      await page.getByRole('button', { name: 'Unsubscribe' }).focus();
      await page.keyboard.press('Enter');
      await expect(page.getByRole('heading', { name: 'You’re unsubscribed' })).toBeVisible();
      await check('left');
      expect(found).toEqual([]);
    });
  });

test.describe('320 px', () => {
  test.use({ viewport: { width: 320, height: 700 } });

  test('dead links and the page of the box say what to do, and a lost connection keeps the text @soak', async ({
    page,
    browserErrors,
  }) => {
    const found: string[] = [];
    for (const [path, heading] of [
      ['/newsletter', 'Get new articles by email'],
      ['/newsletter/confirm?token=x', 'Get a new link'],
      ['/newsletter/unsubscribe?token=x', 'Unknown link'],
    ] as const) {
      await page.goto(path);
      await expect(page.getByRole('heading', { name: heading })).toBeVisible();
      if (path.includes('?')) await expect(page).toHaveTitle(new RegExp(`^${heading}`));
      found.push(...(await violationsOf(page)).map((fault) => `${path}: ${fault}`));
    }
    expect(found).toEqual([]);
    expect(browserErrors.splice(0).every((text) => /404|410/.test(text))).toBe(true);

    await page.goto('/blog');
    const region = page.getByRole('region', box);
    await region.getByRole('textbox').fill('ada@example.com');
    await page.route('**/api/newsletter', (route) => route.abort());
    await region.getByRole('button').click();
    await expect(region.getByText('Not sent. Your text is still here. Try again.')).toBeVisible();
    await expect(region.getByRole('textbox')).toHaveValue('ada@example.com');
    expect(browserErrors.splice(0)).toHaveLength(1);
  });
});
