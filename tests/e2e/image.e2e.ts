import type { Page } from '@playwright/test';
import { violationsOf } from '../support/axe.ts';
import { release } from '../support/gateway.ts';
import { waitForHydration } from '../support/hydration.ts';
import { drawImages, gallery, quick, waitForJob } from '../support/images.ts';
import { expect, signInAs, test } from '../support/journey.ts';

const prompt = (page: Page) => page.getByRole('textbox', { name: 'Prompt' });
const generate = (page: Page) => page.getByRole('button', { name: /^Generate/ });
const jobs = (page: Page) => page.getByRole('article');
const toasts = (page: Page) => page.locator('#toasts');

/** Opens the page and waits until it is hydrated. */
async function open(page: Page, path = '/tools/image'): Promise<void> {
  await page.goto(path);
  await waitForHydration(page);
}

test('a guest reads what the tool does, and loses no typed text by signing in @soak', async ({
  page,
  context,
  server,
}) => {
  await open(page);
  await expect(page.getByText('1 image = 5 credits').first()).toBeVisible();
  await expect(generate(page)).toHaveText('Generate · 5 credits');
  expect(await violationsOf(page)).toEqual([]);
  await prompt(page).fill(`a red fox ${quick}`);
  await page.getByRole('radio', { name: /768 × 512/ }).check();
  await page.getByRole('radio', { name: '2', exact: true }).check();
  await generate(page).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await signInAs(context, server);
  await open(page);
  await expect(prompt(page)).toHaveValue(`a red fox ${quick}`);
  await expect(page.getByRole('radio', { name: /768 × 512/ })).toBeChecked();
  await expect(generate(page)).toHaveText('Generate · 10 credits');
});

test('images are made, viewed, reused, deleted and restored', async ({ page, context, server }) => {
  const person = await signInAs(context, server, { credits: 15 });
  await open(page);
  await generate(page).click();
  await expect(page.getByRole('alert')).toHaveText('Please enter a prompt for image generation.');
  await expect(toasts(page)).toBeEmpty();
  await expect(prompt(page)).toBeFocused();
  await prompt(page).fill(`a green bicycle ${quick} [[mode:ok,hold]]`);
  await page.getByRole('radio', { name: '2', exact: true }).check();
  await prompt(page).press('Control+Enter');
  const job = jobs(page).first();
  await expect(job.getByText(/Generating \d+ s/)).toHaveCount(1);
  await expect(job.getByRole('img')).toHaveCount(1);
  await expect(page.locator('[data-me="credits"]').first()).toHaveText('5 credits');
  expect(await violationsOf(page)).toEqual([]);
  // After a reload the run continues, without another charge.
  await open(page);
  await expect(job.getByText(/Generating/)).toHaveCount(1);
  await release(server, 'green bicycle');
  await expect(job.getByRole('img')).toHaveCount(2);
  const picture = job.getByRole('img').first();
  await expect(picture).toHaveAttribute('alt', /a green bicycle/);
  await expect(picture).toHaveAttribute('width', '1024');
  const download = page.waitForEvent('download');
  await job.getByRole('link', { name: 'Download image 1 of 2' }).click();
  expect((await download).suggestedFilename()).toMatch(/^a-green-bicycle.*-[0-9a-f]{8}\.png$/);

  await job.getByRole('button', { name: 'Open image 1 of 2' }).click();
  const viewer = page.getByRole('dialog', { name: 'Image 1 of 2' });
  await expect(viewer.getByText('1024 × 1024')).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('dialog', { name: 'Image 2 of 2' })).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(job.getByRole('button', { name: 'Open image 1 of 2' })).toBeFocused();

  await prompt(page).fill('something else');
  await job.getByRole('button', { name: 'Use prompt of image 1 of 2' }).click();
  await expect(prompt(page)).toHaveValue(/a green bicycle/);
  await expect(prompt(page)).toBeFocused();
  await toasts(page).getByRole('button', { name: 'Undo' }).click();
  await expect(prompt(page)).toHaveValue('something else');
  await expect(page.getByRole('radio', { name: '2', exact: true })).toBeChecked();

  await job.getByRole('button', { name: 'Delete image 2 of 2' }).click();
  await expect(job.getByRole('img')).toHaveCount(1);
  await expect(job.getByRole('button', { name: 'Delete image', exact: true })).toBeFocused();
  await toasts(page).getByRole('button', { name: 'Undo' }).click();
  await expect(job.getByRole('button', { name: 'Open image 2 of 2' })).toBeFocused();
  await job.getByRole('button', { name: 'Delete image 2 of 2' }).click();
  await job.getByRole('button', { name: 'Delete image', exact: true }).click();
  await expect(jobs(page)).toHaveCount(0);
  await expect.poll(async () => (await gallery(person)).jobs.length).toBe(0);
  await toasts(page).getByRole('button', { name: 'Undo' }).click();
  await expect(job.getByRole('img')).toHaveCount(1);
  expect(await person.credits()).toBe(5);
});

test('a refusal gives the reason, costs nothing and keeps the typed text', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  const person = await signInAs(context, server, { credits: 6 });
  await open(page);
  await prompt(page).fill('a nude in oil');
  await generate(page).click();
  await expect(page.getByText(/we don’t allow in images.*You were not charged/).first()).toBeVisible();
  await prompt(page).fill(`a grey cat ${quick}`);
  await page.getByRole('radio', { name: '4', exact: true }).check();
  await generate(page).click();
  await expect(toasts(page)).toContainText('Insufficient Credits');
  await expect(toasts(page)).toContainText('You need 20 credits to generate 4 images.');
  await toasts(page).getByRole('button', { name: 'Purchase more credits' }).click();
  await expect(page.getByRole('dialog')).toContainText('Pro');
  await page.keyboard.press('Escape');
  await expect(prompt(page)).toHaveValue(`a grey cat ${quick}`);
  await page.getByRole('radio', { name: '1', exact: true }).check();
  await prompt(page).fill(`a battle [[mode:403]] ${quick}`);
  await generate(page).click();
  await expect(jobs(page).first()).toContainText('declined this prompt. You were not charged.');
  await expect(page.locator('[data-me="credits"]').first()).toHaveText('6 credits');
  expect(await violationsOf(page)).toEqual([]);
  expect(await person.credits()).toBe(6);
  // The two refused requests.
  expect(browserErrors.splice(0)).toHaveLength(2);
});

test('two run at once, one is cancelled, and the page can be left @soak', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server, { credits: 20 });
  await open(page);
  for (const name of ['first boat', 'second boat']) {
    await prompt(page).fill(`${name} [[mode:hold]] ${quick}`);
    await generate(page).click();
    await expect(jobs(page).first()).toContainText(name);
  }
  await expect(page.getByText(/Generating \d+ s/)).toHaveCount(2);
  await jobs(page).nth(1).getByRole('button', { name: 'Cancel' }).click();
  await expect(jobs(page).nth(1)).toContainText('Stopped before an image was made. You were not charged.');
  await page.goto('/chat');
  await release(server, 'second boat');
  await expect(toasts(page)).toContainText('Your image is ready.');
  await toasts(page).getByRole('button', { name: 'Open' }).click();
  await expect(page).toHaveURL(/\/tools\/image\/[0-9a-f-]{36}$/);
  await expect(page.getByRole('img', { name: /second boat/ })).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  await expect.poll(() => person.credits()).toBe(15);
});

test('the gallery is searched by words and size, on a phone and by keyboard alone @soak', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server, { plan: 'pro' });
  await page.setViewportSize({ width: 390, height: 844 });
  await drawImages(person, { prompt: `harbour at dawn ${quick}`, size: '512x512' });
  await drawImages(person, { prompt: `harbour at night ${quick}`, size: '768x512' });
  await open(page);
  await expect(generate(page)).toHaveText('Generate');
  await prompt(page).focus();
  await page.keyboard.type(`paper moon ${quick}`);
  for (const key of ['Tab', 'ArrowLeft', 'Tab', 'ArrowRight', 'Tab', 'Tab', 'Enter'])
    await page.keyboard.press(key);
  await expect(jobs(page)).toHaveCount(3);
  const [newest] = (await gallery(person)).jobs;
  expect(await waitForJob(person, newest?.id ?? '')).toMatchObject({ size: '768x512', count: 2, made: 2 });
  await page.getByRole('searchbox', { name: 'Search your prompts' }).fill('night harbour');
  await expect(jobs(page)).toHaveCount(1);
  await expect(page).toHaveURL(/q=night\+harbour/);
  await page.getByRole('combobox', { name: 'Size' }).selectOption('512x512');
  await expect(page.getByText('No matching images.')).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  await page.setViewportSize({ width: 320, height: 700 });
  expect(await violationsOf(page)).toEqual([]);
  await open(page, '/tools/image?q=dawn');
  await expect(jobs(page)).toHaveCount(1);
});

test('the page of one request is named by its prompt, and going back keeps the focus @soak', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  const person = await signInAs(context, server, { plan: 'pro' });
  const long = `a paper boat ${quick} ${'on a wide and quiet sea '.repeat(60)}`;
  const { id } = await drawImages(person, { prompt: long, size: '512x512', count: 2 });
  await open(page, `/tools/image/${id}`);
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toHaveText(/^a paper boat .{27,46}…$/);
  await expect(page).toHaveTitle(/^a paper boat .{27,46}… · /);
  await page.getByRole('button', { name: 'Open image 1 of 2' }).click();
  await expect(page.getByRole('dialog').getByRole('region', { name: 'Prompt' })).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Delete all of these images' }).click();
  await expect(page).toHaveURL(/\/tools\/image$/);
  await expect(page.getByRole('heading', { name: 'Your images' })).toBeFocused();
  await expect(jobs(page)).toHaveCount(0);
  await toasts(page).getByRole('button', { name: 'Undo' }).click();
  await expect(jobs(page).getByRole('link', { name: /^a paper boat/ })).toBeFocused();

  await page.keyboard.press('Enter');
  await expect(heading).toHaveText(/^a paper boat/);
  await page.getByRole('button', { name: 'Use prompt of image 1 of 2' }).click();
  await expect(prompt(page)).toBeFocused();
  await expect(prompt(page)).toHaveValue(long.trim());
  await page.getByRole('link', { name: 'New image' }).click();
  await expect(heading).toHaveText('Image Generator');
  await expect(jobs(page)).toHaveCount(1);

  // Images that do not exist; another person's look the same.
  await page.goto('/tools/image/01900000-0000-7000-8000-000000000000');
  await expect(heading).toHaveText('We can’t find these images');
  await page.getByRole('link', { name: 'All images' }).click();
  await expect(heading).toHaveText('Image Generator');
  expect(browserErrors.splice(0)).toHaveLength(1);
});
