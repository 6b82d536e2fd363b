import type { Page } from '@playwright/test';
import { waitForHydration } from '../support/hydration.ts';
import { expect, signInAs, test } from '../support/journey.ts';
import type { TestServer } from '../support/server.ts';

// The test browser's own user agent says that it is headless, so it would count as a robot.
test.use({
  consent: 'none',
  userAgent:
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36',
});
test.beforeEach(({ server }) => server.database.query('truncate page_counts'));

/** Collects the requests to the counter, with their cookie. */
function watchCounts(page: Page): Array<{ path: string; referrer?: string; cookie: string | undefined }> {
  const counts: ReturnType<typeof watchCounts> = [];
  page.on('request', async (request) => {
    if (new URL(request.url()).pathname !== '/api/events') return;
    const { cookie } = await request.allHeaders();
    counts.push({ ...request.postDataJSON(), cookie });
  });
  return counts;
}

async function storedCounts({ database }: TestServer): Promise<Record<string, number>> {
  const { rows } = await database.query<{ value: string; views: number }>(
    `select value, views::int from page_counts where fact = 'page'`,
  );
  return Object.fromEntries(rows.map(({ value, views }) => [value, views]));
}

/** Opens the consent banner on the cookie page, answers it and saves. */
async function choose(page: Page, answer: (banner: ReturnType<Page['getByRole']>) => Promise<void>) {
  await page.goto('/cookies');
  await page.locator('main [data-consent-open]').first().click();
  const banner = page.getByRole('region', { name: 'Cookie consent' });
  await answer(banner);
  await banner.getByRole('button', { name: 'Save preferences' }).click();
  await expect(banner).toBeHidden();
}

test('with consent a visit is counted once per page, in the app too, and no more after a withdrawal @soak', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server, { plan: 'pro' });
  const counts = watchCounts(page);
  await page.goto('/', { waitUntil: 'networkidle' });
  expect(counts).toEqual([]);
  await choose(page, (banner) => banner.getByRole('checkbox', { name: 'Analytics' }).check());
  await expect.poll(() => storedCounts(server)).toEqual({ '/cookies': 1 });

  // Saving the same choice again counts nothing.
  await page.locator('main [data-consent-open]').first().click();
  await page.getByRole('button', { name: 'Save preferences' }).click();
  await page.goto('/tools/writer', { referer: 'https://news.example/path?query' });
  await expect.poll(() => storedCounts(server)).toEqual({ '/cookies': 1, '/tools/writer': 1 });
  await page.goto('/chat/new');
  await waitForHydration(page);
  await page.getByRole('textbox', { name: /message/i }).fill('count me [[tps:0]]');
  await page.keyboard.press('Enter');
  await expect
    .poll(() => storedCounts(server))
    .toEqual({ '/cookies': 1, '/tools/writer': 1, '/chat/new': 1, '/chat/:id': 1 });
  const { rows } = await server.database.query(`select value from page_counts where fact = 'referrer'`);
  expect(rows).toEqual([{ value: 'news.example' }]);
  await expect.poll(() => counts.length).toBe(4);
  expect(counts.map(({ cookie }) => cookie)).toEqual(counts.map(() => undefined));

  await choose(page, (banner) => banner.getByRole('checkbox', { name: 'Analytics' }).uncheck());
  // The page on which consent is withdrawn is still counted.
  await expect.poll(() => counts.length).toBe(5);
  for (const path of ['/', '/chat/new', '/tools/writer']) await page.goto(path, { waitUntil: 'networkidle' });
  expect(counts).toHaveLength(5);
});

test('Global Privacy Control and a refusal send nothing', async ({ page }) => {
  const counts = watchCounts(page);
  await page.goto('/cookies');
  await page.getByRole('button', { name: 'Reject non-essential' }).click();
  await page.goto('/pricing', { waitUntil: 'networkidle' });
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage)) localStorage.removeItem(key);
  });
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'globalPrivacyControl', { value: true, configurable: true }),
  );
  await page.goto('/cookies');
  await page.getByRole('button', { name: 'Accept All' }).click();
  await page.goto('/pricing', { waitUntil: 'networkidle' });
  expect(counts).toEqual([]);
});

test('a page works as usual when its count fails @soak', async ({ page, browserErrors }) => {
  await page.route('**/api/events', (route) => route.abort());
  await choose(page, (banner) => banner.getByRole('checkbox', { name: 'Analytics' }).check());
  await page.goto('/pricing', { waitUntil: 'networkidle' });
  await page.getByRole('button', { name: /theme/i }).first().click();
  await expect(page.locator('#theme-menu')).toBeVisible();
  // The browser logs the failed request; our code logs nothing.
  expect(browserErrors.filter((line) => !/Failed to load resource/.test(line))).toEqual([]);
  browserErrors.length = 0;
});
