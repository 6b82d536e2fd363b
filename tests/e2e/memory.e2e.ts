import { violationsOf } from '../support/axe.ts';
import { noDelay, uniqueWord } from '../support/chat.ts';
import { waitForHydration } from '../support/hydration.ts';
import { composer, expect, sendMessage, signInAs, test } from '../support/journey.ts';
import { layoutFaults } from '../support/layout-faults.ts';

test.use({ viewport: { width: 390, height: 844 } });

test('a note is made from a message, a reply and a command, previewed before it is saved, and changed in the settings', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server);
  const notes = async () =>
    ((await (await person.get('/api/me/memory')).json()) as { notes: { text: string }[] }).notes.map(
      ({ text }) => text,
    );
  const [sentWord, typed] = [uniqueWord(), uniqueWord()];
  await page.goto('/chat/new');
  await sendMessage(page, `I like ${sentWord} ${noDelay}`);
  await expect(page.getByRole('button', { name: 'Regenerate' }).first()).toBeVisible();

  // Closing the dialog stores nothing.
  const remember = page.getByRole('button', { name: 'Remember this' }).first();
  await remember.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Remember this?' });
  const field = dialog.getByLabel('Note');
  await expect(field).toHaveValue(`I like ${sentWord} ${noDelay}`);
  expect(await violationsOf(page)).toEqual([]);
  expect(await layoutFaults(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  expect(await notes()).toEqual([]);

  await remember.press('Enter');
  await field.fill(`Likes ${sentWord}`);
  await dialog.getByRole('button', { name: 'Remember', exact: true }).press('Enter');
  await expect(page.getByText('Saved to memory.')).toBeVisible();
  await expect(dialog).toHaveCount(0);
  expect(await notes()).toEqual([`Likes ${sentWord}`]);

  await page.getByRole('button', { name: 'About this reply' }).last().press('Enter');
  await page.getByRole('button', { name: 'Remember this' }).last().click();
  await expect(field).not.toHaveValue('');
  await page.keyboard.press('Escape');

  // The command without text opens an empty note.
  await composer(page).fill('/rem');
  await expect(page.getByRole('option', { name: /^Add to memory/ })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(field).toHaveValue('');
  await page.keyboard.press('Escape');
  await expect(composer(page)).toHaveValue('');

  await sendMessage(page, `/remember ${typed}`);
  await expect(field).toHaveValue(typed);
  await dialog.getByRole('button', { name: 'Remember', exact: true }).click();
  await expect(composer(page)).toHaveValue('');
  expect(await notes()).toEqual([typed, `Likes ${sentWord}`]);
  await expect(page.getByRole('button', { name: 'Regenerate' })).toHaveCount(1);

  await page.goto('/settings');
  await waitForHydration(page);
  await page.getByRole('button', { name: `Edit ${typed}` }).press('Enter');
  const edited = page.getByLabel('Note', { exact: true });
  await expect(edited).toBeFocused();
  await edited.fill('Edited');
  await page.getByRole('button', { name: 'Save note' }).press('Enter');
  await expect(page.getByText('Note saved.')).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  expect(await layoutFaults(page)).toEqual([]);
  await page.getByRole('button', { name: `Delete Likes ${sentWord}` }).press('Enter');
  await expect(page.getByText('Note deleted.')).toBeVisible();
  await page.getByLabel('New note').fill('Added');
  await page.getByRole('button', { name: 'Add note' }).press('Enter');
  await expect(page.getByRole('listitem').filter({ hasText: 'Added' })).toBeVisible();
  expect(await notes()).toEqual(['Added', 'Edited']);
  await page.getByRole('checkbox', { name: 'Use memory in chats' }).press('Space');
  await expect(page.getByText('Memory is off.')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('checkbox', { name: 'Use memory in chats' })).not.toBeChecked();
});
