import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { BrowserContext, Page } from '@playwright/test';
import { parseFountain } from '#shared/fountain/parse-fountain.ts';
import { violationsOf } from '../support/axe.ts';
import { noDelay, uniqueWord, waitForEnd } from '../support/chat.ts';
import { release } from '../support/gateway.ts';
import { waitForHydration } from '../support/hydration.ts';
import { expect, signInAs, test } from '../support/journey.ts';
import { mailTo } from '../support/mailbox.ts';
import { client, type Person } from '../support/people.ts';
import { openScript, writeScript } from '../support/scripts.ts';
import type { TestServer } from '../support/server.ts';

const SCENE = 'Mara repairs a clock that runs with the tide. Her brother Jon says that the sea is gone.';

const scene = (page: Page) => page.getByRole('textbox', { name: 'Scene', exact: true });
const generate = (page: Page) => page.getByRole('button', { name: /^Generate/ });

async function open(page: Page, path = '/tools/script'): Promise<void> {
  await page.goto(path);
  await waitForHydration(page);
}

/** Fills the form and starts a run; returns the script's id from its new address. */
async function write(page: Page, text: string, style = 'Thriller'): Promise<string> {
  await scene(page).fill(text);
  await page.getByRole('radio', { name: style }).check();
  await generate(page).click();
  await page.waitForURL(/\/tools\/script\/[0-9a-f-]{36}$/);
  return page.url().split('/').at(-1) ?? '';
}

/** Waits until the script is finished. */
const finished = (page: Page) =>
  expect(page.getByRole('button', { name: 'Export', exact: true })).toBeVisible();

test('a guest reads what the tool makes, types, is asked to sign in, and loses nothing @soak', async ({
  page,
  server,
}) => {
  await open(page);
  await expect(page.getByRole('heading', { name: 'Script Generator is included in Pro' })).toHaveCount(0);
  await expect(page.locator('.sp-scene')).toHaveText([
    "INT. CLOCKMAKER'S SHOP - NIGHT",
    'EXT. HARBOR - CONTINUOUS',
  ]);
  await expect(page.getByText('about 1 minute')).toBeVisible();
  await generate(page).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Please enter a script scene.' })).toBeVisible();
  await expect(scene(page)).toBeFocused();
  await scene(page).fill(SCENE);
  await generate(page).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Please select a script style.' })).toBeVisible();
  await page.getByRole('radio', { name: 'Comedy' }).check();
  await page.getByLabel('Characters').fill('Mara; Jon');
  await generate(page).click();
  const dialog = page.getByRole('dialog', { name: 'Sign in' });
  const email = `script-${randomUUID()}@example.com`;
  await dialog.getByLabel('Email').fill(email);
  await page.keyboard.press('Enter');
  await dialog.getByLabel(/code/i).fill((await mailTo(server, email)).code);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Script Generator is included in Pro' })).toBeVisible();
  await expect(scene(page)).toHaveValue(SCENE);
  await expect(page.getByRole('radio', { name: 'Comedy' })).toBeChecked();
  await expect(page.getByLabel('Characters')).toHaveValue('Mara; Jon');
  await generate(page).click();
  const upgrade = page.getByRole('dialog');
  await expect(upgrade).toContainText('Pro');
  expect(await violationsOf(page)).toEqual([]);
  await upgrade.getByRole('button', { name: 'Not now' }).click();
  await page.reload();
  await expect(scene(page)).toHaveValue(SCENE);
});

test('a script streams scene by scene, survives a reload, and is exported', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server, { plan: 'pro' });
  await open(page);
  const id = await write(page, `${uniqueWord()} ${SCENE} [[tps:120]] [[first:0]]`);
  await expect(page.locator('.sp-scene').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  await page.reload();
  await waitForHydration(page);
  await expect(page.locator('.sp-scene').first()).toBeVisible();
  await finished(page);
  const facts = page.locator('.sp-facts');
  await expect(facts).toContainText('2 scenes');
  await expect(facts).toContainText(/\d pages?/);
  await page.getByRole('navigation', { name: 'Scenes' }).getByRole('button').nth(1).click();
  await expect(page.locator('.sp-scene').nth(1)).toBeFocused();
  await expect(page.locator('.sp-scene').nth(1)).toBeInViewport();

  for (const [format, start] of [
    ['fountain', /^Title: /],
    ['fdx', /<FinalDraft DocumentType="Script"/],
    // The default paper size is that of the visitor's region.
    ['pdf', /^%PDF-[\s\S]*MediaBox \[0 0 612 792\]/],
  ] as const) {
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page
        .getByRole('button', { name: `.${format}` })
        .first()
        .click(),
    ]);
    expect(download.suggestedFilename()).toMatch(new RegExp(`\\.${format}$`));
    expect(readFileSync(await download.path(), 'latin1')).toMatch(start);
  }
  await expect(page.getByRole('region', { name: 'Compatible apps' })).toContainText('Final Draft');

  const openTitlePage = async () => {
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByRole('button', { name: 'Title page…' }).click();
    return page.getByRole('dialog', { name: 'Title page' });
  };
  const dialog = await openTitlePage();
  await expect(dialog.getByLabel('Author')).not.toHaveValue('');
  expect(await violationsOf(page)).toEqual([]);
  await dialog.getByLabel('Author').fill('Mara Quill');
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await page.reload();
  await waitForHydration(page);
  await expect((await openTitlePage()).getByLabel('Author')).toHaveValue('Mara Quill');
  await page.keyboard.press('Escape');

  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy' }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  const { cookie } = {
    cookie: (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; '),
  };
  const { version } = await openScript(client(server, cookie), id);
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(version.content);
});

test('a scene is rewritten next to the original, and accepted or discarded; every version can be restored @soak', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server, { plan: 'pro' });
  await open(page);
  const id = await write(page, `${SCENE} ${noDelay}`);
  await finished(page);
  const before = (await openScript(person, id)).version.content;
  const word = uniqueWord();
  await page.getByRole('button', { name: 'Rewrite scene 2' }).click();
  const form = page.getByRole('form', { name: 'Rewrite this scene' });
  await expect(form.getByLabel('What should change?')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(form.getByRole('alert')).toHaveText('Say what should change.');
  await page.keyboard.type(`Jon lies ${word} [[mode:hold]]`);
  await page.keyboard.press('Enter');
  const proposal = page.getByRole('region', { name: /^Rewrite:/ });
  await expect(proposal.getByRole('button', { name: 'Stop' })).toBeVisible();
  await page.reload();
  await waitForHydration(page);
  await release(server, word);
  await expect(proposal.getByRole('region', { name: 'Suggested' })).toContainText(`Jon lies ${word}`);
  expect(await violationsOf(page)).toEqual([]);
  await proposal.getByRole('button', { name: 'Accept' }).click();
  await expect(proposal).toHaveCount(0);
  await page.getByRole('button', { name: 'Versions (2)' }).click();
  const versions = page.getByRole('region', { name: 'Versions' });
  await expect(versions.getByRole('listitem')).toHaveCount(2);
  await expect(page.locator('.sp')).toContainText(`Jon lies ${word}`);

  await page.getByRole('button', { name: 'Rewrite scene 1' }).click();
  await form.getByLabel('What to rewrite').selectOption({ index: 2 });
  await form.getByLabel('What should change?').fill(`Shorter ${noDelay}`);
  await form.getByRole('button', { name: 'Rewrite' }).click();
  await proposal.getByRole('button', { name: 'Discard' }).click();
  await expect(proposal).toHaveCount(0);

  await versions.getByRole('button', { name: 'Restore' }).click();
  await expect(versions.getByRole('listitem')).toHaveCount(3);
  await expect(page.locator('.sp')).not.toContainText(word);
  expect((await openScript(person, id)).version.content).toBe(before);

  await page.getByRole('radio', { name: 'Plain text' }).check();
  const source = page.getByRole('textbox', { name: 'Fountain text' });
  await source.fill(`${before}\nEXT. ROOF - DAWN\n\nGulls.\n`);
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await page.getByRole('radio', { name: 'Screenplay' }).check();
  await expect(page.locator('.sp-scene').last()).toHaveText('EXT. ROOF - DAWN');
  expect(parseFountain((await openScript(person, id)).version.content).blocks.at(-1)).toEqual({
    type: 'action',
    text: 'Gulls.',
  });
});

/** Opens a finished script as plain text. */
async function edited(page: Page, context: BrowserContext, server: TestServer) {
  const person = await signInAs(context, server, { plan: 'pro' });
  const { body } = await writeScript(person, `${SCENE} ${noDelay}`);
  await waitForEnd(person, body.generation.id);
  await open(page, `/tools/script/${body.work.id}`);
  await page.getByRole('radio', { name: 'Plain text' }).check();
  const source = page.getByRole('textbox', { name: 'Fountain text' });
  const text = await source.inputValue();
  const word = uniqueWord();
  const type = (more: string) => source.fill(`${text}\n${more}\n`);
  return { person, id: body.work.id, source, word, type };
}

const textsOf = async (person: Person, id: string) => {
  const { versions } = await openScript(person, id);
  const loaded = versions.map((version) => openScript(person, id, `?version=${version.id}`));
  return (await Promise.all(loaded)).map(({ version }) => version.content);
};

test('typed text is saved before another version, an export or a rewrite is requested @soak', async ({
  page,
  context,
  server,
}) => {
  const { person, id, word, type } = await edited(page, context, server);
  await type(`EXT. FIRST ${word} - DAY`);
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: '.fountain' }).click(),
  ]);
  expect(readFileSync(await download.path(), 'utf8')).toContain(`FIRST ${word}`);
  await expect(page.locator('.sp-facts')).toContainText('3 scenes');
  await type(`EXT. SECOND ${word} - DAY`);
  await generate(page).click();
  await expect(page.locator('.toast')).toContainText('Your script is ready.');
  expect((await openScript(person, id)).versions.map(({ kind }) => kind)).toEqual([
    'generated',
    'edited',
    'generated',
  ]);
  expect((await textsOf(person, id))[1]).toContain(`SECOND ${word}`);

  await page.getByRole('radio', { name: 'Screenplay' }).check();
  await page.getByRole('button', { name: 'Versions (3)' }).click();
  const versions = page.getByRole('region', { name: 'Versions' });
  await versions.getByRole('button', { name: '2. Edited by you' }).click();
  await expect(page.getByText('You’re viewing an older version.')).toBeVisible();
  await expect(page.locator('.sp')).toContainText(`SECOND ${word}`);
  await expect(page.getByRole('button', { name: /^Rewrite scene/ })).toHaveCount(0);
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('radio', { name: 'Plain text' }).check();
  await expect(page.getByRole('textbox', { name: 'Fountain text' })).toHaveAttribute('readonly', '');
  await page.getByRole('button', { name: 'Restore this version' }).click();
  await expect(page.getByText('You’re viewing an older version.')).toHaveCount(0);
  await expect(page.getByRole('textbox', { name: 'Fountain text' })).toHaveValue(
    new RegExp(`SECOND ${word}`),
  );
});

test('a change from another device and a lost connection lose no typed text @soak', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  const { person, id, source, word, type } = await edited(page, context, server);
  await type(`EXT. FIRST ${word} - DAY`);
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  const { version } = await openScript(person, id);
  const path = `/api/works/${id}/versions/${version.id}`;
  const sent = await person.send('PUT', path, { content: `THE OTHER ${word}`, edition: version.edition });
  expect(sent.status).toBe(200);
  // The toast hides automatically, on a slow machine perhaps before the last key.
  await Promise.all([
    expect(page.locator('.toast')).toContainText('Saved as a separate version.'),
    type(`EXT. SECOND ${word} - DAY`),
  ]);
  const [newest, below] = await textsOf(person, id);
  expect(newest).toContain(`SECOND ${word}`);
  expect(below).toBe(`THE OTHER ${word}`);

  await context.setOffline(true);
  await type(`EXT. THIRD ${word} - DAY`);
  const notice = page.locator('.notice-danger');
  const notSaved = 'Not saved: you’re offline. We’ll keep trying.';
  await expect(notice).toHaveText(notSaved);
  await page.getByRole('radio', { name: 'Screenplay' }).check();
  await expect(page.locator('.sp')).toContainText(`THIRD ${word}`);
  await expect(notice).toHaveText(notSaved);
  await generate(page).click();
  await expect(page.locator('.toast')).toContainText('Not saved');
  await page.getByRole('link', { name: 'New script' }).click();
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await question.getByRole('button', { name: 'Stay' }).click();
  await context.setOffline(false);
  await expect(notice).toHaveCount(0);
  await page.getByRole('radio', { name: 'Plain text' }).check();
  await expect(source).toHaveValue(new RegExp(`THIRD ${word}`));
  await expect.poll(async () => (await textsOf(person, id))[0]).toContain(`THIRD ${word}`);
  expect((await openScript(person, id)).versions).toHaveLength(3);
  browserErrors.length = 0;
});

test('a script that fails after another one says so, and so does a failed export @soak', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  const { person, id, type, word } = await edited(page, context, server);
  await scene(page).fill(`${word} ${SCENE} [[mode:500,ok]] ${noDelay}`);
  await generate(page).click();
  const alert = page.locator('main .notice-danger');
  await expect(alert).toHaveText(/Sorry, I encountered an error\..* You were not charged\./);
  await expect(page.locator('.toast')).toContainText('Error');
  await alert.getByRole('button', { name: 'Try again' }).click();
  await expect(page.locator('.toast')).toContainText('Success!');
  await expect(alert).toHaveCount(0);
  await type('INT. متجر الساعات - ليل\n\nابتسم.');
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByRole('button', { name: 'PDF, A4' }).click();
  await expect(page.locator('.toast')).toContainText('Error');
  await expect(page.locator('.toast')).toContainText('PDF');
  expect((await openScript(person, id)).version.content).toContain('متجر الساعات');
  browserErrors.length = 0;
});

test('Stop keeps the text so far; a failure says so and is retried; scripts are found, renamed and deleted @soak', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  await signInAs(context, server, { plan: 'pro' });
  await open(page);
  await write(page, `${uniqueWord()} ${SCENE} [[tps:30]] [[first:0]]`);
  await expect(page.locator('.sp-scene').first()).toBeVisible();
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByText('Stopped. The text so far is saved.')).toBeVisible();
  await page.getByRole('link', { name: 'New script' }).click();
  await expect(scene(page)).toHaveValue('');

  const broken = uniqueWord();
  await write(page, `${broken} ${SCENE} [[mode:500,ok]] ${noDelay}`);
  await expect(page.locator('main .notice-danger')).toContainText('Sorry, I encountered an error.');
  expect(await violationsOf(page)).toEqual([]);
  await page.getByRole('button', { name: 'Try again' }).click();
  await finished(page);
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('textbox', { name: 'Title' }).fill('The Tide Clock');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'The Tide Clock' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Rename' })).toBeFocused();
  await page.reload();
  await waitForHydration(page);
  const list = page.getByRole('region', { name: 'Your scripts' });
  await expect(list.getByRole('link')).toHaveCount(2);
  await list.getByRole('searchbox').fill('tide cl');
  await expect(list.getByRole('link')).toHaveCount(1);
  await list.getByRole('button', { name: 'Delete The Tide Clock' }).click();
  await page.waitForURL(/\/tools\/script$/);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(list.getByRole('link', { name: /The Tide Clock/ })).toBeVisible();
  browserErrors.length = 0;
});

test('the tool works by keyboard alone, at 320 and 390 px, in both themes, without a violation @soak', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server, { plan: 'pro' });
  await page.setViewportSize({ width: 320, height: 700 });
  await open(page);
  expect(await violationsOf(page)).toEqual([]);
  await scene(page).focus();
  await page.keyboard.type(`${SCENE} ${noDelay}`);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('radio', { name: 'Comedy' })).toBeChecked();
  await page.keyboard.press('Control+Enter');
  await page.waitForURL(/\/tools\/script\/[0-9a-f-]{36}$/);
  await finished(page);
  expect(await violationsOf(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'dark'));
  expect(await violationsOf(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 900 });
  expect(await violationsOf(page)).toEqual([]);
});
