import type { DeviceNotifications, WorkNotification } from '#features/devices/contract.ts';
import type { Person } from './people.ts';
import { eventually, type TestServer } from './server.ts';

export interface BrowserSubscription {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

export const notificationsOf = async (person: Pick<Person, 'get'>): Promise<DeviceNotifications> =>
  (await person.get('/api/devices/notifications')).json();

/** Creates a browser at the push stand-in; it belongs to whoever then subscribes with it on the site. */
export async function newBrowser(
  server: TestServer,
  person: Pick<Person, 'get'>,
): Promise<BrowserSubscription> {
  const { publicKey } = await notificationsOf(person);
  const made = await fetch(`${server.standins}/push/subscriptions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ applicationServerKey: publicKey }),
  });
  return made.json();
}

export const subscribe = (person: Pick<Person, 'send'>, browser: BrowserSubscription) =>
  person.send('PUT', '/api/devices/notifications', browser);

export interface Sent {
  ttl: number;
  topic: string;
  urgency: string;
  bytes: number;
  notification: WorkNotification;
}

/** Returns the notifications that a browser would have shown, oldest first. */
export async function receivedNotifications(
  server: TestServer,
  { endpoint }: BrowserSubscription,
): Promise<Sent[]> {
  const answer = await fetch(`${server.standins}/push/messages?endpoint=${endpoint}`);
  const messages = (await answer.json()) as Array<Omit<Sent, 'notification'> & { data: string }>;
  return messages.map(({ data, ...message }) => ({ ...message, notification: JSON.parse(data) }));
}

export const waitForNotifications = (
  server: TestServer,
  browser: BrowserSubscription,
  count = 1,
): Promise<Sent[]> =>
  eventually(async () => {
    const received = await receivedNotifications(server, browser);
    return received.length >= count && received;
  });

/** Returns the statuses of the requests that the push service received for a browser. */
export async function pushAttempts(
  server: TestServer,
  { endpoint }: BrowserSubscription,
): Promise<Array<number | null>> {
  const calls = await (await fetch(`${server.standins}/log?path=${new URL(endpoint).pathname}`)).json();
  return (calls as Array<{ status: number | null }>).map(({ status }) => status);
}
