import { json, request } from '#client/api-request.ts';
import { local } from '#client/storage.ts';
import { type DeviceNotifications, notifyingKey } from '../contract.ts';
import { registerWorker } from './service-worker.ts';

const address = '/api/devices/notifications';

/** `install`: Safari on iOS supports notifications only for apps on the Home Screen. */
export type NotificationSupport = 'yes' | 'no' | 'install';

export function notificationSupport(): NotificationSupport {
  if ('PushManager' in window && 'Notification' in window && 'serviceWorker' in navigator) return 'yes';
  return 'standalone' in navigator ? 'install' : 'no';
}

export const isNotified = (owner: string): boolean =>
  local.getItem(notifyingKey) === owner &&
  notificationSupport() === 'yes' &&
  Notification.permission === 'granted';

/** @throws if the browser cannot reach a push service, or the site rejects the subscription. */
async function subscribe({ publicKey }: Pick<DeviceNotifications, 'publicKey'>): Promise<void> {
  const registration = await registerWorker();
  if (!registration) throw new Error('There is no service worker.');
  await navigator.serviceWorker.ready;
  // A subscription that is bound to another key of the site, or that the server has ended, is useless.
  await (await registration.pushManager.getSubscription())?.unsubscribe();
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: publicKey,
  });
  const { endpoint, keys } = subscription.toJSON();
  try {
    await request(address, json('PUT', { endpoint, keys }));
  } catch (error) {
    await subscription.unsubscribe();
    throw error;
  }
}

/**
 * Subscribes this browser for the signed-in user. Call it in a click handler. @returns false if permission is denied.
 * @throws like `subscribe`
 */
export async function turnOnNotifications(): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false;
  const state = await request<DeviceNotifications>(address);
  await subscribe(state);
  local.setItem(notifyingKey, state.owner);
  return true;
}

async function unsubscribe(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  await (await registration?.pushManager?.getSubscription())?.unsubscribe();
}

/** The server keeps no subscription of an ended session. Removes the mark last, so that an interrupted page retries. */
export async function forgetNotifications(): Promise<void> {
  await unsubscribe();
  local.removeItem(notifyingKey);
}

export async function turnOffNotifications(): Promise<void> {
  await request(address, { method: 'DELETE' });
  await forgetNotifications();
}

/** Closes notifications about the work that the page shows. */
async function closeShown(): Promise<void> {
  if (document.visibilityState !== 'visible') return;
  const registration = await navigator.serviceWorker.getRegistration();
  for (const shown of (await registration?.getNotifications({ tag: location.pathname })) ?? []) shown.close();
}

let isStarted = false;

/** Repairs a subscription that browser or server have lost, and ends one of another user or without permission. */
export async function syncNotifications(): Promise<void> {
  const owner = local.getItem(notifyingKey);
  if (owner === null) return;
  if (notificationSupport() !== 'yes' || Notification.permission !== 'granted') return turnOffNotifications();
  const state = await request<DeviceNotifications>(address);
  if (state.owner !== owner) return forgetNotifications();
  if (!state.on) await subscribe(state);
  if (isStarted) return;
  isStarted = true;
  void closeShown();
  for (const event of ['page:shown', 'visibilitychange'])
    document.addEventListener(event, () => void closeShown());
}
