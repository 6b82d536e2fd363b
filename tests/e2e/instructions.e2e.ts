import { violationsOf } from '../support/axe.ts';
import { gatewayLog, uniqueWord } from '../support/chat.ts';
import { waitForHydration } from '../support/hydration.ts';
import { composer, expect, sendMessage, signInAs, test } from '../support/journey.ts';
import { layoutFaults } from '../support/layout-faults.ts';
import { eventually } from '../support/server.ts';

test.use({ viewport: { width: 390, height: 844 } });

test('instructions are written, saved and switched off by keyboard, and the chat says that they apply', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server);
  await page.goto('/settings');
  await waitForHydration(page);
  const about = page.getByLabel('About you');
  const answers = page.getByLabel('How should it answer?');
  const save = page.getByRole('button', { name: 'Save instructions' });
  const applies = page.getByRole('link', { name: 'Personalized by your settings' });
  await expect(save).toBeDisabled();
  await about.fill('x'.repeat(1_501));
  await expect(page.getByText('1,501 of 1,500 characters')).toBeVisible();
  await save.press('Enter');
  await expect(page.getByRole('alert')).toHaveText('Use up to 1,500 characters in each field.');
  await expect(about).toBeFocused();
  const word = uniqueWord();
  await about.fill(`<b>${word}</b>`);
  await page.keyboard.press('Tab');
  await expect(answers).toBeFocused();
  await page.keyboard.type('Briefly.');
  expect(await violationsOf(page)).toEqual([]);
  expect(await layoutFaults(page)).toEqual([]);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(save).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Instructions saved.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Instructions' })).toBeFocused();
  await page.reload();
  await expect(about).toHaveValue(`<b>${word}</b>`);

  await page.goto('/chat/new');
  await waitForHydration(page);
  await expect(applies).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  expect(await layoutFaults(page)).toEqual([]);
  const question = uniqueWord();
  await sendMessage(page, `${question} [[tps:0]] [[first:0]]`);
  const [system] = await eventually(async () => (await gatewayLog(server, question))[0]?.messages);
  expect(system?.content).toContain(`<b>${word}</b>`);

  // Another tab disables the instructions; the next message shows that here.
  const other = await context.newPage();
  await other.goto('/settings');
  await waitForHydration(other);
  const enabled = other.getByRole('checkbox', { name: 'Use these in chats' });
  await enabled.focus();
  await other.keyboard.press('Space');
  await other.getByRole('button', { name: 'Save instructions' }).press('Enter');
  await expect(other.getByText('Instructions saved.')).toBeVisible();
  await composer(page).fill('again [[tps:0]] [[first:0]]');
  await composer(page).press('Enter');
  await expect(applies).toHaveCount(0);
  await page.reload();
  await expect(composer(page)).toBeVisible();
  await expect(applies).toHaveCount(0);
});
