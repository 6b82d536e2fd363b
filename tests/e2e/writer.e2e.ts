import { readFile } from 'node:fs/promises';
import type { BrowserContext, Locator, Page } from '@playwright/test';
import mammoth from 'mammoth';
import type { TextDetail } from '#features/texts/contract.ts';
import { textLength } from '#shared/text-length.ts';
import { violationsOf } from '../support/axe.ts';
import { noDelay, uniqueWord } from '../support/chat.ts';
import { control } from '../support/gateway.ts';
import { waitForHydration } from '../support/hydration.ts';
import { expect, signInAs, test } from '../support/journey.ts';
import type { TestServer } from '../support/server.ts';
import { begin, openWork, write } from '../support/writer.ts';

const prompt = (page: Page) => page.getByRole('textbox', { name: 'Prompt' });
const generate = (page: Page) => page.getByRole('button', { name: /^Generate/ });
const text = (page: Page) => page.locator('.doc');
const block = (page: Page, words: string) => page.locator('.doc-block', { hasText: words });

/** Opens a short text that is done. */
async function finished(page: Page, context: BrowserContext, server: TestServer, content?: string) {
  const person = await signInAs(context, server);
  const { body } = await write(person, { prompt: `Write about honey. ${noDelay}`, length: 'short' });
  if (content !== undefined)
    await person.send('PUT', `/api/works/${body.work.id}/versions/${crypto.randomUUID()}`, {
      content,
      edition: 0,
    });
  await page.goto(`/tools/writer/${body.work.id}`);
  await waitForHydration(page);
  await expect(text(page)).toBeVisible();
  return { person, id: body.work.id };
}

test.describe('with consent', () => {
  test.use({ consent: 'all' });
  test('a guest reads what the tool does, fills in the form, signs in and loses nothing', async ({
    page,
    context,
    server,
  }) => {
    await page.goto('/tools/writer');
    await waitForHydration(page);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      'Write a draft at the length you choose',
    );
    await expect(page.getByRole('heading', { name: 'Sample' })).toBeVisible();
    await expect(generate(page)).toHaveAttribute('aria-disabled', 'true');
    await expect(generate(page)).toHaveAccessibleDescription('Describe what you want to write.');
    expect(await violationsOf(page)).toEqual([]);
    await page.getByLabel('Tone').selectOption('casual');
    await page.getByRole('radio', { name: /Short/ }).check();
    const word = uniqueWord();
    await prompt(page).fill(`About ${word} ${noDelay}`);
    await expect(generate(page)).toHaveText('Generate · 1 credit');
    await generate(page).click();
    await expect(page.getByRole('dialog', { name: /sign in/i })).toBeVisible();
    await signInAs(context, server);
    await page.reload();
    await waitForHydration(page);
    await expect(prompt(page)).toHaveValue(`About ${word} ${noDelay}`);
    await expect(page.getByRole('radio', { name: /Short/ })).toBeChecked();
    await expect(page.getByLabel('Tone')).toHaveValue('casual');
    await prompt(page).press('Control+Enter');
    await expect(page.getByText('Content generated successfully. Used 1 credit.')).toBeVisible();
    // A run that ends at once does not move the focus.
    await expect(prompt(page)).toBeFocused();
    await expect(text(page)).toContainText(word);
    await expect(page.locator('[data-me=credits]').first()).toHaveText(/9/);
    expect(await violationsOf(page)).toEqual([]);
    // With consent to store them, the last text's settings are used for the next one.
    await page.getByRole('link', { name: 'New draft' }).click();
    await expect(prompt(page)).toHaveValue('');
    await expect(page.getByLabel('Tone')).toHaveValue('casual');
    await expect(page.getByRole('radio', { name: /Short/ })).toBeChecked();
  });
});

test('a Chinese prompt and text are measured in characters, in any language of the page @soak', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server);
  await page.goto('/tools/writer');
  await waitForHydration(page);
  const short = page.getByRole('radio', { name: /Short/ });
  await expect(page.locator('label', { has: short })).toContainText('300–500 words');
  const raw = Buffer.from('蜜蜂'.repeat(350)).toString('base64');
  await prompt(page).fill(
    `请写一篇关于蜜蜂和花园的文章，语气要轻松，并举几个例子。 ${noDelay} [[raw:${raw}]]`,
  );
  await expect(page.locator('label', { has: short })).toContainText('600–1,000 characters');
  await short.check();
  await generate(page).click();
  await expect(page.locator('.length-meter')).toContainText(
    /^700 characters · In range · 600–1,000 characters$/,
  );
  await page.getByRole('button', { name: /^Versions/ }).click();
  await expect(page.getByRole('region', { name: 'Versions' })).toContainText('700 characters');
});

test('a text streams, survives a reload, is stopped and kept', async ({ page, context, server, browser }) => {
  const person = await signInAs(context, server);
  await page.goto('/tools/writer');
  await waitForHydration(page);
  const word = uniqueWord();
  await prompt(page).fill(`About ${word} [[first:0]] [[tps:40]]`);
  await generate(page).click();
  await page.waitForURL(/\/tools\/writer\/[\w-]+$/);
  await expect(page.locator('.doc-live')).toContainText('stand-in');
  await expect(page.locator('.length-meter')).toContainText(/\d+ words · \d+ to go · 800–1,200 words/);
  expect(await violationsOf(page)).toEqual([]);
  await page.reload();
  await expect(page.locator('.doc-live')).toContainText('stand-in');
  const second = await browser.newContext({
    storageState: await context.storageState(),
    baseURL: server.url,
  });
  const other = await second.newPage();
  await other.goto(page.url());
  await expect(other.locator('.doc-live')).toContainText('stand-in');
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(page.getByText('Stopped. The text so far is saved.')).toBeVisible();
  await expect(other.getByText('Stopped. The text so far is saved.')).toBeVisible();
  await second.close();
  await expect(text(page)).toContainText('stand-in');
  const work = await openWork(person, page.url().split('/').at(-1) ?? '');
  expect(work.version).toMatchObject({ state: 'stopped', creditsCharged: 1 });
  await expect(prompt(page)).toHaveValue(`About ${word} [[first:0]] [[tps:40]]`);
  // Continuing starts where the text stopped, as a new version.
  await page.getByRole('button', { name: 'Continue · 1 credit' }).click();
  const { content } = work.version;
  const length = () => page.locator('.doc-live').evaluate((box) => box.textContent.length);
  await expect(page.locator('.doc-live')).toContainText('stand-in');
  await expect.poll(length).toBeGreaterThan(content.length + 20);
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(page.getByText('Stopped. The text so far is saved.')).toBeVisible();
  const { version } = await openWork(person, work.id);
  expect(version.content.startsWith(content)).toBe(true);
  expect(version.content.length).toBeGreaterThan(content.length);
  expect(await person.credits()).toBe(8);
});

test('a failure is shown in red, costs nothing and keeps the prompt @soak', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  const person = await signInAs(context, server);
  await page.goto('/tools/writer');
  await waitForHydration(page);
  await prompt(page).fill(`About ${uniqueWord()} [[mode:500]]`);
  await generate(page).click();
  await expect(page.locator('.notice-danger')).toContainText(
    'Sorry, I encountered an error. Please try again.',
  );
  await expect(page.locator('.toast')).toContainText('Error');
  await expect(prompt(page)).toHaveValue(/mode:500/);
  expect(await person.credits()).toBe(10);
  // The error is shown once, in red, with a way to retry; also after a reload.
  const verdict = page.locator('main').getByText('Sorry, I encountered an error.');
  await expect(verdict).toHaveText('Sorry, I encountered an error. Please try again. You were not charged.');
  await expect(page).toHaveURL(/\/tools\/writer\/[\da-f-]{36}$/);
  await page.reload();
  await waitForHydration(page);
  await expect(page.locator('.notice-danger')).toContainText('You were not charged.');
  await expect(page.getByRole('region', { name: 'Your drafts' }).getByRole('listitem')).toContainText(
    'No text yet',
  );
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.locator('.toast')).toContainText('Error');
  await expect(verdict).toHaveCount(1);
  // Starting the next run removes the error.
  await page.locator('.toast').hover();
  await prompt(page).fill('About honey [[mode:hold]]');
  await prompt(page).press('Control+Enter');
  await page.getByRole('button', { name: 'Stop', exact: true }).waitFor();
  await expect(page.locator('.toast')).toHaveCount(0);
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(page.getByText('Stopped before anything was written.')).toBeVisible();
  expect(await person.credits()).toBe(10);
  const noCredits = await signInAs(context, server, { credits: 0 });
  await page.goto('/tools/writer');
  await waitForHydration(page);
  await prompt(page).fill('About honey');
  await generate(page).click();
  await expect(page.getByRole('dialog', { name: 'You’re out of credits' })).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Not now' }).click();
  await expect(page.locator('.notice-danger')).toHaveText(
    'Insufficient credits. Please purchase more credits or subscribe to a plan.Purchase more credits',
  );
  await page.locator('.notice-danger').getByRole('button', { name: 'Purchase more credits' }).click();
  await expect(page.getByRole('dialog', { name: 'You’re out of credits' })).toBeVisible();
  await page.getByRole('button', { name: 'Not now' }).click();
  await expect(prompt(page)).toHaveValue('About honey');
  expect(await noCredits.credits()).toBe(0);
  browserErrors.splice(0);
});

test('a block is edited in place by keyboard alone, saved automatically and undone', async ({
  page,
  context,
  server,
}) => {
  const content = '# Honey\n\nBees make it.\n\n- one\n- two';
  const { person, id } = await finished(page, context, server, content);
  await page.getByRole('button', { name: /^Edit heading 1/ }).focus();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('button', { name: 'Edit paragraph 2: Bees make it.' })).toBeFocused();
  await page.keyboard.press('Enter');
  const field = page.getByRole('textbox', { name: /^Edit paragraph 2/ });
  await expect(field).toBeFocused();
  await page.keyboard.type(' Always.');
  expect(await violationsOf(page)).toEqual([]);
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('button', { name: /^Edit paragraph 2: Bees make it. Always/ })).toBeFocused();
  await expect(page.locator('.doc-saving')).toHaveText('Saved');
  expect((await openWork(person, id)).version).toMatchObject({
    kind: 'edited',
    content: content.replace('make it.', 'make it. Always.'),
  });
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(text(page)).not.toContainText('Always');
  await expect(page.locator('.doc-saving')).toHaveText('Saved');
  await expect.poll(async () => (await openWork(person, id)).version.content).toBe(content);
  await page.getByRole('button', { name: 'Redo' }).click();
  await expect(text(page)).toContainText('Always');
  // A click on the text starts editing too; Escape keeps the typed text, Cancel reverts it.
  await block(page, 'two').locator('.doc-body').click();
  await page.keyboard.type('x');
  await page.keyboard.press('Escape');
  await expect(text(page)).toContainText('twox');
  await expect.poll(async () => (await openWork(person, id)).version.content).toContain('twox');
  await block(page, 'twox').locator('.doc-body').click();
  await page.keyboard.type('y');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(text(page)).not.toContainText('twoxy');
});

test('selected words get other wordings, accepted or not @soak', async ({ page, context, server }) => {
  const content = 'Bees make honey. The garden is not large. **The garden is not large** here.\n\nThe end.';
  const { person, id } = await finished(page, context, server, content);
  await block(page, 'Bees')
    .getByRole('button', { name: /^Change/ })
    .focus();
  await page.keyboard.press('Enter');
  const menu = page.getByRole('group', { name: 'Change the selected passage' });
  await expect(menu.getByRole('button', { name: 'Shorten' })).toBeFocused();
  await expect(menu).toContainText('1 credit each');
  expect(await violationsOf(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
  await expect(block(page, 'Bees').getByRole('button', { name: /^Change/ })).toBeFocused();
  await page.keyboard.press('Enter');
  await menu.getByRole('button', { name: 'Change tone' }).click();
  await menu.getByRole('button', { name: 'Casual' }).click();
  const suggestion = page.getByRole('region', { name: 'Suggestion' });
  await expect(suggestion.locator('ins', { hasText: 'isn’t' }).first()).toBeVisible();
  await expect(suggestion.locator('del', { hasText: 'not' }).first()).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  // A reload shows the proposal again.
  await page.reload();
  await waitForHydration(page);
  await suggestion.getByRole('button', { name: 'Discard' }).click();
  await expect(suggestion).toBeHidden();
  expect((await openWork(person, id)).version.content).toBe(content);
  // Selects part of a block with the pointer: words that occur twice in the text.
  await page.evaluate(() => {
    const words = document.querySelector('.doc-block strong')?.firstChild as Text;
    getSelection()?.setBaseAndExtent(words, 0, words, 'The garden'.length);
  });
  await page.locator('.doc').dispatchEvent('pointerup');
  await menu.getByRole('button', { name: 'Custom' }).click();
  await menu.getByRole('textbox', { name: 'What should change?' }).fill('All in capitals');
  await page.keyboard.press('Enter');
  await expect(suggestion.locator('ins').first()).toBeVisible();
  await suggestion.getByRole('button', { name: 'Accept' }).click();
  await expect(text(page)).toContainText('The garden is not large. THE GARDEN is not large here.');
  await expect(block(page, 'Bees').getByRole('button', { name: /^Edit/ })).toBeFocused();
  expect((await openWork(person, id)).version).toMatchObject({
    kind: 'refined',
    content: content.replace('**The garden', '**THE GARDEN'),
  });
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(text(page)).not.toContainText('THE GARDEN');
});

test('a text is rewritten as another version, and versions are shown and restored @soak', async ({
  page,
  context,
  server,
}) => {
  const { person, id } = await finished(page, context, server, 'By hand.');
  const word = uniqueWord();
  await expect(prompt(page)).toHaveValue(/Write about honey/);
  await page.getByLabel('Tone').selectOption('creative');
  await prompt(page).fill(`About ${word} ${noDelay} [[words:900,400]] [[mode:ok,hold]] [[holdAfter:20]]`);
  await page.getByRole('button', { name: 'Generate again · 1 credit' }).click();
  // The draft is too long, and the page shows that it is being shortened.
  await expect(page.getByText(/\d{3} words over\. Shortening…/).first()).toBeVisible();
  await control(server, { release: word });
  await expect(page.getByText('Success!')).toBeVisible();
  await expect(page.locator('.length-meter')).toContainText('In range');
  expect((await openWork(person, id)).version.settings).toMatchObject({ tone: 'creative', length: 'short' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(text(page)).toHaveText('By hand.');
  await expect.poll(async () => (await openWork(person, id)).version.content).toBe('By hand.');
  expect(await person.credits()).toBe(8);
  await page.getByRole('button', { name: 'Versions (4)' }).click();
  const list = page.getByRole('region', { name: 'Versions' });
  await expect(list.getByRole('listitem')).toHaveCount(4);
  await expect(list).toContainText('Blog post · Professional · Short');
  expect(await violationsOf(page)).toEqual([]);
  await list.getByRole('button', { name: '1. Generated' }).click();
  await expect(page.getByText('You’re viewing an older version.')).toBeVisible();
  await expect(page.locator('.doc-tools')).toHaveCount(0);
  await page.getByRole('button', { name: 'Restore this version' }).click();
  await expect(page.getByRole('button', { name: 'Versions (5)' })).toBeVisible();
  await expect(page.getByText('You’re viewing an older version.')).toBeHidden();
  const work = await openWork(person, id);
  expect(work.versions.map(({ kind }) => kind)).toEqual([
    'restored',
    'edited',
    'generated',
    'edited',
    'generated',
  ]);
});

test('a text is copied with its formatting, exported, renamed, found, deleted and restored', async ({
  page,
  context,
  server,
}) => {
  const content = '# Über Honig\n\nBees **make** it, καλά.\n\n- one\n- two';
  const { id } = await finished(page, context, server, content);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await expect(page.getByText('Copied with formatting')).toBeVisible();
  const html = await page.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    return (await item?.getType('text/html'))?.text();
  });
  expect(html).toMatch(/<h1>Über Honig<\/h1>\s*<p>Bees <strong>make<\/strong> it/);
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('button', { name: 'Copy Markdown' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(content);

  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('textbox', { name: 'Title' }).fill('Honey: a study');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Honey: a study', level: 1 })).toBeVisible();

  const save = async (name: string) => {
    await page.getByRole('button', { name: 'Export' }).click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name, exact: true }).click(),
    ]);
    return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
  };
  const word = await save('Word .docx');
  expect(word.name).toBe('Honey- a study.docx');
  const { value } = await mammoth.extractRawText({ buffer: word.bytes });
  expect(textLength(value)).toEqual(textLength(content));
  expect((await save('PDF, A4 .pdf')).bytes.toString('latin1')).toContain('MediaBox [0 0 595.28 841.89]');
  expect((await save('PDF, US Letter .pdf')).bytes.toString('latin1')).toContain('MediaBox [0 0 612 792]');
  expect((await save('Markdown .md')).bytes.toString()).toBe(`${content}\n`);
  expect((await save('Plain text .txt')).bytes.toString()).toBe(
    'Über Honig\n\nBees make it, καλά.\n\n- one\n- two\n',
  );

  const list = page.getByRole('region', { name: 'Your drafts' });
  await list.getByRole('searchbox').fill('καλά');
  await expect(list.getByRole('link', { name: /Honey: a study/ })).toBeVisible();
  await list.getByRole('searchbox').fill('nowhere to be found');
  await expect(list.getByRole('link')).toHaveCount(0);
  await list.getByRole('searchbox').fill('');

  await page.getByRole('button', { name: 'Delete draft' }).click();
  await page.waitForURL(/\/tools\/writer$/);
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
  await page.waitForURL(new RegExp(`${id}$`));
  await expect(text(page)).toContainText('Über Honig');
});

test('a failed save is reported, retried and never lost', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  const { person, id } = await finished(page, context, server, 'By hand.');
  const type = async (words: string) => {
    await block(page, 'By hand').locator('.doc-body').click();
    await page.keyboard.type(words);
    await page.keyboard.press('Control+Enter');
  };
  await page.route('**/versions/**', (route) => route.abort());
  await type(' More.');
  const notice = page.locator('.notice-danger');
  await expect(notice).toHaveText('Not saved: you’re offline. We’ll keep trying.');
  await expect(page.locator('.doc-saving')).toHaveText('Not saved');
  // Unsaved text blocks a new run, and leaving the page asks for confirmation.
  await generate(page).click();
  await expect(page.locator('.toast')).toContainText('Not saved');
  await expect(notice).toHaveCount(1);
  expect(await person.credits()).toBe(9);
  await page.getByRole('link', { name: 'New draft' }).click();
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await question.getByRole('button', { name: 'Stay' }).click();
  await expect(text(page)).toContainText('By hand. More.');
  await page.unroute('**/versions/**');
  await expect(page.locator('.doc-saving')).toHaveText('Saved');
  await expect(notice).toHaveCount(0);
  const { version } = await openWork(person, id);
  expect(version.content).toBe('By hand. More.');
  // A text that was changed elsewhere meanwhile is kept as a separate version.
  const otherEdit = { content: 'Elsewhere.', edition: version.edition };
  await person.send('PUT', `/api/works/${id}/versions/${version.id}`, otherEdit);
  // The toast hides automatically, on a slow machine perhaps before the last key.
  await Promise.all([
    expect(page.locator('.toast')).toContainText('Saved as a separate version'),
    type(' Again.'),
  ]);
  await expect(text(page)).toHaveText('By hand. More. Again.');
  await expect(page.getByRole('button', { name: 'Versions (3)' })).toBeVisible();
  const contents = await Promise.all(
    (await openWork(person, id)).versions.slice(0, 2).map(async (each) => {
      const answer = await person.get(`/api/works/${id}?version=${each.id}`);
      return ((await answer.json()) as TextDetail).version.content;
    }),
  );
  expect(contents).toEqual(['By hand. More. Again.', 'Elsewhere.']);
  browserErrors.splice(0);
});

test('the list reports that a text is being written on another device, and when it is ready @soak', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server);
  const word = uniqueWord();
  const prompt = `About ${word} [[first:0]] [[tps:0]] [[mode:hold]] [[holdAfter:20]]`;
  const { body } = await begin(person, { prompt: prompt, length: 'short' });
  await page.goto('/tools/writer');
  await waitForHydration(page);
  const row = page.getByRole('region', { name: 'Your drafts' }).getByRole('listitem');
  await expect(row).toContainText('Writing');
  await control(server, { release: word });
  await expect(row).toContainText(/\d words/);
  await expect(page.locator('.toast')).toContainText('is ready');
  await page.locator('.toast').getByRole('button', { name: 'Open' }).click();
  await page.waitForURL(new RegExp(`${body.work.id}$`));
  await expect(text(page)).toBeVisible();
});

test.describe('a phone, far from UTC', () => {
  test.use({ timezoneId: 'Pacific/Auckland', hasTouch: true, isMobile: true });
  test('shows the text before its settings, the run button at hand and the reader’s local times @soak', async ({
    page,
    context,
    server,
  }) => {
    await page.setViewportSize({ width: 320, height: 700 });
    const content = `# שלום\n\n${'averylongword'.repeat(20)}\n\nBees.`;
    const { person, id } = await finished(page, context, server, content);
    const top = async (element: Locator) => (await element.boundingBox())!.y;
    expect(await top(text(page))).toBeLessThan(700);
    expect(await top(text(page))).toBeLessThan(await top(prompt(page)));
    await expect(generate(page)).toBeInViewport({ ratio: 1 });
    await expect(page.getByText('Ctrl + Enter')).toBeHidden();
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    expect(await violationsOf(page)).toEqual([]);
    const direction = (words: string) =>
      block(page, words)
        .locator('.doc-body')
        .evaluate((element) => getComputedStyle(element).direction);
    expect(await direction('שלום')).toBe('rtl');
    expect(await direction('Bees')).toBe('ltr');
    const { savedAt } = (await openWork(person, id)).versions[0]!;
    await page.getByRole('button', { name: 'Versions (2)' }).click();
    const time = page.getByRole('region', { name: 'Versions' }).locator('time').first();
    const timeFormat = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Pacific/Auckland' } as const;
    await expect(time).toHaveText(new Date(savedAt).toLocaleString('en-US', timeFormat));
    await expect(time).toHaveAttribute('title', /UTC$/);
    await block(page, 'Bees').locator('.doc-body').click();
    expect(await violationsOf(page)).toEqual([]);
  });

  test('shows a text that is chosen far down in the list from its top, and the list again on return @soak', async ({
    page,
    context,
    server,
  }) => {
    await page.setViewportSize({ width: 390, height: 700 });
    await finished(page, context, server, `The first words.\n\n${'Honey is made by bees.\n\n'.repeat(60)}`);
    await page.goto('/tools/writer');
    await waitForHydration(page);
    const row = page.getByRole('region', { name: 'Your drafts' }).getByRole('link').first();
    await row.scrollIntoViewIfNeeded();
    const place = () => page.evaluate(() => scrollY);
    const before = await place();
    expect(before).toBeGreaterThan(0);
    await row.click();
    await expect(block(page, 'The first words.')).toBeInViewport();
    expect(await place()).toBe(0);
    await page.goBack();
    await expect(text(page)).toHaveCount(0);
    await expect.poll(place).toBe(before);
  });
});
