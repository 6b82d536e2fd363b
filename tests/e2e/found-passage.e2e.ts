import type { Page } from '@playwright/test';
import { violationsOf } from '../support/axe.ts';
import { waitForHydration } from '../support/hydration.ts';
import { expect, signInAs, test } from '../support/journey.ts';
import { createPrompt as writePrompt } from '../support/prompts.ts';
import { seedDocument } from '../support/seed-document.ts';
import { seedWork } from '../support/works.ts';

const filler = (lines: number) =>
  Array.from({ length: lines }, (_, n) => `Paragraph ${n} speaks of something else at length.`).join('\n\n');

/** Returns the highlighted words, and whether the first is in view. */
const marked = (page: Page) =>
  page.evaluate(() => {
    const ranges = [...(CSS.highlights.get('found') ?? [])].filter((range) => range instanceof Range);
    const inView = ranges.some((range) => {
      const { top, bottom } = range.getBoundingClientRect();
      return top >= 0 && bottom > top && bottom <= innerHeight;
    });
    return { words: ranges.map((range) => `${range}`), inView };
  });

const open = async (page: Page, query: string) => {
  await page.goto(`/library?q=${query}`);
  await waitForHydration(page);
  await page.locator('#library-items').getByRole('link').first().click();
};

test('a draft opens at the matching words, which are not sent to a server @soak', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server);
  const text = `${filler(60)}\n\nThe **wombat** sleeps in its burrow.\n\n${filler(60)}`;
  const { work } = await seedWork(server, person, { title: 'Animals', texts: [text] });
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  await page.goto('/dashboard');
  await waitForHydration(page);
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Search everything' }).fill('burrow wombat');
  await expect(page.getByRole('option').locator('mark').first()).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${server.url}/tools/writer/${work}#find=burrow+wombat`);
  await expect.poll(() => marked(page)).toEqual({ words: ['wombat', 'burrow'], inView: true });
  await expect(page.locator('.doc p:focus')).toContainText('sleeps in its burrow');
  expect(requested.filter((url) => url.includes('burrow') && !url.includes('/api/search?'))).toEqual([]);
  expect(await violationsOf(page)).toEqual([]);
  await page.goto(`/tools/writer/${work}`);
  await waitForHydration(page);
  expect((await marked(page)).words).toEqual([]);
});

test('scripts and prompts do the same @soak', async ({ page, context, server }) => {
  const person = await signInAs(context, server);
  const scenes = Array.from({ length: 40 }, (_, n) => `INT. ROOM ${n} - DAY\n\nSomebody waits.`).join('\n\n');
  await seedWork(server, person, {
    feature: 'script',
    title: 'Waiting',
    texts: [`${scenes}\n\nEXT. GARDEN - NIGHT\n\nA numbat crosses the lawn.\n\n${scenes}`],
  });
  await open(page, 'numbat');
  await expect.poll(() => marked(page)).toEqual({ words: ['numbat'], inView: true });
  await writePrompt(person, { title: 'Long', content: `${filler(80)}\n\nMention the bilby.` });
  await open(page, 'bilby');
  await expect.poll(() => marked(page)).toEqual({ words: ['bilby'], inView: true });
  // On a page without the words nothing is marked.
  await page.getByRole('link', { name: 'Home' }).first().click();
  await expect.poll(async () => (await marked(page)).words).toEqual([]);
});

for (const width of [1440, 390])
  test(`a document opens at the page with the words, ${width} @soak`, async ({ page, context, server }) => {
    await page.setViewportSize({ width, height: 844 });
    const person = await signInAs(context, server, { plan: 'pro' });
    await seedDocument(server, person);
    await open(page, 'seeded');
    await expect(page).toHaveURL(/#find=seeded&page=1$|tab=document/);
    await expect(page.locator('.pdf-hit')).toHaveCount(1);
    await expect(page.locator('.pdf-hit')).toBeInViewport();
  });

test('a matching question about a document opens its tab @soak', async ({ page, context, server }) => {
  const person = await signInAs(context, server, { plan: 'pro' });
  const id = await seedDocument(server, person);
  const started = await person.send(
    'POST',
    `/api/documents/${id}/questions`,
    { question: 'Does it speak of a platypus?' },
    { 'idempotency-key': crypto.randomUUID() },
  );
  expect(started.status).toBe(202);
  await expect
    .poll(async () => {
      const document = await (await person.get(`/api/documents/${id}`)).json();
      return (document as { questions: { state: string }[] }).questions[0]?.state;
    })
    .toBe('done');
  await open(page, 'platypus');
  await expect(page.getByRole('tab', { name: 'Ask' })).toHaveAttribute('aria-selected', 'true');
  await expect.poll(async () => (await marked(page)).inView).toBe(true);
});
