import type { BrowserContext } from '@playwright/test';
import { newBrowser, type Subscribed } from './notifications.ts';
import type { Person } from './people.ts';
import type { TestServer } from './server.ts';

/** No browser of a test reaches a push service: it subscribes at the stand-in, and keeps that as a browser does. */
export async function withPushService(context: BrowserContext, server: TestServer, person: Person) {
  const kept: { now: Subscribed | null } = { now: null };
  await context.exposeFunction('subscription', async (act: 'read' | 'make' | 'end') => {
    if (act === 'make') kept.now = await newBrowser(server, person);
    if (act === 'end') kept.now = null;
    return kept.now;
  });
  await context.addInitScript(() => {
    // The permission that the context has been given, which headless browsers do not tell.
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
    const { subscription } = window as unknown as {
      subscription(act: string): Promise<PushSubscriptionJSON | null>;
    };
    const wrap = (told: PushSubscriptionJSON | null) =>
      told && { toJSON: () => told, unsubscribe: () => subscription('end').then(() => true) };
    Object.assign(PushManager.prototype, {
      subscribe: async () => wrap(await subscription('make')),
      getSubscription: async () => wrap(await subscription('read')),
    });
  });
  return kept;
}
