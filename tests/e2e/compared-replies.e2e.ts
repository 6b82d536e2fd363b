import type { Page } from '@playwright/test';
import { violationsOf } from '../support/axe.ts';
import { gatewayLog, uniqueWord } from '../support/chat.ts';
import { release } from '../support/gateway.ts';
import { waitForHydration } from '../support/hydration.ts';
import { composer, expect, sendMessage, signInAs, test } from '../support/journey.ts';
import { layoutFaults } from '../support/layout-faults.ts';
import { changeSetting } from '../support/settings.ts';

const noDelay = '[[tps:0]] [[first:0]]';
const heldReply = '[[tps:0]] [[first:0]] [[mode:hold]] [[holdAfter:3]]';
const fast = 'maker/fast | Fast | Everyday questions, quick answers | images';
const deep = 'maker/deep | Deep | Hard problems and long documents | thinks, 5 credits';
const vast = 'maker/vast | Vast | Everything at once | images, thinks, pro';

test.beforeAll(({ server }) => changeSetting([server], ['set', 'models.list', fast, deep, vast]));
test.afterAll(({ server }) => changeSetting([server], ['unset', 'models.list']));

const picker = (page: Page) => page.getByRole('button', { name: /^Models?: / });
const second = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Compare with' }).getByRole('menuitemcheckbox', { name });
const pair = (page: Page) => page.getByRole('group', { name: 'Replies from Fast and Deep' });
const reply = (page: Page, model: string) => pair(page).getByRole('article', { name: model });
const tab = (page: Page, model: string) =>
  page.getByRole('tablist', { name: 'Replies from Fast and Deep' }).getByRole('tab', { name: model });
const choice = (page: Page, model: string) => page.getByRole('button', { name: `Continue with ${model}` });
const announcer = (page: Page) => page.locator('[data-announcer]');

async function compareWith(page: Page, name: string) {
  await picker(page).click();
  await second(page, name).click();
}

test('two models answer next to each other, through a reload and in a second tab; one is continued', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server, { credits: 50 });
  const word = uniqueWord();
  await page.goto('/chat/new');
  await waitForHydration(page);
  await expect(picker(page)).toBeEnabled();
  await picker(page).focus();
  await page.keyboard.press('Enter');
  // A Pro model cannot be the second one here.
  await expect(second(page, 'Vast')).toHaveCount(0);
  await page.keyboard.press('End');
  await expect(second(page, 'Deep')).toBeFocused();
  expect(await violationsOf(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(picker(page)).toBeFocused();
  await expect(picker(page)).toHaveAccessibleName('Models: Fast + Deep');
  await expect(page.getByText('6 credits per message · 50 left')).toBeVisible();

  await sendMessage(page, `${word} ${heldReply}`);
  await expect(reply(page, 'Fast').getByRole('button', { name: 'Stop Fast' })).toBeVisible();
  await expect(reply(page, 'Deep').getByRole('button', { name: 'Stop Deep' })).toBeVisible();
  await expect(announcer(page)).toHaveCount(1);
  await expect(page.getByText('6 credits per message · 44 left')).toBeVisible();
  await page.waitForURL(/\/chat\/[0-9a-f-]{36}$/);
  const [left, right] = [await reply(page, 'Fast').boundingBox(), await reply(page, 'Deep').boundingBox()];
  expect([left?.y, (left?.x ?? 0) + (left?.width ?? 0) <= (right?.x ?? 0)]).toEqual([right?.y, true]);
  expect(await violationsOf(page)).toEqual([]);

  await page.reload();
  await waitForHydration(page);
  const other = await context.newPage();
  await other.goto(page.url());
  await waitForHydration(other);
  for (const each of [page, other]) {
    await expect(reply(each, 'Fast').getByRole('button', { name: 'Stop Fast' })).toBeVisible();
    await expect(reply(each, 'Deep').getByRole('button', { name: 'Stop Deep' })).toBeVisible();
    await expect(picker(each)).toHaveAccessibleName('Models: Fast + Deep');
  }
  await release(server, word, 2);
  for (const each of [page, other]) {
    await expect(choice(each, 'Fast')).toBeVisible();
    await expect(choice(each, 'Deep')).toBeVisible();
    await expect(announcer(each)).toHaveText(/^Fast: [\s\S]+ Deep: /);
    await expect(each.getByRole('button', { name: 'Send message' })).toBeVisible();
  }
  expect(await person.credits()).toBe(44);
  await expect(page.getByText('Your next message continues from the Fast reply')).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  await page.emulateMedia({ media: 'print' });
  for (const model of ['Fast', 'Deep']) await expect(reply(page, model)).toBeVisible();
  await page.emulateMedia({ media: 'screen' });
  await expect(pair(page).getByRole('tab')).toHaveCount(0);
  await expect(pair(page).getByRole('tabpanel')).toHaveCount(0);

  await choice(page, 'Deep').press('Enter');
  await expect(pair(page)).toHaveCount(0);
  await expect(page.getByRole('article')).toHaveCount(2);
  await expect(page.getByText('Version 1 of 2')).toBeAttached();
  await page.reload();
  await waitForHydration(page);
  await expect(page.getByText('Version 1 of 2')).toBeAttached();
  await picker(page).click();
  await expect(second(page, 'Deep')).toHaveAttribute('aria-checked', 'true');
  // Other tabs get the choice, and it is stored.
  const saved = page.waitForResponse((response) => response.url().endsWith('/api/chats/model'));
  await second(page, 'Deep').click();
  expect((await saved).status()).toBe(204);
  for (const each of [page, other]) await expect(picker(each)).toHaveAccessibleName('Model: Fast');
  await page.reload();
  await waitForHydration(page);
  await expect(picker(page)).toHaveAccessibleName('Model: Fast');
  await sendMessage(page, `${word} next ${noDelay}`);
  await expect(page.getByRole('article')).toHaveCount(4);
  await expect(page.getByRole('article').getByRole('button', { name: 'Regenerate' })).toHaveCount(2);
  expect((await gatewayLog(server, `${word} next`)).map(({ model }) => model)).toEqual(['maker/fast']);
  expect(await person.credits()).toBe(43);
  // The other tab shows the result.
  await other.bringToFront();
  await expect(other.locator('.bubble', { hasText: `${word} next` })).toBeVisible();
  await expect(pair(other)).toHaveCount(0);
});

test('one is stopped, and a queued message continues with the chat’s own model, on a phone @soak', async ({
  page,
  context,
  server,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const person = await signInAs(context, server, { credits: 50 });
  const word = uniqueWord();
  await page.goto('/chat/new');
  await waitForHydration(page);
  await compareWith(page, 'Deep');
  await expect(picker(page)).toHaveAccessibleName('Models: Fast + Deep');
  expect(await layoutFaults(page)).toEqual([]);
  await sendMessage(page, `${word} ${heldReply}`);
  const panel = (model: string) => pair(page).getByRole('tabpanel', { name: model });
  await expect(panel('Fast').getByText('This is')).toBeVisible();
  await expect(reply(page, 'Deep')).toHaveCount(0);
  await expect(tab(page, 'Fast')).toHaveAccessibleName('Fast still replying');
  await tab(page, 'Fast').press('ArrowRight');
  await expect(tab(page, 'Deep')).toBeFocused();
  await expect(tab(page, 'Deep')).toHaveAttribute('aria-selected', 'true');
  await expect(panel('Deep').getByText('This is')).toBeVisible();
  await expect(reply(page, 'Fast')).toHaveCount(0);
  await panel('Deep').getByRole('button', { name: 'Stop Deep' }).click();
  await expect(choice(page, 'Deep')).toBeVisible();
  await expect(tab(page, 'Deep')).toHaveAccessibleName('Deep');
  await expect(tab(page, 'Fast')).toHaveAccessibleName('Fast still replying');
  expect(await violationsOf(page)).toEqual([]);
  expect(await layoutFaults(page)).toEqual([]);
  await tab(page, 'Fast').click();
  await release(server, word);
  await expect(choice(page, 'Fast')).toBeVisible();
  await expect(tab(page, 'Fast')).toHaveAccessibleName('Fast');
  // In print the replies are one below the other.
  await page.emulateMedia({ media: 'print' });
  const [above, below] = [await reply(page, 'Fast').boundingBox(), await reply(page, 'Deep').boundingBox()];
  expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0);
  await expect(tab(page, 'Fast')).toHaveCount(0);
  await page.emulateMedia({ media: 'screen' });
  // The address of one of the two replies shows only that one.
  const { rows } = await server.database.query<{ id: string }>(
    `select m.id from chat_messages m join gateway_calls c on c.generation_id = m.generation_id
       join generations g on g.id = c.generation_id
      where g.user_id = $1 and c.model = 'maker/deep'`,
    [person.id],
  );
  await page.goto(`${new URL(page.url()).pathname}?at=${rows[0]?.id}`);
  await waitForHydration(page);
  await expect(panel('Deep').getByText('This is')).toBeInViewport();
  await expect(reply(page, 'Fast')).toHaveCount(0);
  await expect(tab(page, 'Deep')).toHaveAttribute('aria-selected', 'true');
  await tab(page, 'Fast').click();
  // Both were stopped after some text, which is kept, so both are charged.
  expect(await person.credits()).toBe(44);
  expect(await layoutFaults(page)).toEqual([]);

  await sendMessage(page, `${word} both ${heldReply}`);
  await expect(reply(page, 'Fast').getByRole('button', { name: 'Stop Fast' })).toBeVisible();
  // One of the two replies to each question is shown; those to the first are decided by now.
  await expect(page.getByRole('article')).toHaveCount(4);
  await composer(page).fill(`${word} waits ${noDelay}`);
  await composer(page).press('Control+Enter');
  await expect(page.getByText('Sends when this reply is done.')).toBeVisible();
  await release(server, `${word} both`, 2);
  await expect(page.getByRole('article')).toHaveCount(6);
  await expect(page.getByText('32 left')).toBeVisible();
  await expect(choice(page, 'Fast')).toBeVisible();
  expect(await person.credits()).toBe(32);
  const [modelCall] = await gatewayLog(server, `${word} waits`);
  const [stopped] = await gatewayLog(server, `${word} both`);
  expect([modelCall?.messages.length, stopped?.messages.length]).toEqual([6, 4]);

  // Regenerating one of the two uses its model and replaces both.
  await tab(page, 'Deep').click();
  await reply(page, 'Deep').getByRole('button', { name: 'Regenerate' }).click();
  await expect(pair(page)).toHaveCount(0);
  await expect(page.getByText('Version 3 of 3')).toBeAttached();
  await expect(page.getByText('27 left')).toBeVisible();
  const models = (await gatewayLog(server, `${word} waits`)).map(({ model }) => model);
  expect(models.sort()).toEqual(['maker/deep', 'maker/deep', 'maker/fast']);
});

test('on a phone replies do not turn into plain text while the page hydrates @soak', async ({
  page,
  context,
  server,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signInAs(context, server, { credits: 50 });
  await page.goto('/chat/new');
  await waitForHydration(page);
  await compareWith(page, 'Deep');
  await sendMessage(page, `${uniqueWord()} ${noDelay}`);
  await expect(choice(page, 'Fast')).toBeVisible();
  await page.addInitScript(() => {
    new MutationObserver(() => {
      if (document.querySelector('.md-raw')) document.documentElement.dataset.plain = '';
    }).observe(document, { subtree: true, childList: true });
  });
  await page.reload();
  await waitForHydration(page);
  await expect(pair(page).getByRole('tabpanel', { name: 'Fast' })).toBeVisible();
  await expect(page.locator('html')).not.toHaveAttribute('data-plain');
});

test('one is continued while the other is still being written, which stays a version @soak', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server, { credits: 50 });
  const word = uniqueWord();
  await page.goto('/chat/new');
  await waitForHydration(page);
  await compareWith(page, 'Deep');
  await sendMessage(page, `${word} ${heldReply}`);
  for (const model of ['Fast', 'Deep']) await expect(reply(page, model).getByText('This is')).toBeVisible();
  await reply(page, 'Fast').getByRole('button', { name: 'Stop Fast' }).press('Enter');
  await choice(page, 'Fast').press('Enter');
  await expect(pair(page)).toHaveCount(0);
  await expect(page.getByText('Version 2 of 2')).toBeAttached();
  await compareWith(page, 'Deep');
  await sendMessage(page, `${word} next ${noDelay}`);
  await expect(page.getByRole('article')).toHaveCount(4);
  await expect(page.getByRole('article').getByRole('button', { name: 'Regenerate' })).toHaveCount(2);

  await page.getByRole('button', { name: 'Previous version' }).press('Enter');
  await expect(page.getByRole('article')).toHaveCount(2);
  await expect(page.getByRole('button', { name: 'Stop generating' })).toBeVisible();
  await release(server, word);
  await expect(page.getByText('Version 1 of 2')).toBeAttached();
  await expect(page.getByRole('article').last()).toContainText('It seems to be about');
  await expect(page.getByText('43 left')).toBeVisible();
});

test('with credits for only one of the two, both prices are shown, nothing is sent, and the text stays @soak', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  const person = await signInAs(context, server, { credits: 5 });
  const word = uniqueWord();
  await page.goto('/chat/new');
  await waitForHydration(page);
  await compareWith(page, 'Deep');
  await sendMessage(page, `${word} ${noDelay}`);
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('6 credits');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('alert')).toHaveText(
    /^Two replies cost 1 credit and 5 credits, 6 credits in total\./,
  );
  await expect(composer(page)).toHaveValue(`${word} ${noDelay}`);
  await expect(page.getByRole('article')).toHaveCount(0);
  await compareWith(page, 'Deep');
  await composer(page).press('Enter');
  await expect(page.getByRole('article').getByRole('button', { name: 'Regenerate' })).toBeVisible();
  expect(await person.credits()).toBe(4);
  browserErrors.splice(0, browserErrors.length, ...browserErrors.filter((each) => !/402/.test(each)));
});

test.describe('right to left', () => {
  test.use({ locale: 'ar' });

  test('the chat’s own model is on the right @soak', async ({ page, context, server }) => {
    await signInAs(context, server, { credits: 50 });
    await page.goto('/chat/new');
    await waitForHydration(page);
    await page.getByRole('button', { name: /^النموذج: / }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Deep' }).click();
    const box = page.locator('.composer-input');
    await box.fill(`${uniqueWord()} ${noDelay}`);
    await box.press('Enter');
    await expect(page.getByRole('button', { name: 'المتابعة مع Deep' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'المتابعة مع Fast' })).toBeVisible();
    const leftEdge = async (name: string) =>
      (await page.getByRole('article', { name }).boundingBox())?.x ?? 0;
    expect(await leftEdge('Fast')).toBeGreaterThan(await leftEdge('Deep'));
    expect(await violationsOf(page)).toEqual([]);
    expect(await layoutFaults(page)).toEqual([]);
  });
});

test('no comparison is offered where only one model can be used @soak', async ({ page, context, server }) => {
  await changeSetting([server], ['set', 'models.list', fast, vast]);
  await signInAs(context, server);
  await page.goto('/chat/new');
  await waitForHydration(page);
  await picker(page).click();
  await expect(page.getByRole('menuitemradio')).toHaveCount(2);
  await expect(page.getByText('Compare with')).toHaveCount(0);
  await changeSetting([server], ['set', 'models.list', fast, deep, vast]);
});

test('both say what was left out of them, and a choice of models made meanwhile stays @soak', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server, { plan: 'pro' });
  const created = await person.send('POST', '/api/projects', { name: 'Bakery' });
  const { id: project } = (await created.json()) as { id: string };
  for (const name of ['first.txt', 'second.txt']) {
    const answer = await person.send('POST', `/api/files?name=${name}`, 'word '.repeat(5_000));
    const { id } = (await answer.json()) as { id: string };
    expect((await person.send('PUT', `/api/projects/${project}/files/${id}`)).status).toBe(200);
  }
  await page.goto(`/chat/new?project=${project}`);
  await waitForHydration(page);
  await compareWith(page, 'Deep');
  await expect(picker(page)).toHaveAccessibleName('Models: Fast + Deep');
  const chat = /\/api\/chats\/[0-9a-f-]{36}\?$/;
  const requests: Array<() => void> = [];
  let isHeld = true;
  await page.route(chat, async (route) => {
    const response = await route.fetch();
    if (isHeld) await new Promise<void>((proceed) => requests.push(proceed));
    await route.fulfill({ response });
  });
  await sendMessage(page, `What do they say? ${noDelay}`);
  await expect(choice(page, 'Deep')).toBeVisible();
  await expect.poll(() => requests.length).toBeGreaterThan(0);
  const saved = page.waitForResponse((response) => response.url().endsWith('/api/chats/model'));
  await picker(page).click();
  await second(page, 'Deep').click();
  expect((await saved).status()).toBe(204);
  await expect(picker(page)).toHaveAccessibleName('Model: Fast');
  isHeld = false;
  for (const proceed of requests) proceed();
  for (const model of ['Fast', 'Deep'])
    await expect(reply(page, model)).toContainText('Not everything fit in this reply: first.txt');
  await expect(picker(page)).toHaveAccessibleName('Model: Fast');
});
