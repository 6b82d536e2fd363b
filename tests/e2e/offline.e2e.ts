import { composer, expect, sendMessage, signInAs, test } from '../support/journey.ts';

const offlineNote = 'You’re offline. Your draft is saved; send it when you’re back.';

test('offline nothing is sent, then or automatically afterwards, and no typed text is lost', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  const person = await signInAs(context, server);
  const requestCount = async () => {
    const { rows } = await server.database.query(
      'select count(*)::int as n from generations where user_id = $1',
      [person.id],
    );
    return rows[0].n as number;
  };
  await page.goto('/chat');
  await sendMessage(page, 'Before [[tps:400]]');
  await expect(page.getByRole('button', { name: 'Regenerate' }).first()).toBeVisible();
  await expect.poll(requestCount).toBe(2);
  await context.setOffline(true);
  await expect(page.getByRole('status').filter({ hasText: offlineNote })).toBeVisible();
  await composer(page).fill('Into the void [[tps:400]]');
  await composer(page).press('Enter');
  await expect(composer(page)).toHaveValue('Into the void [[tps:400]]');
  await expect(page.getByText(offlineNote)).toHaveCount(1);
  await context.setOffline(false);
  await expect(page.getByText(offlineNote)).toHaveCount(0);
  await expect(page.getByText('The connection was lost.')).toHaveCount(0);
  await expect(composer(page)).toHaveValue('Into the void [[tps:400]]');
  expect(await requestCount()).toBe(2);
  await composer(page).press('Enter');
  await expect(page.locator('.bubble').last()).toHaveText('Into the void [[tps:400]]');
  await expect.poll(requestCount).toBe(3);
  // Removes browser errors of requests that failed while offline.
  browserErrors.splice(
    0,
    browserErrors.length,
    ...browserErrors.filter((text) => !text.includes('DISCONNECTED')),
  );
});
