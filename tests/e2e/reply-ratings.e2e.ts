import { violationsOf } from '../support/axe.ts';
import { waitForHydration } from '../support/hydration.ts';
import { expect, sendMessage, signInAs, test } from '../support/journey.ts';

test('a reply is rated by keyboard with a reason, and a rating that cannot be stored is reverted', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  await signInAs(context, server);
  await page.goto('/chat/new');
  await waitForHydration(page);
  await sendMessage(page, 'How long is a year? [[tps:0]] [[first:0]]');
  const [good, bad] = [
    page.getByRole('button', { name: 'Good reply' }),
    page.getByRole('button', { name: 'Bad reply' }),
  ];
  const reasons = page.getByRole('dialog', { name: 'What was wrong with it?' });
  await good.focus();
  await page.keyboard.press('Enter');
  await expect(good).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('Tab');
  await expect(bad).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(good).toHaveAttribute('aria-pressed', 'false');
  await expect(reasons).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
  await page.keyboard.press('Tab');
  await expect(reasons.getByRole('button', { name: 'Not accurate' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(reasons).toBeHidden();
  await expect(bad).toBeFocused();
  await expect(bad).toHaveAttribute('aria-pressed', 'true');
  await expect
    .poll(
      async () =>
        (await server.database.query('select reason from reply_ratings order by created_at desc')).rows[0],
    )
    .toEqual({ reason: 'wrong' });

  await page.reload();
  await waitForHydration(page);
  await expect(bad).toHaveAttribute('aria-pressed', 'true');
  await context.setOffline(true);
  await good.click();
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(bad).toHaveAttribute('aria-pressed', 'true');
  await context.setOffline(false);
  browserErrors.splice(
    0,
    browserErrors.length,
    ...browserErrors.filter((text) => !/ERR_INTERNET/.test(text)),
  );
  await bad.click();
  await expect(bad).toHaveAttribute('aria-pressed', 'false');
});
