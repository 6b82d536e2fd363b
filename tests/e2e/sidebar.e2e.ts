import type { Page } from '@playwright/test';
import { seedChats } from '../support/chat-list.ts';
import { waitForHydration } from '../support/hydration.ts';
import { composer, expect, signInAs, test } from '../support/journey.ts';
import { eventually, type TestServer } from '../support/server.ts';
import { soak } from '../support/soak.ts';

const sidebar = (page: Page) => page.locator('#chat-sidebar');
const list = (page: Page) => page.getByRole('navigation', { name: 'Recent chats' });
const link = (page: Page, title: string) => list(page).getByRole('link', { name: title });
const group = (page: Page, name: string) => list(page).getByRole('list', { name });
const options = (page: Page, title: string) =>
  list(page).getByRole('button', { name: `Options for “${title}”` });
const titleField = (page: Page) => list(page).getByRole('textbox', { name: 'Chat title' });
const opener = (page: Page) => page.locator('.chat-head button[popovertarget]');
const phone = { width: 390, height: 844 };

const hours = (count: number) => new Date(Date.now() - count * 3_600_000);
const titleOf = async (server: TestServer, id: string) =>
  (await server.database.query<{ title: string }>('select title from chat_sessions where id = $1', [id]))
    .rows[0]?.title;

/** Returns the last midnight of a zone without daylight saving time, `offset` hours ahead of UTC. */
function midnight(offset: number): number {
  const day = 86_400_000;
  const local = Date.now() + offset * 3_600_000;
  return local - (local % day) - offset * 3_600_000;
}

for (const [zone, offset] of [
  ['Pacific/Kiritimati', 14],
  ['Pacific/Pago_Pago', -11],
].slice(soak ? 0 : 1) as Array<[string, number]>) {
  test.describe(zone, () => {
    test.use({ timezoneId: zone });

    test('chats are grouped by the days of the viewer’s calendar, and regrouped at midnight', async ({
      page,
      context,
      server,
    }) => {
      const person = await signInAs(context, server);
      const start = midnight(offset);
      const from = (days: number, minutes: number) => new Date(start - days * 86_400_000 + minutes * 60_000);
      const month = from(45, 60);
      await seedChats(server, person, [
        { title: 'just after midnight', updatedAt: from(0, 1) },
        { title: 'just before midnight', updatedAt: from(0, -1) },
        { title: 'two days ago', updatedAt: from(2, 1) },
        { title: 'a week ago', updatedAt: from(7, 1) },
        { title: 'eight days ago', updatedAt: from(7, -1) },
        { title: 'long ago', updatedAt: month },
      ]);
      await page.clock.install();
      await page.goto('/chat/new');
      await waitForHydration(page);
      await expect(group(page, 'Today')).toContainText('just after midnight');
      await expect(group(page, 'Yesterday')).toContainText('just before midnight');
      await expect(group(page, 'Previous 7 days').getByRole('link')).toHaveCount(2);
      await expect(group(page, 'Previous 30 days')).toContainText('eight days ago');
      const name = month.toLocaleDateString('en-US', { month: 'long', year: 'numeric', timeZone: zone });
      await expect(group(page, name)).toContainText('long ago');
      const long = month.toLocaleString('en-US', { dateStyle: 'long', timeZone: zone });
      await expect(link(page, 'long ago')).toHaveAttribute(
        'title',
        new RegExp(`^long ago\nLast updated ${long} at`),
      );
      await page.clock.fastForward('24:00:00');
      await expect(group(page, 'Yesterday')).toContainText('just after midnight');
      await expect(group(page, 'Previous 7 days')).toContainText('just before midnight');
    });
  });
}

test('the menu of a row works by keyboard, moves nothing, and returns the focus @soak', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server);
  const [, id = ''] = await seedChats(server, person, [
    { title: 'Above', updatedAt: hours(1) },
    { title: 'Middle', updatedAt: hours(2) },
    { title: 'Below', updatedAt: hours(3) },
  ]);
  await page.goto('/chat/new');
  await waitForHydration(page);
  const place = await link(page, 'Middle').boundingBox();
  await link(page, 'Middle').focus();
  await page.keyboard.press('Tab');
  await expect(options(page, 'Middle')).toBeFocused();
  await page.keyboard.press('Enter');
  const menu = page.getByRole('menu');
  await expect(menu.getByRole('menuitem', { name: 'Rename' })).toBeFocused();
  await expect(options(page, 'Middle')).toHaveAttribute('aria-expanded', 'true');
  expect(await link(page, 'Middle').boundingBox()).toEqual(place);
  await page.keyboard.press('ArrowUp');
  await expect(menu.getByRole('menuitem', { name: 'Delete' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(menu.getByRole('menuitem', { name: 'Export as Markdown' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
  await expect(options(page, 'Middle')).toBeFocused();

  await page.keyboard.press('Enter');
  await expect(menu.getByRole('menuitem', { name: 'Rename' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(titleField(page)).toBeFocused();
  const box = await titleField(page).boundingBox();
  expect([box?.y, box?.height]).toEqual([place?.y, place?.height]);
  await page.keyboard.type('  In the middle ');
  await page.keyboard.press('Enter');
  await expect(link(page, 'In the middle')).toBeFocused();
  await eventually(async () => (await titleOf(server, id)) === 'In the middle');

  await page.keyboard.press('F2');
  await page.keyboard.type('Not this');
  await page.keyboard.press('Escape');
  await expect(link(page, 'In the middle')).toBeFocused();
  await page.keyboard.press('F2');
  await page.keyboard.type('   ');
  await page.keyboard.press('Enter');
  await expect(link(page, 'In the middle')).toBeFocused();
  await page.keyboard.press('F2');
  await page.keyboard.type('Left');
  await composer(page).click();
  await expect(link(page, 'Left')).toBeVisible();
  await expect(composer(page)).toBeFocused();
  await eventually(async () => (await titleOf(server, id)) === 'Left');
});

test('a deleted chat can be restored; the focus moves to its neighbour', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server);
  await seedChats(server, person, [
    { title: 'Above', updatedAt: hours(1) },
    { title: 'Middle', updatedAt: hours(2) },
    { title: 'Below', updatedAt: hours(3) },
  ]);
  await page.goto('/chat/new');
  await waitForHydration(page);
  const remove = async (title: string) => {
    await options(page, title).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeFocused();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await expect(link(page, title)).toBeHidden();
  };
  await remove('Middle');
  await expect(link(page, 'Below')).toBeFocused();
  await page.keyboard.press('F6');
  await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(list(page).getByRole('link')).toHaveText([/^Above/, /^Middle/, /^Below/]);
  await remove('Below');
  await expect(link(page, 'Middle')).toBeFocused();
  await page.reload();
  await expect(list(page).getByRole('link')).toHaveCount(2);
});

test('pages of the list load as its end comes into view, and stay when a chat is opened @soak', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server);
  await seedChats(
    server,
    person,
    Array.from({ length: 75 }, (_, at) => ({ title: `Chat ${at + 1}.`, updatedAt: hours(at + 1) })),
  );
  await page.goto('/chat/new');
  await waitForHydration(page);
  await expect(list(page).getByRole('link')).toHaveCount(30);
  const rows = list(page).locator('.chat-row');
  await rows.last().scrollIntoViewIfNeeded();
  await expect(rows).toHaveCount(60);
  await rows.last().scrollIntoViewIfNeeded();
  await expect(rows).toHaveCount(75);
  await link(page, 'Chat 70.').click();
  await expect(link(page, 'Chat 70.')).toHaveAttribute('aria-current', 'page');
  await expect(rows).toHaveCount(75);
  await expect(link(page, 'Chat 70.')).toBeInViewport();
});

test('the sidebar can be hidden, stays hidden, and does not flash on the next load @soak', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  await signInAs(context, server);
  await page.goto('/chat/new');
  await waitForHydration(page);
  await expect(opener(page)).toBeHidden();
  await page.getByRole('button', { name: 'Hide sidebar' }).press('Enter');
  await expect(sidebar(page)).toBeHidden();
  await expect(opener(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(sidebar(page)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Hide sidebar' })).toBeFocused();
  await composer(page).focus();
  await page.keyboard.press('ControlOrMeta+Shift+S');
  await expect(sidebar(page)).toBeHidden();
  await expect(composer(page)).toBeFocused();
  // Without scripts only the HTML and its inline script decide.
  await page.route('**/*.js', (route) => route.abort());
  await page.reload();
  await expect(page.locator('.chat-head')).toBeVisible();
  await expect(sidebar(page)).toBeHidden();
  await page.unroute('**/*.js');
  await page.reload();
  await waitForHydration(page);
  await expect(sidebar(page)).toBeHidden();
  await page.keyboard.press('ControlOrMeta+Shift+S');
  await expect(sidebar(page)).toBeVisible();
  await page.reload();
  await expect(sidebar(page)).toBeVisible();
  browserErrors.splice(
    0,
    browserErrors.length,
    ...browserErrors.filter((text) => !text.includes('ERR_FAILED')),
  );
});

test.describe('on a phone', () => {
  test.use({ viewport: phone, hasTouch: true, isMobile: true });

  test('a chat deleted in the drawer is restored by the toast above it @soak', async ({
    page,
    context,
    server,
  }) => {
    const person = await signInAs(context, server);
    await seedChats(server, person, [
      { title: 'Kept', updatedAt: hours(1) },
      { title: 'Regretted', updatedAt: hours(2) },
    ]);
    await page.goto('/chat/new');
    await waitForHydration(page);
    await opener(page).tap();
    await options(page, 'Regretted').tap();
    await page.getByRole('menuitem', { name: 'Delete' }).tap();
    await expect(link(page, 'Regretted')).toBeHidden();
    // A tap outside the drawer closes it, even one on the toast.
    await page.getByRole('button', { name: 'Undo' }).tap();
    await expect(sidebar(page)).toBeHidden();
    await opener(page).tap();
    await expect(link(page, 'Regretted')).toBeVisible();
  });

  test('the drawer traps the keyboard focus, and Esc, Back, the backdrop and a choice close it @soak', async ({
    page,
    context,
    server,
  }) => {
    const person = await signInAs(context, server);
    await seedChats(server, person, [
      { title: 'First', updatedAt: hours(1) },
      { title: 'Second', updatedAt: hours(2) },
    ]);
    await page.goto('/');
    await page.goto('/chat/new');
    await waitForHydration(page);
    const drawer = page.getByRole('dialog', { name: 'Chats' });
    const hasFocusInside = () =>
      page.evaluate(() => document.activeElement?.closest('#chat-sidebar') !== null);
    const address = page.url();
    await expect(sidebar(page)).toBeHidden();

    await opener(page).tap();
    await expect(drawer).toBeVisible();
    for (let steps = 0; steps < 20; steps += 1) {
      const focused = await page.evaluate(() => document.activeElement?.tagName);
      expect((await hasFocusInside()) || focused === 'BODY').toBe(true);
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Escape');
    await expect(sidebar(page)).toBeHidden();
    await expect(opener(page)).toBeFocused();
    await expect(page.locator('.chat-main')).not.toHaveAttribute('inert');

    await opener(page).tap();
    await expect(drawer).toBeVisible();
    await page.goBack();
    await expect(sidebar(page)).toBeHidden();
    expect(page.url()).toBe(address);

    await opener(page).tap();
    await page.touchscreen.tap(phone.width - 8, 400);
    await expect(sidebar(page)).toBeHidden();

    await opener(page).tap();
    await options(page, 'Second').tap();
    await page.getByRole('menuitem', { name: 'Rename' }).tap();
    await expect(titleField(page)).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(drawer).toBeVisible();
    await link(page, 'Second').tap();
    await expect(page).toHaveURL(/\/chat\/[0-9a-f-]{36}$/);
    await expect(sidebar(page)).toBeHidden();
    await page.goBack();
    await expect(page).toHaveURL(/\/chat\/new$/);
  });
});

test('a guest who picks a tool or a new chat is asked to sign in; the boxes show the plans @soak', async ({
  page,
  context,
  server,
}) => {
  await page.goto('/chat/new');
  await waitForHydration(page);
  const dialog = page.getByRole('dialog', { name: 'Sign in' });
  await expect(sidebar(page).getByText('GUEST')).toBeVisible();
  const tools = page.getByRole('navigation', { name: 'AI tools' });
  await expect(tools.getByRole('link')).toHaveCount(5);
  await tools.getByRole('link').first().press('Enter');
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(/\/tools\/writer$/);
  await page.goBack();
  await sidebar(page).getByRole('link', { name: 'New Chat' }).click();
  await expect(dialog).toBeVisible();

  await signInAs(context, server, { credits: 7 });
  await page.goto('/chat/new');
  await expect(sidebar(page).getByText('FREE PLAN')).toBeVisible();
  await expect(sidebar(page).getByText('7 credits left')).toBeVisible();
  await expect(list(page).getByText('Your chats will appear here.')).toBeVisible();
  await waitForHydration(page);
  await tools.getByRole('link', { name: 'AI Writer' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'AI Writer' })).toBeVisible();
  await page.goBack();
  await sidebar(page).getByRole('button', { name: 'Go Pro' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();

  await signInAs(context, server, { plan: 'pro' });
  await page.goto('/chat/new');
  await expect(sidebar(page).getByText('PRO PLAN')).toBeVisible();
  await expect(sidebar(page).getByText('Unlimited')).toBeVisible();
  await expect(sidebar(page).getByRole('button', { name: 'Go Pro' })).toBeHidden();
});
