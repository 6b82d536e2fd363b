import type { Page } from '@playwright/test';
import { violationsOf } from '../support/axe.ts';
import { waitForHydration } from '../support/hydration.ts';
import { drawImages, gallery, quick } from '../support/images.ts';
import { expect, signInAs, test } from '../support/journey.ts';
import { layoutFaults } from '../support/layout-faults.ts';
import { share, sharesOf } from '../support/shares.ts';
import { seedWork } from '../support/works.ts';

const FOUNTAIN =
  'Title: The Door\nAuthor: Mara Lind\n\nINT. KITCHEN - NIGHT\n\nRain on the glass.\n\nMARA\n(quietly)\nWho is there?\n\nNIKO ^\nMe.\n\n> CUT TO:\n\nEXT. HARBOR - DAY\n\nNo sea.\n';
const ARABIC = 'INT. مطبخ - ليل\n\nالمطر على الزجاج.\n\n@مارا\nمن هناك؟\n';

/** Creates the link in the open dialog and returns its path. */
async function createLink(page: Page, name: string): Promise<string> {
  const dialog = page.getByRole('dialog', { name });
  await expect(dialog.getByRole('checkbox', { name: 'Show my name' })).not.toBeChecked();
  expect(await violationsOf(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Create link' }).press('Enter');
  const field = dialog.getByLabel('Shared link');
  await expect(field).toHaveValue(/\/share\/[\w-]{24}$/);
  return new URL(await field.inputValue()).pathname;
}

test('a text is shared from its export menu in its current state, including text typed just before', async ({
  page,
  context,
  browser,
  server,
}) => {
  const person = await signInAs(context, server);
  const { work } = await seedWork(server, person, {
    title: 'Harbor',
    texts: ['# Harbor\n\nThe sea is gone.'],
  });
  await page.goto(`/tools/writer/${work}`);
  await waitForHydration(page);
  await page.getByText('The sea is gone.').click();
  await page.getByRole('textbox', { name: /^Edit/ }).fill('The sea is back.');
  await page.getByRole('textbox', { name: /^Edit/ }).press('Escape');
  // The focus returns one frame after the box closes; an earlier key would reopen it.
  await expect(page.getByRole('button', { name: /^Edit paragraph 2/ })).toBeFocused();
  await page.getByRole('button', { name: 'Export' }).press('Enter');
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const path = await createLink(page, 'Share this text');
  const guest = await (await browser.newContext()).newPage();
  await guest.goto(server.url + path);
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText('Harbor');
  await expect(guest.getByRole('article')).toContainText('The sea is back.');
  const dialog = page.getByRole('dialog', { name: 'Share this text' });
  await dialog.getByRole('button', { name: 'Stop sharing' }).press('Enter');
  await expect(dialog.getByRole('button', { name: 'Create link' })).toBeFocused();
  expect((await guest.reload())?.status()).toBe(404);
  expect(await sharesOf(person)).toEqual([]);
  await guest.context().close();
});

test('a script is shared from its menu, and copied by its reader @soak', async ({
  page,
  context,
  browser,
  server,
}) => {
  const person = await signInAs(context, server, { plan: 'pro' });
  const { work } = await seedWork(server, person, {
    feature: 'script',
    title: 'The Door',
    texts: [FOUNTAIN],
  });
  await page.goto(`/tools/script/${work}`);
  await waitForHydration(page);
  await page.getByRole('button', { name: 'Export' }).press('Enter');
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const path = await createLink(page, 'Share this script');
  const other = await browser.newContext({ baseURL: server.url });
  const reader = await signInAs(other, server);
  const read = await other.newPage();
  await read.goto(path);
  await expect(read.locator('.sp-scene')).toHaveText(['INT. KITCHEN - NIGHT', 'EXT. HARBOR - DAY']);
  await expect(read.getByText('Mara Lind')).toHaveCount(0);
  await read.getByRole('button', { name: 'Copy to your account' }).press('Enter');
  await read.waitForURL(/\/tools\/script\/[\w-]{36}$/);
  await waitForHydration(read);
  await expect(read.getByRole('heading', { level: 1 })).toHaveText('The Door');
  await expect(read.locator('.sp-scene')).toHaveCount(2);
  expect(await sharesOf(reader)).toEqual([]);
  await other.close();
});

test('an image is shared from its view, several are chosen in the gallery @soak', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server, { plan: 'pro' });
  await drawImages(person, { prompt: `a quiet harbor ${quick}`, size: '512x512', count: 2 });
  await drawImages(person, { prompt: `a red fox ${quick}`, size: '768x512' });
  await page.goto('/tools/image');
  await waitForHydration(page);
  await page.getByRole('button', { name: /^Open image: a red fox/ }).press('Enter');
  await page.getByRole('button', { name: 'Use in' }).press('Enter');
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const one = await createLink(page, 'Share this image');
  const dialog = page.getByRole('dialog', { name: 'Share this image' });
  await expect(dialog.getByRole('button', { name: 'Update link' })).toHaveCount(0);
  await dialog.getByRole('checkbox', { name: 'Show the prompt' }).press('Space');
  await expect.poll(async () => (await sharesOf(person))[0]?.showPrompts).toBe(true);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'Share images' }).press('Enter');
  const picker = page.getByRole('dialog', { name: 'Share images' });
  await expect(picker.getByRole('button', { name: 'Share 0 images' })).toBeDisabled();
  const fox = picker.getByRole('checkbox', { name: 'Image 1 of 3' });
  await expect(fox).toHaveAccessibleDescription(/^a red fox/);
  await fox.press('Space');
  await picker.getByRole('checkbox', { name: 'Image 2 of 3' }).press('Space');
  expect(await violationsOf(page)).toEqual([]);
  expect(await layoutFaults(page)).toEqual([]);
  await picker.getByRole('button', { name: 'Share 2 images' }).press('Enter');
  const set = await createLink(page, 'Share 2 images');
  for (const [path, count] of [
    [one, 1],
    [set, 2],
  ] as const) {
    await page.goto(path);
    const images = page.getByRole('main').getByRole('img');
    await expect(images).toHaveCount(count);
    for (const image of await images.all())
      await expect.poll(() => image.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
    expect(await violationsOf(page)).toEqual([]);
    expect(await layoutFaults(page)).toEqual([]);
  }
  await expect(page.getByText('a red fox')).toHaveCount(0);
  const [first] = (await gallery(person)).jobs.filter(({ count }) => count === 2);
  await page.goto(`/tools/image/${first?.id}`);
  await waitForHydration(page);
  await page.getByRole('button', { name: 'Share 2 images' }).press('Enter');
  await createLink(page, 'Share 2 images');
  expect(await violationsOf(page)).toEqual([]);
  expect((await sharesOf(person)).map(({ count }) => count)).toEqual([2, 2, 1]);
  await page.goto('/settings');
  await waitForHydration(page);
  await expect(page.getByRole('listitem').filter({ hasText: '2 images' }).first()).toContainText(
    'a quiet harbor',
  );
});

for (const [name, language, scheme, width, text] of [
  ['on a phone in the dark', 'en', 'dark', 390, FOUNTAIN],
  ['from right to left', 'ar', 'light', 1280, ARABIC],
] as const)
  test(`shared works are complete ${name}, and in print @soak`, async ({ browser, context, server }) => {
    const person = await signInAs(context, server, { plan: 'pro' });
    const script = await seedWork(server, person, { feature: 'script', title: 'The Door', texts: [text] });
    const words = await seedWork(server, person, {
      title: 'Sorting',
      texts: ['# Sorting\n\nUse `sort`:\n\n```ts\nconst a = 1;\n```\n\n| a | b |\n|-|-|\n| 1 | 2 |\n'],
    });
    const { pictures } = await drawImages(person, { prompt: `a fox ${quick}`, size: '512x512', count: 3 });
    const guest = await browser.newContext({
      locale: language,
      colorScheme: scheme,
      viewport: { width, height: 844 },
    });
    const page = await guest.newPage();
    for (const ids of [
      { workId: script.work },
      { workId: words.work },
      { pictureIds: pictures.map(({ id }) => id), showPrompts: true },
    ]) {
      const { body } = await share(person, ids);
      await page.emulateMedia({ media: 'screen' });
      await page.goto(`${server.url}/share/${body.id}`);
      expect(await violationsOf(page), body.kind).toEqual([]);
      expect(await layoutFaults(page), body.kind).toEqual([]);
      await page.emulateMedia({ media: 'print' });
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.locator('footer details, footer form, footer .btn-primary').first()).toBeHidden();
    }
    await guest.close();
  });
