import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { violationsOf } from '../support/axe.ts';
import { uniqueWord } from '../support/chat.ts';
import { vectors, watch } from '../support/hostile.ts';
import { waitForHydration } from '../support/hydration.ts';
import { composer, expect, signInAs, signInByCode, test } from '../support/journey.ts';
import { layoutFaults } from '../support/layout-faults.ts';
import { writeChat } from '../support/long-chat.ts';
import { createPerson } from '../support/people.ts';
import { promptsCommand, publish } from '../support/prompts.ts';
import type { TestServer } from '../support/server.ts';

const signIn = (page: Page) => page.getByRole('dialog', { name: 'Sign in' });
const cards = (page: Page) => page.locator('.prompt-card');
const card = (page: Page, title: string) => cards(page).filter({ hasText: title });
const search = (page: Page) => page.getByRole('searchbox', { name: 'Search prompts' });
const count = (page: Page) => page.locator('.prompts-count');

/** Opens a page and waits until it is hydrated. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await waitForHydration(page);
}

/** Signs in with the code of a mail, in the dialog that is open. */
async function signInByDialog(page: Page, server: TestServer): Promise<void> {
  const email = `prompts-${randomUUID()}@example.com`;
  await signInByCode(page, server, email);
  await expect(signIn(page)).toBeHidden();
}

test('a button that is pressed before the page’s scripts have loaded works once they have @soak', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { promise: pressed, resolve: release } = Promise.withResolvers<void>();
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await pressed;
    await route.continue();
  });
  await page.goto('/tools/prompts/translate-for-the-ear', { waitUntil: 'commit' });
  await page.getByRole('button', { name: 'Copy prompt' }).click();
  await expect(page.locator('html[data-ready]')).toHaveCount(0);
  release();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toContain('{{language | text:required');
});

test('a guest finds, reads and copies; using a prompt asks for a sign-in and then continues', async ({
  page,
  context,
  server,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page, '/tools/prompts');
  await expect(count(page)).toHaveText(/^8\d prompts$/);
  await search(page).pressSequentially('OBITUARY');
  await expect(page).toHaveURL(/\/tools\/prompts\?q=OBITUARY$/);
  await expect(card(page, 'Obituary from family memories')).toBeVisible();
  await expect(count(page)).toHaveText('1 prompt for “OBITUARY”');
  await page.getByRole('link', { name: 'Image', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'No prompts found' })).toBeVisible();
  // Back restores the search words of the address, even if the box has the focus.
  await search(page).fill('poster');
  await expect(page).toHaveURL(/q=poster&category=image$/);
  await page.goBack();
  await expect(count(page)).toHaveText('1 prompt for “OBITUARY”');
  await expect(search(page)).toHaveValue('OBITUARY');
  await page.goForward();
  await expect(search(page)).toHaveValue('poster');
  await search(page).fill('zebra crossing');
  await expect(page.getByRole('heading', { name: 'No prompts found' })).toBeVisible();
  await page.getByRole('link', { name: 'Clear filters', exact: true }).click();
  await expect(page).toHaveURL(/\/tools\/prompts$/);
  await expect(search(page)).toHaveValue('');

  // A click anywhere on the card opens the prompt's page.
  await page.goto('/tools/prompts?q=translate+for');
  const lines = await card(page, 'Translate for the ear').locator('.prompt-lines').boundingBox();
  await page.mouse.click((lines?.x ?? 0) + 40, (lines?.y ?? 0) + 10);
  await expect(page).toHaveURL(/\/tools\/prompts\/translate-for-the-ear$/);
  await expect(page.locator('.prompt-whole .prompt-variable').first()).toHaveText('Language');
  await page.getByRole('button', { name: 'Copy prompt' }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toContain('{{language | text:required');

  await page.getByRole('button', { name: /^Like/ }).click();
  await expect(signIn(page)).toContainText('Login Required. Please log in to like prompts.');
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: /^Use Prompt/ }).click();
  await expect(signIn(page)).toContainText('Login Required.');
  await signInByDialog(page, server);
  await expect(page.getByRole('dialog', { name: 'Translate for the ear' })).toBeVisible();
});

test('the form previews the text, and puts it into the composer unsent @soak', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server);
  await page.goto('/chat/new');
  await composer(page).fill('what I had begun');
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem('draft:new')))
    .toContain('what I had begun');
  await open(page, '/tools/prompts/translate-for-the-ear');
  await page.getByRole('link', { name: /^Use Prompt/ }).click();
  const form = page.getByRole('dialog', { name: 'Translate for the ear' });
  const preview = form.getByRole('region', { name: 'Preview' });
  await expect(preview).toContainText('into Language for a website.');
  await form.getByRole('button', { name: 'Open in chat' }).click();
  await expect(form.getByLabel('Language')).toBeFocused();
  await expect(form.getByLabel('Language')).toHaveAccessibleDescription('Fill this in.');
  // Markup and braces are shown as text.
  await form.getByLabel('Language').fill('<img src=x onerror=alert(1)> {{text}}');
  await form.getByLabel('Use').selectOption('a poster');
  await form.getByLabel('Text', { exact: true }).fill('Guten Tag');
  await expect(preview).toContainText('into <img src=x onerror=alert(1)> {{text}} for a poster.');
  // Values are kept until they are used, even if the dialog or the page is closed.
  await open(page, '/tools/prompts/translate-for-the-ear?use=1');
  await expect(preview).toContainText('into <img src=x onerror=alert(1)> {{text}} for a poster.');
  await expect(form.getByLabel('Use')).toHaveValue('a poster');
  await form.getByRole('button', { name: 'Open in chat' }).click();
  await expect(page).toHaveURL(/\/chat\/new$/);
  await expect(composer(page)).toHaveValue(
    /^Translate the text below into <img src=x onerror=alert\(1\)> \{\{text\}\} for a poster\.[\s\S]*Guten Tag\n\nwhat I had begun$/,
  );
  await expect(page.getByRole('heading', { name: 'You said' })).toHaveCount(0);
  // The text is handed over once; then it is an ordinary draft.
  expect(await page.evaluate(() => localStorage.getItem('draft:handover'))).toBeNull();
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('form:')))).toEqual(
    [],
  );
  await page.reload();
  await expect(composer(page)).toHaveValue(/Guten Tag\n\nwhat I had begun$/);
});

test('an image prompt opens in the Image Generator, filled in; a person who used it rates it @soak', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server);
  await page.goto('/tools/image');
  const prompt = page.getByLabel('Prompt', { exact: true });
  await waitForHydration(page);
  await prompt.fill('a heron I had begun');
  await page.getByRole('radio', { name: '512 × 512' }).check();
  await open(page, '/tools/prompts/botanical-plate');
  const stars = page.getByRole('group', { name: 'Your rating' });
  await expect(stars).toHaveCount(0);
  await page.getByRole('link', { name: /^Use Prompt/ }).click();
  const form = page.getByRole('dialog', { name: 'Botanical plate in the old style' });
  await form.getByLabel('Plant').fill('a sea holly');
  await form.getByRole('button', { name: 'Open in Image Generator' }).click();
  await expect(page).toHaveURL(/\/tools\/image$/);
  await expect(prompt).toHaveValue(
    /^Botanical plate of a sea holly:[\s\S]*No decorative frame\.\n\na heron I had begun$/,
  );
  await expect(page.getByRole('radio', { name: /512 × 512/ })).toBeChecked();
  await expect
    .poll(async () => {
      const text = 'select count(*)::int as uses from prompt_uses where user_id = $1';
      return (await server.database.query(text, [person.id])).rows[0].uses;
    })
    .toBe(1);

  await open(page, '/tools/prompts/botanical-plate');
  await expect(stars).toBeVisible();
  const rated = page.waitForResponse((response) => response.url().endsWith('/rating'));
  await stars.getByRole('radio', { name: '4 stars' }).check({ force: true });
  expect((await rated).status()).toBe(200);
  await expect(stars.getByRole('button', { name: 'Remove rating' })).toBeVisible();
  await expect(page.locator('.prompt-facts')).toHaveText('Image');
  await page.reload();
  await expect(stars.getByRole('radio', { name: '4 stars' })).toBeChecked();
  const { rows } = await server.database.query(
    "update prompts set rating_count = 3, rating_sum = 13 where slug = 'botanical-plate' returning id",
  );
  await page.reload();
  await expect(page.locator('.prompt-facts')).toHaveText('Image4.3 out of 5 from 3 ratings');
  await open(page, '/tools/prompts/botanical-plate');
  await stars.getByRole('button', { name: 'Remove rating' }).click();
  await expect(page.locator('.prompt-facts')).toHaveText('Image');
  await expect
    .poll(async () => {
      const text = 'select rating_count from prompts where id = $1';
      return (await server.database.query(text, [rows[0].id])).rows[0].rating_count;
    })
    .toBe(0);
});

test('a like is shown at once, counted by the server and withdrawn @soak', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server);
  await open(page, '/tools/prompts?q=unit+tests+that');
  const like = page.getByRole('button', { name: /^Like Unit tests/ });
  await expect(like).toHaveAttribute('aria-pressed', 'false');
  const likeSent = page.waitForResponse(/\/like$/);
  await like.click();
  await expect(like).toHaveAttribute('aria-pressed', 'true');
  await expect(like).toHaveText('1');
  await likeSent;
  await page.reload();
  await expect(like).toHaveAttribute('aria-pressed', 'true');
  await expect(like).toHaveText('1');
  await page.waitForFunction(() => document.querySelector('.prompt-like')?.matches('[aria-pressed=true]'));
  await open(page, '/tools/prompts?q=unit+tests+that');
  await like.click();
  await expect(like).toHaveText('0');
});

test('Unlock explains Pro to a free person; Pro reads the full text', async ({ page, context, server }) => {
  await signInAs(context, server);
  await open(page, '/tools/prompts/cover-letter-from-facts');
  await expect(page.getByText('The full prompt is included in Pro.')).toBeVisible();
  await expect(page.locator('main')).not.toContainText('No "I am writing to apply"');
  const unlock = page.getByRole('link', { name: /^Unlock/ });
  await unlock.click();
  const dialog = page.getByRole('dialog', { name: 'This prompt is included in Pro' });
  await expect(dialog.getByRole('radio', { name: /1 Year/ })).toBeChecked();
  await dialog.getByRole('button', { name: 'Not now' }).click();
  await expect(unlock).toBeFocused();
  await context.clearCookies();
  await signInAs(context, server, { plan: 'pro' });
  await page.reload();
  await expect(page.locator('main')).toContainText('No "I am writing to apply"');
  await expect(page.getByRole('link', { name: /^Use Prompt/ })).toBeVisible();
});

test('a person’s own prompt survives a reload, is submitted, refused with a reason, and deleted with Undo', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server);
  await open(page, '/tools/prompts');
  await page.getByRole('button', { name: 'Upload' }).click();
  const editor = page.getByRole('dialog', { name: 'Upload a prompt' });
  await editor.getByLabel('Title').fill('Name a <b>boat</b>');
  await editor
    .getByLabel('Prompt', { exact: true })
    .fill('Find ten names for a boat.\nKind: {{kind | select:options=["sail","motor"]}}');
  await expect(editor.getByText('Kind · select')).toBeVisible();
  await page.reload();
  await open(page, '/tools/prompts?upload=1');
  await expect(editor.getByLabel('Title')).toHaveValue('Name a <b>boat</b>');
  await editor.getByLabel('Category').selectOption('Marketing');
  await editor.getByRole('button', { name: 'Save and submit' }).click();
  await expect(editor).toBeHidden();
  await expect.poll(() => page.evaluate(() => localStorage.getItem('draft:form:prompt'))).toBeNull();
  await expect(page).toHaveURL(/\/tools\/prompts\?sort=mine$/);
  const ownPrompt = card(page, 'Name a <b>boat</b>');
  await expect(ownPrompt).toContainText('Waiting for review');
  const { rows } = await server.database.query('select id from prompts where user_id = $1', [person.id]);
  const { code, output } = await promptsCommand(server, 'reject', `${rows[0].id}@1`, 'Too', 'short.');
  expect(code, output).toBe(0);
  await page.reload();
  await expect(ownPrompt).toContainText('Not published: Too short.');

  await open(page, '/tools/prompts?sort=mine');
  await ownPrompt.getByRole('button', { name: /^Delete/ }).click();
  await expect(page.getByRole('heading', { name: 'You haven’t written any prompts yet' })).toBeVisible();
  await expect(count(page)).toBeFocused();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(ownPrompt).toBeVisible();

  // Deletion works on the prompt's page too, and a reload does not reopen a closed form.
  await open(page, `/tools/prompts/${rows[0].id}`);
  await page.getByRole('button', { name: /^Delete/ }).click();
  await expect(count(page)).toBeFocused();
  await open(page, '/tools/prompts?upload=1&sort=mine');
  await expect(editor).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/\/tools\/prompts\?sort=mine$/);
});

test('a reader reports a prompt of the community @soak', async ({ page, context, server }) => {
  const prompt = await publish(server, await createPerson(server), { title: `Reported ${randomUUID()}` });
  await signInAs(context, server);
  await open(page, `/tools/prompts/${prompt.slug}`);
  await expect(page.getByText('From the community')).toBeVisible();
  await expect(page.getByText('Editor’s rating')).toHaveCount(0);
  await page.getByRole('button', { name: 'Report this prompt' }).click();
  await page.getByLabel('What’s wrong with it?').fill('It is an advertisement.');
  await page.getByRole('button', { name: 'Send report' }).click();
  await expect(page.getByText('Thanks. We’ll take a look.')).toBeVisible();
  expect((await promptsCommand(server, 'show', prompt.id)).output).toContain('It is an advertisement.');
});

test('a prompt opens at its top, and Back returns to the same place in an extended list @soak', async ({
  page,
}) => {
  await open(page, '/tools/prompts');
  await expect(cards(page)).toHaveCount(24);
  await page.getByRole('link', { name: /^Show 24 more/ }).click();
  await expect(cards(page)).toHaveCount(48);
  await expect(cards(page).nth(24).getByRole('link').first()).toBeFocused();
  const target = cards(page).nth(40);
  await target.scrollIntoViewIfNeeded();
  const before = await page.evaluate(() => scrollY);
  await target.getByRole('link').first().click();
  await expect(page).toHaveURL(/\/tools\/prompts\/[a-z-]+$/);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  await page.goBack();
  await expect(cards(page)).toHaveCount(48);
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(before - 50);
});

test('texts that try to run or load something are shown as text @soak', async ({ page, context, server }) => {
  const writer = await createPerson(server);
  const observed = await watch(page, server);
  const texts = vectors.map((text) => text.replaceAll('\0', '')).join('\n');
  const content = `{{blank}} ${texts}`.slice(0, 5_900);
  const prompt = await publish(server, writer, { title: '<img src=//x.test onerror=alert(1)>', content });
  await signInAs(context, server);
  for (const path of ['/tools/prompts?sort=new', `/tools/prompts/${prompt.slug}`]) {
    await open(page, path);
    await expect(page.getByText('<img src=//x.test onerror=alert(1)>').first()).toBeVisible();
    expect(
      await page
        .locator('main')
        .locator(
          'img:not([src^="/assets/"]), iframe, object, embed, script:not([type="application/ld+json"]), style, video',
        )
        .count(),
    ).toBe(0);
  }
  await page.getByRole('link', { name: /^Use Prompt/ }).click();
  await page.getByRole('dialog').getByLabel('Blank').fill('<svg onload=alert(2)> $& {{blank}}');
  const preview = page.getByRole('region', { name: 'Preview' });
  await expect(preview).toContainText('<svg onload=alert(2)> $& {{blank}}');
  await expect(preview.locator('svg, img, a')).toHaveCount(0);
  expect(observed).toEqual({ foreign: [], ran: [] });
});

test('a slash in the chat finds prompts, and the keys choose, insert and close @soak', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server);
  const content = 'Tell me all there is to know about zebras.';
  await publish(server, await createPerson(server), { title: 'All about zebras', content });
  const { id } = await writeChat(server, person, 2);
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/messages')) sent.push(request.url());
  });
  await open(page, `/chat/${id}`);
  const finder = page.getByRole('region', { name: 'Prompts' });
  // Enter does nothing before there are results.
  await composer(page).pressSequentially('/toast');
  await composer(page).press('Enter');
  await expect(finder.getByRole('status')).toHaveText('1 prompt. Press Enter to insert it, Esc to close.');
  await expect(composer(page)).toHaveValue('/toast');
  // A path or a second line is an ordinary message.
  await composer(page).fill('/etc/hosts');
  await expect(finder).toHaveCount(0);
  await composer(page).fill('/e');
  await expect(finder.getByRole('option')).toHaveCount(5);
  const chosen = finder.getByRole('option', { selected: true });
  const first = await chosen.textContent();
  await composer(page).press('ArrowDown');
  await expect(chosen).not.toHaveText(first ?? '');
  await composer(page).press('ArrowUp');
  await expect(chosen).toHaveText(first ?? '');
  await composer(page).press('Escape');
  await composer(page).pressSequentially('x');
  await expect(finder).toHaveCount(0);
  await composer(page).fill('');

  await composer(page).fill('/toast');
  await expect(finder.getByRole('option')).toHaveCount(1);
  await composer(page).press('Enter');
  const form = page.getByRole('dialog', { name: 'A toast with one true story' });
  await expect(form).toBeVisible();
  // The typed text stays if the dialog is canceled.
  await page.keyboard.press('Escape');
  await expect(form).toHaveCount(0);
  await expect(composer(page)).toBeFocused();
  await expect(composer(page)).toHaveValue('/toast');
  await composer(page).fill('');
  await composer(page).fill('/toast');
  await expect(finder.getByRole('option')).toHaveCount(1);
  await composer(page).press('Enter');
  for (const name of ['Occasion', 'Person', 'Story'])
    await form.getByLabel(name, { exact: true }).fill('Ada');
  await form.getByRole('button', { name: 'Add to message' }).click();
  await expect(form).toHaveCount(0);
  await expect(page).toHaveURL(new RegExp(`/chat/${id}$`));
  await expect(composer(page)).toBeFocused();
  await expect(composer(page)).toHaveValue(/Ada/);
  // A prompt without variables is inserted as it is.
  await composer(page).fill('/zebras');
  await expect(finder.getByRole('option')).toHaveCount(1);
  await composer(page).press('Enter');
  await expect(composer(page)).toHaveValue(content);
  expect(sent).toEqual([]);
});

test('a person’s own prompt is created in the chat, found first, and its blanks are filled in by keyboard on a phone @soak', async ({
  page,
  context,
  server,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signInAs(context, server);
  await open(page, '/chat/new');
  const finder = page.getByRole('region', { name: 'Prompts' });
  const word = uniqueWord();
  await composer(page).fill(`/${word}`);
  await expect(finder.getByRole('status')).toHaveText(/^No prompts found/);
  expect(await violationsOf(page)).toEqual([]);
  expect(await layoutFaults(page)).toEqual([]);
  await page.keyboard.press('Shift+Tab');
  await expect(finder.getByRole('button', { name: 'Create your own prompt' })).toBeFocused();
  await page.keyboard.press('Enter');
  const editor = page.getByRole('dialog', { name: 'Upload a prompt' });
  await expect(editor.getByLabel('Title')).toHaveValue(word);
  await editor
    .getByLabel('Prompt', { exact: true })
    .fill('Explain {{topic}} to {{reader}}, in three sentences.');
  expect(await layoutFaults(page)).toEqual([]);
  await editor.getByRole('button', { name: 'Save privately' }).click();
  await expect(editor).toHaveCount(0);

  await composer(page).fill('');
  await composer(page).fill('/explain');
  const first = finder.getByRole('option').first();
  await expect(first).toContainText(word);
  await expect(first).toContainText('Yours');
  await composer(page).press('Enter');
  const form = page.getByRole('dialog', { name: word });
  await form.getByLabel('Topic').fill('tides');
  await page.keyboard.press('Tab');
  await expect(form.getByLabel('Reader')).toBeFocused();
  await page.keyboard.type('children');
  expect(await violationsOf(page)).toEqual([]);
  expect(await layoutFaults(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(form).toHaveCount(0);
  await expect(composer(page)).toHaveValue('Explain tides to children, in three sentences.');
  await expect(composer(page)).toBeFocused();
  // Other people do not find it.
  const otherPerson = await createPerson(server);
  const found = await (await otherPerson.get(`/api/prompts?q=${word}`)).json();
  expect(found).toMatchObject({ total: 0 });
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });
  test('the library is searched, filtered and read @soak', async ({ page }) => {
    await page.goto('/tools/prompts');
    await search(page).fill('bug');
    await page.getByRole('button', { name: 'Search' }).click();
    await expect(page).toHaveURL(/q=bug/);
    await page.getByRole('link', { name: 'Programming' }).click();
    await expect(page).toHaveURL(/q=bug.*category=programming/);
    await page.getByRole('link', { name: 'Review a diff for bugs first', exact: true }).click();
    await expect(page.locator('.prompt-whole')).toContainText('Say nothing about formatting.');
  });
});

test('a prompt is found, filled in and handed over by keyboard alone @soak', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server);
  await open(page, '/tools/prompts');
  const tabTo = async (name: RegExp) => {
    for (let at = 0; at < 60; at++) {
      await page.keyboard.press('Tab');
      const label = await page.evaluate(() => {
        const { activeElement } = document;
        return (
          activeElement?.getAttribute('aria-label') ?? activeElement?.id ?? activeElement?.textContent ?? ''
        );
      });
      const text = await page.evaluate(() => document.activeElement?.textContent ?? '');
      if (name.test(label) || name.test(text)) return;
    }
    throw new Error(`${name} was not reached by Tab.`);
  };
  await tabTo(/^prompt-q$/);
  await page.keyboard.type('toast with');
  await expect(cards(page)).toHaveCount(1);
  await tabTo(/^Use Prompt/);
  await page.keyboard.press('Enter');
  const form = page.getByRole('dialog', { name: 'A toast with one true story' });
  await expect(form).toBeVisible();
  await tabTo(/^blank-0$/);
  await page.keyboard.type('a farewell');
  await page.keyboard.press('Escape');
  await expect(form).toBeHidden();
  await expect(page.getByRole('link', { name: /^Use Prompt/ })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(form).toBeVisible();
  for (const [at, text] of [
    [0, 'a farewell'],
    [2, 'Mo'],
    [3, 'The lamp'],
  ] as const) {
    await tabTo(new RegExp(`^blank-${at}$`));
    await page.keyboard.type(text);
  }
  await page.keyboard.press('Tab');
  await tabTo(/^Open in chat$/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/chat\/new$/);
  await expect(composer(page)).toHaveValue(/^Write a toast for a farewell[\s\S]*The person: Mo/);
});
