import { brotliCompressSync } from 'node:zlib';
import { waitForHydration } from '../support/hydration.ts';
import { expect, signInAs, test } from '../support/journey.ts';
import { watchShifts } from '../support/layout-shifts.ts';
import { soak } from '../support/soak.ts';

test('the home page sends no React, at most 6 KB of script, and does not shift', async ({ page, server }) => {
  const scripts: string[] = [];
  page.on('response', async (response) => {
    if (response.request().resourceType() === 'script') scripts.push(response.url());
  });
  const shifts = await watchShifts(page);
  await page.goto('/', { waitUntil: 'networkidle' });
  expect(scripts).toHaveLength(1);
  const text = await (await fetch(scripts[0] ?? '')).text();
  expect(text).not.toContain('react');
  expect(brotliCompressSync(text).length).toBeLessThanOrEqual(8 * 1024);
  expect(await shifts()).toEqual([]);
  const inline = await page.evaluate(() =>
    [...document.scripts]
      .filter(({ src, type }) => !src && type !== 'application/ld+json')
      .map((script) => script.textContent?.length ?? 0),
  );
  expect(inline.reduce((sum, length) => sum + length, 0)).toBeLessThan(1024);
  expect(server.process.exitCode).toBeNull();
});

for (const path of ['/chat', '/tools/writer'])
  test(`a guest’s ${path} is painted before its scripts are requested, and hydrates afterwards`, async ({
    page,
  }) => {
    await page.goto(path);
    await waitForHydration(page);
    const [painted, requested] = await page.evaluate(() => [
      performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
      performance
        .getEntriesByType('resource')
        .filter(({ name }) => /\/framework-/.test(name))
        .map(({ startTime }) => startTime),
    ]);
    expect(requested).toHaveLength(1);
    expect(requested[0]).toBeGreaterThan(painted);
  });

test('the theme is chosen once for all tabs, without a flash', async ({ page, context }) => {
  await page.goto('/');
  const other = await context.newPage();
  await other.goto('/chat');
  await page.getByRole('button', { name: 'Theme' }).click();
  await page.getByText('Dark', { exact: true }).click();
  for (const tab of [page, other]) await expect(tab.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.reload({ waitUntil: 'commit' });
  await page.waitForSelector('body');
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
});

test('signing out ends the session here and in other tabs, and clears drafts', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server);
  await page.goto('/chat');
  await page.getByRole('textbox', { name: /message/i }).fill('a draft');
  await expect
    .poll(() =>
      page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('draft:')).length),
    )
    .toBe(1);
  const home = await context.newPage();
  await home.goto('/');
  await home.getByRole('button', { name: /account|menu|test person/i }).click();
  await home.getByRole('button', { name: 'Sign Out' }).click();
  await expect(home.getByRole('link', { name: 'Sign In' }).first()).toBeVisible();
  expect((await person.get('/api/me')).status).toBe(401);
  await expect(page.getByText('GUEST')).toBeVisible();
  expect(
    await home.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('draft:')).length),
  ).toBe(0);
});

test('a page that does not exist says so', async ({ page, browserErrors }) => {
  const response = await page.goto('/not/there');
  expect(response?.status()).toBe(404);
  await expect(page.getByText('Oops! Page not found')).toBeVisible();
  await page.getByRole('link', { name: 'Return to Home' }).click();
  await expect(page).toHaveURL(/\/$/);
  browserErrors.splice(0, browserErrors.length, ...browserErrors.filter((text) => !text.includes('404')));
});

test('nothing moves by itself, for guests and for signed-in people @soak', async ({
  page,
  context,
  server,
}) => {
  const shifts = await watchShifts(page);
  const moved: string[] = [];
  const visitAll = async (visitor: string, width: number) => {
    await page.setViewportSize({ width, height: 844 });
    for (const path of ['/', '/sign-in', '/error', '/pricing', '/privacy', '/cookies']) {
      await page.goto(path, { waitUntil: 'networkidle' });
      for (const shift of await shifts()) moved.push(`${visitor}, ${width} px: ${shift}`);
    }
  };
  const widths = [1280, 390];
  for (const width of soak ? widths : [390]) await visitAll('guest', width);
  await signInAs(context, server);
  for (const width of soak ? widths : [1280]) await visitAll('member', width);
  expect(moved).toEqual([]);
});
