import type { Page } from '@playwright/test';
import { violationsOf } from '../support/axe.ts';
import { seedChats } from '../support/chat-list.ts';
import { waitForHydration } from '../support/hydration.ts';
import { composer, expect, sendMessage, signInAs, test } from '../support/journey.ts';
import { layoutFaults } from '../support/layout-faults.ts';
import type { Person } from '../support/people.ts';

const list = (page: Page) => page.getByRole('navigation', { name: 'Recent chats' });
const projects = (page: Page) => page.getByRole('navigation', { name: 'Projects' });
const project = (page: Page, name: string) => projects(page).getByRole('button', { name, exact: true });
const chatsOf = (page: Page, name: string) =>
  projects(page).getByRole('list', { name, exact: true }).getByRole('link');
const item = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true });
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });
const options = (page: Page, title: string) => page.getByRole('button', { name: `Options for “${title}”` });
const heading = (page: Page) => page.locator('.chat-head h1');
const hours = (count: number) => new Date(Date.now() - count * 3_600_000);

const three = [
  { title: 'First', updatedAt: hours(1) },
  { title: 'Second', updatedAt: hours(2) },
  { title: 'Third', updatedAt: hours(3) },
];

async function create(person: Person, name: string): Promise<string> {
  const answer = await person.send('POST', '/api/projects', { name });
  return ((await answer.json()) as { id: string }).id;
}

test('a project is created, filled and left by keyboard, and another tab follows', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server);
  await seedChats(server, person, three);
  await page.goto('/chat/new');
  await waitForHydration(page);
  const other = await context.newPage();
  await other.goto('/chat/new');
  await waitForHydration(other);
  await page.bringToFront();
  await expect(projects(page)).toHaveCount(0);

  await list(page).getByRole('button', { name: 'Options for recent chats' }).press('Enter');
  await expect(item(page, 'Select chats')).toBeFocused();
  await item(page, 'New project').press('Enter');
  const making = dialog(page, 'New project');
  await making.getByRole('button', { name: 'Create project' }).press('Enter');
  await expect(making.getByRole('alert')).toHaveText('Enter a name for the project.');
  await making.getByLabel('Name').fill('Bakery');
  await making.getByLabel('Instructions').fill('Answer as a baker.');
  expect(await violationsOf(page)).toEqual([]);
  await making.getByLabel('Name').press('Enter');
  await expect(making).toBeHidden();
  await expect(project(page, 'Bakery')).toHaveAttribute('aria-expanded', 'false');
  await expect(project(other, 'Bakery')).toBeVisible();

  await options(page, 'Second').press('Enter');
  await expect(item(page, 'Rename')).toBeFocused();
  await item(page, 'Move to project').press('Enter');
  const moving = dialog(page, 'Move to project');
  await expect(moving.getByRole('button', { name: 'No project' })).toHaveAttribute('aria-current', 'true');
  expect(await violationsOf(page)).toEqual([]);
  await moving.getByRole('button', { name: 'Bakery' }).press('Enter');
  await expect(page.locator('#toasts')).toContainText('1 chat was moved to “Bakery”.');
  await project(page, 'Bakery').press('Enter');
  await expect(chatsOf(page, 'Bakery')).toHaveText(['Second']);
  expect(await violationsOf(page)).toEqual([]);
  expect(await layoutFaults(page)).toEqual([]);
  await project(other, 'Bakery').press('Enter');
  await expect(chatsOf(other, 'Bakery')).toHaveText(['Second']);
  await page.keyboard.press('F6');
  await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(projects(page).getByText('Chats in this project will appear here.')).toBeVisible();
  await expect(projects(other).getByText('Chats in this project will appear here.')).toBeVisible();
});

test('a new chat starts in its project, which its heading names @soak', async ({ page, context, server }) => {
  const person = await signInAs(context, server);
  await create(person, 'Bakery');
  await page.goto('/chat/new');
  await waitForHydration(page);
  await project(page, 'Bakery').click();
  await projects(page).getByRole('link', { name: 'New chat in “Bakery”' }).click();
  await expect(page).toHaveURL(/\/chat\/new\?project=/);
  const greeting = page.getByRole('heading', { name: 'Bakery', level: 2 });
  await expect(greeting).toBeVisible();
  await page.reload();
  await waitForHydration(page);
  await expect(greeting).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  await sendMessage(page, 'Rolls [[tps:0]] [[first:0]]');
  await expect(page).toHaveURL(/\/chat\/[0-9a-f-]{36}$/);
  await expect(chatsOf(page, 'Bakery')).toHaveCount(1);
  await expect(chatsOf(page, 'Bakery')).toHaveAttribute('aria-current', 'page');

  await expect(heading(page)).toHaveText(/^Bakery \/ /);
  await projects(page).getByRole('button', { name: 'Options for project “Bakery”' }).press('Enter');
  await expect(item(page, 'Project settings')).toBeFocused();
  await page.keyboard.press('Enter');
  const settings = dialog(page, 'Project settings');
  await settings.getByLabel('Name').fill('Cakes');
  await settings.getByRole('button', { name: 'Save' }).press('Enter');
  await expect(heading(page)).toHaveText(/^Cakes \/ /);
  await expect(project(page, 'Cakes')).toBeVisible();
  await page.reload();
  await waitForHydration(page);
  await expect(chatsOf(page, 'Cakes')).toHaveCount(1);

  await page.getByRole('button', { name: 'Chat options', exact: true }).click();
  await page.getByRole('button', { name: 'Move to project', exact: true }).click();
  const moving = dialog(page, 'Move to project');
  await moving.getByLabel('New project').fill('Tarts');
  await moving.getByRole('button', { name: 'Create and move' }).click();
  await expect(heading(page)).toHaveText(/^Tarts \/ /);
  await expect(project(page, 'Tarts')).toBeVisible();
});

test('several chats are moved at once, and a deleted project is restored with them @soak', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server);
  await seedChats(server, person, three);
  await create(person, 'Bakery');
  await page.goto('/chat/new');
  await waitForHydration(page);
  await project(page, 'Bakery').click();
  await list(page).getByRole('button', { name: 'Options for recent chats' }).press('Enter');
  await expect(item(page, 'Select chats')).toBeFocused();
  await page.keyboard.press('Enter');
  const selection = page.getByRole('navigation', { name: 'Select chats' });
  await selection.getByRole('checkbox', { name: 'First' }).press('Space');
  await selection.getByRole('checkbox', { name: 'Third' }).press('Space');
  await selection.getByRole('button', { name: 'Move to project' }).press('Enter');
  await dialog(page, 'Move to project').getByRole('button', { name: 'Bakery' }).press('Enter');
  await expect(chatsOf(page, 'Bakery')).toHaveText(['First', 'Third']);
  await expect(selection).toBeHidden();

  const more = projects(page).getByRole('button', { name: 'Options for project “Bakery”' });
  await more.press('Enter');
  await expect(item(page, 'Project settings')).toBeFocused();
  expect(await violationsOf(page)).toEqual([]);
  await item(page, 'Delete').press('Enter');
  await expect(projects(page)).toHaveCount(0);
  await expect(list(page).getByRole('link')).toHaveText(['First', 'Second', 'Third']);
  await expect(list(page).getByRole('button', { name: 'Options for recent chats' })).toBeFocused();
  await expect(page.locator('#toasts')).toContainText('“Bakery” was deleted. Its chats were kept.');
  await page.keyboard.press('F6');
  await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused();
  await page.keyboard.press('Enter');
  await project(page, 'Bakery').click();
  await expect(chatsOf(page, 'Bakery')).toHaveText(['First', 'Third']);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('a project opens in the drawer, and a new chat in it closes the drawer @soak', async ({
    page,
    context,
    server,
  }) => {
    const person = await signInAs(context, server);
    await create(person, 'A project with a name that is much longer than a phone has room for in a row');
    await page.goto('/chat/new');
    await waitForHydration(page);
    await page.locator('.chat-head button[popovertarget]').tap();
    await projects(page)
      .getByRole('button', { name: /^A project/ })
      .tap();
    expect(await violationsOf(page)).toEqual([]);
    expect(await layoutFaults(page)).toEqual([]);
    await projects(page)
      .getByRole('link', { name: /^New chat in/ })
      .tap();
    await expect(page.getByRole('heading', { name: /^A project with a name/, level: 2 })).toBeVisible();
    await expect(composer(page)).toBeVisible();
    expect(await violationsOf(page)).toEqual([]);
    expect(await layoutFaults(page)).toEqual([]);
  });
});
