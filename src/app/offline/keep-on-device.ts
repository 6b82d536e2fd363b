import { local } from '#client/storage.ts';
import { keepingKey, notifyingKey } from '#features/devices/contract.ts';
import { isKeepingChats, startKeeping } from '#features/devices/web/keep-chats.ts';
import { forgetNotifications, syncNotifications } from '#features/devices/web/notifications.ts';
import { deleteKeptChats } from '#features/devices/web/sealed-chats.ts';
import { registerWorker } from '#features/devices/web/service-worker.ts';
import { notificationsOffered, offlineApp } from '#shared/offline-app.ts';

const { dataset } = document.documentElement;

/** Deletes kept chats and ends notifications after a sign-out, so that other users of this browser do not see them. */
async function forget(): Promise<void> {
  if (local.getItem(keepingKey) !== 'off') local.removeItem(keepingKey);
  await Promise.all([deleteKeptChats(), forgetNotifications().catch(() => undefined)]);
}

/** Runs only on app pages, because only they know which features the operator has switched off. */
async function start(): Promise<void> {
  if (dataset.page !== 'app' || !offlineApp()) return;
  const isInstalled = matchMedia('(display-mode: standalone)').matches;
  const isNotifying = local.getItem(notifyingKey) !== null;
  if (!isInstalled && !isKeepingChats() && !isNotifying) return;
  // Without a service worker, nothing can show kept chats or notifications.
  if (!(await registerWorker()) || dataset.auth !== 'in') return;
  if (isInstalled || isKeepingChats()) startKeeping();
  if (!isNotifying) return;
  // Failures, for example without a network, are retried by the next page.
  await (notificationsOffered() ? syncNotifications() : forgetNotifications()).catch(() => undefined);
}

document.addEventListener('auth:lost', () => void forget());
document.addEventListener('auth:changed', () => void (dataset.auth === 'in' ? start() : forget()));
if (dataset.auth !== 'in') await forget().catch(() => undefined);
await start();
