import type { Page } from '@playwright/test';
import { violationsOf } from '../support/axe.ts';
import { expect, test } from '../support/journey.ts';

const pictures = (page: Page) => page.locator('.screen img');

/** Which file each picture shows, once all have been seen. */
async function shown(page: Page): Promise<string[]> {
  const all = await pictures(page).all();
  for (const picture of all) {
    await picture.scrollIntoViewIfNeeded();
    await expect
      .poll(() => picture.evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth > 0))
      .toBe(true);
  }
  return pictures(page).evaluateAll((list) =>
    list.map((img) =>
      (img as HTMLImageElement).currentSrc.replace(/.*\/([a-z]+-[a-z]+-[a-z]+)-[\w-]+(\.\w+)$/, '$1$2'),
    ),
  );
}

const wanted = (frame: string, theme: string) =>
  ['chat', 'pdf', 'writer', 'script'].map((name) => `${name}-${frame}-${theme}.avif`);

for (const { width, theme } of [
  { width: 1280, theme: 'light' },
  { width: 1280, theme: 'dark' },
  { width: 390, theme: 'dark' },
  { width: 320, theme: 'light' },
] as const)
  test(`the home page at ${width} px, ${theme}: its own pictures, nothing moves, no violation`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width, height: 844 });
    await page.addInitScript(() => {
      Object.assign(window, { shifts: 0 });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
          (window as unknown as { shifts: number }).shifts += (entry as unknown as { value: number }).value;
      }).observe({ type: 'layout-shift', buffered: true });
    });
    const asked: string[] = [];
    const fonts: string[] = [];
    page.on('request', (request) => {
      if (request.resourceType() === 'image') asked.push(request.url());
      if (request.resourceType() === 'font') fonts.push(request.url());
    });
    await page.goto('/', { waitUntil: 'networkidle' });
    expect(fonts).toHaveLength(1);
    expect(asked.filter((url) => /-(wide|phone)-/.test(url)).every((url) => url.includes(`-${theme}-`))).toBe(
      true,
    );
    expect(await shown(page)).toEqual(wanted(width < 768 ? 'phone' : 'wide', theme));
    expect(asked.filter((url) => /-(wide|phone)-/.test(url))).toHaveLength(4);
    expect(await page.evaluate(() => (window as unknown as { shifts: number }).shifts)).toBeLessThan(0.0002);
    expect(await violationsOf(page)).toEqual([]);
  });

test('pictures follow the theme that a person chose, and go back with it', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/');
  await page.evaluate(() => localStorage.setItem('theme', 'dark'));
  await page.reload();
  expect(await shown(page)).toEqual(wanted('wide', 'dark'));
  await page.evaluate(() => scrollTo(0, 0));
  await page.getByRole('button', { name: 'Theme' }).click();
  await page.getByText('Light', { exact: true }).click();
  await expect.poll(() => shown(page)).toEqual(wanted('wide', 'light'));
});
