import { waitForHydration } from '../support/hydration.ts';
import { cacheNames, controlled, installed } from '../support/installed.ts';
import { composer, expect, sendMessage, signInAs, test } from '../support/journey.ts';
import { changeSetting } from '../support/settings.ts';

const offlineNote = 'You’re offline';

/** Removes browser errors of requests that failed while offline. */
const dropErrors = (browserErrors: string[]) =>
  browserErrors.splice(
    0,
    browserErrors.length,
    ...browserErrors.filter((text) => !/DISCONNECTED|Failed to fetch/.test(text)),
  );

test('a page in a tab keeps no service worker @soak', async ({ page, context, server }) => {
  await signInAs(context, server);
  await page.goto('/chat');
  await waitForHydration(page);
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
});

test('the installed app says that it is offline, and continues when it is back', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  await installed(context);
  await signInAs(context, server);
  await page.goto('/dashboard');
  await controlled(page);
  await context.setOffline(true);
  await page.goto('/tools/writer');
  await expect(page.getByRole('heading', { name: offlineNote })).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/tools/writer');
  // Requests for anything but app pages fail as in any browser.
  const api = await page.evaluate(() =>
    fetch('/api/me').then(
      () => 'answered',
      () => 'failed',
    ),
  );
  expect(api).toBe('failed');
  await context.setOffline(false);
  await expect(page.getByRole('heading', { name: 'You’re back online' })).toBeVisible();
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect(page.getByRole('heading', { name: 'AI Writer' })).toBeVisible();
  dropErrors(browserErrors);
});

test('a reply streams, and pages come from the server, while a worker is active', async ({
  page,
  context,
  server,
}) => {
  await installed(context);
  await signInAs(context, server);
  await page.goto('/chat');
  await controlled(page);
  await page.reload();
  await sendMessage(page, 'Hello [[tps:200]] [[answer:lorem]] [[tokens:40]]');
  await expect(page.locator('.md').getByText('w0040')).toBeVisible();
  // The worker caches no API responses and no personal pages.
  const paths = await page.evaluate(async () => {
    const names = await caches.keys();
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return requests.flat().map(({ url }) => new URL(url).pathname);
  });
  expect(paths.length).toBeGreaterThan(3);
  for (const path of paths) expect(path).toMatch(/^\/(assets\/.+\.(js|css|woff2)|offline)$/);
});

test('a new build takes over, with nothing of the old one or of other sites in its cache @soak', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  await installed(context);
  await signInAs(context, server);
  await page.goto('/dashboard');
  await controlled(page);
  const [before = ''] = await cacheNames(page);
  await changeSetting([server], ['set', 'brand.name', 'Quill']);
  // Plants stale pages in the new cache and in a cache with our prefix; the worker must replace or delete them.
  const next = await page.evaluate(async () => {
    const code = await (await fetch('/service-worker.js')).text();
    const { cache, page: path } = JSON.parse(/offlineFiles = (.*);\n/.exec(code)?.[1] ?? '') as {
      cache: string;
      page: string;
    };
    for (const name of [cache, 'offline-of-a-stranger'])
      await (await caches.open(name)).put(path, new Response('stale', { status: 200 }));
    return cache;
  });
  await page.goto('/library');
  await expect.poll(() => cacheNames(page)).toEqual([next]);
  expect(next).not.toBe(before);
  await expect(page).toHaveTitle(/Quill/);
  await context.setOffline(true);
  await page.goto('/library');
  await expect(page.getByRole('heading', { name: offlineNote })).toBeVisible();
  await expect(page).toHaveTitle(/Quill/);
  await context.setOffline(false);
  await changeSetting([server], ['unset', 'brand.name']);
  dropErrors(browserErrors);
});

test('when switched off it removes itself and its cache @soak', async ({ page, context, server }) => {
  await installed(context);
  await signInAs(context, server);
  await page.goto('/dashboard');
  await controlled(page);
  await changeSetting([server], ['set', 'app.offline', 'false']);
  await page.goto('/library');
  await expect
    .poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length))
    .toBe(0);
  expect(await cacheNames(page)).toEqual([]);
  await page.goto('/chat/new');
  await waitForHydration(page);
  await expect(composer(page)).toBeVisible();
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
  await changeSetting([server], ['unset', 'app.offline']);
});
