import { keptDatabase, type WorkNotification } from '#features/devices/contract.ts';
import { openWork, showNotification, type WindowClients } from './work-notifications.ts';

/** Set by the server in a line before this code; null makes the worker unregister itself. */
export interface OfflineFiles {
  /** Name of the cache, which differs by build, settings and language. */
  cache: string;
  page: string;
  /** Paths of the page's assets, which contain a content hash. */
  files: string[];
}

/** Types of service workers that the DOM library for pages lacks. */
interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
  /** Only on `install` events: https://w3c.github.io/ServiceWorker/#register-router-method */
  addRoutes?(rules: object[]): Promise<void>;
}
interface RequestEvent extends WorkerEvent {
  request: Request;
  preloadResponse: Promise<Response | undefined>;
  respondWith(response: Promise<Response>): void;
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
const CACHE_PREFIX = 'offline-';

/** Navigations to these paths show the offline page when the network fails; all others bypass the worker. */
const appPath = /^\/(chat|tools|dashboard|library|settings)(\/|$)/;

/** Fills the cache from the server. Deletes it first, so that nothing older remains under the same name. */
async function fillCache({ cache: name, page, files }: OfflineFiles): Promise<void> {
  await caches.delete(name);
  const cache = await caches.open(name);
  const add = async (path: string) => {
    // Without cookies, so that the response contains nothing personal.
    const response = await fetch(path, { credentials: 'omit', redirect: 'error' });
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    await cache.put(path, response);
  };
  await Promise.all([page, ...files].map(add));
}

async function removeOthers(currentName: string | null): Promise<void> {
  const names = await caches.keys();
  await Promise.all(
    names.map((name) => (name.startsWith(CACHE_PREFIX) && name !== currentName ? caches.delete(name) : null)),
  );
}

const cachedFile = async ({ cache }: OfflineFiles, path: string) => (await caches.open(cache)).match(path);

async function loadPage(files: OfflineFiles, { request, preloadResponse }: RequestEvent): Promise<Response> {
  try {
    return (await preloadResponse) ?? (await fetch(request));
  } catch (error) {
    const page = await cachedFile(files, files.page).catch(() => undefined);
    if (!page) throw error;
    return page;
  }
}

async function loadFile(files: OfflineFiles, request: Request, path: string): Promise<Response> {
  return (await cachedFile(files, path).catch(() => undefined)) ?? fetch(request);
}

worker.addEventListener('install', (event) => {
  // Where supported, requests that stream or carry files bypass the worker without starting it.
  for (const pathname of ['/api/*', '/v1/*', '/admin/*'])
    void event
      .addRoutes?.([{ condition: { urlPattern: { pathname } }, source: 'network' }])
      .catch(() => undefined);
  event.waitUntil((offline ? fillCache(offline) : Promise.resolve()).then(() => worker.skipWaiting()));
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
    if (appPath.test(pathname)) event.respondWith(loadPage(offline, event));
  } else if (offline.files.includes(pathname)) event.respondWith(loadFile(offline, event.request, pathname));
});

// The data can be trusted: browsers only accept push messages signed and encrypted by this site.
worker.addEventListener('push', (event) => {
  if (event.data) event.waitUntil(showNotification(event.data.json(), worker.registration, worker.clients));
});

worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openWork(event.notification.tag, worker.clients));
});
