import type { Page } from '@playwright/test';
import { composer, expect, signInAs, test } from '../support/journey.ts';
import { watchShifts } from '../support/layout-shifts.ts';
import { soak } from '../support/soak.ts';

const current = (page: Page) =>
  page.getByRole('navigation', { name: 'On this page' }).locator('[aria-current]');

for (const javaScriptEnabled of soak ? [true, false] : [false])
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('articles are searched by the address, and Clear shows all', async ({ page }) => {
      await page.goto('/blog');
      await expect(page.getByText('21 articles', { exact: true })).toBeVisible();
      await expect(page.getByRole('link', { name: 'Clear' })).toHaveCount(0);
      await page.getByRole('searchbox', { name: 'Search articles' }).fill('gemini');
      await page.getByLabel('Category').selectOption('Comparisons');
      await page.getByRole('button', { name: 'Search' }).click();
      await expect(page).toHaveURL('/blog?q=gemini&category=comparisons');
      await expect(page.getByText('2 articles in Comparisons for “gemini”')).toBeVisible();
      await expect(page.getByRole('searchbox')).toHaveValue('gemini');
      await page.getByRole('searchbox').fill('nothing like this');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('heading', { name: 'No articles found' })).toBeVisible();
      await page.getByRole('link', { name: 'Clear', exact: true }).click();
      await expect(page).toHaveURL('/blog');
      await page.getByRole('heading', { name: /^GPT-5 vs Gemini/ }).click();
      await expect(page).toHaveURL('/blog/gpt-5-vs-gemini');
      await page.goto('/blog/what-is-gpt-5');
      await expect(page.getByRole('link', { name: /^Use in chat/ })).toHaveCount(javaScriptEnabled ? 1 : 0);
      await page.getByRole('button', { name: 'Share' }).click();
      await expect(page.getByRole('link', { name: 'LinkedIn' })).toBeVisible();
      await expect(page.getByRole('button', { name: 'Copy link' })).toHaveCount(javaScriptEnabled ? 1 : 0);
    });
  });

test('the table of contents follows the reader, and headings link to themselves @soak', async ({
  page,
  server,
}) => {
  await page.goto('/blog/prompt-engineering-guide#advanced-techniques');
  await expect(current(page)).toHaveText('Advanced techniques');
  await page
    .getByRole('navigation', { name: 'On this page' })
    .getByRole('link', { name: 'Examples' })
    .click();
  await expect(page).toHaveURL(`${server.url}/blog/prompt-engineering-guide#examples`);
  await expect(current(page)).toHaveText('Examples');
  await page.evaluate(() => scrollTo(0, 0));
  await expect(current(page)).toHaveCount(0);
  await page.getByRole('heading', { name: 'Fundamentals' }).getByRole('link').click();
  await expect(page).toHaveURL(/#fundamentals$/);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test('the table of contents is collapsed above the text, and touch targets are 44 px high @soak', async ({
    page,
  }) => {
    await page.goto('/blog/prompt-engineering-guide');
    await expect(page.getByRole('navigation', { name: 'On this page' })).toBeHidden();
    await page.getByText('On this page').first().tap();
    await page.getByRole('link', { name: 'Optimization' }).first().tap();
    await expect(page).toHaveURL(/#optimization$/);
    const low = await page
      .locator('main :is(button, summary, .article-prompt-foot a, .article-crumbs a, .btn):visible')
      .evaluateAll((all) =>
        all
          .filter((one) => one.getBoundingClientRect().height < 43.9)
          .map(({ outerHTML }) => outerHTML.slice(0, 90)),
      );
    expect(low).toEqual([]);
  });
});

test('a link is copied and a prompt goes into the chat by keyboard alone @soak', async ({
  page,
  context,
  server,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.url });
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await page.goto('/blog/what-is-gpt-5');
  await page.getByRole('button', { name: 'Share' }).focus();
  await page.keyboard.press('Enter');
  const copyLink = page.locator('#share-menu button');
  await expect(page.getByRole('link', { name: 'Facebook' })).toHaveAttribute('href', /what-is-gpt-5$/);
  for (let at = 0; at < 5; at++) await page.keyboard.press('Tab');
  await expect(copyLink).toBeFocused();
  await page.clock.install();
  await page.keyboard.press('Enter');
  await expect(copyLink).toHaveText('Copied');
  await expect.poll(clipboard).toBe(`${server.url}/blog/what-is-gpt-5`);
  await page.clock.runFor(2000);
  await expect(copyLink).toHaveText('Copy link');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Share' })).toBeFocused();

  // Not found by name, because its name changes.
  const copyPrompt = page.locator('.article-prompt button');
  await expect(copyPrompt).toHaveAccessibleName(/^Copy prompt: Test an assistant/);
  await copyPrompt.focus();
  await page.keyboard.press('Enter');
  await expect(copyPrompt).toHaveText(/^Copied/);
  const prompt = await clipboard();
  expect(prompt).toMatch(/^I will give you a task[\s\S]*\{\{task\}\}/);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/chat\/new$/);
  await expect(composer(page)).toHaveValue(prompt);

  // Another prompt, used by a signed-in person.
  await signInAs(context, server);
  await page.goto('/blog/50-gpt-5-prompts');
  await page.getByRole('link', { name: /^Use in chat ?: Hints in three strengths/ }).click();
  await expect(composer(page)).toHaveValue(/^Problem: \{\{problem\}\}/);
});

test('the system’s share dialog is used where there is one @soak', async ({ page, server }) => {
  await page.addInitScript(() => {
    const shared: unknown[] = [];
    Object.assign(window, { shared });
    Object.assign(navigator, { share: async (data: unknown) => void shared.push(data) });
  });
  await page.goto('/blog/gpt-5-vs-gemini');
  await page.getByRole('button', { name: 'Share' }).click();
  const shared = await page.evaluate(() => (window as unknown as { shared: unknown[] }).shared);
  expect(shared).toEqual([
    { url: `${server.url}/blog/gpt-5-vs-gemini`, title: await page.locator('h1').textContent() },
  ]);
  await expect(page.locator('#share-menu')).toBeHidden();
});

test('nothing shifts, React is not loaded, and only the article is printed', async ({
  page,
  browserErrors,
}) => {
  // Without web fonts: fallback fonts are fitted to Arial and Georgia, which a test machine may lack.
  await page.route('**/*.woff2', (route) => route.abort());
  const scripts: string[] = [];
  page.on('request', (request) => request.resourceType() === 'script' && scripts.push(request.url()));
  const shifts = await watchShifts(page);
  for (const path of ['/blog', '/blog/reduce-chatgpt5-api-costs']) {
    await page.goto(path, { waitUntil: 'networkidle' });
    expect(await shifts(), path).toEqual([]);
  }
  expect(new Set(scripts).size).toBe(1);
  expect(browserErrors.splice(0).filter((text) => !text.includes('net::ERR_FAILED'))).toEqual([]);
  await page.emulateMedia({ media: 'print' });
  for (const selector of ['.site-header', '.page-contents', '.share', '.article-related', '.article-try'])
    await expect(page.locator(selector).first(), selector).toBeHidden();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const code = page.locator('.article-text .md-code pre').first();
  expect(await code.evaluate((box) => box.scrollWidth <= box.clientWidth)).toBe(true);
});
