import type { Page } from '@playwright/test';
import { appearances } from '../support/appearances.ts';
import { composer, expect, signInAs, signInByCode, test } from '../support/journey.ts';
import { watchShifts } from '../support/layout-shifts.ts';
import { seedDocument } from '../support/seed-document.ts';
import { newAddress } from '../support/visitor.ts';

const box = (page: Page) => page.getByLabel('Your message, topic, question or prompt');
const tab = (page: Page, name: string) => page.getByRole('radio', { name, exact: true });
const imagesOf = (urls: string[]) => urls.filter((url) => url.endsWith('.webp'));

for (const [theme, width] of appearances(1280, 390))
  test(`the home page at ${width} px, ${theme}: the box is in the first screen, images load as they are reached, nothing shifts`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width, height: 844 });
    const shifts = await watchShifts(page);
    const requested: string[] = [];
    const fonts: string[] = [];
    page.on('request', (request) => {
      if (request.resourceType() === 'image') requested.push(request.url());
      if (request.resourceType() === 'font') fonts.push(request.url());
    });
    await page.goto('/', { waitUntil: 'networkidle' });
    expect(fonts).toHaveLength(1);
    await expect(page.getByRole('button', { name: 'Start a chat' }).first()).toBeInViewport({ ratio: 1 });
    for (const image of await page.locator('main img:visible').all()) {
      await image.scrollIntoViewIfNeeded();
      await expect.poll(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(720);
    }
    // Images of unselected tabs are not loaded.
    expect(new Set(imagesOf(requested)).size).toBe(10);
    expect(await shifts()).toEqual([]);
    // The longest hint takes two lines on a phone.
    await tab(page, 'Script').check({ force: true });
    const hint = await page.getByText('Describe the scene').boundingBox();
    const button = await page.getByRole('button', { name: 'Start a script' }).boundingBox();
    expect((hint?.y ?? 0) + (hint?.height ?? 0)).toBeLessThanOrEqual(button?.y ?? 0);
  });

test('fonts of unselected tabs are not loaded, not even by a layout before all style sheets have come @soak', async ({
  page,
}) => {
  const fonts: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'font') fonts.push(request.url());
  });
  const waiting: Array<() => Promise<void>> = [];
  await page.route('**/assets/home-*.css', (route) => void waiting.push(() => route.continue()));
  const loaded = page.goto('/', { waitUntil: 'networkidle' });
  const sheets = () => page.evaluate(() => document.styleSheets.length).catch(() => 0);
  await expect.poll(sheets).toBe(2);
  expect(waiting).toHaveLength(1);
  expect(await page.evaluate(() => document.body.offsetHeight)).toBeGreaterThan(0);
  for (const send of waiting) await send();
  await loaded;
  expect(fonts).toHaveLength(1);
});

test('Enter passes the text to the tab’s tool, and removes it from the address', async ({ page }) => {
  for (const [name, field, path] of [
    ['Write', 'What should it be about?', '/tools/writer'],
    ['Create an image', 'Describe the image', '/tools/image'],
    ['Script', 'Scene', '/tools/script'],
  ] as const) {
    await page.goto('/');
    await tab(page, name).check({ force: true });
    await box(page).fill(`A heron for ${name}`);
    await box(page).press('Enter');
    await expect(page).toHaveURL(new RegExp(`${path}$`));
    await expect(page.locator('main textarea').first(), field).toHaveValue(`A heron for ${name}`);
  }
  await page.goto('/');
  await expect(box(page)).toHaveValue('');
  await tab(page, 'Prompts').check({ force: true });
  await box(page).fill('product photo');
  await box(page).press('Enter');
  await expect(page).toHaveURL(/\/tools\/prompts\?q=product\+photo$/);
  await page.goto('/');
  await page.getByLabel('Your message', { exact: true }).fill('A heron for the end');
  await page.getByLabel('Your message', { exact: true }).press('Enter');
  await expect(composer(page)).toHaveValue('A heron for the end');
  await expect(page).toHaveURL(/\/chat\/new$/);
});

test('a question that was typed for a PDF waits for the next one that is opened @soak', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server, { plan: 'pro' });
  const id = await seedDocument(server, person);
  await page.goto('/');
  await tab(page, 'Read a PDF').check({ force: true });
  await box(page).fill('Can the landlord raise the rent?');
  await page.getByRole('button', { name: 'Choose a PDF' }).click();
  await expect(page).toHaveURL(/\/tools\/pdf$/);
  await page.goto(`/tools/pdf/${id}`);
  await expect(page.locator('main textarea')).toHaveValue('Can the landlord raise the rent?');
});

test('typed but unsent text is still there after a sign-in @soak', async ({ page, server }) => {
  await page.goto('/');
  await box(page).fill('A heron that waits');
  await page.getByRole('link', { name: 'Sign In' }).first().click();
  await signInByCode(page, server, newAddress());
  await expect(page.getByText(/^Signed in as/)).toBeVisible();
  await expect(box(page)).toHaveValue('A heron that waits');
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('the box is a form that leads to the tool with its text', async ({ page }) => {
    await page.goto('/');
    await page.getByText('Script', { exact: true }).click();
    await expect(page.getByText('Forty clocks, each a little wrong.')).toBeVisible();
    await expect(page.getByText('Buying pays off')).toBeHidden();
    await box(page).fill('A heron and a clock');
    await page.getByRole('button', { name: 'Start a script' }).click();
    await expect(page).toHaveURL(/\/tools\/script\?text=A\+heron\+and\+a\+clock$/);
    await expect(page.locator('main textarea').first()).toHaveValue('A heron and a clock');
  });
});
