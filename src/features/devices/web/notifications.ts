import { json, request } from '#client/api-request.ts';
import { local } from '#client/storage.ts';
import { type DeviceNotifications, notifyingKey } from '../contract.ts';
import { registerWorker } from './service-worker.ts';

const address = '/api/devices/notifications';

/** `install`: Safari of iOS has them for apps of the Home Screen alone. */
export type NotificationSupport = 'yes' | 'no' | 'install';

export function notificationSupport(): NotificationSupport {
  if ('PushManager' in window && 'Notification' in window && 'serviceWorker' in navigator) return 'yes';
  return 'standalone' in navigator ? 'install' : 'no';
}

export const isNotified = (owner: string): boolean =>
  local.getItem(notifyingKey) === owner &&
  notificationSupport() === 'yes' &&
  Notification.permission === 'granted';

/** @throws where the browser reaches no push service, or the site does not take it */
async function subscribe({ publicKey }: Pick<DeviceNotifications, 'publicKey'>): Promise<void> {
  const registration = await registerWorker();
  if (!registration) throw new Error('There is no service worker.');
  await navigator.serviceWorker.ready;
  // One that is bound to another key of the site, or that the server has ended, is of no use.
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
 * Call it in the press of the person, for whom it is then. @returns false where they do not permit it.
 * @throws as `subscribe`
 */
export async function turnOnNotifications(): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false;
  const told = await request<DeviceNotifications>(address);
  await subscribe(told);
  local.setItem(notifyingKey, told.owner);
  return true;
}

async function unsubscribe(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  await (await registration?.pushManager?.getSubscription())?.unsubscribe();
}

/** Of a session that has ended the server keeps none. The mark goes last: a page that is left meanwhile begins anew. */
export async function forgetNotifications(): Promise<void> {
  await unsubscribe();
  local.removeItem(notifyingKey);
}

export async function turnOffNotifications(): Promise<void> {
  await request(address, { method: 'DELETE' });
  await forgetNotifications();
}

/** Of the work that the page shows. */
async function closeShown(): Promise<void> {
  if (document.visibilityState !== 'visible') return;
  const registration = await navigator.serviceWorker.getRegistration();
  for (const shown of (await registration?.getNotifications({ tag: location.pathname })) ?? []) shown.close();
}

let isStarted = false;

/** Once a page: mends what browser and server have lost, and ends what was another person's or is not permitted any more. */
export async function keepNotifications(): Promise<void> {
  const owner = local.getItem(notifyingKey);
  if (owner === null) return;
  if (notificationSupport() !== 'yes' || Notification.permission !== 'granted') return turnOffNotifications();
  const told = await request<DeviceNotifications>(address);
  if (told.owner !== owner) return forgetNotifications();
  if (!told.on) await subscribe(told);
  if (isStarted) return;
  isStarted = true;
  void closeShown();
  for (const event of ['page:shown', 'visibilitychange'])
    document.addEventListener(event, () => void closeShown());
}
