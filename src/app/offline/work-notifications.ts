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

/** Where somebody sees by themselves what has ended, or a toast says it: of a reply, the pages of the chat alone. */
const tellingPages = (path: string) =>
  path.startsWith('/chat/') ? /^\/chat(\/|$)/ : /^\/(chat|tools|dashboard|library|settings)(\/|$)/;

const pathOf = ({ url }: WindowClient) => new URL(url).pathname;

const windowsOf = (clients: WindowClients) => clients.matchAll({ type: 'window', includeUncontrolled: true });

/** Nothing, while the person looks in this browser at a page that tells of it. */
export async function showNotification(
  { title, body, path, language, dir, always }: WorkNotification,
  registration: ServiceWorkerRegistration,
  clients: WindowClients,
): Promise<void> {
  const tells = tellingPages(path);
  const isSeen = (await windowsOf(clients)).some(
    (page) => page.visibilityState === 'visible' && tells.test(pathOf(page)),
  );
  if (isSeen && !always) return;
  // Of a work there is one at a time; that it is another run's is told again.
  const options = { body, lang: language, dir, tag: path, renotify: true, icon: '/icon-192.png' };
  await registration.showNotification(title, options);
}

/** What is written on another page stays as it is. */
export async function openWork(path: string, clients: WindowClients): Promise<void> {
  const shown = (await windowsOf(clients)).find((page) => pathOf(page) === path);
  if (shown) await shown.focus();
  else await clients.openWindow(path);
}
