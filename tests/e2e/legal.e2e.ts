import { type StoredItem, storedItems } from '#app/pages/legal/stored-items.ts';
import { waitForHydration } from '../support/hydration.ts';
import { composer, expect, sendMessage, signInAs, test } from '../support/journey.ts';
import { withPushService } from '../support/push-service.ts';

const pages = ['/privacy', '/terms', '/cookies'];

test('each page has its dates, its address, its contents and no React @soak', async ({ page, server }) => {
  for (const path of pages) {
    const scripts: string[] = [];
    page.removeAllListeners('request');
    page.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.push(request.url());
    });
    await page.goto(path, { waitUntil: 'networkidle' });
    expect(scripts).toHaveLength(1);
    await expect(page.getByText('Effective January 1, 2024')).toBeVisible();
    await expect(page.getByText(/Last updated \w+ \d{1,2}, 20(2[6-9]|[3-9]\d)/)).toBeVisible();
    await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', server.url + path);
    await expect(page.locator('meta[name=description]')).toHaveAttribute('content', /.{60,}/);
    const contents = page.getByRole('navigation', { name: 'On this page' });
    const links = await contents.getByRole('link').evaluateAll((all) =>
      all.map((link) => ({
        text: link.textContent,
        heading: document.getElementById((link as HTMLAnchorElement).hash.slice(1))?.textContent,
      })),
    );
    expect(links.length).toBeGreaterThanOrEqual(6);
    for (const { text, heading } of links) expect(heading).toBe(text);
    const ids = await page.locator('[id]').evaluateAll((all) => all.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
  }
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('the pages read well, and offer nothing that would not work @soak', async ({ page }) => {
    for (const path of pages) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.locator('#consent')).toBeHidden();
    }
    await expect(page.getByRole('button', { name: 'Manage Cookie Preferences' })).toHaveCount(0);
    await expect(page.getByText('Where JavaScript is switched off')).toBeVisible();
    await expect(page.getByRole('rowheader', { name: 'session' })).toBeVisible();
  });
});

test.describe('the table of stored items', () => {
  test.use({ consent: 'all' });

  const pattern = (name: string) => new RegExp(`^${name.replaceAll('*', '.+')}$`);
  const listed = (kind: StoredItem['kind'], key: string) =>
    storedItems.some((item) => item.kind === kind && pattern(item.name).test(key));
  const local = storedItems.filter(({ kind }) => kind === 'local storage');

  test('lists every entry of local storage that a full tour leaves, and no other, and all cookies @soak', async ({
    page,
    context,
    server,
  }) => {
    const found = new Set<string>();
    const unlisted = new Set<string>();
    const record = async () => {
      const keys = await page.evaluate(async () => [
        Object.keys(localStorage),
        Object.keys(sessionStorage),
        (await indexedDB.databases()).map(({ name }) => name ?? ''),
        await caches.keys(),
      ]);
      const cookies = (await context.cookies()).map(({ name }) => name);
      for (const key of keys[0] ?? []) found.add(key);
      const kinds = ['local storage', 'session storage', 'database', 'cache', 'cookie'] as const;
      for (const [at, names] of [...keys, cookies].entries())
        for (const name of names)
          if (!listed(kinds[at] ?? 'cookie', name)) unlisted.add(`${kinds[at]}: ${name}`);
      return cookies;
    };
    await page.goto('/pricing');
    await page.getByRole('button', { name: 'Theme' }).click();
    await page.getByText('Dark', { exact: true }).click();
    await page.goto('/chat/new');
    await sendMessage(page, 'a guest asks [[tps:0]]');
    await expect(page.getByRole('dialog', { name: 'Sign in' })).toBeVisible();
    expect(await record()).toEqual([]);
    // Going to a provider sets a cookie.
    await page.request.get('/api/auth/google', { maxRedirects: 0 });
    expect(await record()).toEqual(['sign-in']);
    const person = await signInAs(context, server);
    await page.goto('/chat/new');
    // The waiting message is sent, so the page is hydrated.
    await expect(page.getByRole('button', { name: 'Copy' }).first()).toBeVisible();
    await composer(page).fill('a draft');
    await expect.poll(() => page.evaluate(() => Object.keys(localStorage).join())).toMatch(/\bdraft:/);
    await page.keyboard.press('Control+Shift+S');
    await page.keyboard.press('Control+/');
    await page.getByRole('checkbox', { name: 'Use these shortcuts' }).uncheck();
    await record();
    await page.goto('/tools/writer');
    const generate = page.getByRole('button', { name: /^Generate/ });
    await expect(async () => {
      await page.getByRole('textbox', { name: 'Prompt' }).fill('Bread [[tps:0]] [[first:0]]');
      await expect(generate).toBeEnabled({ timeout: 1_000 });
    }).toPass();
    await generate.click();
    await expect
      .poll(() => page.evaluate(() => Object.keys(localStorage).join()))
      .toMatch(/\bfunctional:writer/);
    for (const path of ['/tools/image', '/tools/pdf', '/tools/script', '/settings', '/dashboard', '/about'])
      await page.goto(path);
    expect(await page.evaluate(async () => (await indexedDB.databases()).length)).toBe(0);
    await page.goto('/settings');
    await waitForHydration(page);
    await page.getByRole('checkbox', { name: 'Keep recent chats on this device' }).check();
    await expect(page.getByText(/^\d chats? stored, /)).toBeVisible();
    await context.grantPermissions(['notifications']);
    await withPushService(context, server, person);
    await page.reload();
    await waitForHydration(page);
    await page.getByRole('checkbox', { name: 'Notify me when a reply is ready' }).click();
    await expect(page.getByText('Notifications are on for this device.')).toBeVisible();
    expect((await record()).sort()).toEqual(['session', 'sign-in']);
    const unused = local.filter(({ name }) => ![...found].some((key) => pattern(name).test(key)));
    expect([[...unlisted], unused]).toEqual([[], []]);
    await page.goto('/cookies');
    for (const { name } of storedItems)
      await expect(page.getByRole('rowheader', { name, exact: true })).toBeVisible();
  });
});
