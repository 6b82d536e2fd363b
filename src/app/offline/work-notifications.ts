import type { WorkNotification } from '#features/devices/contract.ts';

interface WindowClient {
  url: string;
  visibilityState: DocumentVisibilityState;
  focus(): Promise<unknown>;
}

export interface WindowClients {
  matchAll(options: { type: 'window'; includeUncontrolled: true }): Promise<WindowClient[]>;
  openWindow(path: string): Promise<unknown>;
}

/** Returns a pattern of the pages that already show that the work is done; for a reply, only the chat's pages do. */
const pagesThatShow = (path: string) =>
  path.startsWith('/chat/') ? /^\/chat(\/|$)/ : /^\/(chat|tools|dashboard|library|settings)(\/|$)/;

const pathOf = ({ url }: WindowClient) => new URL(url).pathname;

const listWindows = (clients: WindowClients) =>
  clients.matchAll({ type: 'window', includeUncontrolled: true });

/** Shows a notification, unless the user is looking at a page in this browser that already shows the result. */
export async function showNotification(
  { title, body, path, language, dir, always }: WorkNotification,
  registration: ServiceWorkerRegistration,
  clients: WindowClients,
): Promise<void> {
  const pattern = pagesThatShow(path);
  const isSeen = (await listWindows(clients)).some(
    (page) => page.visibilityState === 'visible' && pattern.test(pathOf(page)),
  );
  if (isSeen && !always) return;
  // One notification per path; `renotify` alerts again when a later run replaces it.
  const options = { body, lang: language, dir, tag: path, renotify: true, icon: '/icon-192.png' };
  await registration.showNotification(title, options);
}

/** Opens the work in its existing tab or a new one; other tabs are not navigated, so that text typed there stays. */
export async function openWork(path: string, clients: WindowClients): Promise<void> {
  const existing = (await listWindows(clients)).find((page) => pathOf(page) === path);
  if (existing) await existing.focus();
  else await clients.openWindow(path);
}
