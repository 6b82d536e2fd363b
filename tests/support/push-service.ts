import type { BrowserContext } from '@playwright/test';
import { newBrowser, type Subscribed } from './notifications.ts';
import type { Person } from './people.ts';
import type { TestServer } from './server.ts';

/**
 * Replaces a browser's push subscription, since test browsers reach no push service: it subscribes at the stand-in and
 * stays subscribed.
 */
export async function withPushService(context: BrowserContext, server: TestServer, person: Person) {
  const kept: { now: Subscribed | null } = { now: null };
  await context.exposeFunction('subscription', async (act: 'read' | 'make' | 'end') => {
    if (act === 'make') kept.now = await newBrowser(server, person);
    if (act === 'end') kept.now = null;
    return kept.now;
  });
  await context.addInitScript(() => {
    // Headless browsers do not report the permission that the context was granted.
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
