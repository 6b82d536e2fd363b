import { violationsOf } from '../support/axe.ts';
import { waitForHydration } from '../support/hydration.ts';
import { chatgptHistory } from '../support/imports.ts';
import { expect, signInAs, test } from '../support/journey.ts';
import { layoutFaults } from '../support/layout-faults.ts';

test.use({ viewport: { width: 390, height: 844 } });

const fileOf = (content: string, name: string) => ({
  name,
  mimeType: 'application/json',
  buffer: Buffer.from(content),
});

test('a history is imported, announced after a reload, and opened; another is refused with an explanation', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server);
  // The section's own script is loaded separately.
  await page.goto('/settings', { waitUntil: 'networkidle' });
  await waitForHydration(page);
  const section = page.getByRole('region', { name: 'Import chats' });
  const status = section.getByRole('status');
  const file = section.getByLabel('File to import');

  await file.setInputFiles(fileOf('', 'empty.json'));
  await expect(section.getByText('This file is empty.')).toBeVisible();
  await file.setInputFiles(fileOf('<html>', 'chat.html'));
  await expect(status).toHaveText('chat.html can’t be read: it isn’t a complete ZIP or JSON file.');
  expect(await violationsOf(page)).toEqual([]);

  await file.setInputFiles(fileOf(JSON.stringify(chatgptHistory('kestrel')), 'conversations.json'));
  await expect(status).toHaveText('conversations.json was imported.');
  await expect(section.getByText('2 chats added')).toBeVisible();
  await expect(section.getByText('1 image', { exact: true })).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  expect(await layoutFaults(page)).toEqual([]);

  await page.reload({ waitUntil: 'networkidle' });
  await waitForHydration(page);
  await expect(status).toHaveText('conversations.json was imported.');
  await section.getByRole('link', { name: 'Open chats' }).click();
  await expect(page.getByRole('heading', { name: 'See this kestrel' })).toBeVisible();
  await expect(page.getByText('(1 image was not imported.)')).toBeVisible();
});

test('a running import shows its progress, and can be stopped @soak', async ({ page, context, server }) => {
  const person = await signInAs(context, server);
  await server.database.query(
    `insert into imports (id, user_id, name, bytes, language, state, total, handled, touched_at)
     values (gen_random_uuid(), $1, 'history.zip', 10, 'en', 'running', 200, 50, app_now() + interval '1 hour')`,
    [person.id],
  );
  await page.goto('/settings', { waitUntil: 'networkidle' });
  await waitForHydration(page);
  const section = page.getByRole('region', { name: 'Import chats' });
  await expect(section.getByRole('status')).toHaveText('Importing history.zip. You can leave this page.');
  await expect(section.getByRole('progressbar')).toHaveAttribute('value', '0.25');
  await expect(section.getByRole('button', { name: 'Choose file' })).toHaveAttribute('aria-disabled', 'true');
  expect(await violationsOf(page)).toEqual([]);
  await section.getByRole('button', { name: 'Stop import' }).press('Enter');
  await expect(section.getByRole('status')).toHaveText(
    'You stopped importing history.zip. What was imported so far is in your chats.',
  );
});

test('a part whose connection drops, or that the server rejects, is sent again @soak', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  await signInAs(context, server);
  await page.goto('/settings', { waitUntil: 'networkidle' });
  await waitForHydration(page);
  let sent = 0;
  await page.route('**/parts/0', (route) => {
    sent++;
    if (sent === 1) return route.abort('connectionreset');
    return sent === 2 ? route.fulfill({ status: 503, body: '' }) : route.continue();
  });
  const section = page.getByRole('region', { name: 'Import chats' });
  const content = JSON.stringify(chatgptHistory('plover'));
  await section.getByLabel('File to import').setInputFiles(fileOf(content, 'conversations.json'));
  await expect(section.getByRole('status')).toHaveText('conversations.json was imported.');
  expect(sent).toBe(3);
  expect(browserErrors.splice(0)).toHaveLength(2);
});
