import type { BrowserContext } from '@playwright/test';
import { type BrowserSubscription, newBrowser } from './notifications.ts';
import type { Person } from './people.ts';
import type { TestServer } from './server.ts';

/**
 * Replaces a browser's push subscription, since test browsers reach no push service: it subscribes at the stand-in and
 * stays subscribed.
 */
export async function withPushService(context: BrowserContext, server: TestServer, person: Person) {
  const state: { now: BrowserSubscription | null } = { now: null };
  await context.exposeFunction('subscription', async (action: 'read' | 'make' | 'end') => {
    if (action === 'make') state.now = await newBrowser(server, person);
    if (action === 'end') state.now = null;
    return state.now;
  });
  await context.addInitScript(() => {
    // Headless browsers do not report the permission that the context was granted.
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
    const { subscription } = window as unknown as {
      subscription(action: string): Promise<PushSubscriptionJSON | null>;
    };
    const wrap = (subscriptionJson: PushSubscriptionJSON | null) =>
      subscriptionJson && {
        toJSON: () => subscriptionJson,
        unsubscribe: () => subscription('end').then(() => true),
      };
    Object.assign(PushManager.prototype, {
      subscribe: async () => wrap(await subscription('make')),
      getSubscription: async () => wrap(await subscription('read')),
    });
  });
  return state;
}
