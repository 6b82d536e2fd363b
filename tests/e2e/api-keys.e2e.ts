import { listKeys } from '../support/api-keys.ts';
import { violationsOf } from '../support/axe.ts';
import { waitForHydration } from '../support/hydration.ts';
import { expect, signInAs, test } from '../support/journey.ts';
import { layoutFaults } from '../support/layout-faults.ts';

test.use({ viewport: { width: 390, height: 844 }, permissions: ['clipboard-read', 'clipboard-write'] });

test('a key is created, copied, changed and revoked by keyboard', async ({ page, context, server }) => {
  const person = await signInAs(context, server);
  // The section's own script is loaded separately.
  await page.goto('/settings', { waitUntil: 'networkidle' });
  await waitForHydration(page);
  const section = page.getByRole('region', { name: 'API keys' });
  await expect(section.getByText('No keys yet.')).toBeVisible();
  await section.getByRole('button', { name: 'New key' }).press('Enter');
  const name = section.getByLabel('Key name');
  await expect(name).toBeFocused();
  expect(await violationsOf(page)).toEqual([]);
  expect(await layoutFaults(page)).toEqual([]);
  await name.press('Enter');
  await expect(section.getByText('Give the key a name.')).toBeVisible();
  await name.fill('My program');
  await section.getByRole('checkbox', { name: 'Images' }).press('Space');
  await section.getByLabel('Monthly credit limit').fill('0');
  await section.getByRole('button', { name: 'Create key' }).press('Enter');
  await expect(section.getByText('Enter a whole number from 1 to 1,000,000.')).toBeVisible();
  await section.getByLabel('Monthly credit limit').fill('25');
  await section.getByRole('button', { name: 'Create key' }).press('Enter');

  const copy = section.getByRole('button', { name: 'Copy key' });
  await expect(copy).toBeFocused();
  const secret = await section.getByText(/^ait_[\w-]{43}$/).textContent();
  await copy.press('Enter');
  await expect(section.getByRole('button', { name: 'Copied' })).toBeVisible();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
  await expect(section.getByText('Up to 25 credits a month')).toBeVisible();
  await expect(section.getByText('This month: 0 requests, 0 credits')).toBeVisible();
  await section.getByText('Example', { exact: true }).press('Enter');
  await expect(section.getByText(`baseURL: '${server.url}/v1'`)).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  expect(await layoutFaults(page)).toEqual([]);
  expect(await listKeys(person)).toMatchObject([{ name: 'My program', scopes: ['chat'], ceiling: 25 }]);

  // The secret is shown only once.
  await page.reload({ waitUntil: 'networkidle' });
  await waitForHydration(page);
  await expect(section.getByText('My program')).toBeVisible();
  expect(await page.content()).not.toContain(secret ?? '-');
  await section.getByRole('button', { name: 'Edit My program' }).press('Enter');
  await name.fill('Renamed');
  await section.getByRole('button', { name: 'Save key' }).press('Enter');
  await expect(page.getByText('Key saved.')).toBeVisible();
  await section.getByRole('button', { name: 'Revoke Renamed' }).press('Enter');
  await expect(section.getByRole('button', { name: 'Cancel' })).toBeFocused();
  expect(await violationsOf(page)).toEqual([]);
  await section.getByRole('button', { name: 'Revoke Renamed' }).press('Enter');
  await expect(page.getByText('Key revoked.')).toBeVisible();
  await expect(section.getByText('No keys yet.')).toBeVisible();
  expect(await listKeys(person)).toEqual([]);
});
