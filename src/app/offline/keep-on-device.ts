import { local } from '#client/storage.ts';
import { keepingKey } from '#features/devices/contract.ts';
import { isWanted, keepChats } from '#features/devices/web/keep-chats.ts';
import { forgetKept } from '#features/devices/web/sealed-chats.ts';
import { registerWorker } from '#features/devices/web/service-worker.ts';
import { offlineApp } from '#shared/offline-app.ts';

const { dataset } = document.documentElement;

/** Nobody else may find here what was kept for one person while they were signed in. */
async function forget(): Promise<void> {
  if (local.getItem(keepingKey) !== 'off') local.removeItem(keepingKey);
  await forgetKept();
}

/** Pages of the app say what the operator has switched off. */
async function start(): Promise<void> {
  if (dataset.page !== 'app' || !offlineApp()) return;
  const isInstalled = matchMedia('(display-mode: standalone)').matches;
  if (!isInstalled && !isWanted()) return;
  // Without a worker nothing shows what would be kept.
  if ((await registerWorker()) && dataset.auth === 'in') keepChats();
}

document.addEventListener('auth:lost', () => void forget());
document.addEventListener('auth:changed', () => void (dataset.auth === 'in' ? start() : forget()));
if (dataset.auth !== 'in') await forget().catch(() => undefined);
await start();
