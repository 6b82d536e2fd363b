import { local } from '#client/storage.ts';
import { keepingKey, notifyingKey } from '#features/devices/contract.ts';
import { isWanted, keepChats } from '#features/devices/web/keep-chats.ts';
import { forgetNotifications, keepNotifications } from '#features/devices/web/notifications.ts';
import { forgetKept } from '#features/devices/web/sealed-chats.ts';
import { registerWorker } from '#features/devices/web/service-worker.ts';
import { notificationsOffered, offlineApp } from '#shared/offline-app.ts';

const { dataset } = document.documentElement;

/** Deletes kept chats and ends notifications after a sign-out, so that other users of this browser do not see them. */
async function forget(): Promise<void> {
  if (local.getItem(keepingKey) !== 'off') local.removeItem(keepingKey);
  await Promise.all([forgetKept(), forgetNotifications().catch(() => undefined)]);
}

/** Runs only on app pages, because only they know which features the operator has switched off. */
async function start(): Promise<void> {
  if (dataset.page !== 'app' || !offlineApp()) return;
  const isInstalled = matchMedia('(display-mode: standalone)').matches;
  const isNotifying = local.getItem(notifyingKey) !== null;
  if (!isInstalled && !isWanted() && !isNotifying) return;
  // Without a service worker, nothing can show kept chats or notifications.
  if (!(await registerWorker()) || dataset.auth !== 'in') return;
  if (isInstalled || isWanted()) keepChats();
  if (!isNotifying) return;
  // Failures, for example without a network, are retried by the next page.
  await (notificationsOffered() ? keepNotifications() : forgetNotifications()).catch(() => undefined);
}

document.addEventListener('auth:lost', () => void forget());
document.addEventListener('auth:changed', () => void (dataset.auth === 'in' ? start() : forget()));
if (dataset.auth !== 'in') await forget().catch(() => undefined);
await start();
