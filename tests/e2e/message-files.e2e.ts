import { waitForHydration } from '../support/hydration.ts';
import { composer, expect, signInAs, test } from '../support/journey.ts';
import { attach, pdfFile, pngFile } from '../support/picked-files.ts';

test('a picture has its size before it loads, and opens in a window that returns the focus @soak', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server);
  await page.goto('/chat');
  await waitForHydration(page);
  await attach(page, await pngFile('harbour.png', { width: 1200, height: 600 }));
  await expect(page.getByRole('button', { name: 'Send message' })).toBeEnabled();
  await composer(page).fill('What is this? [[tokens:5]]');
  await composer(page).press('Enter');
  await expect(page.getByRole('button', { name: 'Send message' })).toBeVisible();
  // The file is held back, so only its known size can reserve space.
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/files/*', async (route) => {
    await released;
    await route.continue();
  });
  await page.reload();
  await waitForHydration(page);
  const small = page.getByRole('button', { name: 'Open harbour.png' });
  const before = await small.boundingBox();
  expect(before?.width).toBe(240);
  expect(before?.height).toBe(120);
  release();
  await expect
    .poll(() => small.locator('img').evaluate((img: HTMLImageElement) => img.naturalWidth))
    .toBeGreaterThan(0);
  expect(await small.boundingBox()).toEqual(before);

  await small.focus();
  await page.keyboard.press('Enter');
  const viewer = page.getByRole('dialog', { name: 'harbour.png' });
  await expect(viewer.getByRole('img', { name: 'harbour.png' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(viewer).toHaveCount(0);
  await expect(small).toBeFocused();
});

test('a document is above its question with its page count, and opens @soak', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server);
  await page.goto('/chat');
  await waitForHydration(page);
  await attach(page, await pdfFile('report.pdf'));
  await expect(page.getByRole('button', { name: 'Send message' })).toBeEnabled();
  await composer(page).fill('Sum it up [[tokens:5]]');
  await composer(page).press('Enter');
  const link = page.locator('article').getByRole('link', { name: /report\.pdf/ });
  await expect(link).toContainText('1 page');
  const answer = await page.request.get((await link.getAttribute('href')) ?? '');
  expect(answer.headers()['content-type']).toContain('application/pdf');
});
