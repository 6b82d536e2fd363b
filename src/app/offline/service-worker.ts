import { keptDatabase, type WorkNotification } from '#features/devices/contract.ts';
import { openWork, showNotification, type WindowClients } from './work-notifications.ts';

/** What the server says before this code; null takes the worker away again. */
export interface OfflineFiles {
  /** Names the cache; another build or another language has another one. */
  cache: string;
  page: string;
  /** Paths of what the page is made of; their names change with what they hold. */
  files: string[];
}

/** What the types of a page lack of a worker's. */
interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
  /** Of an install: https://w3c.github.io/ServiceWorker/#register-router-method */
  addRoutes?(rules: object[]): Promise<void>;
}
interface RequestEvent extends WorkerEvent {
  request: Request;
  preloadResponse: Promise<Response | undefined>;
  respondWith(answer: Promise<Response>): void;
}
interface PushEvent extends WorkerEvent {
  data: { json(): WorkNotification } | null;
}
interface NotificationEvent extends WorkerEvent {
  notification: Notification;
}
interface WorkerScope {
  offlineFiles: OfflineFiles | null;
  registration: ServiceWorkerRegistration;
  clients: WindowClients & { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', run: (event: WorkerEvent) => void): void;
  addEventListener(type: 'fetch', run: (event: RequestEvent) => void): void;
  addEventListener(type: 'push', run: (event: PushEvent) => void): void;
  addEventListener(type: 'notificationclick', run: (event: NotificationEvent) => void): void;
}

const worker = self as unknown as WorkerScope;
const { offlineFiles: offline } = worker;
const ours = 'offline-';

/** Whose pages are replaced while the network is away; no other navigation passes through here. */
const appPath = /^\/(chat|tools|dashboard|library|settings)(\/|$)/;

/** Whatever stood under the name is gone first: the cache holds what this server sent now, and nothing else. */
async function fill({ cache: name, page, files }: OfflineFiles): Promise<void> {
  await caches.delete(name);
  const cache = await caches.open(name);
  const add = async (path: string) => {
    // Without a cookie: nothing of a person can be in it.
    const answer = await fetch(path, { credentials: 'omit', redirect: 'error' });
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    await cache.put(path, answer);
  };
  await Promise.all([page, ...files].map(add));
}

async function removeOthers(kept: string | null): Promise<void> {
  const names = await caches.keys();
  await Promise.all(
    names.map((name) => (name.startsWith(ours) && name !== kept ? caches.delete(name) : null)),
  );
}

const keptFile = async ({ cache }: OfflineFiles, path: string) => (await caches.open(cache)).match(path);

async function visit(files: OfflineFiles, { request, preloadResponse }: RequestEvent): Promise<Response> {
  try {
    return (await preloadResponse) ?? (await fetch(request));
  } catch (error) {
    const page = await keptFile(files, files.page).catch(() => undefined);
    if (!page) throw error;
    return page;
  }
}

async function load(files: OfflineFiles, request: Request, path: string): Promise<Response> {
  return (await keptFile(files, path).catch(() => undefined)) ?? fetch(request);
}

worker.addEventListener('install', (event) => {
  // What streams or carries files does not even wake the worker, where a browser knows how to say so.
  for (const pathname of ['/api/*', '/v1/*', '/admin/*'])
    void event
      .addRoutes?.([{ condition: { urlPattern: { pathname } }, source: 'network' }])
      .catch(() => undefined);
  event.waitUntil((offline ? fill(offline) : Promise.resolve()).then(() => worker.skipWaiting()));
});

async function start(): Promise<void> {
  await removeOthers(offline?.cache ?? null);
  if (!offline) {
    indexedDB.deleteDatabase(keptDatabase);
    await worker.registration.unregister();
    return;
  }
  await worker.registration.navigationPreload?.enable();
  await worker.clients.claim();
}

worker.addEventListener('activate', (event) => event.waitUntil(start()));

worker.addEventListener('fetch', (event) => {
  const { method, url, mode } = event.request;
  const { origin, pathname } = new URL(url);
  if (!offline || method !== 'GET' || origin !== location.origin) return;
  if (mode === 'navigate') {
    if (appPath.test(pathname)) event.respondWith(visit(offline, event));
  } else if (offline.files.includes(pathname)) event.respondWith(load(offline, event.request, pathname));
});

// Only this site makes a push that a browser can open.
worker.addEventListener('push', (event) => {
  if (event.data) event.waitUntil(showNotification(event.data.json(), worker.registration, worker.clients));
});

worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openWork(event.notification.tag, worker.clients));
});
