import type { BrowserContext, Page, Worker } from '@playwright/test';
import { notifyingKey } from '#features/devices/contract.ts';
import { send, waitForEnd } from '../support/chat.ts';
import { waitForHydration } from '../support/hydration.ts';
import { expect, signInAs, test } from '../support/journey.ts';
import { notificationsOf, waitForNotifications } from '../support/notifications.ts';
import { withPushService } from '../support/push-service.ts';
import { eventually, type TestServer } from '../support/server.ts';

const onDevice = (page: Page) => page.getByRole('checkbox', { name: 'Notify me when a reply is ready' });

async function openSettings(page: Page): Promise<void> {
  await page.goto('/settings');
  await waitForHydration(page);
  await expect(onDevice(page)).not.toBeChecked();
}

/** Passes a push to the worker, as the browser does after decrypting it. */
async function deliver(page: Page, server: TestServer, notification: object): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) =>
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [registration] = registrations;
      if (registration) resolve(registration.registrationId);
    }),
  );
  await cdp.send('ServiceWorker.enable');
  const registrationId = await registered;
  await cdp.send('ServiceWorker.deliverPushMessage', {
    origin: server.url,
    registrationId,
    data: JSON.stringify(notification),
  });
  await cdp.detach();
}

interface Recording {
  shown: Array<{ title: string; body: string; tag: string; lang: string }>;
  opened: string[];
}

/**
 * Headless browsers show no notifications and give no event permission to open windows, so the worker records its
 * calls.
 */
async function recording(context: BrowserContext): Promise<Worker> {
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
  await worker.evaluate(() => {
    const scope = self as unknown as Recording & {
      registration: { showNotification: unknown };
      clients: { openWindow: unknown };
      WindowClient: { prototype: { focus: unknown } };
    };
    Object.assign(scope, { shown: [], opened: [] });
    scope.registration.showNotification = async (
      title: string,
      { body, tag, lang }: Recording['shown'][number],
    ) => void scope.shown.push({ title, body, tag, lang });
    scope.clients.openWindow = async (path: string) => void scope.opened.push(`new ${path}`);
    scope.WindowClient.prototype.focus = async function focus(this: { url: string }) {
      scope.opened.push(`shown ${new URL(this.url).pathname}`);
    };
  });
  return worker;
}

const read = <Key extends keyof Recording>(worker: Worker, key: Key): Promise<Recording[Key]> =>
  worker.evaluate((name) => (self as unknown as Recording)[name] as never, key);

const press = (worker: Worker, tag: string) =>
  worker.evaluate((name) => {
    const event = new Event('notificationclick');
    self.dispatchEvent(
      Object.assign(event, {
        notification: { tag: name, close: () => undefined },
        waitUntil: () => undefined,
      }),
    );
  }, tag);

test('a denied permission and an unreachable push service are reported @soak', async ({
  page,
  context,
  server,
  browserErrors,
}) => {
  await signInAs(context, server);
  await openSettings(page);
  await onDevice(page).click();
  await expect(page.getByText('Notifications are blocked for this site.')).toBeVisible();
  await expect(onDevice(page)).not.toBeChecked();
  await context.grantPermissions(['notifications']);
  await onDevice(page).click();
  await expect(page.getByText('Your browser couldn’t set up notifications.')).toBeVisible();
  await expect(onDevice(page)).not.toBeChecked();
  expect(await page.evaluate((key) => localStorage.getItem(key), notifyingKey)).toBeNull();
  // The browser's message for developers.
  expect(browserErrors.splice(0)).toEqual([expect.stringContaining('Push API')]);
});

test('a browser without notifications, and an iPhone without the app, say so @soak', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server);
  await context.addInitScript(() => {
    Reflect.deleteProperty(window, 'PushManager');
  });
  await page.goto('/settings');
  await expect(page.getByText('This browser doesn’t support notifications from websites.')).toBeVisible();
  await context.addInitScript(() => {
    Object.assign(navigator, { standalone: false });
  });
  await page.reload();
  await expect(page.getByText('On iPhone and iPad, notifications need the app')).toBeVisible();
});

test('a reply that ends unseen is notified, opens by a press, and the subscription ends with the session', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server);
  await context.grantPermissions(['notifications']);
  const browserState = await withPushService(context, server, person);
  await openSettings(page);
  await onDevice(page).click();
  await expect(page.getByText('Notifications are on for this device.')).toBeVisible();
  await expect(onDevice(page)).toBeChecked();
  const browser = browserState.now;
  if (!browser) throw new Error('The browser did not subscribe.');
  const sent = await send(person, 'Name a river [[tps:0]] [[first:0]]');
  await waitForEnd(person, sent.body.generation.id);
  const [push] = await waitForNotifications(server, browser);
  if (!push) throw new Error('No notification was sent.');
  const worker = await recording(context);
  // Any visible app page makes a notice of images needless; for a reply only chat pages do.
  await deliver(page, server, { ...push.notification, path: '/tools/image', title: 'Seen' });
  await page.goto('/chat/new');
  await deliver(page, server, { ...push.notification, title: 'Seen' });
  await page.goto('/dashboard');
  await deliver(page, server, push.notification);
  const { title, body, path: tag, language: lang } = push.notification;
  await expect.poll(() => read(worker, 'shown')).toEqual([{ title, body, tag, lang }]);
  await press(worker, tag);
  await expect.poll(() => read(worker, 'opened')).toEqual([`new ${tag}`]);
  await page.goto(tag);
  await press(worker, tag);
  await expect.poll(() => read(worker, 'opened')).toEqual([`new ${tag}`, `shown ${tag}`]);

  await page.goto('/settings');
  await waitForHydration(page);
  await expect(onDevice(page)).toBeChecked();
  await server.database.query('delete from sessions where user_id = $1', [person.id]);
  await page.goto('/pricing');
  await eventually(async () => browserState.now === null);
  expect(await page.evaluate((key) => localStorage.getItem(key), notifyingKey)).toBeNull();
});

test('the switch cannot be pressed in vain while its script is loading @soak', async ({
  page,
  context,
  server,
}) => {
  await signInAs(context, server);
  const release = Promise.withResolvers<void>();
  await page.route(/\/notifications-section-[^/]*\.js$/, async (route) => {
    await release.promise;
    await route.continue();
  });
  await page.goto('/settings', { waitUntil: 'commit' });
  await waitForHydration(page);
  await expect(onDevice(page)).toBeDisabled();
  release.resolve();
  await expect(onDevice(page)).toBeEnabled();
});

test('a subscription that the server has lost is repaired by the next page, and removed when switched off @soak', async ({
  page,
  context,
  server,
}) => {
  const person = await signInAs(context, server);
  await context.grantPermissions(['notifications']);
  const browserState = await withPushService(context, server, person);
  await openSettings(page);
  await onDevice(page).click();
  await expect(onDevice(page)).toBeChecked();
  const before = browserState.now?.endpoint;
  await person.send('DELETE', '/api/devices/notifications');
  await page.reload();
  await eventually(async () => (await notificationsOf(person)).on);
  expect(browserState.now?.endpoint).not.toBe(before);
  await waitForHydration(page);
  await onDevice(page).click();
  await expect(page.getByText('Notifications are off on this device.')).toBeVisible();
  expect([(await notificationsOf(person)).on, browserState.now]).toEqual([false, null]);
});

test('a long task offers notifications once @soak', async ({ page, context, server }) => {
  const person = await signInAs(context, server);
  await context.addInitScript(() => {
    // Headless browsers start with the permission denied.
    Object.defineProperty(Notification, 'permission', { get: () => 'default' });
    Notification.requestPermission = async () => 'denied';
  });
  const started = await person.send(
    'POST',
    '/api/images',
    { prompt: 'A river [[mode:hold]]', count: 1 },
    { 'idempotency-key': crypto.randomUUID() },
  );
  expect(started.status).toBe(202);
  await page.goto('/tools/image');
  await page.getByRole('button', { name: 'Notify me when it’s ready' }).click();
  await expect(page.getByRole('button', { name: 'Notify me when it’s ready' })).toBeHidden();
  await page.getByRole('button', { name: 'Cancel' }).first().click();
});
