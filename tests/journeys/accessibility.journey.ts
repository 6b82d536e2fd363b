import type { Page } from '@playwright/test';
import { violationsOf } from '../support/axe.ts';
import { expect, say, signInAs, test } from '../support/journey.ts';

const pages = [
  ...['/', '/chat', '/sign-in', '/sign-in?plan=yearly', '/sign-in/confirm?token=x', '/restore'],
  ...[
    '/error?error=access_denied&description=No',
    '/pricing',
    '/privacy',
    '/terms',
    '/cookies',
    '/nothing-here',
  ],
];

/** Adds what a page violates at this moment: rules of axe, and a page that is wider than the screen. */
function checker(page: Page) {
  const violations: string[] = [];
  const check = async (name: string) => {
    violations.push(...(await violationsOf(page)).map((fault) => `${name}: ${fault}`));
  };
  return { violations, check };
}

/** Statuses that are the point of a page, told by the browser as errors. */
const expected = (text: string) => /status of (404|410)/.test(text);

for (const [colorScheme, width] of [
  ['light', 1280],
  ['dark', 1280],
  ['light', 390],
  ['dark', 390],
] as const) {
  test.describe(`${colorScheme}, ${width} px`, () => {
    test.use({ colorScheme, viewport: { width, height: 900 } });

    test('pages, menus, dialogs and a conversation have no violation', async ({
      page,
      context,
      server,
      complaints,
    }) => {
      const { violations, check } = checker(page);
      for (const path of pages) {
        await page.goto(path);
        await check(path);
      }
      await page.goto('/');
      await page.getByRole('button', { name: 'Theme' }).click();
      await check('the menu of themes');
      await page.keyboard.press('Escape');
      if (width === 390) {
        await page.getByRole('button', { name: 'Menu', exact: true }).click();
        await check('the drawer');
        await page.keyboard.press('Escape');
      }
      await page.getByRole('link', { name: 'Sign In' }).first().click();
      await expect(page.getByRole('dialog')).toBeVisible();
      await check('the dialog');
      await page.getByRole('button', { name: 'Sign In & Subscribe' }).click();
      await page.getByRole('dialog').getByLabel('Email').fill('nobody@nowhere');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('alert')).toBeVisible();
      await check('the dialog after a refusal');
      await signInAs(context, server);
      await page.goto('/settings');
      await page.getByRole('button', { name: 'Account', exact: true }).click();
      await check('the settings under the menu of the account');
      await page.goto('/chat/new');
      await say(page, 'Show me code and a table [[tps:0]]');
      await expect(page.getByRole('button', { name: 'Copy' }).first()).toBeVisible();
      await check('a conversation');
      expect(violations).toEqual([]);
      complaints.splice(
        0,
        complaints.length,
        ...complaints.filter((text) => !expected(text) && !/400/.test(text)),
      );
    });
  });
}

for (const [name, viewport] of [
  ['320 px', { width: 320, height: 640 }],
  // What a screen of 1280 by 900 leaves at 200 % (WCAG 1.4.4, 1.4.10).
  ['200 % zoom', { width: 640, height: 450 }],
] as const) {
  test.describe(name, () => {
    test.use({ viewport });

    test('every page fits, and the dialog can be read to its end', async ({
      page,
      context,
      server,
      complaints,
    }) => {
      const { violations, check } = checker(page);
      for (const path of pages) {
        await page.goto(path);
        await check(path);
      }
      await page.goto('/');
      await page.getByRole('link', { name: 'Sign In' }).first().click();
      const last = page.getByRole('button', { name: 'Sign In & Subscribe' });
      await last.scrollIntoViewIfNeeded();
      await expect(last).toBeInViewport();
      await check('the dialog');
      await signInAs(context, server);
      await page.goto('/settings');
      await check('/settings');
      expect(violations).toEqual([]);
      complaints.splice(0, complaints.length, ...complaints.filter((text) => !expected(text)));
    });
  });
}

test('whoever wants less motion gets none', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/');
  await page.getByRole('link', { name: 'Sign In' }).first().click();
  const longest = await page.evaluate(() =>
    Math.max(
      ...[...document.querySelectorAll('*')].map((element) => {
        const { animationDuration, transitionDuration } = getComputedStyle(element);
        return Math.max(
          ...[animationDuration, transitionDuration].flatMap((list) =>
            list.split(',').map((time) => Number.parseFloat(time) * (time.trim().endsWith('ms') ? 1 : 1000)),
          ),
        );
      }),
    ),
  );
  expect(longest).toBeLessThanOrEqual(1);
});
