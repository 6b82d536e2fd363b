import { waitForHydration } from '../support/hydration.ts';
import { expect, signInAs, test } from '../support/journey.ts';
import { watchShifts } from '../support/layout-shifts.ts';
import { writeChat } from '../support/long-chat.ts';
import { sampleOf, soak } from '../support/soak.ts';

const paths = [
  ...['/chat/new', '/dashboard', '/library', '/settings'],
  ...['/tools/writer', '/tools/script', '/tools/image', '/tools/pdf', '/tools/prompts'],
];

for (const width of soak ? [1280, 390] : [390])
  test(`pages of the app do not shift while they load, at ${width} px`, async ({ page, context, server }) => {
    await page.setViewportSize({ width, height: 844 });
    const person = await signInAs(context, server);
    const { id } = await writeChat(server, person, 20);
    const shifts = await watchShifts(page);
    const moved: string[] = [];
    // On a busy machine a font may load after the first paint and change the width of words.
    await page.goto('/pricing', { waitUntil: 'networkidle' });
    await page.evaluate(() => Promise.allSettled([...document.fonts].map((face) => face.load())));
    for (const path of sampleOf([...paths, `/chat/${id}`])) {
      await page.goto(path, { waitUntil: 'networkidle' });
      await waitForHydration(page);
      moved.push(...(await shifts()));
    }
    expect(moved).toEqual([]);
  });

for (const width of [1280, 390])
  test(`the greeting is in place before the rest of the page has arrived, at ${width} px`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 844 });
    await page.goto('/chat/new', { waitUntil: 'networkidle' });
    const greeting = page.getByRole('heading', { name: 'What are you working on?' });
    const place = await greeting.boundingBox();
    await page.evaluate(() => {
      for (const later of document.querySelectorAll<HTMLElement>('header ~ :is(form, section)'))
        later.style.display = 'none';
    });
    expect(await greeting.boundingBox()).toEqual(place);
  });

test('a chat does not shift as its last parts arrive', async ({ page, context, server }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const person = await signInAs(context, server);
  const { id } = await writeChat(server, person, 20);
  await page.goto(`/chat/${id}`, { waitUntil: 'networkidle' });
  const composer = page.locator('form.chat-composer');
  const placeholder = page.locator('.chat-pane > [aria-hidden]');
  await expect(placeholder).toBeVisible();
  const place = await composer.boundingBox();
  await composer.getByText('AI can make mistakes').evaluate((line) => line.remove());
  expect(await composer.boundingBox()).toEqual(place);
  await composer.evaluate((form) => {
    while (form.nextSibling) form.nextSibling.remove();
    form.remove();
  });
  await expect(placeholder).toBeHidden();
});

test('the plans and the dashboard do not shift as their last parts arrive @soak', async ({
  page,
  context,
  server,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/pricing', { waitUntil: 'networkidle' });
  const plans = page.locator('#plans > *');
  await expect(plans).toHaveCount(2);
  await plans.last().evaluate((plan) => plan.remove());
  await expect(plans).toBeHidden();
  await signInAs(context, server);
  await page.goto('/dashboard', { waitUntil: 'networkidle' });
  const name = page.getByRole('heading', { level: 1 });
  const place = await name.boundingBox();
  await name.evaluate((heading) => {
    while (heading.nextSibling) heading.nextSibling.remove();
  });
  expect(await name.boundingBox()).toEqual(place);
});
