import AxeBuilder from '@axe-core/playwright';
import { expect, say, signInAs, test } from '../support/journey.ts';

const pages = ['/', '/chat', '/sign-in', '/restore', '/nothing-here'];

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1280, 390]) {
    test.describe(`${colorScheme}, ${width} px`, () => {
      test.use({ colorScheme, viewport: { width, height: 900 } });

      test('pages, the sign-in dialog and a conversation have no violation', async ({
        page,
        context,
        server,
        complaints,
      }) => {
        const violations: string[] = [];
        const check = async (name: string) => {
          const { violations: found } = await new AxeBuilder({ page }).analyze();
          violations.push(
            ...found.map(
              ({ id, nodes }) => `${name}: ${id} ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
            ),
          );
          const wide = await page.evaluate(
            () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
          );
          if (wide) violations.push(`${name}: scrolls sideways`);
        };
        for (const path of pages) {
          await page.goto(path);
          await check(path);
        }
        await page.goto('/');
        await page.getByRole('link', { name: 'Sign In' }).first().click();
        await expect(page.getByRole('dialog')).toBeVisible();
        await check('the dialog');
        await signInAs(context, server);
        await page.goto('/chat/new');
        await say(page, 'Show me code and a table [[tps:0]]');
        await expect(page.getByRole('button', { name: 'Copy' }).first()).toBeVisible();
        await check('a conversation');
        await page.goto('/settings');
        await check('the settings');
        await page.getByRole('button', { name: 'Delete account…' }).click();
        await expect(page.getByRole('dialog', { name: 'Delete your account?' })).toBeVisible();
        await check('the dialog of deletion');
        expect(violations).toEqual([]);
        complaints.splice(0, complaints.length, ...complaints.filter((text) => !/404|410/.test(text)));
      });
    });
  }
}
