import { expect, test } from '../support/journey.ts';

const pages = ['/tools', '/use-cases', '/about', '/sitemap'];

test('a question is opened by keyboard alone, and by its own address @soak', async ({ page }) => {
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

  test('everything is there, the answers at their own address', async ({ page }) => {
    for (const path of pages) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    }
    await page.goto('/tools');
    await expect(page.getByRole('img', { name: 'The lighthouse at noon under a blue sky' })).toBeVisible();
    await page.goto('/use-cases#confidential');
    await expect(page.locator('#confidential')).toBeVisible();
    await page.emulateMedia({ media: 'print' });
    await expect(page.locator('#which-tool')).toBeVisible();
  });
});
