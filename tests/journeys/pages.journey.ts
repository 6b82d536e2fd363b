import type { Page } from '@playwright/test';
import { violationsOf } from '../support/axe.ts';
import { expect, test } from '../support/journey.ts';

const pages = ['/tools', '/use-cases', '/about', '/sitemap'];

/** Links and buttons of the page that a finger would miss: lower than 44 px and not part of a sentence. */
const low = (page: Page) =>
  page
    .locator('main :is(.btn, summary, tbody a, .case-tools a, .about-offer a):visible')
    .evaluateAll((all) =>
      all
        .filter((one) => one.getBoundingClientRect().height < 43.9)
        .map(({ outerHTML }) => outerHTML.slice(0, 90)),
    );

for (const [colorScheme, width] of [
  ['light', 1280],
  ['dark', 1280],
  ['dark', 390],
  ['light', 320],
] as const)
  test.describe(`${colorScheme}, ${width} px`, () => {
    test.use({ colorScheme, viewport: { width, height: 844 }, hasTouch: width < 1280 });

    test('the pages have no violation, fit the screen and can be tapped', async ({ page }) => {
      const found: string[] = [];
      for (const path of pages) {
        await page.goto(path);
        // Answers are looked at too.
        for (const summary of await page.locator('main summary').all()) await summary.click();
        found.push(...(await violationsOf(page)).map((fault) => `${path}: ${fault}`));
        if (width < 1280) found.push(...(await low(page)).map((one) => `${path}: low ${one}`));
      }
      expect(found).toEqual([]);
    });
  });

test('menus and footer lead to each page, and from there to the tools', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Tools' }).click();
  await page.getByRole('list', { name: 'Tools' }).getByRole('link', { name: 'All tools' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Five tools, one balance');
  await page.getByRole('link', { name: /^Try Now.*PDF Analyzer/ }).click();
  await expect(page).toHaveURL(/\/tools\/pdf$/);
  for (const [name, heading] of [
    ['About', 'A place to work with models that are not ours'],
    ['Use cases', 'Six jobs, and what stays yours in each'],
    ['Sitemap', 'Sitemap'],
  ] as const) {
    await page.goto('/pricing');
    await page.getByRole('contentinfo').getByRole('link', { name }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
  }
  await page.goto('/use-cases');
  await page.locator('#code-generation').getByRole('link', { name: 'Code assistant' }).click();
  await expect(page.getByRole('main')).toContainText('Code assistant');
});

test('a question is opened by the keyboard alone, and by its own address', async ({ page }) => {
  await page.goto('/use-cases');
  const answer = page.locator('#rights');
  await page.locator('summary', { hasText: 'confidential documents' }).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(answer).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'The terms' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#rights$/);
  await page.goto('/about');
  await page.goto('/use-cases#wrong');
  await expect(page.locator('#wrong')).toBeInViewport();
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('everything is there, the answers by their address', async ({ page }) => {
    for (const path of pages) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    }
    await page.goto('/tools');
    await expect(page.getByRole('img', { name: /1024 by 1024 pixels/ })).toBeVisible();
    await page.goto('/use-cases#confidential');
    await expect(page.locator('#confidential')).toBeVisible();
    await page.emulateMedia({ media: 'print' });
    await expect(page.locator('#which-tool')).toBeVisible();
  });
});
